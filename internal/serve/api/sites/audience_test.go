package sites_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestAudienceRoles goes through operation, role and outcome.
func TestAudienceRoles(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Shared", "share-link", apptest.OnePage)
		id, _ := site.Link("Customers")
		site.Adapt(
			`{"type":"object","properties":{"isBeta":{"type":"boolean","description":""}},"additionalProperties":false}`)
		people := map[string]string{"guest": s.Member("", "guest@example.org")}
		for _, role := range []org.Role{"read", "comment", "edit", "review", "create", "admin"} {
			people[string(role)] = s.Member(role, string(role)+"@example.org")
		}
		changes := func(ok int) map[string]int {
			return map[string]int{"guest": 404, "read": 403, "comment": 403, "edit": 403, "review": 403, "create": ok,
				"admin": ok}
		}
		reads := map[string]int{"guest": 404, "read": 200, "comment": 200, "edit": 200, "review": 200, "create": 200,
			"admin": 200}
		for _, test := range []struct {
			method, path, body string
			want               map[string]int
		}{
			{http.MethodGet, "/adaptive-schema", "", reads},
			{http.MethodGet, "/adaptive-schema/template-conditions", "", reads},
			{http.MethodPut, "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`, changes(200)},
			{http.MethodGet, "/share-links", "", changes(200)},
			{http.MethodPost, "/share-links", `{"name":"x"}`, changes(201)},
			{http.MethodPatch, "/share-links/" + id, `{"name":"y"}`, changes(200)},
			{http.MethodGet, "/publishing/auth", "", changes(200)},
			{http.MethodPatch, "/publishing/auth", `{"backend":"custom"}`, changes(200)},
			{http.MethodPost, "/publishing/auth/regenerate", "", changes(200)},
		} {
			for who, want := range test.want {
				var body any
				if test.body != "" {
					body = test.body
				}
				if got := s.Raw(test.method, site.Path+test.path, people[who], body); got.Status != want {
					t.Errorf("%s: %s %s answers %d, want %d: %.200s", who, test.method, test.path, got.Status, want,
						got.Body)
				}
			}
		}
		for who, want := range changes(205) {
			one, _ := site.Link("for " + who)
			if got := s.Raw(http.MethodDelete, site.Path+"/share-links/"+one, people[who], nil); got.Status != want {
				t.Errorf("%s: DELETE answers %d, want %d", who, got.Status, want)
			}
		}
		for _, bad := range []struct{ method, path, body, where string }{
			{http.MethodPost, "/share-links", `{"name":"` + strings.Repeat("x", 51) + `"}`, "name"},
			{http.MethodPatch, "/share-links/" + id, `{"active":null}`, "active"},
			{http.MethodPatch, "/publishing/auth", `{"backend":"custom","fallbackURL":"nowhere"}`, "fallbackURL"},
			{http.MethodPut, "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{"a":{"type":"string","format":"email"}},"additionalProperties":false}}`, "jsonSchema.properties.a.format"},
		} {
			got := s.Raw(bad.method, site.Path+bad.path, s.Token, bad.body)
			if got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body), bad.where) {
				t.Errorf("%s %s: %d %s", bad.method, bad.path, got.Status, got.Body)
			}
		}
	})
}
