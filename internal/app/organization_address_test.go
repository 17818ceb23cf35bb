package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/config"
)

// at asks for an address of the server as a browser does whose name service leads every host there.
func (s *server) at(address string) answer {
	s.t.Helper()
	recorder := httptest.NewRecorder()
	s.app.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil))
	return answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.Bytes()}
}

// TestFormerHostnamesLeadOn: who changes the hostname of an organization breaks no address of its sites, whoever wants
// the old one does not get it, and a site that is not for everybody does not show there that it exists.
func TestFormerHostnamesLeadOn(t *testing.T) {
	for name, change := range map[string]func(*config.Serve){"below the address": nil,
		"on hosts": func(c *config.Serve) { c.SitesDomain = sitesDomain }} {
		t.Run(name, func(t *testing.T) {
			onBothWith(t, change, func(t *testing.T, s *server) {
				site := s.audienceSite("Handbook", "public", onePage)
				closed := s.audienceSite("Closed", "share-link", onePage)
				_, link := closed.link("Customers")
				old, organization := s.hostname(), "/v1/orgs/"+s.organization
				rename := func(to string, status int) {
					t.Helper()
					if got := s.raw(http.MethodPatch, organization, s.token,
						map[string]any{"hostname": to}); got.status != status {
						t.Fatalf("the hostname %s: %d %s", to, got.status, got.body)
					}
				}
				rename("second-name", 200)
				rename("third-name", 200)
				now := func(address string) string { return strings.Replace(address, old, "third-name", 1) }
				for _, former := range []string{old, "second-name"} {
					before := func(address string) string { return strings.Replace(address, old, former, 1) }
					for _, path := range []string{"", "start", "start?x=1", "nothing", "/evil.example"} {
						got := s.at(before(site.home) + path)
						if got.status != http.StatusPermanentRedirect || got.header.Get("Location") != now(site.home)+
							path {
							t.Errorf("%s%s answers %d and leads to %q, not %q", before(site.home), path, got.status,
								got.header.Get("Location"), now(site.home)+path)
						}
					}
					if got := s.at(strings.TrimSuffix(before(site.home), "/")); got.header.Get("Location") != now(
						site.home) {
						t.Errorf("without a slash it leads to %q", got.header.Get("Location"))
					}
					nothing := s.at(strings.Replace(before(closed.home), "/closed/", "/nothing/", 1))
					if got := s.at(before(closed.home) + "start"); got.status != http.StatusNotFound ||
						string(got.body) != string(nothing.body) {
						t.Errorf("a closed site tells at %s: %d %v", before(closed.home), got.status, got.header)
					}
					if got := s.at(before(link) + "start"); got.status != http.StatusSeeOther ||
						got.header.Get("Location") != now(link)+"start" ||
						got.header.Get("Cache-Control") != "no-store" {
						t.Errorf("a share link answers %d and leads to %q", got.status, got.header.Get("Location"))
					}
					if got := s.at(before(closed.home) + strings.Repeat("a", 32) +
						"/start"); got.status != http.StatusNotFound {
						t.Errorf("a share link that opens nothing: %d", got.status)
					}
					var found struct{ Target, Redirect string }
					s.call(http.MethodPost, "/v1/urls/published", map[string]any{"url": before(site.home) + "start"},
						http.StatusOK, &found)
					if found.Target != "content" || found.Redirect != now(site.home)+"start" {
						t.Errorf("the look-up says %+v", found)
					}
				}
				if got := s.at(now(site.home) + "start"); got.status != http.StatusOK {
					t.Errorf("at the new address: %d", got.status)
				}
				// A basename that changed beforehand leads on with it.
				s.call(http.MethodPatch, site.path, `{"basename":"manual"}`, http.StatusOK, nil)
				moved := strings.Replace(now(site.home), "/handbook/", "/manual/", 1)
				if got := s.at(site.home + "start"); got.header.Get("Location") != moved+"start" {
					t.Errorf("with the old basename it leads to %q, not %q", got.header.Get("Location"), moved+"start")
				}

				var other identified
				s.call(http.MethodPost, "/v1/orgs", map[string]any{"title": "Other", "emailDomains": []string{},
					"type": "business", "useCase": "docsSite"}, http.StatusCreated, &other)
				for _, former := range []string{old, "second-name"} {
					if got := s.raw(http.MethodPatch, "/v1/orgs/"+other.ID, s.token,
						map[string]any{"hostname": former}); got.status != http.StatusConflict {
						t.Errorf("another organization takes %s: %d", former, got.status)
					}
				}
				rename(old, 200)
				if got := s.at(strings.Replace(site.home, "/handbook/", "/manual/", 1) +
					"start"); got.status != http.StatusOK {
					t.Errorf("with the first name again: %d", got.status)
				}
				if got := s.at(moved + "start"); got.header.Get("Location") != strings.Replace(site.home, "/handbook/",
					"/manual/", 1)+"start" {
					t.Errorf("the third name leads to %q", got.header.Get("Location"))
				}
				// The oldest of many falls free.
				for i := range 11 {
					rename(fmt.Sprintf("name-%d", i), 200)
				}
				if got := s.raw(http.MethodPatch, "/v1/orgs/"+other.ID, s.token,
					map[string]any{"hostname": "second-name"}); got.status != http.StatusOK {
					t.Errorf("a name from long ago: %d %s", got.status, got.body)
				}
			})
		})
	}
}

