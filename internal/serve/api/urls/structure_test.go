package urls_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestLookUpAddresses holds what the lookups say of addresses that lead elsewhere, and whom they tell of closed sites.
func TestLookUpAddresses(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		p := s.SiteParts()
		s.Upload(p.Space, "page.md", []byte("# Page\n\nText.\n"))
		var site struct{ URLs struct{ Published string } }
		s.Call(http.MethodPost, p.Site+"/publish", nil, http.StatusOK, &site)
		home := site.URLs.Published
		type answer struct {
			Target, Redirect, Space, Pathname, BasePath, SiteBasePath, CanonicalURL string
			Complete                                                                bool
		}
		look := func(url string) (found answer) {
			t.Helper()
			s.Call(http.MethodPost, "/v1/urls/published", map[string]any{"url": url}, http.StatusOK, &found)
			return found
		}
		base := strings.TrimPrefix(home, s.Base)
		if got := look(home + "other/page?x=1#y"); got.Space != p.Space || got.Pathname != "page" ||
			got.BasePath != base+"other/" || got.SiteBasePath != base || got.CanonicalURL != home+"other/page" ||
			!got.Complete {
			t.Errorf("%+v", got)
		}
		if got := look(home); got.Pathname != "" || got.Complete {
			t.Errorf("%+v", got)
		}
		if got := look(home + "old"); got.Target != "content" || got.Redirect != home {
			t.Errorf("%+v", got)
		}
		s.Call(http.MethodPatch, p.Site+"/redirects/"+p.Redirect,
			`{"destination":{"kind":"external","url":"https://example.net/"}}`, http.StatusOK, nil)
		if got := look(home + "old"); got.Target != "external" || got.Redirect != "https://example.net/" {
			t.Errorf("%+v", got)
		}
		s.Call(http.MethodPatch, p.Site, `{"visibility":"visitor-auth","basename":"manual"}`, http.StatusOK, nil)
		moved := strings.Replace(home, "/docs/", "/manual/", 1)
		if got := look(moved + "page"); got.Space != p.Space {
			t.Errorf("%+v", got)
		}
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		for _, url := range []string{moved, "https://nowhere.example.com/", s.Base + "/sites/none/docs/",
			s.Base + "/v1/user"} {
			if got := s.Raw(http.MethodPost, "/v1/urls/published", stranger,
				map[string]any{"url": url}); got.Status != http.StatusNotFound {
				t.Errorf("%s: %d %s", url, got.Status, got.Body)
			}
			if got := s.Raw(http.MethodGet, "/v1/urls/content?url="+url, stranger,
				nil); got.Status != http.StatusNotFound {
				t.Errorf("content of %s: %d %s", url, got.Status, got.Body)
			}
		}
	})
}

