package endpoints_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// parrot is a script that answers with what it got, for each kind of event.
const parrot = `
export default { async fetch(request, env, ctx) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	console.log("got", event.type);
	const at = environment.siteInstallation || environment.spaceInstallation || environment.installation ||
		environment.integration;
	if (event.type === "fetch_published_script")
		return new Response("window.parrot = " + JSON.stringify(environment.siteInstallation.configuration), {
			headers: {"cache-control": "public, max-age=60", "content-type": "application/javascript",
				"set-cookie": "evil=1"}});
	if (event.type === "ui_render") {
		if (event.componentId !== "block") return new Response("none", {status: 404});
		return Response.json({type: "element", props: event.props, state: {count: (event.state?.count ?? 0) + 1},
			element: {type: "block", children: [{type: "text", children: [event.props.text ?? ""]}]}},
			{headers: {"cache-control": "max-age=30"}});
	}
	if (event.type === "task") { console.warn("task", event.task.name); return new Response("done"); }
	if (event.type !== "fetch") return new Response("not mine", {status: 406});
	const path = new URL(event.request.url).pathname.slice(new URL(at.urls.publicEndpoint).pathname.length);
	const api = (token, path, init) => fetch(environment.apiEndpoint + path,
		{...init, headers: {authorization: "Bearer " + token, "content-type": "application/json"}});
	switch (path) {
	case "/echo":
		return Response.json({event, levels: Object.keys(environment).sort(), body: form.get("fetch-body") ?
			await form.get("fetch-body").text() : null, secrets: environment.secrets,
			signing: Object.keys(environment.signingSecrets).sort(), self: typeof self, process: typeof process},
			{status: 201, headers: {"set-cookie": "evil=1", "x-mine": "yes", "clear-site-data": "*"}});
	case "/page":
		return new Response("<script>1</script>", {headers: {"content-type": "text/html"}});
	case "/away":
		return Response.redirect("https://example.org/there?code=1", 302);
	case "/oauth": {
		const changed = await api(environment.apiTokens.integration, "/v1/integrations/parrot/installations/" +
			event.request.headers["x-installation"], {method: "PATCH",
			body: JSON.stringify({configuration: {oauth_credentials: {access_token: "t"}}})});
		return new Response(await changed.text(), {status: changed.status});
	}
	case "/space": {
		const space = await api(environment.apiTokens.installation, "/v1/spaces/" + environment.spaceInstallation.space);
		return new Response(await space.text(), {status: space.status});
	}
	case "/later": {
		const queued = await api(environment.apiTokens.integration, "/v1/integrations/parrot/tasks",
			{method: "POST", body: JSON.stringify({task: {name: "sweep"}})});
		ctx.waitUntil((async () => { await queued.text(); console.info("waited"); })());
		return new Response(null, {status: queued.status});
	}
	case "/loop": for (;;) {}
	case "/throw": throw new Error("broken on purpose");
	case "/ssrf": {
		try { await fetch("http://127.0.0.1:1/"); return new Response("reached"); }
		catch (error) { return new Response("refused", {status: 299}); }
	}
	case "/smuggle": {
		const answer = await fetch(environment.apiEndpoint + "/v1/user", {headers: {cookie: "rct_session=x",
			"x-forwarded-for": "127.0.0.1", host: "evil.example"}});
		return new Response(null, {status: answer.status});
	}
	case "/remember": globalThis.seen = (globalThis.seen || "") + environment.installation.id;
		return new Response(globalThis.seen);
	}
	return new Response("no route " + path, {status: 404});
} };`

