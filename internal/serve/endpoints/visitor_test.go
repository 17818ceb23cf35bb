package endpoints_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// door is a script that lets every visitor in as Ada, for as long as its configuration says.
const door = `
const encode = (text) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
async function sign(claims, secret) {
	const head = encode(JSON.stringify({alg: "HS256", typ: "JWT"})) + "." + encode(JSON.stringify(claims));
	const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), {name: "HMAC", hash: "SHA-256"},
		false, ["sign"]);
	const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(head));
	return head + "." + encode(String.fromCharCode(...new Uint8Array(signature)));
}
export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	if (event.type !== "fetch_visitor_authentication") return new Response("not mine", {status: 406});
	console.log(JSON.stringify(event));
	const {home, lives} = environment.siteInstallation.configuration;
	if (event.action === "logout") return Response.redirect("https://identity.example/bye", 302);
	const token = await sign({name: "Ada", exp: Math.floor(Date.now() / 1000) + lives},
		environment.signingSecrets.siteInstallation);
	return Response.redirect(home + event.location + "?jwt_token=" + token, 302);
} };`

// guarded makes a site to which the integration door lets visitors in.
func guarded(s *apptest.Server, title, installation string) (site apptest.Site, id string) {
	site = s.NewSite(title, "visitor-auth", `{"operation":"insert_page","title":"Start"},
		{"operation":"insert_page","title":"Next"}`)
	id = site.Path[strings.LastIndexByte(site.Path, '/')+1:]
	at := "/v1/integrations/parrot/installations/" + installation + "/sites"
	s.Call(http.MethodPost, at, map[string]any{"siteId": id}, http.StatusCreated, nil)
	s.Call(http.MethodPatch, at+"/"+id, map[string]any{"configuration": map[string]any{"home": site.Home,
		"lives": 3600}}, 200, nil)
	return site, id
}

