package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestSitesOfferTheirLanguages holds that setting up a translation tells the source its language, so that its site
// offers the languages as such, to readers and to machines.
func TestSitesOfferTheirLanguages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Welcome.\n"})
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.Organization + "/sites"
		s.Call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		all := "/v1/orgs/" + s.Organization + "/translations"
		var made apptest.TranslationSettings
		s.Call(http.MethodPost, all, map[string]any{"title": "Later"}, http.StatusCreated, &made)
		settings := all + "/" + made.ID
		s.Call(http.MethodPut, settings, map[string]any{"source": map[string]any{"space": space, "language": "en"},
			"languages": []string{"de", "fr"}}, http.StatusOK, &made)
		for _, code := range made.Languages {
			s.Followed(settings + "/languages/" + code)
		}
		page := s.Raw(http.MethodGet, site.URLs.Published, "", nil)
		for _, part := range []string{`<html lang="en"`, `hreflang="en"`, `hreflang="de"`, `hreflang="fr"`,
			`hreflang="x-default"`} {
			if !strings.Contains(string(page.Body), part) {
				t.Errorf("the site lacks %s", part)
			}
		}
	})
}