// publish publishes the parrot and installs it on a space and a site.
func publish(s *apptest.Server) (installed apptest.Installation, space, site string) {
	s.Publish("parrot", map[string]any{
		"script": parrot, "runtime": "v2", "secrets": map[string]string{"KEY": "of the manifest"},
		"scopes": []string{"space:content:read", "site:script:inject", "site:views:read", "page:feedback:read"},
		"configurations": json.RawMessage(`{"account":{"properties":{"oauth_credentials":{"type":"button",
			"button_text":"Connect","callback_url":"/oauth"}},"required":["oauth_credentials"]},
			"site":{"properties":{"tag":{"type":"string"}}}}`),
		"contentSecurityPolicy": "default-src 'self'",
	})
	installed = s.Install("parrot")
	space = s.Space("Guide")
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &made)
	at := "/v1/integrations/parrot/installations/" + installed.ID
	s.Call(http.MethodPost, at+"/spaces", map[string]any{"space": space}, http.StatusCreated, nil)
	s.Call(http.MethodPost, at+"/sites", map[string]any{"siteId": made.ID}, http.StatusCreated, nil)
	s.Call(http.MethodPatch, at+"/sites/"+made.ID, `{"configuration":{"tag":"blue"}}`, http.StatusOK, nil)
	return installed, space, made.ID
}

