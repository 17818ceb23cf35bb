package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestComputedPagesHaveAddresses holds that the pages of a specification are found by their addresses, and that
// redirects of a site lead to them.
func TestComputedPagesHaveAddresses(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "book.zip", computedBook(t, "  title: Reference\n", "    models: true\n"))
		s.putSpec("pets", petsSpec, http.StatusCreated)
		var tree struct{ Pages []apiPage }
		s.call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
		reference := tree.Pages[1].Pages[0]
		pets := reference.Pages[0]
		sites := "/v1/orgs/" + s.organization + "/sites"
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := strings.TrimSuffix(site.URLs.Published, "/") + "/"
		look := func(address string) (found struct {
			Space *identified
			Page  *apiPage
		}) {
			t.Helper()
			s.call(http.MethodGet, "/v1/urls/content?url="+url.QueryEscape(address), nil, http.StatusOK, &found)
			return found
		}
		for address, want := range map[string]string{
			home + pets.Path: pets.ID, home + reference.Path: reference.ID, s.base + "/app/spaces/" + space +
				"/pages/" + pets.ID: pets.ID,
			s.base + "/v1/spaces/" + space + "/content/page/" + reference.ID: reference.ID, home + "api/nothing": "",
		} {
			found := look(address)
			if found.Space == nil || want == "" && found.Page != nil || want != "" &&
				(found.Page == nil || found.Page.ID != want || found.Page.Type != "document") {
				t.Errorf("%s: %+v, want %q", address, found.Page, want)
			}
		}
		var spaces struct{ Items []identified }
		s.call(http.MethodGet, sites+"/"+site.ID+"/site-spaces", nil, http.StatusOK, &spaces)
		s.call(http.MethodPost, sites+"/"+site.ID+"/redirects", map[string]any{
			"source": "/old-pets", "destination": map[string]any{"kind": "site-page", "siteSpaceId": spaces.Items[0].ID,
				"pageId": pets.ID},
		}, http.StatusCreated, nil)
		got := s.raw(http.MethodGet, home+"old-pets", "", nil)
		if location := got.header.Get("Location"); got.status != http.StatusTemporaryRedirect ||
			!strings.HasSuffix(home+pets.Path, location) || !strings.HasSuffix(location, pets.Path) {
			t.Errorf("a redirect to a page of a specification: %d %q", got.status, location)
		}
	})
}
