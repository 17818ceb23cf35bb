package urls_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestComputedPagesHaveAddresses holds that the pages of a specification are found by their addresses, and that
// redirects of a site lead to them.
func TestComputedPagesHaveAddresses(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		var tree struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
		reference := tree.Pages[1].Pages[0]
		pets := reference.Pages[0]
		sites := "/v1/orgs/" + s.Organization + "/sites"
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := strings.TrimSuffix(site.URLs.Published, "/") + "/"
		look := func(address string) (found struct {
			Space *apptest.Identified
			Page  *apptest.PageNode
		}) {
			t.Helper()
			s.Call(http.MethodGet, "/v1/urls/content?url="+url.QueryEscape(address), nil, http.StatusOK, &found)
			return found
		}
		for address, want := range map[string]string{
			home + pets.Path: pets.ID, home + reference.Path: reference.ID, s.Base + "/app/spaces/" + space +
				"/pages/" + pets.ID: pets.ID,
			s.Base + "/v1/spaces/" + space + "/content/page/" + reference.ID: reference.ID, home + "api/nothing": "",
		} {
			found := look(address)
			if found.Space == nil || want == "" && found.Page != nil || want != "" &&
				(found.Page == nil || found.Page.ID != want || found.Page.Type != "document") {
				t.Errorf("%s: %+v, want %q", address, found.Page, want)
			}
		}
		var spaces struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, sites+"/"+site.ID+"/site-spaces", nil, http.StatusOK, &spaces)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/redirects", map[string]any{
			"source": "/old-pets", "destination": map[string]any{"kind": "site-page", "siteSpaceId": spaces.Items[0].ID,
				"pageId": pets.ID},
		}, http.StatusCreated, nil)
		got := s.Raw(http.MethodGet, home+"old-pets", "", nil)
		if location := got.Header.Get("Location"); got.Status != http.StatusTemporaryRedirect ||
			!strings.HasSuffix(home+pets.Path, location) || !strings.HasSuffix(location, pets.Path) {
			t.Errorf("a redirect to a page of a specification: %d %q", got.Status, location)
		}
	})
}
