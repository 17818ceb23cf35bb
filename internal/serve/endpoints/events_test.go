package endpoints_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// ear is a script that logs each event that it is told of, with what was configured before.
const ear = `
export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	console.log(event.type, JSON.stringify(event), "in", Object.keys(environment).filter((key) =>
		key.toLowerCase().includes("installation")).join(","));
	return new Response("heard");
} };`

// listening is an integration that listens to everything, on a space and a published site.
type listening struct {
	at, home, site, siteSpace, space, page string
}

func listen(s *apptest.Server, scopes []string) listening {
	s.Publish("parrot", map[string]any{"script": ear, "runtime": "v2", "scopes": scopes,
		"configurations": json.RawMessage(`{"account":{"properties":{"key":{"type":"string"}},"required":["key"]},
			"space":{"properties":{"color":{"type":"string"}}},"site":{"properties":{"tag":{"type":"string"}}}}`)})
	l := listening{at: "/v1/integrations/parrot/installations/" + s.Install("parrot").ID}
	var pages map[string]string
	l.space, pages = s.Documented("Guide", map[string]string{"Start": "Hello."})
	l.page = pages["Start"]
	l.site, l.siteSpace = s.PublishedSite("Docs", l.space)
	var site struct{ URLs struct{ Published string } }
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+l.site, nil, 200, &site)
	l.home = site.URLs.Published
	look := "/v1/orgs/" + s.Organization + "/sites/" + l.site + "/customization"
	var customization map[string]any
	s.Call(http.MethodGet, look, nil, 200, &customization)
	customization["feedback"] = map[string]any{"enabled": true}
	s.Call(http.MethodPut, look, customization, 200, nil)
	s.Call(http.MethodPost, l.at+"/spaces", map[string]any{"space": l.space}, http.StatusCreated, nil)
	s.Call(http.MethodPost, l.at+"/sites", map[string]any{"siteId": l.site}, http.StatusCreated, nil)
	s.Call(http.MethodPatch, l.at, `{"configuration":{"key":"first"}}`, 200, nil)
	return l
}

var everyScope = []string{"space:content:read", "space:metadata:read", "site:views:read", "page:feedback:read"}

// visit reads a page and says that it did not help, and why.
func (l listening) visit(t *testing.T) {
	t.Helper()
	send := func(method, address, form string, headers ...string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form))
		if err != nil {
			t.Fatal(err)
		}
		headers = append(headers, "User-Agent", "Reader/1", "Accept-Language", "de-AT,de;q=0.9", "Referer",
			l.home+"start", "Cookie", "recto_visitor=secret; other=1")
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		got, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		var answer struct{ Answer string }
		_ = json.NewDecoder(got.Body).Decode(&answer)
		return got.StatusCode, answer.Answer
	}
	if status, _ := send(http.MethodGet, l.home+"?jwt_token=secret&utm=mail", ""); status != 200 {
		t.Fatalf("the page answers %d", status)
	}
	form, accept := "application/x-www-form-urlencoded", "application/json"
	_, answer := send(http.MethodPost, l.home+"~/feedback", url.Values{"page": {l.page}, "helpful": {"no"}}.Encode(),
		"Content-Type", form, "Accept", accept)
	if status, _ := send(http.MethodPost, l.home+"~/feedback", url.Values{"answer": {answer},
		"comment": {"Too short."}}.Encode(), "Content-Type", form); status != http.StatusNoContent {
		t.Fatalf("the comment answers %d", status)
	}
}

