package sites_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestWhoMayChangeStructure goes through the operations on a site's structure with every role: members read, and those
// who may make content change.
func TestWhoMayChangeStructure(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		p := s.SiteParts()
		var site struct{ URLs struct{ Published string } }
		s.Call(http.MethodPost, p.Site+"/publish", nil, http.StatusOK, &site)
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "structure-"+string(role)+"@example.org")
		}
		stranger := s.Member(org.RoleGuest, "structure-stranger@example.net")
		var elsewhere apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)

		destination := `"destination":{"kind":"site-section","siteSectionId":"` + p.Section + `"}`
		for _, test := range []struct {
			method, path, body string
			least              org.Role
			ok, below          int
		}{
			{http.MethodGet, "/structure", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/site-spaces", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/sections", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/section-groups", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/redirects", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/redirect?source=/old", "", org.RoleRead, 200, 404},
			{http.MethodPost, "/search", `{"query":"x","scope":{"mode":"all"}}`, org.RoleRead, 200, 404},
			{http.MethodPatch, "/structure/sort", `{"item":{"type":"site-section","id":"` + p.Section +
				`"},"position":{}}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/site-spaces", `{"spaceId":"` + p.Space + `"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/site-spaces/" + p.Variant, `{"condition":null}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/site-spaces/" + p.Variant + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/sections", `{"spaceId":"` + p.Space + `","title":"More"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/sections/" + p.Section, `{"title":"Guide"}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/sections/" + p.Section + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/section-groups", `{"title":"More"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/section-groups/" + p.Group, `{"title":"Group"}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/section-groups/" + p.Group + "/sections", `{"sectionId":"` + p.Other + `"}`,
				org.RoleCreate, 201, 403},
			{http.MethodPost, "/section-groups/" + p.Group + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPatch, "/redirects/" + p.Redirect, `{"draft":false}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/redirects", `{"source":"/ROLE",` + destination + `}`, org.RoleCreate, 201, 403},
			{http.MethodPost, "/unpublish", "", org.RoleCreate, 200, 403},
			{http.MethodPatch, "", `{"proxy":null,"hostname":null}`, org.RoleCreate, 200, 403},
			{http.MethodDelete, "/redirects/" + p.Redirect, "", org.RoleAdmin, 204, 403},
			{http.MethodDelete, "/section-groups/" + p.Group + "/sections/" + p.Other, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/section-groups/" + p.Group, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/site-spaces/" + p.Variant, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/sections/" + p.Other, "", org.RoleAdmin, 204, 403},
			{http.MethodDelete, "", "", org.RoleAdmin, 204, 403},
		} {
			may := false
			for _, role := range roles {
				may = may || role == test.least
				if test.method == http.MethodDelete && role == org.RoleCreate {
					continue // may too, but then there would be nothing left for the admin
				}
				want := test.below
				switch {
				case may:
					want = test.ok
				case role == org.RoleGuest:
					want = http.StatusNotFound
				}
				var body any
				if test.body != "" {
					body = strings.ReplaceAll(test.body, "ROLE", "as-"+string(role))
				}
				if role == org.RoleAdmin {
					// Ids of another organization are never there.
					foreign := strings.Replace(p.Site, s.Organization, elsewhere.ID, 1)
					for _, at := range []string{p.Site, foreign} {
						if got := s.Raw(test.method, at+test.path, stranger, body); got.Status != http.StatusNotFound {
							t.Errorf("%s %s from elsewhere: %d", test.method, test.path, got.Status)
						}
					}
				}
				got := s.Raw(test.method, p.Site+test.path, tokens[role], body)
				if got.Status != want {
					t.Errorf("%s %s as %q: %d, want %d: %.300s", test.method, test.path, role, got.Status, want,
						got.Body)
				}
				s.Check(test.method, p.Site+test.path, got)
			}
		}
	})
}

// TestStructureOfClosedSpaces holds that people see nothing of a space on a site that they may not read.
func TestStructureOfClosedSpaces(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		p := s.SiteParts()
		closed := s.Space("Closed")
		var added apptest.Identified
		s.Call(http.MethodPost, p.Site+"/site-spaces", map[string]any{"spaceId": closed, "sectionId": p.Other},
			http.StatusCreated, &added)
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)
		s.Call(http.MethodPost, p.Site+"/publish", nil, http.StatusOK, nil)
		creator := s.Member(org.RoleCreate, "creator@example.org")
		for _, path := range []string{"/structure", "/sections", "/site-spaces", "/published"} {
			if got := s.Raw(http.MethodGet, p.Site+path, creator, nil); got.Status != http.StatusOK ||
				strings.Contains(string(got.Body), closed) || strings.Contains(string(got.Body), added.ID) {
				t.Errorf("%s tells of a closed space: %d", path, got.Status)
			}
		}
		for method, path := range map[string]string{http.MethodPatch: "", http.MethodDelete: "",
			http.MethodPost: "/move"} {
			if got := s.Raw(method, p.Site+"/site-spaces/"+added.ID+path, creator,
				`{}`); got.Status != http.StatusNotFound {
				t.Errorf("%s: %d %s", method, got.Status, got.Body)
			}
		}
		if got := s.Raw(http.MethodPost, p.Site+"/search", creator,
			`{"query":"x","scope":{"mode":"specific","siteSpaceIds":["`+added.ID+
				`"]}}`); got.Status != http.StatusBadRequest {
			t.Errorf("search: %d", got.Status)
		}
	})
}
