package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/org"
)

// publishedSite makes a public site with one space, publishes it, and returns it with the space and the site space.
func (s *server) publishedSite(title, space string) (site, siteSpace string) {
	s.t.Helper()
	organization := "/v1/orgs/" + s.organization
	var made identified
	s.call(http.MethodPost, organization+"/sites", `{"title":"`+title+`","visibility":"public","spaces":["`+space+`"]}`, http.StatusCreated, &made)
	s.call(http.MethodPost, organization+"/sites/"+made.ID+"/publish", nil, http.StatusOK, nil)
	var siteSpaces struct{ Items []identified }
	s.call(http.MethodGet, organization+"/sites/"+made.ID+"/site-spaces", nil, http.StatusOK, &siteSpaces)
	return made.ID, siteSpaces.Items[0].ID
}

// TestLookByRole holds the operations of how sites look against every role: who may see a site may read, who may make sites
// may change.
func TestLookByRole(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site, siteSpace := s.publishedSite("Docs", s.space("Guide"))
		one := "/v1/orgs/" + s.organization + "/sites/" + site
		var whole map[string]any
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &whole)
		reads := []string{"/customization", "/site-spaces/" + siteSpace + "/customization", "/integration-scripts", "/feedback", "/feedback/pages"}
		// A guest sees the sites of no organization; roles below create change none.
		for role, want := range map[org.Role]struct{ read, write, clear int }{
			"":        {404, 404, 404},
			"read":    {200, 403, 403},
			"comment": {200, 403, 403},
			"edit":    {200, 403, 403},
			"review":  {200, 403, 403},
			"create":  {200, 200, 205},
			"admin":   {200, 200, 205},
		} {
			token := s.member(role, fmt.Sprintf("m%s@example.org", role))
			for _, path := range reads {
				if got := s.raw(http.MethodGet, one+path, token, nil); got.status != want.read {
					t.Errorf("%s: GET %s answers %d, want %d", role, path, got.status, want.read)
				}
			}
			if got := s.raw(http.MethodPut, one+"/customization", token, whole); got.status != want.write {
				t.Errorf("%s: PUT answers %d, want %d: %s", role, got.status, want.write, got.body)
			}
			own := one + "/site-spaces/" + siteSpace + "/customization"
			if got := s.raw(http.MethodPatch, own, token, `{"title":"Own"}`); got.status != want.write {
				t.Errorf("%s: PATCH answers %d, want %d: %s", role, got.status, want.write, got.body)
			}
			if got := s.raw(http.MethodDelete, own, token, nil); got.status != want.clear {
				t.Errorf("%s: DELETE answers %d, want %d: %s", role, got.status, want.clear, got.body)
			}
		}
	})
}

// TestLookInvalid holds that bad input is named and changes nothing.
func TestLookInvalid(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site, siteSpace := s.publishedSite("Docs", s.space("Guide"))
		one := "/v1/orgs/" + s.organization + "/sites/" + site
		var before, after map[string]any
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &before)
		before["styling"].(map[string]any)["theme"] = "neon"
		for _, test := range []struct {
			method, path string
			body         any
			want         string
		}{
			{http.MethodPut, "/customization", before, "styling.theme"},
			{http.MethodPut, "/customization", `{}`, "styling"},
			{http.MethodPut, "/customization", `[]`, "body"},
			{http.MethodPatch, "/site-spaces/" + siteSpace + "/customization", `{"privacyPolicy":{"url":"javascript:1"}}`, "privacyPolicy.url"},
		} {
			got := s.raw(test.method, one+test.path, s.token, test.body)
			var refusal struct {
				Error struct{ Details []struct{ Path string } }
			}
			if err := json.Unmarshal(got.body, &refusal); err != nil {
				t.Fatal(err)
			}
			if got.status != http.StatusBadRequest || len(refusal.Error.Details) == 0 || refusal.Error.Details[0].Path != test.want {
				t.Errorf("%s %v: %d %s", test.method, test.body, got.status, got.body)
			}
		}
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &after)
		if after["styling"].(map[string]any)["theme"] != "clean" {
			t.Error("refused input was kept")
		}
	})
}