// TestEventsReachScripts runs a script for each kind of event.
func TestEventsReachScripts(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		l := listen(s, everyScope)
		s.Call(http.MethodPatch, l.at, `{"configuration":{"key":"second"}}`, 200, nil)
		s.Call(http.MethodPatch, l.at, `{"configuration":{"key":"second"}}`, 200, nil) // nothing has changed
		s.Call(http.MethodPatch, l.at+"/spaces/"+l.space, `{"configuration":{"color":"red"}}`, 200, nil)
		s.Call(http.MethodPatch, l.at+"/sites/"+l.site, `{"configuration":{"tag":"blue"}}`, 200, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+l.space+"/content", `{"changes":[{"operation":"insert_page",
			"title":"More"}]}`, 200, nil)
		s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization+"/sites/"+l.site, `{"visibility":"unlisted"}`, 200, nil)
		l.visit(t)
		id := strings.TrimPrefix(l.at, "/v1/integrations/parrot/installations/")
		heard := func(kind string, wants ...string) string {
			t.Helper()
			return logged(t, s, kind, func(log string) bool {
				for _, want := range append(wants, `"installationId":"`+id+`"`, `"eventId":"event_`) {
					if !strings.Contains(log, want) {
						return false
					}
				}
				return strings.HasPrefix(log, "success")
			})
		}
		space, site := `"spaceId":"`+l.space+`"`, `"siteId":"`+l.site+`"`
		visitor := `"visitor":{"anonymousId":"`
		heard("installation_setup", `"status":"pending"`, "in installation")
		heard("installation_setup", `"status":"active"`, `"previous":{"configuration":{},"status":"pending"}`)
		second := heard("installation_setup", `"previous":{"configuration":{"key":"first"},"status":"active"}`)
		heard("space_installation_setup", space, "in installation,spaceInstallation")
		heard("space_installation_setup", space, `"previous":{"configuration":{},"status":"active"}`)
		heard("site_installation_setup", site, "in installation,siteInstallation")
		heard("site_installation_setup", site, `"previous":{"configuration":{},"status":"active"}`)
		heard("space_content_updated", space, `"revisionId":"revision_`, `"updatedBy":[{"displayName":"Ada"`)
		heard("space_visibility_updated", space, `"previousVisibility":"public"`, `"visibility":"unlisted"`)
		view := heard("site_view", site, space, `"siteSpaceId":"`+l.siteSpace+`"`, `"pageId":"`+l.page+`"`, visitor,
			`"cookies":{}`, `"ip":"127.0.0.0"`, `"userAgent":"Reader/1"`, `"language":"de-AT"`, `"url":"`+l.home+`?utm=mail"`,
			`"referrer":"`+l.home+`start"`)
		heard("page_feedback", site, space, `"pageId":"`+l.page+`"`, `"feedback":{"rating":"bad"}`, visitor)
		heard("page_feedback", `"feedback":{"comment":"Too short.","rating":"bad"}`)
		// A program that shows the site reports what its readers say.
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+l.site+"/insights/events", `{"events":[{
			"type":"page_post_feedback_comment","session":{"userAgent":"Elsewhere/2","language":"fr",
			"referrer":"https://example.org/from","cookies":{"a":"secret"}},"location":{"url":"https://example.org/here",
			"space":"`+l.space+`","page":"`+l.page+`"},"feedback":{"rating":"good","comment":"From elsewhere."}}]}`,
			http.StatusNoContent, nil)
		heard("page_feedback", site, space, `"siteSpaceId":"`+l.siteSpace+`"`, `"pageId":"`+l.page+`"`,
			`"feedback":{"comment":"From elsewhere.","rating":"good"}`, `"userAgent":"Elsewhere/2"`, `"language":"fr"`,
			`"cookies":{}`, `"url":"https://example.org/here"`, `"referrer":"https://example.org/from"`)

		// An event is sent once more, and what is nobody's business is in no log of the server.
		s.Call(http.MethodPost, "/v1/integrations/parrot/events/"+view+"/redeliver", nil, http.StatusNoContent, nil)
		var one struct {
			Event struct{ Payload map[string]any }
		}
		s.Call(http.MethodGet, "/v1/integrations/parrot/events/"+second, nil, 200, &one)
		if previous, _ := one.Event.Payload["previous"].(map[string]any); previous["configuration"] != nil {
			t.Errorf("the list of events shows a configuration: %v", previous)
		}
		twice := func() (count int) {
			var list struct {
				Items []struct{ Payload struct{ Type string } }
			}
			s.Call(http.MethodGet, "/v1/integrations/parrot/events?limit=200", nil, 200, &list)
			for _, each := range list.Items {
				if each.Payload.Type == "site_view" {
					count++
				}
			}
			return count
		}
		for end := time.Now().Add(time.Minute); twice() != 2; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d views are told", twice())
			}
		}

		s.Call(http.MethodDelete, l.at+"/spaces/"+l.space, nil, http.StatusResetContent, nil)
		heard("space_installation_deleted", space, `"previous":{"configuration":{"color":"red"}}`, "in installation}")
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/sites/"+l.site, nil, http.StatusNoContent, nil)
		heard("site_installation_deleted", site, `"previous":{"configuration":{"tag":"blue"}}`, "in installation}")
		s.Call(http.MethodDelete, l.at, nil, http.StatusResetContent, nil)
		heard("installation_deleted", `"previous":{"configuration":{"key":"second"}}`, "in }")
	})
}

