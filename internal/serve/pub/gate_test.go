package pub

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
)

func (f *fixture) change(change site.Change) {
	f.t.Helper()
	if _, err := f.sites.Update(f.t.Context(), f.caller, f.org.ID, f.site.ID, change); err != nil {
		f.t.Fatal(err)
	}
}

// thePage stands for the id of a page that there is.
const thePage = "PAGE"

// routes are all that a site answers at, and what it does not. Whoever adds one adds it here.
var routes = []string{
	"", "start", "start.md", "guides/install", "guides/install/", "START", "nothing", "~", "~/", "~/assets/site.css",
	"~/assets/nothing.js", "~/files/x/y.png",
	"~/search", "~/search?q=text", "~/pages", "~/pages?part=1", "~/pdf", "~/pdf?page=" + thePage, "~/pdf?page=nothing",
	"~/pdf/", "~/feedback", "~/feedback?page=" + thePage, "~/social/" + thePage + ".png", "~/social/x.png",
	"~/openapi", "~/openapi/", "~/openapi/pets", "~/openapi/%2e%2e", "~/nothing", "~/nothing/~/feedback",
	"start/~/feedback", "sitemap.xml", "sitemap-1.xml", "robots.txt", "feed.xml", "llms.txt", "llms-full.txt",
	"~/changes/1/", "~/changes/1/start", "~/changes/1", "~/changes/1/~/pdf", "~/changes/1/~/feedback",
	"~/changes/1/~/openapi/pets", "~/revisions/x/", "~/revisions/x/~/files/y", "~/visitor", "~/visitor/",
	"~/visitor/e30/", "~/visitor/e30/start",
	"~/visitor/e30/~/hidden", "~/visitor/e30/~/pdf", "~/visitor/e30/~/feedback", "~/auth/login", "~/auth/logout",
	"~/hidden", strings.Repeat("a", 32), strings.Repeat("a", 32) + "/", strings.Repeat("a", 32) + "/start",
	strings.Repeat("a", 32) + "/~/feedback",
	"?jwt_token=x.y.z", "?ticket=x", "start?visitor.plan=pro", "%2e%2e/", "..%2f", "//", "\x00",
}

// at asks for a route of the site with a home, with any method; forms are what the site's own pages would send.
func (f *fixture) at(method, home, route string, headers []string) *httptest.ResponseRecorder {
	form := url.Values{"page": {f.page("guides/install")}, "helpful": {"yes"}}
	route = strings.Replace(route, thePage, f.page("guides/install"), 1)
	r := httptest.NewRequest(method, testBase+home, strings.NewReader(form.Encode()))
	path, query, _ := strings.Cut(home+route, "?")
	r.URL.Path, r.URL.RawQuery = path, query
	if decoded, err := r.URL.Parse(home + route); err == nil {
		r.URL = decoded
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got := httptest.NewRecorder()
	f.server.ServeHTTP(got, r)
	return got
}

// TestGateStandsBeforeEveryRoute asks for everything as somebody who is not let in: all answers are one, and it is the
// one of a site that is not there.
func TestGateStandsBeforeEveryRoute(t *testing.T) {
	f := handbook(t)
	audiences := f.audiences
	// What a site may offer, it offers: a route that is switched off proves nothing.
	f.customize(`{"feedback":{"enabled":true},"pdf":{"enabled":true}}`)
	if got := f.at(http.MethodPost, f.home(), "~/feedback", nil); got.Code != http.StatusSeeOther {
		t.Fatalf("a reader of a public site says that a page helped: %d %s", got.Code, got.Body)
	}
	if _, err := audiences.PutAdaptiveSchema(t.Context(), f.caller, f.org.ID, f.site.ID,
		[]byte(`{"type":"object","properties":{},"additionalProperties":false}`)); err != nil {
		t.Fatal(err)
	}
	f.change(site.Change{AdaptiveContent: optional.Of(true)})
	absent := "/sites/" + f.org.Hostname + "/not-there/"
	for _, visibility := range []site.Visibility{site.VisibilityShareLink, site.VisibilityVisitorAuth} {
		for _, adaptive := range []bool{true, false} {
			f.change(site.Change{Visibility: optional.Of(visibility), AdaptiveContent: optional.Of(adaptive)})
			for _, headers := range [][]string{
				nil, {"Accept", "text/html"}, {"Accept", "application/json"}, {"If-None-Match", "*"},
				{"Cookie", "recto_share=" + strings.Repeat("a", 32) +
					"; recto_visitor=x.y.z; recto_preview=x; recto_inspection=x"},
				{"Range", "bytes=0-10"}, {"Accept-Encoding", "gzip"}, {"Origin", testBase},
			} {
				for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
					http.MethodOptions} {
					for _, route := range routes {
						want, got := f.at(method, absent, route, headers), f.at(method, f.home(), route, headers)
						if got.Code != want.Code || got.Body.String() != want.Body.String() ||
							fmt.Sprint(got.Header()) != fmt.Sprint(want.Header()) {
							t.Errorf("%s site, %v, %s %q: %d %v %.100s", visibility, headers, method, route, got.Code,
								got.Header(), got.Body)
						}
						if got.Code != http.StatusNotFound && got.Code != http.StatusMethodNotAllowed {
							t.Errorf("%s site, %v, %s %q: %d", visibility, headers, method, route, got.Code)
						}
					}
				}
			}
		}
	}
	// Who asks nothing of the site is not counted against those who do, and has left nothing there.
	f.change(site.Change{Visibility: optional.Of(site.VisibilityPublic)})
	if got := f.at(http.MethodPost, f.home(), "~/feedback", nil); got.Code != http.StatusSeeOther {
		t.Errorf("after all who were not let in: %d %s", got.Code, got.Body)
	}
}

