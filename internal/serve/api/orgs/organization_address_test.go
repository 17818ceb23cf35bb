package orgs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// at asks for an address of the server as a browser does whose name service leads every host there.
func at(s *apptest.Server, address string) apptest.Answer {
	s.T.Helper()
	recorder := httptest.NewRecorder()
	s.App.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil))
	return apptest.Answer{Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.Bytes()}
}

// TestFormerHostnamesLeadOn: who changes the hostname of an organization breaks no address of its sites, whoever wants
// the old one does not get it, and a site that is not for everybody does not show there that it exists.
func TestFormerHostnamesLeadOn(t *testing.T) {
	for name, change := range map[string]func(*config.Serve){"below the address": nil,
		"on hosts": func(c *config.Serve) { c.SitesDomain = apptest.SitesDomain }} {
		t.Run(name, func(t *testing.T) {
			apptest.OnBothWith(t, change, func(t *testing.T, s *apptest.Server) {
				site := s.NewSite("Handbook", "public", apptest.OnePage)
				closed := s.NewSite("Closed", "share-link", apptest.OnePage)
				_, link := closed.Link("Customers")
				old, organization := s.Hostname(), "/v1/orgs/"+s.Organization
				rename := func(to string, status int) {
					t.Helper()
					if got := s.Raw(http.MethodPatch, organization, s.Token,
						map[string]any{"hostname": to}); got.Status != status {
						t.Fatalf("the hostname %s: %d %s", to, got.Status, got.Body)
					}
				}
				rename("second-name", 200)
				rename("third-name", 200)
				now := func(address string) string { return strings.Replace(address, old, "third-name", 1) }
				for _, former := range []string{old, "second-name"} {
					before := func(address string) string { return strings.Replace(address, old, former, 1) }
					for _, path := range []string{"", "start", "start?x=1", "nothing", "/evil.example"} {
						got := at(s, before(site.Home)+path)
						if got.Status != http.StatusPermanentRedirect || got.Header.Get("Location") != now(site.Home)+
							path {
							t.Errorf("%s%s answers %d and leads to %q, not %q", before(site.Home), path, got.Status,
								got.Header.Get("Location"), now(site.Home)+path)
						}
					}
					if got := at(s, strings.TrimSuffix(before(site.Home), "/")); got.Header.Get("Location") != now(
						site.Home) {
						t.Errorf("without a slash it leads to %q", got.Header.Get("Location"))
					}
					nothing := at(s, strings.Replace(before(closed.Home), "/closed/", "/nothing/", 1))
					if got := at(s, before(closed.Home)+"start"); got.Status != http.StatusNotFound ||
						string(got.Body) != string(nothing.Body) {
						t.Errorf("a closed site tells at %s: %d %v", before(closed.Home), got.Status, got.Header)
					}
					if got := at(s, before(link)+"start"); got.Status != http.StatusSeeOther ||
						got.Header.Get("Location") != now(link)+"start" ||
						got.Header.Get("Cache-Control") != "no-store" {
						t.Errorf("a share link answers %d and leads to %q", got.Status, got.Header.Get("Location"))
					}
					if got := at(s, before(closed.Home)+strings.Repeat("a", 32)+
						"/start"); got.Status != http.StatusNotFound {
						t.Errorf("a share link that opens nothing: %d", got.Status)
					}
					var found struct{ Target, Redirect string }
					s.Call(http.MethodPost, "/v1/urls/published", map[string]any{"url": before(site.Home) + "start"},
						http.StatusOK, &found)
					if found.Target != "content" || found.Redirect != now(site.Home)+"start" {
						t.Errorf("the look-up says %+v", found)
					}
				}
				if got := at(s, now(site.Home)+"start"); got.Status != http.StatusOK {
					t.Errorf("at the new address: %d", got.Status)
				}
				// A basename that changed beforehand leads on with it.
				s.Call(http.MethodPatch, site.Path, `{"basename":"manual"}`, http.StatusOK, nil)
				moved := strings.Replace(now(site.Home), "/handbook/", "/manual/", 1)
				if got := at(s, site.Home+"start"); got.Header.Get("Location") != moved+"start" {
					t.Errorf("with the old basename it leads to %q, not %q", got.Header.Get("Location"), moved+"start")
				}

				var other apptest.Identified
				s.Call(http.MethodPost, "/v1/orgs", map[string]any{"title": "Other", "emailDomains": []string{},
					"type": "business", "useCase": "docsSite"}, http.StatusCreated, &other)
				for _, former := range []string{old, "second-name"} {
					if got := s.Raw(http.MethodPatch, "/v1/orgs/"+other.ID, s.Token,
						map[string]any{"hostname": former}); got.Status != http.StatusConflict {
						t.Errorf("another organization takes %s: %d", former, got.Status)
					}
				}
				rename(old, 200)
				if got := at(s, strings.Replace(site.Home, "/handbook/", "/manual/", 1)+
					"start"); got.Status != http.StatusOK {
					t.Errorf("with the first name again: %d", got.Status)
				}
				if got := at(s, moved+"start"); got.Header.Get("Location") != strings.Replace(site.Home, "/handbook/",
					"/manual/", 1)+"start" {
					t.Errorf("the third name leads to %q", got.Header.Get("Location"))
				}
				// The oldest of many falls free.
				for i := range 11 {
					rename(fmt.Sprintf("name-%d", i), 200)
				}
				if got := s.Raw(http.MethodPatch, "/v1/orgs/"+other.ID, s.Token,
					map[string]any{"hostname": "second-name"}); got.Status != http.StatusOK {
					t.Errorf("a name from long ago: %d %s", got.Status, got.Body)
				}
			})
		})
	}
}