// TestIntegrationsLetVisitorsIn holds the way of a visitor through an integration, and what an attacker gets.
func TestIntegrationsLetVisitorsIn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("parrot", map[string]any{"script": door, "runtime": "v2", "scopes": []string{"site:visitor:auth"},
			"configurations": map[string]any{"site": map[string]any{"properties": map[string]any{
				"home": map[string]any{"type": "string"}, "lives": map[string]any{"type": "number"}}}}})
		installed := s.Install("parrot")
		site, id := guarded(s, "Inner", installed.ID)
		other, _ := guarded(s, "Other", installed.ID)
		auth := site.Path + "/publishing/auth"
		address := func(visitor *apptest.Visitor, address string) (int, string) {
			status, _, answer := visitor.Open(address)
			return status, answer.Request.URL.String()
		}
		// Nobody is let in before an admin says so, and by nothing that is not there.
		if status, _ := address(apptest.NewVisitor(t), site.Home+"next"); status != http.StatusNotFound {
			t.Errorf("before: %d", status)
		}
		s.Call(http.MethodPatch, auth, `{"backend":"integration","integration":"window"}`, 400, nil)
		s.Call(http.MethodPatch, auth, `{"backend":"custom","integration":"parrot"}`, 400, nil)
		var kept struct{ Backend, Integration, PrivateKey string }
		s.Call(http.MethodPatch, auth, `{"backend":"integration"}`, 200, &kept)
		if kept.Backend != "integration" || kept.Integration != "parrot" {
			t.Errorf("%+v", kept)
		}
		s.Call(http.MethodPatch, other.Path+"/publishing/auth",
			`{"backend":"integration","integration":"parrot"}`, 200, nil)

		// The whole way: to the integration, back with a token, which is taken out of the address.
		visitor := apptest.NewVisitor(t)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.Home+"next?utm=mail", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		answer, err := visitor.Client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Request.URL.String(); answer.StatusCode != 200 || got != site.Home+"next" {
			t.Fatalf("the visitor comes to %s: %d", got, answer.StatusCode)
		}
		if status, _ := address(visitor, site.Home); status != 200 {
			t.Errorf("the next page: %d", status)
		}
		logged(t, s, "fetch_visitor_authentication", func(log string) bool {
			return strings.Contains(log, `"location":"/next"`) &&
				strings.Contains(log, `"searchParams":{"utm":"mail"}`) && strings.Contains(log, `"siteId":"`+id+`"`)
		})

		// What the integration answers has a token: nothing keeps it, and no address that an attacker chooses gets it.
		stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		at := s.Base + "/integrations/parrot/installations/" + installed.ID + "/sites/" + id + "/~/visitor"
		token := ""
		for _, location := range []string{"/next", "//evil.example/", "https://evil.example/", `/\evil.example`,
			"@evil.example/", ".evil.example/", "/../../../evil", "/%2e%2e/..%2f%2e./evil",
			"/next/..%5c..%5c..%5cevil"} {
			got, err := stay.Get(at + "?location=" + url.QueryEscape(location))
			if err != nil {
				t.Fatal(err)
			}
			got.Body.Close()
			to, err := url.Parse(got.Header.Get("Location"))
			if err != nil || got.StatusCode != 302 || !strings.HasPrefix(to.String(), site.Home+"/") ||
				strings.Contains(to.Path, "..") ||
				got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: %d %v", location, got.StatusCode, got.Header)
			}
			token = to.Query().Get("jwt_token")
		}
		// A token is one of this site: not of another one, not of one's own key, and not for ever.
		opens := func(home, token string) int {
			status, _ := address(apptest.NewVisitor(t), home+"?jwt_token="+url.QueryEscape(token))
			return status
		}
		if got := opens(site.Home, token); got != 200 {
			t.Errorf("its own token: %d", got)
		}
		claims := map[string]any{"exp": time.Now().Add(time.Hour).Unix()}
		for name, forged := range map[string]string{
			"with the site's own key": apptest.SignClaims(t, kept.PrivateKey, claims),
			"cut":                     token[:len(token)-2], "with no key": apptest.SignClaims(t, "", claims),
		} {
			if got := opens(site.Home, forged); got == 200 {
				t.Errorf("a token %s opens the site", name)
			}
		}
		if got := opens(other.Home, token); got == 200 {
			t.Error("a token of one site opens another one")
		}
		s.Call(http.MethodPatch, "/v1/integrations/parrot/installations/"+installed.ID+"/sites/"+id,
			map[string]any{"configuration": map[string]any{"home": site.Home, "lives": -5}}, 200, nil)
		if status, _ := address(apptest.NewVisitor(t), at); status == 200 {
			t.Error("a token that is over opens the site")
		}

		// Signing out: the integration is told, and the cookie is gone.
		visitor.Client.CheckRedirect = func(request *http.Request, _ []*http.Request) error {
			if request.URL.Host == "identity.example" {
				return http.ErrUseLastResponse
			}
			return nil
		}
		_, _, out := visitor.Open(site.Home + "~/auth/logout")
		if out.Header.Get("Location") != "https://identity.example/bye" {
			t.Errorf("signing out leads to %s: %d", out.Header.Get("Location"), out.StatusCode)
		}
		logged(t, s, "fetch_visitor_authentication", func(log string) bool {
			return strings.Contains(log, `"action":"logout"`)
		})
		// A token counts no longer than the integration works on the site, nor after another one has been chosen.
		s.Call(http.MethodPatch, auth, `{"backend":"custom"}`, 200, nil)
		if got := opens(site.Home, token); got == 200 {
			t.Error("a token of the integration opens a site that has another back end")
		}
		s.Call(http.MethodPatch, auth, `{"backend":"integration"}`, 200, nil)
		if got := opens(site.Home, token); got != 200 {
			t.Errorf("its own token, again: %d", got)
		}
		s.Call(http.MethodDelete, "/v1/integrations/parrot/installations/"+installed.ID+"/sites/"+id, nil, 205, nil)
		if got := opens(site.Home, token); got == 200 {
			t.Error("a token of an integration that was removed opens the site")
		}
	})
}

// callback is a script that puts what the state of a call-back says behind the address of the site, as many do.
const callback = `
export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	if (event.type !== "fetch") return new Response("not mine", {status: 406});
	const {home} = environment.siteInstallation.configuration, {searchParams} = new URL(event.request.url);
	const to = searchParams.has("raw") ? home + searchParams.get("state") : String(new URL(home + searchParams.get("state")));
	return new Response(null, {status: 302, headers: {location: to + (to.includes("?") ? "&" : "?") + "jwt_token=secret"}});
} };`