// TestReadersReachSpaces holds that an integration which is on a space, and not on the site that shows it, is told of
// views of its pages and of what readers say of them, with what is configured for the space; one that is on both is
// told once, and one that is on neither is not told.
func TestReadersReachSpaces(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		l := listen(s, []string{"page:feedback:read", "site:views:read"})
		told := func(want string) {
			t.Helper()
			l.visit(t)
			for _, kind := range []string{"page_feedback", "site_view"} {
				logged(t, s, kind, func(log string) bool {
					return strings.Contains(log, want) && strings.Contains(log, `"spaceId":"`+l.space+`"`) &&
						strings.Contains(log, `"siteId":"`+l.site+`"`)
				})
			}
		}
		told("in installation,siteInstallation")
		s.Call(http.MethodDelete, l.at+"/sites/"+l.site, nil, http.StatusResetContent, nil)
		told("in installation,spaceInstallation")
		s.Call(http.MethodDelete, l.at+"/spaces/"+l.space, nil, http.StatusResetContent, nil)
		l.visit(t)
		s.Call(http.MethodPatch, l.at, `{"space_selection":"all"}`, 200, nil)
		l.visit(t)
		logged(t, s, "site_view", func(log string) bool {
			return strings.Contains(log, "in installation,spaceInstallation")
		})
		for kind, most := range map[string]int{"page_feedback": 6, "site_view": 3} {
			var list struct{ Items []struct{ ID string } }
			s.Call(http.MethodGet, "/v1/integrations/parrot/events?limit=200&type="+kind, nil, 200, &list)
			if len(list.Items) > most {
				t.Errorf("it is told of %s %d times, want %d", kind, len(list.Items), most)
			}
		}
	})
}

// TestEventsNeedScopes holds that a script without a scope is told of nothing but itself.
func TestEventsNeedScopes(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		l := listen(s, []string{"site:script:inject"})
		s.Call(http.MethodPost, "/v1/spaces/"+l.space+"/content", `{"changes":[{"operation":"insert_page",
			"title":"More"}]}`, 200, nil)
		l.visit(t)
		s.Call(http.MethodPatch, l.at, `{"configuration":{"key":"last"}}`, 200, nil)
		logged(t, s, "installation_setup", func(log string) bool { return strings.Contains(log, `"key":"first"`) })
		var list struct {
			Items []struct{ Payload struct{ Type string } }
		}
		s.Call(http.MethodGet, "/v1/integrations/parrot/events?limit=200", nil, 200, &list)
		for _, each := range list.Items {
			if !strings.HasSuffix(each.Payload.Type, "installation_setup") {
				t.Errorf("it was told of %s", each.Payload.Type)
			}
		}
	})
}

