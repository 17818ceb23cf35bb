package endpoints_test

import (
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// factsOfEvents are about what scripts are told.
var factsOfEvents = []fact{
	{says: "space_content_updated with updatedBy, waitUntil, and a request to a host that the configuration names",
		manifest: map[string]any{"scopes": []string{"space:content:read"}, "configurations": properties(
			`{"space":{"properties":{"hook":{"type":"string"}},"required":["hook"]}}`)},
		script: `integration({ space_content_updated: async (body, context) => {
			context.waitUntil((async () => {
				const changes = await api("installation", "/spaces/" + event.spaceId + "/revisions/" + event.revisionId +
					"/changes");
				await fetch(environment.spaceInstallation.configuration.hook, { method: "POST", body: JSON.stringify({
					by: event.updatedBy.map((user) => user.displayName), what: changes.changes.map(({ type, page }) =>
						type + " " + page?.title) }) });
			})());
		} })`,
		holds: func(f *factRun) {
			f.write("Before", "Nobody listens.")
			if status := f.configure(f.onSpace(), map[string]any{"hook": f.outer.URL + "/notice"}); status != "active" {
				f.Errorf("it is %s", status)
			}
			f.write("News", "Read all about it.")
			f.outer.heard(f.T, "POST /notice", `"by":["Ada"]`, "page_created News")
		}},
	{says: "space_gitsync_started and space_gitsync_completed, when a commit is imported",
		manifest: map[string]any{"scopes": []string{"space:git:sync"}},
		script:   `integration({ space_gitsync_started: async () => {}, space_gitsync_completed: async () => {} })`,
		holds: func(f *factRun) {
			bring := func(name, title string) (revision string) {
				f.Helper()
				var made struct{ Revision string }
				f.s.Call(http.MethodPost, "/v1/spaces/"+f.site.Space+"/content/upload?name=docs.zip"+name,
					apptest.Zipped(f.T, map[string]string{"readme.md": "# " + title + "\n"}), 201, &made)
				return made.Revision
			}
			commit := strings.Repeat("ab", 20)
			before := bring("", "Of no repository")
			after := bring("&repository=https://github.com/acme/docs&ref=main&commit="+commit, "Of a repository")
			f.logged("space_gitsync_started", `"commitId":"`+commit+`"`, `"revisionId":"`+before+`"`,
				`"spaceId":"`+f.site.Space+`"`, `"installationId":"`+f.installation+`"`)
			f.logged("space_gitsync_completed", `"commitId":"`+commit+`"`, `"revisionId":"`+after+`"`,
				`"state":"success"`)
			var list struct{ Count int }
			f.s.Call(http.MethodGet, "/v1/integrations/"+f.name+"/events?type=space_gitsync_started", nil, 200, &list)
			if list.Count != 1 {
				f.Errorf("it is told %d times", list.Count)
			}
		}},
	{says: "space_visibility_updated when sites begin or cease to show a space, or show it to others",
		manifest: map[string]any{"scopes": []string{"space:metadata:read"}},
		script:   `integration({ space_visibility_updated: async () => {} })`,
		holds: func(f *factRun) {
			told := func(before, after string) {
				f.Helper()
				f.logged("space_visibility_updated", `"previousVisibility":"`+before+`"`, `"visibility":"`+after+`"`,
					`"spaceId":"`+f.site.Space+`"`, `"installationId":"`+f.installation+`"`)
			}
			sites := "/v1/orgs/" + f.s.Organization + "/sites"
			var second, part apptestID
			f.s.Call(http.MethodPatch, f.site.Path, `{"visibility":"unlisted"}`, 200, nil)
			told("public", "unlisted")
			// A more open site decides; a move into a collection changes nothing while a site shows the space.
			f.s.Call(http.MethodPost, sites, map[string]any{"title": f.name + " two", "visibility": "public"}, 201,
				&second)
			f.s.Call(http.MethodPost, sites+"/"+second.ID+"/publish", nil, 200, nil)
			f.s.Call(http.MethodPost, sites+"/"+second.ID+"/site-spaces", map[string]any{"spaceId": f.site.Space}, 201,
				&part)
			told("unlisted", "public")
			f.s.Call(http.MethodDelete, sites+"/"+second.ID, nil, 204, nil)
			f.s.Call(http.MethodPost, "/v1/spaces/"+f.site.Space+"/move", map[string]any{
				"parent": f.s.Collection(f.name, "")}, 200, nil)
			f.s.Call(http.MethodPost, f.site.Path+"/unpublish", nil, 200, nil)
			told("unlisted", "in-collection")
			f.s.Call(http.MethodPost, f.site.Path+"/publish", nil, 200, nil)
			told("in-collection", "unlisted")
			var list struct{ Count int }
			f.s.Call(http.MethodGet, "/v1/integrations/"+f.name+"/events?type=space_visibility_updated", nil, 200,
				&list)
			if list.Count != 5 {
				f.Errorf("it is told %d times", list.Count)
			}
		}},
	{says: "setup events fire at installation and at each change of configuration, for all sites and spaces that are " +
		"selected",
		manifest: map[string]any{"configurations": properties(`{"account":{"properties":{"key":{"type":"string"}},
			"required":["key"]}}`)},
		script: `integration({ installation_setup: async () => {}, site_installation_setup: async () => {},
			space_installation_setup: async () => {}, space_installation_deleted: async () => {} })`,
		holds: func(f *factRun) {
			later := f.s.Space("Later")
			f.logged("site_installation_setup", `"siteId":"`+f.siteID+`"`, `"status":"pending"`)
			f.configure("", map[string]any{"key": "k"})
			f.logged("installation_setup", `"status":"active"`, `"previous":{"configuration":{},"status":"pending"}`)
			f.logged("site_installation_setup", `"siteId":"`+f.siteID+`"`, `"status":"active"`)
			f.s.Call(http.MethodPatch, f.at, `{"space_selection":"all"}`, 200, nil)
			f.logged("space_installation_setup", `"spaceId":"`+later+`"`, `"status":"active"`)
			f.logged("space_installation_setup", `"spaceId":"`+f.s.Space("Latest")+`"`, `"status":"active"`)
			f.s.Call(http.MethodPatch, f.at, `{"space_selection":"selected"}`, 200, nil)
			f.logged("space_installation_deleted", `"spaceId":"`+later+`"`, `"previous":{"configuration":{}}`)
		}},
	{says: "trace.logs[]: level debug, info, warn or error, and message, from the script's console",
		script: `integration({ fetch: async () => { console.debug("d"); console.info("i"); console.warn("w", { a: 1 });
			console.error("e"); } })`,
		holds: func(f *factRun) {
			f.wants(200, "done", "GET", f.endpoint+"/", "")
			f.logged("fetch", `"level":"debug"`, `"level":"info"`, `"level":"warn"`, `"level":"error"`)
		}},
	{says: "tasks: schedule 0..86400 s; what is not handled is 406, which means no subscriber",
		script: `integration({ fetch: async () => new Response(null, { status: (await call(environment.apiTokens.integration,
			own() + "/tasks", { method: "POST", body: { task: { n: 1 }, schedule: Number(route().slice(1)) } })).status }) })`,
		holds: func(f *factRun) {
			f.wants(204, "", "GET", f.endpoint+"/0", "")
			f.wants(204, "", "GET", f.endpoint+"/86400", "")
			f.wants(400, "", "GET", f.endpoint+"/86401", "")
			got := f.s.Raw(http.MethodGet, "/v1/integrations/"+f.name+"/events?type=task", f.s.Token, nil)
			if strings.Contains(string(got.Body), `"payload"`) {
				f.Errorf("what nobody handles is listed: %s", got.Body)
			}
		}},
}

// apptestID is what a test needs of something that was made.
type apptestID struct{ ID string }