// TestAddressOfAnOrganization: the address of an organization leads to the site that it shows first.
func TestAddressOfAnOrganization(t *testing.T) {
	apptest.OnBothWith(t, func(c *config.Serve) { c.SitesDomain = apptest.SitesDomain }, func(t *testing.T,
		s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		root := "https://" + s.Hostname() + "." + apptest.SitesDomain + "/"
		organization := "/v1/orgs/" + s.Organization
		expect := func(when, address, want string) {
			t.Helper()
			got := at(s, address)
			status := http.StatusTemporaryRedirect
			if want == "" {
				status = http.StatusNotFound
			}
			if got.Status != status || got.Header.Get("Location") != want {
				t.Errorf("%s, %s answers %d and leads to %q, not %q", when, address, got.Status,
					got.Header.Get("Location"), want)
			}
		}
		below := s.Base + "/sites/" + s.Hostname()
		expect("before one is chosen", root, "")
		s.Call(http.MethodPatch, organization, `{"defaultContent":{"type":"site","site":"`+
			site.Path[strings.LastIndex(site.Path, "/")+1:]+`"}}`, http.StatusOK, nil)
		for _, address := range []string{root, below, below + "/", root + "?x=1"} {
			want := site.Home
			if strings.HasSuffix(address, "?x=1") {
				want += "?x=1"
			}
			expect("with a default", address, want)
		}
		s.Call(http.MethodPatch, site.Path, `{"visibility":"share-link"}`, http.StatusOK, nil)
		expect("with one behind a link", root, "")
		s.Call(http.MethodPatch, site.Path, `{"visibility":"visitor-auth"}`, http.StatusOK, nil)
		expect("with one for visitors who are known", root, "")
		s.Call(http.MethodPatch, site.Path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login"}`, http.StatusOK, nil)
		expect("with one that sends visitors to sign in", root, site.Home)
		s.Call(http.MethodPatch, site.Path, `{"visibility":"unlisted"}`, http.StatusOK, nil)
		s.Call(http.MethodPatch, organization, `{"hostname":"other-name"}`, http.StatusOK, nil)
		expect("at a former hostname", root, "https://other-name."+apptest.SitesDomain+"/handbook/")
		s.Call(http.MethodPost, site.Path+"/unpublish", nil, http.StatusOK, nil)
		expect("with one that is not published", "https://other-name."+apptest.SitesDomain+"/", "")
		s.Call(http.MethodPatch, organization, `{"defaultContent":null}`, http.StatusOK, nil)
		s.Call(http.MethodPost, site.Path+"/publish", nil, http.StatusOK, nil)
		expect("without one", "https://other-name."+apptest.SitesDomain+"/", "")
		expect("of nobody", "https://nobody."+apptest.SitesDomain+"/", "")
	})
}