// TestAddressOfAnOrganization: the address of an organization leads to the site that it shows first.
func TestAddressOfAnOrganization(t *testing.T) {
	onBothWith(t, func(c *config.Serve) { c.SitesDomain = sitesDomain }, func(t *testing.T, s *server) {
		site := s.audienceSite("Handbook", "public", onePage)
		root := "https://" + s.hostname() + "." + sitesDomain + "/"
		organization := "/v1/orgs/" + s.organization
		expect := func(when, address, want string) {
			t.Helper()
			got := s.at(address)
			status := http.StatusTemporaryRedirect
			if want == "" {
				status = http.StatusNotFound
			}
			if got.status != status || got.header.Get("Location") != want {
				t.Errorf("%s, %s answers %d and leads to %q, not %q", when, address, got.status,
					got.header.Get("Location"), want)
			}
		}
		below := s.base + "/sites/" + s.hostname()
		expect("before one is chosen", root, "")
		s.call(http.MethodPatch, organization, `{"defaultContent":{"type":"site","site":"`+
			site.path[strings.LastIndex(site.path, "/")+1:]+`"}}`, http.StatusOK, nil)
		for _, address := range []string{root, below, below + "/", root + "?x=1"} {
			want := site.home
			if strings.HasSuffix(address, "?x=1") {
				want += "?x=1"
			}
			expect("with a default", address, want)
		}
		s.call(http.MethodPatch, site.path, `{"visibility":"share-link"}`, http.StatusOK, nil)
		expect("with one behind a link", root, "")
		s.call(http.MethodPatch, site.path, `{"visibility":"visitor-auth"}`, http.StatusOK, nil)
		expect("with one for visitors who are known", root, "")
		s.call(http.MethodPatch, site.path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login"}`, http.StatusOK, nil)
		expect("with one that sends visitors to sign in", root, site.home)
		s.call(http.MethodPatch, site.path, `{"visibility":"unlisted"}`, http.StatusOK, nil)
		s.call(http.MethodPatch, organization, `{"hostname":"other-name"}`, http.StatusOK, nil)
		expect("at a former hostname", root, "https://other-name."+sitesDomain+"/handbook/")
		s.call(http.MethodPost, site.path+"/unpublish", nil, http.StatusOK, nil)
		expect("with one that is not published", "https://other-name."+sitesDomain+"/", "")
		s.call(http.MethodPatch, organization, `{"defaultContent":null}`, http.StatusOK, nil)
		s.call(http.MethodPost, site.path+"/publish", nil, http.StatusOK, nil)
		expect("without one", "https://other-name."+sitesDomain+"/", "")
		expect("of nobody", "https://nobody."+sitesDomain+"/", "")
	})
}