// TestScriptsAnswer runs a script for the requirements of integrations: levels, addresses, tokens, tasks, components.
func TestScriptsAnswer(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		installed, space, site := publish(s)
		root := "/integrations/parrot"
		one := root + "/installations/" + installed.ID
		levels := map[string]string{
			root: "[integration]", one: "[installation integration]",
			one + "/spaces/" + space: "[installation integration spaceInstallation]",
			one + "/sites/" + site:   "[installation integration siteInstallation]",
		}
		for at, want := range levels {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.Base+at+"/echo?a=b",
				strings.NewReader("the body"))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Cookie", "rct_session=secret")
			request.Header.Set("Authorization", "Bearer "+s.Token)
			request.Header.Set("X-Signature", "raw")
			got := s.Send(request)
			var said struct {
				Event struct {
					Request struct {
						Method, URL string
						Headers     map[string]string
					}
				}
				Levels  []string
				Body    string
				Secrets map[string]string
				Signing []string
				Self    string
				Process string
			}
			if err := json.Unmarshal(got.Body, &said); err != nil {
				t.Fatalf("%s: %d %.300s", at, got.Status, got.Body)
			}
			in := said.Event.Request
			if got.Status != 201 || said.Body != "the body" || in.Method != "put" || in.URL != s.Base+at+"/echo?a=b" ||
				in.Headers["x-signature"] != "raw" || in.Headers["cookie"] != "" || in.Headers["authorization"] != "" ||
				said.Secrets["KEY"] != "of the manifest" || fmt.Sprint(said.Signing) != want || said.Self != "object" ||
				said.Process != "undefined" {
				t.Errorf("%s: %+v", at, said)
			}
			h := got.Header
			if h.Get("Set-Cookie") != "" || h.Get("Clear-Site-Data") != "" || h.Get("X-Mine") != "yes" ||
				!strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox ") ||
				h.Values("Content-Security-Policy")[1] != "default-src 'self'" {
				t.Errorf("%s: headers %v", at, h)
			}
		}
		status := func(want int, path, says string) apptest.Answer {
			t.Helper()
			got := s.Raw(http.MethodGet, path, "", nil)
			if got.Status != want || !strings.Contains(string(got.Body), says) {
				t.Errorf("%s: %d, want %d with %q: %.300s", path, got.Status, want, says, got.Body)
			}
			return got
		}
		status(404, "/integrations/none/echo", "error")
		status(404, one+"/spaces/"+strings.Replace(space, "space_0", "space_1", 1)+"/echo", "")
		status(404, root+"/nowhere", "no route")
		if got := status(302, root+"/away", ""); got.Header.Get("Location") != "https://example.org/there?code=1" {
			t.Errorf("redirect: %v", got.Header)
		}
		// While it waits for its configuration, it puts nothing on pages.
		status(404, one+"/sites/"+site+"/script.js?version=1", "error")
		status(404, one+"/spaces/"+space+"/script.js", "no route")

		// A button's window comes back, and the script keeps what it got: pending becomes active.
		before := s.Raw(http.MethodGet, "/v1/integrations/parrot/installations/"+installed.ID, s.Token, nil)
		if !strings.Contains(string(before.Body), `"status":"pending"`) {
			t.Errorf("before: %s", before.Body)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+root+"/oauth", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Installation", installed.ID)
		if got := s.Send(request); got.Status != 200 || !strings.Contains(string(got.Body), `"status":"active"`) {
			t.Errorf("oauth: %d %s", got.Status, got.Body)
		}
		status(200, one+"/spaces/"+space+"/space", `"title":"Guide"`)

		// The script of pages, to everybody, as its integration says: made once for each installation, version and
		// configuration.
		at := one + "/sites/" + site
		script := status(200, at+"/script.js?version=1", `"tag":"blue"`)
		if script.Header.Get("Cache-Control") != "public, max-age=60" || script.Header.Get("Set-Cookie") != "" {
			t.Errorf("script: %v", script.Header)
		}
		status(200, at+"/script.js?version=2", `"tag":"blue"`)
		var second apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Other"}`, http.StatusCreated, &second)
		installations := "/v1/integrations/parrot/installations/" + installed.ID + "/sites"
		s.Call(http.MethodPost, installations, map[string]any{"siteId": second.ID}, http.StatusCreated, nil)
		status(200, one+"/sites/"+second.ID+"/script.js", "window.parrot = {}")
		s.Call(http.MethodPatch, installations+"/"+site, `{"configuration":{"tag":"green"}}`, http.StatusOK, nil)
		status(200, at+"/script.js?version=1", `"tag":"green"`)
		var runs int
		for end := time.Now().Add(time.Minute); runs < 3 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			var list struct {
				Items []struct{ Payload struct{ Type string } }
			}
			s.Call(http.MethodGet, "/v1/integrations/parrot/events?limit=200", nil, 200, &list)
			runs = 0
			for _, each := range list.Items {
				if each.Payload.Type == "fetch_published_script" {
					runs++
				}
			}
		}
		if runs != 3 {
			t.Errorf("the scripts of pages were made %d times", runs)
		}

		// Components, for who may read the space.
		body := func(component, at string) string {
			return `{"componentId":"` + component + `","props":{"text":"hi"},"context":{"type":"document","spaceId":"` +
				at + `","editable":false,"theme":"light"},"state":{"count":4}}`
		}
		drawn := s.Call(http.MethodPost, "/v1/integrations/parrot/render", body("block", space), 200, nil)
		if !strings.Contains(string(drawn.Body), `"count":5`) || drawn.Header.Get("Cache-Control") != "max-age=30" {
			t.Errorf("drawn: %s %v", drawn.Body, drawn.Header)
		}
		s.Call(http.MethodPost, "/v1/integrations/parrot/render", body("none", space), 404, nil)
		s.Call(http.MethodPost, "/v1/integrations/parrot/render", body("block", s.Space("Other")), 404, nil)
		_, eve := s.Elsewhere()
		s.CallAs(eve, http.MethodPost, "/v1/integrations/parrot/render", body("block", space), 404, nil)

		// A task comes back by the queue, and all is in the log of who may see it.
		status(204, root+"/later", "")
		logged(t, s, "task", func(log string) bool { return strings.Contains(log, "task sweep") })
		logged(t, s, "fetch", func(log string) bool { return strings.Contains(log, "waited") })
		var list struct{ Count int }
		s.CallAs(eve, http.MethodGet, "/v1/integrations/parrot/events", nil, 200, &list)
		if list.Count != 0 {
			t.Errorf("another organization sees %d calls", list.Count)
		}
	})
}

