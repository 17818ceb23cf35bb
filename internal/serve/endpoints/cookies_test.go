package endpoints_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// cookieScript is a script that sets the cookies that the place to go to names, and says which ones it gets.
const cookieScript = `
const text = (value, init) => new Response(JSON.stringify(value), init);
export default { async fetch(request) {
	const form = await request.formData(), event = JSON.parse(form.get("event"));
	if (event.type === "fetch") {
		return text({headers: event.request.headers.cookie ?? null},
			{headers: {"set-cookie": new URL(event.request.url).searchParams.get("set") ?? "late=1"}});
	}
	if (event.type !== "fetch_visitor_authentication") return new Response("not mine", {status: 406});
	const headers = new Headers();
	for (const each of JSON.parse(event.searchParams?.set ?? "[]")) headers.append("set-cookie", each);
	return text({cookies: event.cookies ?? null}, {headers});
} };`

// TestCookiesOfASignIn holds what a script may keep in a browser while it signs a visitor in: its own cookies, which
// come back to its own address and take the place of no other.
func TestCookiesOfASignIn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		for _, name := range []string{"owner", "thief"} {
			s.Publish(name, map[string]any{"script": cookieScript, "runtime": "v2",
				"scopes": []string{"site:visitor:auth"}})
		}
		s.Publish("counter", map[string]any{"script": cookieScript, "runtime": "v2",
			"scopes": []string{"site:script:inject"}})
		var sites []string
		for _, title := range []string{"Inner", "Other"} {
			site := s.NewSite(title, "visitor-auth", `{"operation":"insert_page","title":"Start"}`)
			sites = append(sites, site.Path[strings.LastIndexByte(site.Path, '/')+1:])
		}
		at := func(name, installation, site string) string {
			s.Call(http.MethodPost, "/v1/integrations/"+name+"/installations/"+installation+"/sites",
				map[string]any{"siteId": site}, http.StatusCreated, nil)
			return s.Base + "/integrations/" + name + "/installations/" + installation + "/sites/" + site
		}
		ownerID, thiefID, counterID := s.Install("owner").ID, s.Install("thief").ID, s.Install("counter").ID
		own, elsewhere, theirs := at("owner", ownerID, sites[0]), at("owner", ownerID, sites[1]),
			at("thief", thiefID, sites[0])

		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Jar: jar}
		home, err := url.Parse(s.Base)
		if err != nil {
			t.Fatal(err)
		}
		session := &http.Cookie{Name: "recto_session", Value: "secret", Path: "/"}
		jar.SetCookies(home, []*http.Cookie{session})
		ask := func(address string, set ...string) (said struct {
			Cookies map[string]string
			Headers string
		}, header http.Header) {
			t.Helper()
			if set != nil {
				encoded, err := json.Marshal(set)
				if err != nil {
					t.Fatal(err)
				}
				address += "?location=" + url.QueryEscape("/?set="+url.QueryEscape(string(encoded)))
			}
			answer, err := client.Get(address)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
				t.Fatalf("%s: %d %v", address, answer.StatusCode, err)
			}
			return said, answer.Header
		}
		// Whatever they are called and wherever they want to be, they are one cookie of the installation's address.
		said, header := ask(own+"/~/visitor", "state=a%2Fb; Path=/; Domain=127.0.0.1; Max-Age=600",
			"recto_session=mine; Path=/", "__Host-x=1; Secure; Path=/", "recto_integration=y", "bad name=1",
			"n=1; Max-Age=0")
		if said.Cookies != nil {
			t.Errorf("at first it gets %v", said.Cookies)
		}
		set := header.Values("Set-Cookie")
		path := strings.TrimPrefix(own, s.Base) + "/"
		if len(set) != 1 || !strings.HasPrefix(set[0], "recto_integration=") ||
			!strings.Contains(set[0], "; Path="+path+";") ||
			!strings.Contains(set[0], "; HttpOnly; SameSite=Lax") || strings.Contains(set[0], "Domain") ||
			header.Get("Cache-Control") != "no-store" {
			t.Errorf("it sets %q", set)
		}
		said, _ = ask(own + "/~/visitor")
		want := map[string]string{"state": "a%2Fb", "recto_session": "mine", "__Host-x": "1", "recto_integration": "y"}
		if got, err := json.Marshal(said.Cookies); err != nil || string(got) != encoded(t, want) {
			t.Errorf("it gets %s, want %s", got, encoded(t, want))
		}
		for _, each := range jar.Cookies(home) {
			if each.Name != session.Name || each.Value != session.Value {
				t.Errorf("the server's other addresses get %s=%s", each.Name, each.Value)
			}
		}
		// Its call-back gets them in a header, and keeps what signing out needs: the token of an identity provider.
		hint := strings.Repeat("aB3-_", 650)
		said, header = ask(own + "/callback?set=" + url.QueryEscape("hint="+hint+"; Path=/elsewhere; Max-Age=3600"))
		if said.Headers != "__Host-x=1; recto_integration=y; recto_session=mine; state=a%2Fb" ||
			len(header.Values("Set-Cookie")) != 1 || len(header.Get("Set-Cookie")) > 4096 {
			t.Errorf("the call-back gets %q and sets %q", said.Headers, header.Values("Set-Cookie"))
		}
		if said, _ = ask(own + "/~/visitor"); said.Cookies["hint"] != hint {
			t.Errorf("of what the call-back has set, the next sign-in gets %d bytes", len(said.Cookies["hint"]))
		}
		ask(own + "/callback?set=" + url.QueryEscape("hint=; Max-Age=0"))
		if said, _ = ask(own + "/~/visitor"); encoded(t, said.Cookies) != encoded(t, want) {
			t.Errorf("after the call-back has cleared it, the next sign-in gets %v", said.Cookies)
		}
		// One that lets no visitors in keeps nothing in browsers, and no level does but that of a site.
		for _, other := range []string{at("counter", counterID, sites[0]), s.Base + "/integrations/owner",
			s.Base + "/integrations/owner/installations/" + ownerID} {
			if _, header := ask(other + "/callback"); header.Get("Set-Cookie") != "" {
				t.Errorf("%s sets %q", other, header.Get("Set-Cookie"))
			}
		}
		// Another site, another integration and other levels get nothing.
		for _, other := range []string{elsewhere, theirs, s.Base + "/integrations/owner",
			s.Base + "/integrations/owner/installations/" + ownerID} {
			if said, _ := ask(other + "/callback"); said.Headers != "" {
				t.Errorf("%s gets %q", other, said.Headers)
			}
		}
		if said, _ := ask(theirs + "/~/visitor"); encoded(t, said.Cookies) != `{"late":"1"}` {
			t.Errorf("another integration gets %v", said.Cookies)
		}
		// They end one by one, at the latest after a day, and never are many.
		ask(own+"/~/visitor", "recto_session=; Max-Age=0", "__Host-x=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
			"recto_integration=; Max-Age=-1", "long=1; Max-Age=99999999999")
		said, _ = ask(own + "/~/visitor")
		if got := encoded(t, said.Cookies); got != `{"long":"1","state":"a%2Fb"}` {
			t.Errorf("after some have ended it gets %s", got)
		}
		var many []string
		for i := range 40 {
			many = append(many, "m"+string(rune('a'+i/26))+string(rune('a'+i%26))+"=1")
		}
		_, header = ask(own+"/~/visitor", append(many, "large="+strings.Repeat("x", 4000))...)
		if got := header.Get("Set-Cookie"); len(got) > 4096 || !strings.Contains(got, "Max-Age=86400") {
			t.Errorf("the cookie has %d bytes: %.60s", len(got), got)
		}
		said, _ = ask(own + "/~/visitor")
		if len(said.Cookies) != 20 || said.Cookies["long"] != "1" || said.Cookies["large"] != "" {
			t.Errorf("of too many it gets %d", len(said.Cookies))
		}
		// What a browser makes up is no harm.
		for _, made := range []string{"x", "%", "&=&", "a=zzzzzzz.b%0D%0Ax:%20y", "a%0Ab=zzzzzzz.c", "a=1.old", "a=old",
			"a=-zzzzzzz.old", strings.Repeat("a=zzzzzzz.old&", 300), many21()} {
			for _, address := range []string{own + "/callback", own + "/~/visitor?location=" +
				url.QueryEscape("/?set="+url.QueryEscape(`["b=1"]`))} {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Cookie", "recto_integration="+made)
				if got := s.Send(request); got.Status != 200 || strings.Contains(string(got.Body), `\n`) ||
					strings.Contains(string(got.Body), "old") {
					t.Errorf("%s: %d %s", made, got.Status, got.Body)
				}
			}
		}
	})
}

// many21 is a cookie made by hand that holds more cookies than are kept.
func many21() string {
	fields := url.Values{}
	for i := range 21 {
		fields.Set("n"+string(rune('a'+i)), "zzzzzzz.old")
	}
	return fields.Encode()
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
