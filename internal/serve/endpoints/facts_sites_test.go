package endpoints_test

import (
	"net/http"
	"regexp"
	"strings"
)

// frameOrigin is where the frame of the fact about web frames is from.
const frameOrigin = "https://frame.example.com"

// factsOfSites are about blocks, settings and scripts of pages.
var factsOfSites = []fact{
	{says: "fetch_published_script: <script async src> on a page, public, with its Cache-Control",
		manifest: map[string]any{"scopes": []string{"site:script:inject"}, "configurations": properties(
			`{"site":{"properties":{"tracking_id":{"type":"string"}},"required":["tracking_id"]}}`)},
		script: `integration({ fetch_published_script: async () => new Response("track(" + JSON.stringify(
			environment.siteInstallation.configuration.tracking_id) + ")", { headers: {
			"content-type": "application/javascript", "cache-control": "max-age=604800" } }) })`,
		holds: func(f *factRun) {
			read := func() string {
				return string(f.send("GET", strings.TrimPrefix(f.site.Home, f.s.Base), "").Body)
			}
			if strings.Contains(read(), "script.js") {
				f.Error("the script is on a page before it is configured")
			}
			f.configure(f.onSite(), map[string]any{"tracking_id": "T-1"})
			found := regexp.MustCompile(`<script src="([^"]+/script\.js\?version=[^"]+)" async>`).
				FindStringSubmatch(read())
			if found == nil {
				f.Fatalf("no script in %.2000s", read())
			}
			got := f.wants(200, `track("T-1")`, "GET", strings.TrimPrefix(found[1], f.s.Base), "")
			if got.Header.Get("Cache-Control") != "max-age=604800" {
				f.Errorf("%v", got.Header)
			}
		}},
	{says: "blocks: Markdown {% @integration/block %}, a press renders again with state and action; 404 hides it",
		manifest: map[string]any{"blocks": []any{map[string]any{"id": "counter", "title": "Counter"}}},
		script: `integration({ ui_render: async () => {
			if (event.componentId !== "counter" || event.props.gone) return new Response("none", { status: 404 });
			const count = (event.state?.count ?? 0) + (event.action?.action === "more" ? event.action.by : 0);
			return drawn({ type: "block", children: [{ type: "text", children: ["Count " + count + " " +
				typeof event.props.number + typeof event.props.flag] },
				{ type: "button", label: "More", onPress: { action: "more", by: 2 } }] }, { state: { count } });
		} })`,
		holds: func(f *factRun) {
			tag := "{% @" + f.name + `/counter number="1" %}`
			address := f.write("Counted", tag+"\n\n{% @"+f.name+`/counter gone="yes" %}`)
			page := eventually(f.T, visits(f.T, address), "Count 0", "More")
			if strings.Count(page, "Count 0") != 1 {
				f.Error("a block that is not there is shown")
			}
			got := f.send("POST", strings.TrimPrefix(f.site.Home, f.s.Base)+"~/block", `{"integration":"`+f.name+
				`","component":"counter","props":{"number":1,"flag":true},"state":{"count":3},"action":{"action":"more",
				"by":2},"prefix":"b1-"}`, "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
			if got.Status != 200 || !strings.Contains(string(got.Body), "Count 5 numberboolean") {
				f.Errorf("a press: %d %s", got.Status, got.Body)
			}
			f.render(200, "Count 3 numberboolean", "counter", f.document(),
				`"props":{"number":1.5,"flag":false,"list":[1,"a",true,{"deep":null}]},"state":{"count":3}`)
			f.render(404, "no component", "other", f.document(), `"props":{}`)
		}},
	{says: "a fence that an integration maps: blocks[].markdown {codeblock, body}",
		manifest: map[string]any{"blocks": []any{map[string]any{"id": "chart", "title": "Chart",
			"markdown": map[string]string{"codeblock": "chart", "body": "content"}}}},
		script: `integration({ ui_render: async () => drawn({ type: "block", children: [{ type: "markdown",
			content: "**" + event.props.content.trim().toUpperCase() + "**" }] }) })`,
		holds: func(f *factRun) {
			eventually(f.T, visits(f.T, f.write("Drawing", "```chart\na to b\n```\n")), "<strong>A TO B</strong>")
		}},
	{says: "urlUnfurl: a link becomes a block with action {action: '@link.unfurl', url}; unknown hosts answer link",
		manifest: map[string]any{"blocks": []any{map[string]any{"id": "issue", "title": "Issue",
			"urlUnfurl": []string{"https://tracker.example.com/issues/**"}}}},
		script: `integration({ ui_render: async () => {
			if (event.action?.action === "@link.unfurl") {
				const id = new URL(event.action.url).pathname.split("/").at(-1);
				return drawn({ type: "block", children: [] }, { props: { id } });
			}
			return drawn({ type: "block", children: [{ type: "card", title: "Issue " + event.props.id, children: [] }] });
		} })`,
		holds: func(f *factRun) {
			embed := "/v1/spaces/" + f.site.Space + "/embed?url="
			var found struct{ Type, Integration string }
			f.s.Call(http.MethodGet, embed+"https://tracker.example.com/issues/7", nil, 200, &found)
			if found.Type != "integration" || !strings.EqualFold(found.Integration, f.name) {
				f.Errorf("the link is %+v", found)
			}
			f.s.Call(http.MethodGet, embed+"https://elsewhere.example.com/issues/7", nil, 200, &found)
			if found.Type != "link" {
				f.Errorf("another link is %+v", found)
			}
			f.render(200, `"props":{"id":"7"}`, "issue", f.document(), `"props":{},"action":{"action":"@link.unfurl",
				"url":"https://tracker.example.com/issues/7"}`)
			f.render(200, "Issue 7", "issue", f.document(), `"props":{"id":"7"}`)
		}},
	{says: "web frames: <iframe src=element.source.url> with data bindings; modals; complete with a return value",
		manifest: map[string]any{"blocks": []any{map[string]any{"id": "framed", "title": "Framed"}}},
		script: `integration({ ui_render: async () => {
			if (event.componentId === "dialog") return event.action?.action === "save" ? Response.json({ type: "complete",
				returnValue: { name: event.state.name } }) : drawn({ type: "modal", title: "Ask", size: "medium",
				children: [{ type: "input", label: "Name", element: { type: "textinput", state: "name" } }],
				submit: { type: "button", label: "Save", onPress: { action: "save" } } });
			return drawn({ type: "block", children: [{ type: "webframe", aspectRatio: 2, source: { url: "` +
			frameOrigin + `/view" }, data: { text: "fixed", bound: { "$state": "name" } } }, { type: "button", label: "Edit",
				onPress: { action: "@ui.modal.open", componentId: "dialog", props: {} } }] },
				{ state: { name: event.action?.returnValue?.name ?? "first" } });
		} })`,
		holds: func(f *factRun) {
			address := f.write("Framed", "{% @"+f.name+"/framed %}")
			eventually(f.T, visits(f.T, address), `src="`+frameOrigin+`/view"`, "@ui.modal.open", "&#34;bound&#34;")
			if policy := f.send("GET", strings.TrimPrefix(address, f.s.Base), "").Header.Get(
				"Content-Security-Policy"); !strings.Contains(policy, frameOrigin) {
				f.Errorf("the policy of the page lacks the frame: %s", policy)
			}
			f.render(200, `"type":"modal"`, "dialog", f.document(), `"props":{}`)
			f.render(200, `"returnValue":{"name":"New"}`, "dialog", f.document(),
				`"props":{},"state":{"name":"New"},"action":{"action":"save"}`)
			f.render(200, `"state":{"name":"New"}`, "framed", f.document(),
				`"props":{},"action":{"action":"@ui.modal.close","returnValue":{"name":"New"}}`)
		}},
	{says: "configuration by component, for an organization, a space and a site, which keeps what it is told itself",
		manifest: map[string]any{"configurations": properties(`{"account":{"componentId":"setup"},
			"space":{"componentId":"setup"},"site":{"componentId":"setup"}}`)},
		script: `integration({ ui_render: async () => {
			const at = own() + "/installations/" + environment.installation.id + { configuration_account: "",
				configuration_space: "/spaces/" + event.context.spaceId, configuration_site: "/sites/" +
				event.context.siteId }[event.context.type];
			const { configuration } = event.action?.action !== "save" ? deepest() : await api("installation", at,
				{ method: "PATCH", body: { configuration: { mode: event.state.mode } } });
			return drawn({ type: "configuration", children: [{ type: "input", label: "Mode", element: { type: "select",
				state: "mode", options: [{ id: "a", label: "A" }], initialValue: configuration.mode } },
				{ type: "button", label: "Save", onPress: { action: "save" } }] }, { state: { ...configuration } });
		} })`,
		holds: func(f *factRun) {
			for place, context := range map[string]string{
				"":          `{"type":"configuration_account","organizationId":"` + f.s.Organization + `","theme":"light"}`,
				f.onSpace(): `{"type":"configuration_space","spaceId":"` + f.site.Space + `","theme":"light"}`,
				f.onSite():  `{"type":"configuration_site","siteId":"` + f.siteID + `","theme":"dark"}`,
			} {
				f.render(200, `"type":"configuration"`, "setup", context, `"props":{}`)
				f.render(200, `"state":{"mode":"a"}`, "setup", context,
					`"props":{},"state":{"mode":"a"},"action":{"action":"save"}`)
				var now struct{ Configuration map[string]any }
				f.s.Call(http.MethodGet, f.at+place, nil, 200, &now)
				if now.Configuration["mode"] != "a" {
					f.Errorf("%s keeps %v", context, now.Configuration)
				}
			}
		}},
}
