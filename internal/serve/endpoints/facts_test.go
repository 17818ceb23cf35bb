package endpoints_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// fact is something that real integrations need, with a script that is written as one of theirs would be.
type fact struct {
	// says quotes the requirement.
	says     string
	manifest map[string]any
	// script follows prelude; "" where manifest has a whole one.
	script string
	holds  func(f *factRun)
}

// prelude is what authors bundle with each script: it takes an event apart, finds who handles it, and calls the API.
const prelude = `
let event, environment;
const call = (token, path, init = {}) => fetch(environment.apiEndpoint + "/v1" + path, { ...init,
	body: init.body && JSON.stringify(init.body),
	headers: { authorization: "Bearer " + token, "content-type": "application/json" } });
const api = async (kind, path, init) => {
	const answer = await call(environment.apiTokens[kind], path, init), text = await answer.text();
	if (!answer.ok) throw new Error(path + ": " + answer.status + " " + text);
	return text ? JSON.parse(text) : null;
};
const deepest = () => environment.siteInstallation ?? environment.spaceInstallation ?? environment.installation ??
	environment.integration;
const route = () => new URL(event.request.url).pathname.slice(new URL(deepest().urls.publicEndpoint).pathname.length);
const own = () => "/integrations/" + environment.integration.name;
const mac = async (secret, use) => crypto.subtle.importKey("raw", new TextEncoder().encode(secret),
	{ name: "HMAC", hash: "SHA-256" }, false, [use]);
const routes = (table) => async (...of) => (await table[route()]?.(...of)) ??
	new Response("no route " + route(), { status: 404 });
const drawn = (element, more = {}) => Response.json({ type: "element", props: event.props, state: event.state ?? {},
	element, ...more });
const integration = (handlers) => ({ async fetch(request, env, context) {
	const form = await request.formData();
	event = JSON.parse(form.get("event"));
	environment = JSON.parse(form.get("environment"));
	if (!handlers[event.type]) return new Response("no subscriber", { status: 406 });
	console.log(event.type, JSON.stringify(event));
	return (await handlers[event.type](form.get("fetch-body"), context)) ?? new Response("done");
} });
export default `

// factRun is one fact on a server: its integration is published and installed on a site and its space.
type factRun struct {
	*testing.T
	s            *apptest.Server
	name         string
	installation string // id
	at           string // of the installation in the API
	endpoint     string // public path of the installation
	site         apptest.Site
	siteID       string
	outer        *outer
}

// outer is a service somewhere else that integrations call. It keeps what it was sent.
type outer struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
}

