package sites_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestLookByRole holds the operations of how sites look against every role: who may see a site may read, who may make
// sites may change.
func TestLookByRole(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site, siteSpace := s.PublishedSite("Docs", s.Space("Guide"))
		one := "/v1/orgs/" + s.Organization + "/sites/" + site
		var whole map[string]any
		s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, &whole)
		reads := []string{"/customization", "/site-spaces/" + siteSpace + "/customization", "/integration-scripts",
			"/feedback", "/feedback/pages"}
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
			token := s.Member(role, fmt.Sprintf("m%s@example.org", role))
			for _, path := range reads {
				if got := s.Raw(http.MethodGet, one+path, token, nil); got.Status != want.read {
					t.Errorf("%s: GET %s answers %d, want %d", role, path, got.Status, want.read)
				}
			}
			if got := s.Raw(http.MethodPut, one+"/customization", token, whole); got.Status != want.write {
				t.Errorf("%s: PUT answers %d, want %d: %s", role, got.Status, want.write, got.Body)
			}
			own := one + "/site-spaces/" + siteSpace + "/customization"
			if got := s.Raw(http.MethodPatch, own, token, `{"title":"Own"}`); got.Status != want.write {
				t.Errorf("%s: PATCH answers %d, want %d: %s", role, got.Status, want.write, got.Body)
			}
			if got := s.Raw(http.MethodDelete, own, token, nil); got.Status != want.clear {
				t.Errorf("%s: DELETE answers %d, want %d: %s", role, got.Status, want.clear, got.Body)
			}
		}
	})
}

// TestLookInvalid holds that bad input is named and changes nothing.
func TestLookInvalid(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site, siteSpace := s.PublishedSite("Docs", s.Space("Guide"))
		one := "/v1/orgs/" + s.Organization + "/sites/" + site
		var before, after map[string]any
		s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, &before)
		before["styling"].(map[string]any)["theme"] = "neon"
		for _, test := range []struct {
			method, path string
			body         any
			want         string
		}{
			{http.MethodPut, "/customization", before, "styling.theme"},
			{http.MethodPut, "/customization", `{}`, "styling"},
			{http.MethodPut, "/customization", `[]`, "body"},
			{http.MethodPatch, "/site-spaces/" + siteSpace + "/customization",
				`{"privacyPolicy":{"url":"javascript:1"}}`, "privacyPolicy.url"},
		} {
			got := s.Raw(test.method, one+test.path, s.Token, test.body)
			var refusal struct {
				Error struct{ Details []struct{ Path string } }
			}
			if err := json.Unmarshal(got.Body, &refusal); err != nil {
				t.Fatal(err)
			}
			if got.Status != http.StatusBadRequest || len(refusal.Error.Details) == 0 ||
				refusal.Error.Details[0].Path != test.want {
				t.Errorf("%s %v: %d %s", test.method, test.body, got.Status, got.Body)
			}
		}
		s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, &after)
		if after["styling"].(map[string]any)["theme"] != "clean" {
			t.Error("refused input was kept")
		}
	})
}

// TestIconOfASite holds that a site tells its icon wherever it is read.
func TestIconOfASite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Iconic", "public", apptest.OnePage)
		type icon struct {
			Icon  *struct{ Light, Dark string }
			Emoji string
		}
		read := func() *icon {
			t.Helper()
			var one struct{ Icon *icon }
			s.Call(http.MethodGet, site.Path, nil, http.StatusOK, &one)
			var all struct{ Items []struct{ Icon *icon } }
			s.Call(http.MethodGet, site.Path[:strings.LastIndex(site.Path, "/")], nil, http.StatusOK, &all)
			var profile struct{ Site struct{ Icon *icon } }
			s.Call(http.MethodGet, site.Path+"/published", nil, http.StatusOK, &profile)
			if len(all.Items) != 1 || !reflect.DeepEqual(all.Items[0].Icon, one.Icon) ||
				!reflect.DeepEqual(profile.Site.Icon, one.Icon) {
				t.Errorf("%+v, in the list %+v, in the profile %+v", one.Icon, all.Items, profile.Site.Icon)
			}
			return one.Icon
		}
		if got := read(); got != nil {
			t.Errorf("without one: %+v", got)
		}
		var whole map[string]any
		s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &whole)
		whole["favicon"] = map[string]any{"icon": map[string]any{"light": "https://example.org/light.png",
			"dark": "https://example.org/dark.png"}}
		s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got == nil || got.Icon == nil || got.Icon.Light != "https://example.org/light.png" ||
			got.Icon.Dark != "https://example.org/dark.png" {
			t.Errorf("an icon: %+v", got)
		}
		whole["favicon"] = map[string]any{"emoji": "1f4d8"}
		s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got == nil || got.Icon != nil || got.Emoji != "1f4d8" {
			t.Errorf("an emoji: %+v", got)
		}
		whole["favicon"] = map[string]any{}
		s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got != nil {
			t.Errorf("none any more: %+v", got)
		}
	})
}