// TestPagesAreKeptByWhatConditionsUsed reads pages as many visitors, and counts what is kept.
func TestPagesAreKeptByWhatConditionsUsed(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	audiences := f.audiences
	f.put(
		document("start", "Start", "Text.\n\n{% if visitor.claims.plan == \"pro\" %}\nPro.\n{% endif %}\n"),
		document("plain", "Plain", "The same for all.\n"),
		with(document("beta", "Beta", "Beta."), func(e *entity.Entry) {
			e.Condition = "visitor.claims.isBeta === true"
		}),
		document("name", "Name", "Hello <code class=\"expression\">visitor.claims.name</code>.\n"),
	)
	schema :=
		`{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"plan":{"type":"string","enum":["free","pro"]},"isBeta":{"type":"boolean"}},"additionalProperties":false}`
	if _, err := audiences.PutAdaptiveSchema(t.Context(), f.caller, f.org.ID, f.site.ID, []byte(schema)); err != nil {
		t.Fatal(err)
	}
	f.change(site.Change{AdaptiveContent: optional.Of(true)})
	auth, err := audiences.Auth(t.Context(), f.caller, f.org.ID, f.site.ID)
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string, claims jwt.MapClaims) string {
		claims["exp"] = time.Now().Add(time.Hour).Unix()
		token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(auth.PrivateKey))
		if err != nil {
			t.Fatal(err)
		}
		got := f.get(path, "Cookie", "recto_visitor"+"="+token)
		if got.Header().Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(got.Header().Values("Vary"), ","), "Cookie") {
			t.Fatalf("%s may be kept by others: %v", path, got.Header())
		}
		return got.Body.String()
	}
	for i := range 50 {
		for _, plan := range []string{"free", "pro"} {
			for _, beta := range []bool{true, false} {
				claims := func() jwt.MapClaims {
					return jwt.MapClaims{"id": fmt.Sprint(i), "name": fmt.Sprint("N", i), "plan": plan, "isBeta": beta}
				}
				if got := read("", claims()); strings.Contains(got, "Pro.") != (plan == "pro") || strings.Contains(got,
					">Beta<") != beta {
					t.Fatalf("%s %v: %s", plan, beta, got)
				}
				read("plain", claims())
				if i < 3 {
					if got := read("name", claims()); !strings.Contains(got, fmt.Sprint("Hello N", i)) {
						t.Fatalf("%.3000s", got)
					}
				}
			}
		}
	}
	// Four of the first page, two of the second, and for each edition one of the third for each of three names. A
	// variance that grows leaves one behind.
	if kept := f.server.services.Pages.Len(); kept > 4+2+6+4 {
		t.Errorf("%d pages are kept", kept)
	}
	if kept := f.server.services.Editions.Kept.Len(); kept > 2 {
		t.Errorf("%d editions are kept", kept)
	}
}