// TestTokensOfVisitorsStayOnTheirSite holds that a state which somebody has forged leads no token of a visitor to
// another site or integration on this server, and that no page shows a token in its address.
func TestTokensOfVisitorsStayOnTheirSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("parrot", map[string]any{"script": callback, "runtime": "v2", "scopes": []string{"site:visitor:auth"},
			"configurations": map[string]any{"site": map[string]any{"properties": map[string]any{
				"home": map[string]any{"type": "string"}, "lives": map[string]any{"type": "number"}}}}})
		installed := s.Install("parrot")
		site, id := guarded(s, "Inner", installed.ID)
		open := s.NewSite("Open", "public", `{"operation":"insert_page","title":"Start"}`)
		stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		at := s.Base + "/integrations/parrot/installations/" + installed.ID + "/sites/" + id + "/back?"
		elsewhere := strings.TrimPrefix(open.Home, s.Base)
		up := strings.Repeat("/..", strings.Count(strings.TrimPrefix(site.Home, s.Base), "/"))
		for _, each := range []struct {
			state string
			goes  bool
		}{
			{"", true}, {"/", true}, {"/next", true}, {"next/../next?a=b", true}, {"/@evil.example/", true},
			{up + elsewhere, false}, {up + "/integrations/window/grab", false}, {up + "/", false}, {"/../..", false},
			{strings.ReplaceAll(up, "..", "%2e%2E") + elsewhere, false},
			{strings.ReplaceAll(up, "/", `\`) + elsewhere, false},
			{strings.ReplaceAll(up, "/", "/%2f") + elsewhere, false},
			{strings.ReplaceAll(up, "/", "%2f") + elsewhere, false},
		} {
			for _, raw := range []string{"", "raw=&"} {
				got, err := stay.Get(at + raw + "state=" + url.QueryEscape(each.state))
				if err != nil {
					t.Fatal(err)
				}
				got.Body.Close()
				if to := got.Header.Get("Location"); each.goes != (got.StatusCode == 302) || each.goes != (to != "") {
					t.Errorf("%q %s: %d to %s", each.state, raw, got.StatusCode, to)
				}
			}
		}
		// Where a site of this server is not meant, the author of the script decides.
		s.Call(http.MethodPatch, "/v1/integrations/parrot/installations/"+installed.ID+"/sites/"+id,
			`{"configuration":{"home":"https://shown.example/docs"}}`, 200, nil)
		got, err := stay.Get(at + "state=/next")
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if to := got.Header.Get("Location"); to != "https://shown.example/docs/next?jwt_token=secret" {
			t.Errorf("to another server: %d to %s", got.StatusCode, to)
		}
		// A page takes each token out of its address, that of another site as well.
		_, _, answer := apptest.NewVisitor(t).Open(open.Home + "?jwt_token=secret&a=b")
		if got := answer.Request.URL.String(); answer.StatusCode != 200 || got != open.Home+"?a=b" {
			t.Errorf("a page that is for everybody is at %s: %d", got, answer.StatusCode)
		}
	})
}

// forgetful is a script that does not look at what it is asked for: it signs everybody in.
const forgetful = `
export default { async fetch(request) {
	const form = await request.formData(), event = JSON.parse(form.get("event"));
	const {home} = JSON.parse(form.get("environment")).siteInstallation.configuration;
	return Response.redirect(home === "idp" ? "https://identity.example/authorize?response_type=code&client_id=1"
		: home + event.location + "?jwt_token=secret", 302);
} };`

// TestSigningOutSignsNobodyIn holds that who signs out stays out where an integration would sign them in again.
func TestSigningOutSignsNobodyIn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("parrot", map[string]any{"script": forgetful, "runtime": "v2",
			"scopes": []string{"site:visitor:auth"},
			"configurations": map[string]any{"site": map[string]any{"properties": map[string]any{
				"home": map[string]any{"type": "string"}, "lives": map[string]any{"type": "number"}}}}})
		installed := s.Install("parrot")
		site, id := guarded(s, "Inner", installed.ID)
		stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		at := "/integrations/parrot/installations/" + installed.ID + "/sites/" + id
		for home, wants := range map[string]string{site.Home: site.Home + "/?jwt_token=secret",
			"idp": "https://identity.example/authorize?response_type=code&client_id=1"} {
			s.Call(http.MethodPatch, "/v1"+at, map[string]any{"configuration": map[string]any{"home": home}}, 200, nil)
			in, err := stay.Get(s.Base + at + "/~/visitor?location=%2F")
			if err != nil {
				t.Fatal(err)
			}
			in.Body.Close()
			out, err := stay.Get(s.Base + at + "/~/visitor/logout")
			if err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(out.Body)
			out.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if in.Header.Get("Location") != wants || out.StatusCode != 200 || out.Header.Get("Location") != "" ||
				!strings.Contains(string(said), "signed out") {
				t.Errorf("in: %d %s, out: %d %s", in.StatusCode, in.Header.Get("Location"), out.StatusCode, said)
			}
		}
	})
}
