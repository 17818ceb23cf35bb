package endpoints_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
)

// properties describes a configuration by schema.
func properties(text string) json.RawMessage { return json.RawMessage(text) }

// factsOfCalls are about requests from outside and what a script calls.
var factsOfCalls = []fact{
	{says: "incoming web hooks with raw body and signature; the installation is found by its external id",
		manifest: map[string]any{"secrets": map[string]string{"HOOK": "shared"},
			"scopes": []string{"space:content:read"}},
		script: `integration({ fetch: routes({ "/hook": async (body) => {
			const raw = await body.arrayBuffer();
			const signature = Uint8Array.fromHex(event.request.headers["x-hub-signature-256"].replace("sha256=", ""));
			if (!await crypto.subtle.verify("HMAC", await mac(environment.secrets.HOOK, "verify"), signature, raw))
				return new Response("wrong signature", { status: 401 });
			const from = event.request.headers["x-account"];
			const { items } = await api("integration", own() + "/spaces?externalId=" + from);
			if (items.length === 0) return new Response("nobody", { status: 202 });
			const { token } = await api("integration", own() + "/installations/" + items[0].installation + "/tokens",
				{ method: "POST" });
			const space = await (await call(token, "/spaces/" + items[0].space)).json();
			return new Response(space.title + " " + raw.byteLength);
		} }) })`,
		holds: func(f *factRun) {
			f.s.Call(http.MethodPatch, f.at+f.onSpace(), `{"externalIds":["acme/docs"]}`, 200, nil)
			body := "{\"n\":1}\xff\x00\r\n"
			mac := hmac.New(sha256.New, []byte("shared"))
			mac.Write([]byte(body))
			signature, hook := "sha256="+hex.EncodeToString(mac.Sum(nil)), "/integrations/"+f.name+"/hook"
			f.wants(200, f.name+" 11", "POST", hook, body, "X-Hub-Signature-256", signature, "X-Account", "acme/docs")
			f.wants(202, "nobody", "POST", hook, body, "X-Hub-Signature-256", signature, "X-Account", "other")
			f.wants(401, "wrong", "POST", hook, body+" ", "X-Hub-Signature-256", signature, "X-Account", "acme/docs")
		}},
	{says: "OAuth: a window opens publicEndpoint + callback_url, one call-back at the integration's level " +
		"exchanges the code and PATCHes the installation, which was pending",
		manifest: map[string]any{"secrets": map[string]string{"CLIENT_SECRET": "s3"}, "configurations": properties(
			`{"account":{"properties":{"oauth_credentials":{"type":"button","title":"Connect","button_text":"Connect",
			"callback_url":"/oauth"},"service":{"type":"string"},"channel":{"type":"string"}},
			"required":["oauth_credentials","channel"]}}`)},
		script: `integration({ fetch: routes({
			"/oauth": async () => {
				const code = new URL(event.request.url).searchParams.get("code");
				if (!code) return Response.redirect(deepest().configuration.service + "/authorize?" +
					new URLSearchParams({ redirect_uri: environment.integration.urls.publicEndpoint + "/oauth",
						state: JSON.stringify({ installation: environment.installation.id }) }));
				const { installation } = JSON.parse(new URL(event.request.url).searchParams.get("state"));
				const at = own() + "/installations/" + installation, { configuration } = await api("integration", at);
				const answer = await fetch(configuration.service + "/token", { method: "POST",
					body: new URLSearchParams({ code, client_secret: environment.secrets.CLIENT_SECRET }) });
				const given = await answer.json();
				const changed = await api("integration", at, { method: "PATCH", body: { configuration: { ...configuration,
					oauth_credentials: { access_token: given.access_token, refresh_token: given.refresh_token,
						expires_at: Date.now() + given.expires_in * 1000 } } } });
				return new Response("<script>window.close()</script>" + changed.status,
					{ headers: { "content-type": "text/html" } });
			} }) })`,
		holds: func(f *factRun) {
			if status := f.configure("", map[string]any{"service": f.outer.URL}); status != "pending" {
				f.Errorf("a part of what is required leaves it %s", status)
			}
			to, err := url.Parse(f.wants(302, "", "GET", f.endpoint+"/oauth", "").Header.Get("Location"))
			if err != nil || to.Query().Get("redirect_uri") != f.s.Base+"/integrations/"+f.name+"/oauth" {
				f.Fatalf("the window leads to %v %v", to, err)
			}
			f.wants(200, "pending", "GET", "/integrations/"+f.name+"/oauth?code=c0de&state="+
				url.QueryEscape(to.Query().Get("state")), "")
			f.outer.heard(f.T, "POST /token", "code=c0de", "client_secret=s3")
			var now struct{ Configuration map[string]any }
			f.s.Call(http.MethodGet, f.at, nil, 200, &now)
			credentials, _ := now.Configuration["oauth_credentials"].(map[string]any)
			if credentials["access_token"] != "given" || credentials["refresh_token"] != "again" {
				f.Errorf("it keeps %v", now.Configuration)
			}
			now.Configuration["channel"] = "docs"
			if status := f.configure("", now.Configuration); status != "active" {
				f.Errorf("all that is required leaves it %s", status)
			}
		}},
	{says: "the environment holds exactly the level of the address; routes are below the deepest one that is there",
		script: `integration({ fetch: routes({ "/where": async () => Response.json([deepest().urls.publicEndpoint,
			new URL(deepest().urls.publicContentEndpoint).pathname, Object.keys(environment.signingSecrets).sort(),
			Object.keys(environment.apiTokens).sort(), environment.spaceInstallation?.space,
			environment.siteInstallation?.site, deepest().status, environment.integration.version]) }) })`,
		holds: func(f *factRun) {
			root := "/integrations/" + f.name
			for at, rest := range map[string]string{
				root:       `["integration"],["integration"],null,null,null,1]`,
				f.endpoint: `["installation","integration"],["installation","integration"],null,null,"active",1]`,
				f.endpoint + f.onSpace(): `["installation","integration","spaceInstallation"],["installation",` +
					`"integration"],"` + f.site.Space + `",null,"active",1]`,
				f.endpoint + f.onSite(): `["installation","integration","siteInstallation"],["installation",` +
					`"integration"],null,"` + f.siteID + `","active",1]`,
			} {
				f.wants(200, `["`+f.s.Base+at+`","`+at+`",`+rest, "DELETE", at+"/where", "")
			}
		}},
	{says: "called back: sites, spaces, installations, revisions, pages, schemas, addresses, tasks",
		manifest: map[string]any{"scopes": []string{"space:content:read", "space:metadata:read", "site:metadata:read",
			"site:adaptive:read", "site:adaptive:write"}},
		script: `integration({ task: async () => {}, fetch: routes({ "/called": async () => {
			const { space } = environment.spaceInstallation, { id } = environment.installation, at = own() +
				"/installations/" + id, said = {};
			const { site, organization } = Object.fromEntries(new URL(event.request.url).searchParams);
			const see = async (name, kind, path, init) => {
				const answer = await call(environment.apiTokens[kind], path, init), text = await answer.text();
				said[name] = answer.status + (answer.ok ? "" : " " + text);
				return answer.ok && text.startsWith("{") ? JSON.parse(text) : {};
			};
			await see("getSpaceById", "installation", "/spaces/" + space);
			await see("getSiteById", "installation", "/orgs/" + organization + "/sites/" + site);
			const now = await see("getCurrentRevision", "installation", "/spaces/" + space + "/content");
			const revision = "/spaces/" + space + "/revisions/" + now.id;
			await see("getRevisionById", "installation", revision);
			await see("getRevisionSemanticChanges", "installation", revision + "/changes");
			await see("getPageInRevisionById", "installation", revision + "/page/" + now.pages?.[0]?.id);
			await see("getContentByUrl", "installation", "/urls/content?url=" +
				encodeURIComponent(environment.apiEndpoint + "/app/spaces/" + space));
			await see("askInOrganization", "installation", "/orgs/" + organization + "/ask", { method: "POST",
				body: { query: "How?" } });
			await see("streamAskInOrganization", "installation", "/orgs/" + organization + "/ask/stream?query=How");
			await see("updateIntegrationInstallation", "installation", at, { method: "PATCH",
				body: { externalIds: ["team"] } });
			await see("updateIntegrationSpaceInstallation", "integration", at + "/spaces/" + space, { method: "PATCH",
				body: { externalIds: ["repository"] } });
			await see("updateIntegrationSiteInstallation", "integration", at + "/sites/" + site, { method: "PATCH",
				body: { configuration: { any: { thing: [1, "a", true] } } } });
			await see("getIntegrationInstallationById", "integration", at);
			said.installations = (await see("listIntegrationInstallations", "integration", own() +
				"/installations?externalId=team")).items?.length;
			said.spaces = (await see("listIntegrationSpaceInstallations", "integration", own() +
				"/spaces?externalId=repository")).items?.length;
			await see("createIntegrationInstallationToken", "integration", at + "/tokens", { method: "POST" });
			await see("queueIntegrationTask", "integration", own() + "/tasks", { method: "POST",
				body: { task: { sweep: id }, schedule: 1 } });
			const schema = "/orgs/" + organization + "/sites/" + site + "/adaptive-schema";
			await see("updateSiteAdaptiveSchema", "installation", schema, { method: "PUT", body: { jsonSchema: {
				type: "object", properties: { plan: { type: "string", description: "The plan." } },
				additionalProperties: false } } });
			await see("getSiteAdaptiveSchema", "installation", schema);
			return Response.json(said);
		} }) })`,
		holds: func(f *factRun) {
			f.s.Call(http.MethodPatch, f.site.Path, `{"adaptiveContent":{"enabled":true}}`, 200, nil)
			got := f.send("GET", f.endpoint+f.onSpace()+"/called?site="+f.siteID+"&organization="+f.s.Organization, "")
			var said map[string]any
			if err := json.Unmarshal(got.Body, &said); err != nil || len(said) != 21 {
				f.Fatalf("%d %s", got.Status, got.Body)
			}
			for name, status := range said {
				if text, _ := status.(string); status != 1.0 && !strings.HasPrefix(text, "20") {
					f.Errorf("%s: %v", name, status)
				}
			}
			f.logged("task", `"task":{"sweep":"`+f.installation+`"}`)
		}},
	{says: "an event-stream answer; Response.redirect; option lists for configuration",
		manifest: map[string]any{"configurations": properties(`{"account":{"properties":{"channel":{"type":"string",
			"completion_url":"/channels"}}}}`)},
		script: `integration({ fetch: routes({
			"/stream": async () => new Response(new ReadableStream({ start(to) {
				to.enqueue(new TextEncoder().encode("data: one\n\n"));
				setTimeout(() => { to.enqueue(new TextEncoder().encode("data: two\n\n")); to.close(); }, 5);
			} }), { headers: { "content-type": "text/event-stream" } }),
			"/channels": async () => Response.json([{ id: "c1", label: "General" }]),
			"/away": async () => Response.redirect("https://example.org/x", 307) }) })`,
		holds: func(f *factRun) {
			if got := f.wants(200, "data: one\n\ndata: two\n\n", "GET", f.endpoint+"/stream",
				""); got.Header.Get("Content-Type") != "text/event-stream" {
				f.Errorf("%v", got.Header)
			}
			f.wants(200, `[{"id":"c1","label":"General"}]`, "GET", f.endpoint+"/channels", "")
			f.wants(307, "", "GET", f.endpoint+"/away", "")
		}},
	{says: "errors a script means to show: its status and message, others 500; method in lower case; none: 400",
		script: `integration({ fetch: routes({ "/mine": async () => Response.json({ error: { message: "Teapot." } },
			{ status: 418 }), "/other": async () => nothing.here, "/method": async (body) =>
			new Response(event.request.method + (await body?.text() ?? "")) }) })`,
		holds: func(f *factRun) {
			f.wants(418, "Teapot.", "GET", f.endpoint+"/mine", "")
			f.wants(500, `"error"`, "GET", f.endpoint+"/other", "")
			f.logged("fetch", "nothing")
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
				f.wants(200, strings.ToLower(method), method, f.endpoint+"/method", "")
			}
		}},
	{says: "runtime is v1 when absent: a classic script that calls addEventListener('fetch', e => e.respondWith(…))",
		manifest: map[string]any{"runtime": nil, "script": `(() => { addEventListener("fetch", (e) => {
			e.respondWith((async () => { const form = await e.request.formData(), got = JSON.parse(form.get("event"));
				return got.type === "fetch" ? new Response("classic " + new URL(e.request.url).pathname) :
					new Response(null, { status: 406 }); })()); }); })();`},
		holds: func(f *factRun) { f.wants(200, "classic /v1", "GET", f.endpoint+"/", "") }},
	{says: "self is globalThis; no process, window, require; key-value stores are not there; ES2020 to ES2023",
		script: `integration({ fetch: async () => Response.json([self === globalThis, typeof process, typeof window,
			typeof require, typeof caches, [3, 1].toSorted().at(-1), 2n ** 3n === 8n, null ?? "x",
			crypto.randomUUID().length,
			structuredClone(new Map([[1, 2]])).get(1), URL.canParse("a b"), typeof AbortSignal.timeout]) })`,
		holds: func(f *factRun) {
			f.wants(200, `[true,"undefined","undefined","undefined","undefined",3,true,"x",36,2,false,"function"]`,
				"GET", f.endpoint+"/", "")
		}},
	{says: "scripts of 1.15 MB, bodies of 4.26 MB; pictures are bare base64; names may hold capitals",
		manifest: map[string]any{
			"script": prelude + `integration({ fetch: async () => new Response(String(large.length)) });
				const large = "` + strings.Repeat("words of a bundle, ", 63_000) + `";`,
			"previewImages": []string{noise(560), noise(560), noise(560)}, "icon": noise(64)},
		holds: func(f *factRun) {
			f.wants(200, "1197000", "GET", f.endpoint+"/", "")
			var found struct {
				PreviewImages []string
				URLs          struct{ App string }
			}
			f.s.Call(http.MethodGet, "/v1/integrations/"+f.name, nil, 200, &found)
			if len(found.PreviewImages) != 3 || found.URLs.App == "" {
				f.Errorf("%+v", found)
			}
		}},
	{says: "the environment has the address of the integration's picture, which everybody may see",
		manifest: map[string]any{"icon": noise(8)},
		script:   `integration({ fetch: async () => new Response(environment.integration.urls.icon) })`,
		holds: func(f *factRun) {
			icon := string(f.wants(200, "/assets/", "GET", f.endpoint+"/", "").Body)
			path, ok := strings.CutPrefix(icon, f.s.Base)
			if got := f.wants(200, "PNG", "GET", path, ""); !ok || got.Header.Get("Content-Type") != "image/png" {
				f.Errorf("%s is %s", icon, got.Header.Get("Content-Type"))
			}
		}},
	{says: "contentSecurityPolicy is an object whose values hold newlines and semicolons; it is on the answers, " +
		"not on the site's page",
		manifest: map[string]any{"scopes": []string{}, "contentSecurityPolicy": map[string]string{
			"style-src": "'unsafe-inline';\nself;\nblob:;\n", "frame-ancestors": "https://example.org"}},
		script: `integration({ fetch: async () => new Response("<p>frame</p>",
			{ headers: { "content-type": "text/html" } }) })`,
		holds: func(f *factRun) {
			got := f.wants(200, "frame", "GET", f.endpoint+f.onSpace()+"/", "").Header.Values("Content-Security-Policy")
			if all := strings.Join(got, " | "); !strings.Contains(all, "frame-ancestors https://example.org") ||
				!strings.Contains(all, "blob:") || strings.Contains(all, "\n") {
				f.Errorf("the policy is %q", all)
			}
			if page := f.send("GET", strings.TrimPrefix(f.site.Home, f.s.Base), ""); strings.Contains(
				page.Header.Get("Content-Security-Policy"), "blob:") {
				f.Errorf("the policy of a page is %q", page.Header.Get("Content-Security-Policy"))
			}
		}},
}

// noise is a picture that packs badly, as bare base64 of a PNG.
func noise(side int) string {
	picture, random := image.NewNRGBA(image.Rect(0, 0, side, side)), rand.New(rand.NewPCG(1, 2))
	for i := range picture.Pix {
		picture.Pix[i] = byte(random.Uint32()) | 1
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}