// TestEventsOutliveTheServer holds that what waits when a server ends is delivered by the next one; while the
// integration is developed at another address, which does not answer.
func TestEventsOutliveTheServer(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		var mu sync.Mutex
		var tunnelled []string
		tunnel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			tunnelled = append(tunnelled, r.FormValue("event"))
			w.WriteHeader(http.StatusBadGateway)
		}))
		defer tunnel.Close()
		l := listen(s, everyScope)
		logged(t, s, "installation_setup", func(log string) bool { return strings.Contains(log, `"status":"active"`) })
		s.Call(http.MethodPut, "/v1/integrations/parrot/dev", map[string]any{"tunnelUrl": tunnel.URL + "/"}, 204, nil)
		s.Call(http.MethodPatch, l.at, `{"configuration":{"key":"kept"}}`, 200, nil)
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			mu.Lock()
			count := len(tunnelled)
			mu.Unlock()
			if count > 0 {
				break
			}
			if time.Now().After(end) {
				t.Fatal("nothing reached the tunnel")
			}
		}
		database := s.Database()
		s.Stop()
		if _, err := database.Write().ExecContext(t.Context(), `UPDATE integration SET tunnel_url = ''`); err != nil {
			t.Fatal(err)
		}
		settings := config.Defaults(s.Storage.Data)
		settings.Storage, settings.BaseURL, settings.CheapPasswords = s.Storage, s.Base, true
		program, err := app.New(t.Context(), settings, "test",
			slog.New(slog.NewTextHandler(t.Output(), nil)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := program.Close(); err != nil {
				t.Error(err)
			}
		}()
		ended := make(chan error, 1)
		ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
		defer stop()
		go func() { ended <- program.Run(ctx, nil) }()
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			var status string
			err := database.Read().QueryRowContext(t.Context(), `SELECT status FROM integration_event
				WHERE kind = 'installation_setup' ORDER BY id DESC LIMIT 1`).Scan(&status)
			if err == nil && status == "success" {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("it was not delivered: %s %v", status, err)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestUnpublishedIntegrationsHaveNoTunnel holds that who takes over a name gets no events at an old address.
func TestUnpublishedIntegrationsHaveNoTunnel(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		listen(s, everyScope)
		s.Call(http.MethodPut, "/v1/integrations/parrot/dev", `{"tunnelUrl":"http://127.0.0.1:1/"}`, 204, nil)
		s.Call(http.MethodDelete, "/v1/integrations/parrot", nil, http.StatusNoContent, nil)
		listen(s, everyScope)
		logged(t, s, "installation_setup", func(log string) bool { return strings.HasPrefix(log, "success") })
	})
}

// TestScriptsReachNoInnerAddress holds that an answer that leads to an address of this machine leads a script nowhere:
// redirects are the script's to follow, and each request is looked at.
func TestScriptsReachNoInnerAddress(t *testing.T) {
	inner := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a script has reached an inner address")
	}))
	everywhere, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	inner.Listener.Close()
	inner.Listener = everywhere
	inner.Start()
	defer inner.Close()
	_, port, _ := net.SplitHostPort(inner.Listener.Addr().String())
	leads := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.2:"+port+"/", http.StatusFound)
	}))
	defer leads.Close()
	script := strings.ReplaceAll(`export default { async fetch(request) {
		const form = await request.formData();
		if (JSON.parse(form.get("event")).type !== "fetch") return new Response(null, {status: 406});
		const tried = [];
		for (const address of ["LEADS", "http://127.0.0.2:PORT/", "http://[::ffff:127.0.0.2]:PORT/",
			"http://2130706434:PORT/", "http://0x7f.2:PORT/", "http://169.254.169.254/", "file:///etc/passwd"]) {
			try { const got = await fetch(address); tried.push(got.status + " " + (await got.text()).length); }
			catch (error) { tried.push("refused"); }
		}
		return Response.json(tried);
	} };`, "PORT", port)
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		s.Publish("parrot", map[string]any{"script": strings.ReplaceAll(script, "LEADS", leads.URL), "runtime": "v2"})
		got := s.Raw(http.MethodGet, "/integrations/parrot/", "", nil)
		var tried []string
		if err := json.Unmarshal(got.Body, &tried); err != nil || len(tried) != 7 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		for n, each := range tried {
			if each != "refused" {
				t.Errorf("address %d answers %s", n, each)
			}
		}
	})
}