// TestLookUpForVisitors holds what the lookup of an address tells on behalf of a visitor.
func TestLookUpForVisitors(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		type answer struct {
			Target, Redirect, Site, Space, Pathname, BasePath, SiteBasePath, ShareKey, CanonicalURL, ContextID,
			APIToken string
		}
		guest := s.Member(org.RoleGuest, "guest@example.net")
		look := func(caller string, body map[string]any, status int) (found answer) {
			t.Helper()
			s.CallAs(caller, http.MethodPost, "/v1/urls/published", body, status, &found)
			return found
		}

		shared := s.NewSite("Shared", "share-link", apptest.OnePage)
		id, address := shared.Link("Customers")
		key := strings.TrimSuffix(strings.TrimPrefix(address, shared.Home), "/")
		base := strings.TrimPrefix(shared.Home, s.Base)
		if got := look(guest, map[string]any{"url": address + "start"}, 200); got.Space != shared.Space ||
			got.ShareKey != key || got.Pathname != "start" || got.SiteBasePath != base+key+"/" ||
			got.CanonicalURL != shared.Home+"start" {
			t.Errorf("with the key: %+v", got)
		}
		look(guest, map[string]any{"url": shared.Home}, 404)
		for _, nowhere := range []string{"https://elsewhere.example/", s.Base + "/sites/none/none/"} {
			got := s.Raw(http.MethodPost, "/v1/urls/published", s.Token, map[string]any{"url": nowhere})
			if got.Status != 404 || strings.Contains(string(got.Body), "organization") {
				t.Errorf("%s: %d %s", nowhere, got.Status, got.Body)
			}
		}
		look(guest, map[string]any{"url": shared.Home + strings.Repeat("a", 32) + "/"}, 404)
		s.Call(http.MethodPatch, shared.Path+"/share-links/"+id, `{"active":false}`, 200, nil)
		look(guest, map[string]any{"url": address}, 404)

		closed := s.NewSite("Closed", "visitor-auth", apptest.OnePage)
		member := func(claims map[string]any) map[string]any {
			return map[string]any{"jwtToken": apptest.SignClaims(t, closed.Key(), claims)}
		}
		look(guest, map[string]any{"url": closed.Home}, 404)
		s.Call(http.MethodPatch, closed.Path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login?from=docs"}`, 200, nil)
		signIn := "https://example.com/login?from=docs&location=%2Fstart%3Fx%3D1"
		if got := look(guest, map[string]any{"url": closed.Home + "start?x=1"}, 200); got.Target != "external" ||
			got.Redirect != signIn || !strings.HasSuffix(closed.Path, "/"+got.Site) {
			t.Errorf("without a token: %+v", got)
		}
		expired := map[string]any{"url": closed.Home + "start?x=1", "visitor": member(map[string]any{"exp": 1})}
		look("", expired, 404)
		look(guest, expired, 404)
		s.Call(http.MethodPost, "/v1/urls/published", expired, 404, nil) // who names a visitor is not asked as a member
		expired["redirectOnError"] = true
		if got := look(guest, expired, 200); got.Redirect != signIn {
			t.Errorf("with one that has expired: %+v", got)
		}
		if got := look(guest, map[string]any{"url": closed.Home, "visitor": member(nil)},
			200); got.Space != closed.Space {
			t.Errorf("with a token: %+v", got)
		}
		// A token in the address itself counts as on the site; one that does not count is not made up for by who asks.
		inAddress := look(guest, map[string]any{"url": closed.Home + "start?jwt_token=" + apptest.SignClaims(t,
			closed.Key(), nil)},
			200)
		if inAddress.Space != closed.Space || inAddress.ContextID == "" || inAddress.APIToken == "" ||
			strings.Contains(inAddress.CanonicalURL, "jwt_token") {
			t.Errorf("with a token in the address: %+v", inAddress)
		}
		s.Call(http.MethodPost, "/v1/urls/published", map[string]any{"url": closed.Home + "?jwt_token=" +
			apptest.SignClaims(t, "x",
				nil)}, 404, nil)
		var deprecated answer
		s.CallAs(guest, http.MethodGet, "/v1/urls/published?url="+closed.Home+"&visitorAuthToken="+apptest.SignClaims(t,
			closed.Key(),
			nil), nil, 200, &deprecated)
		if deprecated.Space != closed.Space {
			t.Errorf("the deprecated form: %+v", deprecated)
		}

		agent := map[string]any{"url": closed.Home, "visitor": map[string]any{"type": "agent",
			"jwtToken": apptest.SignClaims(t, closed.Key(), nil)}}
		look(guest, agent, 200)
		s.Call(http.MethodPatch, closed.Path, `{"agentsContext":"excluded"}`, 200, nil)
		look(guest, agent, 404)

		second := s.Space("Second")
		s.Call(http.MethodPost, closed.Path+"/sections", map[string]any{"spaceId": second, "title": "More"}, 201, nil)
		var sections struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, closed.Path+"/sections", nil, 200, &sections)
		closed.Adapt(`{"type":"object","properties":{"plan":{"type":"string"}},"additionalProperties":false}`)
		s.Call(http.MethodPatch, closed.Path+"/sections/"+sections.Items[1].ID,
			`{"condition":"visitor.claims.plan == \"pro\""}`, 200, nil)
		s.Call(http.MethodPost, closed.Path+"/redirects",
			`{"source":"/old","destination":{"kind":"site-section","siteSectionId":"`+sections.Items[1].ID+`"}}`, 201,
			nil)
		contexts := map[string]bool{}
		for plan, want := range map[string]string{"pro": second, "free": closed.Space} {
			visitor := member(map[string]any{"plan": plan})
			inAddress := func() answer {
				token := apptest.SignClaims(t, closed.Key(), map[string]any{"plan": plan,
					"nonce": strconv.Itoa(len(contexts))})
				return look(guest, map[string]any{"url": closed.Home + "more/?jwt_token=" + token}, 200)
			}
			// What the site does not know of them makes no other context.
			if first, second := inAddress(), inAddress(); first.Space != want || first.ContextID != second.ContextID ||
				contexts[first.ContextID] {
				t.Errorf("%s in the address: %+v, then %+v", plan, first, second)
			} else {
				contexts[first.ContextID] = true
			}
			if got := look(guest, map[string]any{"url": closed.Home + "more/", "visitor": visitor},
				200); got.Space != want {
				t.Errorf("%s: the section has the space %q", plan, got.Space)
			}
			if got := look(guest, map[string]any{"url": closed.Home + "old", "visitor": visitor},
				200); (got.Redirect == closed.Home+"more/") != (plan == "pro") {
				t.Errorf("%s: the redirect leads to %q", plan, got.Redirect)
			}
		}
		if got := look(s.Token, map[string]any{"url": closed.Home + "more/"}, 200); got.Space != second {
			t.Errorf("a member who asks for nobody else gets %+v", got)
		}
	})
}