func newOuter(t *testing.T) *outer {
	o := new(outer)
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		o.mu.Lock()
		o.got = append(o.got, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization")+" "+string(body))
		o.mu.Unlock()
		if r.URL.Path == "/token" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"access_token":"given","expires_in":3600,"refresh_token":"again"}`)
		}
	}))
	t.Cleanup(o.Close)
	return o
}

// heard waits for a request with all of some words.
func (o *outer) heard(t *testing.T, words ...string) {
	t.Helper()
	eventually(t, func() string {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, each := range o.got {
			all := true
			for _, word := range words {
				all = all && strings.Contains(each, word)
			}
			if all {
				return strings.Join(words, " ")
			}
		}
		return strings.Join(o.got, "\n")
	}, strings.Join(words, " "))
}

// send sends a request to a public address of the integration: endpoint is below it.
func (f *factRun) send(method, path, body string, header ...string) apptest.Answer {
	f.Helper()
	request, err := http.NewRequestWithContext(f.Context(), method, f.s.Base+path, strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	return f.s.Send(request)
}

// wants sends a request and holds the status and the words of its answer.
func (f *factRun) wants(status int, says, method, path, body string, header ...string) apptest.Answer {
	f.Helper()
	got := f.send(method, path, body, header...)
	if got.Status != status || !strings.Contains(string(got.Body), says) {
		f.Errorf("%s %s: %d, want %d with %q: %.600s", method, path, got.Status, status, says, got.Body)
	}
	return got
}

// configure sets the configuration of the installation, or below it of the space or site.
func (f *factRun) configure(below string, values map[string]any) (status string) {
	f.Helper()
	var changed struct{ Status string }
	f.s.Call(http.MethodPatch, f.at+below, map[string]any{"configuration": values}, http.StatusOK, &changed)
	return changed.Status
}

// onSpace and onSite are where the installations on the space and the site are, below the installation.
func (f *factRun) onSpace() string { return "/spaces/" + f.site.Space }
func (f *factRun) onSite() string  { return "/sites/" + f.siteID }

// logged waits for a call of a kind whose log has all of some words.
func (f *factRun) logged(kind string, words ...string) {
	f.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var list struct{ Items []struct{ ID string } }
		f.s.Call(http.MethodGet, "/v1/integrations/"+f.name+"/events?limit=200&type="+kind, nil, 200, &list)
		for _, each := range list.Items {
			var one struct{ Trace json.RawMessage }
			f.s.Call(http.MethodGet, "/v1/integrations/"+f.name+"/events/"+each.ID, nil, 200, &one)
			log, all := strings.ReplaceAll(string(one.Trace), `\"`, `"`), true
			for _, word := range words {
				all = all && strings.Contains(log, word)
			}
			if all {
				return
			}
		}
	}
	f.Errorf("no call of %s has logged %q", kind, words)
}

// render draws a component as a reader's page or the app does.
func (f *factRun) render(status int, says, component, context, more string) {
	f.Helper()
	got := f.s.Raw(http.MethodPost, "/v1/integrations/"+f.name+"/render", f.s.Token,
		`{"componentId":"`+component+`","context":`+context+`,`+more+`}`)
	if got.Status != status || !strings.Contains(string(got.Body), says) {
		f.Errorf("%s: %d, want %d with %q: %.600s", component, got.Status, status, says, got.Body)
	}
}

// document is the context of a block on the space.
func (f *factRun) document() string {
	return `{"type":"document","spaceId":"` + f.site.Space + `","editable":false,"theme":"light"}`
}

// write replaces the page of the site by Markdown and returns where it is.
func (f *factRun) write(title, markdown string) (address string) {
	f.Helper()
	f.s.Call(http.MethodPost, "/v1/spaces/"+f.site.Space+"/content", map[string]any{"changes": []any{map[string]any{
		"operation": "insert_page", "title": title, "document": map[string]any{"markdown": markdown}}}}, 200, nil)
	return f.site.Home + strings.ToLower(title)
}

// TestFactsOfIntegrations runs a script for each thing that real integrations need.
func TestFactsOfIntegrations(t *testing.T) {
	t.Parallel()
	all := append(append(append([]fact{}, factsOfCalls...), factsOfEvents...), factsOfSites...)
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		for n, each := range all {
			t.Run(each.says, func(t *testing.T) {
				f := &factRun{T: t, s: s.In(t), name: fmt.Sprintf("Fact-%02d", n), outer: newOuter(t)}
				manifest := map[string]any{"runtime": "v2", "script": prelude + each.script}
				for name, value := range each.manifest {
					manifest[name] = value
					if value == nil {
						delete(manifest, name)
					}
				}
				f.s.Publish(f.name, manifest)
				f.installation = f.s.Install(f.name).ID
				f.at = "/v1/integrations/" + f.name + "/installations/" + f.installation
				f.endpoint = "/integrations/" + f.name + "/installations/" + f.installation
				f.site = f.s.NewSite(f.name, "public", `{"operation":"insert_page","title":"Start"}`)
				f.siteID = f.site.Path[strings.LastIndexByte(f.site.Path, '/')+1:]
				f.s.Call(http.MethodPost, f.at+"/spaces", map[string]any{"space": f.site.Space}, 201, nil)
				f.s.Call(http.MethodPost, f.at+"/sites", map[string]any{"siteId": f.siteID}, 201, nil)
				each.holds(f)
			})
		}
	})
}