// logged waits for a call of a kind whose log is as it should be, and returns its id.
func logged(t *testing.T, s *apptest.Server, kind string, fits func(log string) bool) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var list struct {
			Items []struct {
				ID, Status string
				Payload    struct{ Type string }
			}
		}
		s.Call(http.MethodGet, "/v1/integrations/parrot/events?limit=200", nil, http.StatusOK, &list)
		for _, each := range list.Items {
			if each.Payload.Type != kind {
				continue
			}
			var one struct {
				Trace struct {
					Logs []struct{ Level, Message string }
				}
			}
			s.Call(http.MethodGet, "/v1/integrations/parrot/events/"+each.ID, nil, http.StatusOK, &one)
			if fits(each.Status + fmt.Sprint(one.Trace.Logs)) {
				return each.ID
			}
		}
	}
	t.Errorf("no call of %s has such a log", kind)
	return ""
}

// TestHostileScripts holds that what goes wrong is stopped, said in the log, and harms nobody.
func TestHostileScripts(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		installed, _, _ := publish(s)
		root := "/integrations/parrot"
		one := root + "/installations/" + installed.ID
		for path, want := range map[string]int{
			root + "/loop": 500, root + "/throw": 500, root + "/ssrf": 299, root + "/smuggle": 401,
		} {
			if got := s.Raw(http.MethodGet, path, "", nil); got.Status != want {
				t.Errorf("%s: %d, want %d: %.300s", path, got.Status, want, got.Body)
			}
		}
		logged(t, s, "fetch", func(log string) bool {
			return strings.HasPrefix(log, "failed") &&
				strings.Contains(log, "ran for too long")
		})
		logged(t, s, "fetch", func(log string) bool { return strings.Contains(log, "broken on purpose") })
		// An engine serves one installation: what it remembers is that one's.
		first := s.Raw(http.MethodGet, one+"/remember", "", nil)
		second := s.Raw(http.MethodGet, one+"/remember", "", nil)
		for _, got := range []apptest.Answer{first, second} {
			if strings.ReplaceAll(string(got.Body), installed.ID, "") != "" {
				t.Errorf("remembered %s", got.Body)
			}
		}
		if got := s.Raw(http.MethodGet, root+"/page", "", nil); got.Status != 200 ||
			!strings.HasPrefix(got.Header.Get("Content-Security-Policy"), "sandbox ") {
			t.Errorf("a page: %d %v", got.Status, got.Header)
		}
	})
}

// TestContentHasAHostOfItsOwn calls an integration on the host that is set aside for the content of blocks.
func TestContentHasAHostOfItsOwn(t *testing.T) {
	s := apptest.OnSQLite(t, func(settings *config.Serve) { settings.IntegrationsURL = "https://blocks.example.net" })
	installed, space, _ := publish(s)
	var got struct {
		URLs struct{ PublicEndpoint, PublicContentEndpoint string }
	}
	below := "/integrations/parrot/installations/" + installed.ID
	s.Call(http.MethodGet, "/v1/integrations/parrot", nil, http.StatusOK, &got)
	if want := "https://blocks.example.net/integrations/parrot"; got.URLs.PublicContentEndpoint != want {
		t.Errorf("an integration answers at %q, want %q", got.URLs.PublicContentEndpoint, want)
	}
	s.Call(http.MethodGet, "/v1/integrations/parrot/installations/"+installed.ID+"/spaces/"+space, nil,
		http.StatusOK, &got)
	if want := "https://blocks.example.net" + below + "/spaces/" + space; got.URLs.PublicContentEndpoint != want ||
		got.URLs.PublicEndpoint != s.Base+below+"/spaces/"+space {
		t.Errorf("an installation answers at %+v", got.URLs)
	}
	send := func(path string) apptest.Answer {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "Blocks.example.net"
		return s.Send(request)
	}
	if said := send(below + "/echo"); said.Status != http.StatusCreated ||
		!strings.Contains(string(said.Body), `"url":"https://blocks.example.net`+below+`/echo"`) {
		t.Errorf("on the host: %d %.300s", said.Status, said.Body)
	}
	for _, path := range []string{"/", "/v1/user", "/app/", "/sites/x/", "/healthz", "/login"} {
		if said := send(path); said.Status != http.StatusNotFound || said.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s on the host: %d", path, said.Status)
		}
	}
}
