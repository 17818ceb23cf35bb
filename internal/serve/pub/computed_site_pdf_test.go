package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestPDFsOfSitesFollowSpecifications holds that readers get PDFs of the pages of a specification, each by itself too,
// as it is at that moment.
func TestPDFsOfSitesFollowSpecifications(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		var tree struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
		pets := tree.Pages[1].Pages[0].Pages[0]
		sites := "/v1/orgs/" + s.Organization + "/sites"
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		var look map[string]any
		s.Call(http.MethodGet, sites+"/"+site.ID+"/customization", nil, http.StatusOK, &look)
		look["pdf"] = map[string]any{"enabled": true}
		s.Call(http.MethodPut, sites+"/"+site.ID+"/customization", look, http.StatusOK, nil)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := strings.TrimSuffix(site.URLs.Published, "/") + "/"
		download := func(query string) string {
			t.Helper()
			var got apptest.Answer
			for range 300 {
				if got = s.Raw(http.MethodGet, home+"~/pdf"+query, "", nil); got.Status != http.StatusAccepted {
					break
				}
			}
			if got.Status != http.StatusOK {
				t.Fatalf("%s: %d %.300s", query, got.Status, got.Body)
			}
			return apptest.WordsOfPDF(t, got.Body)
		}
		one := "?page=" + pets.ID
		if page := s.Raw(http.MethodGet, home+pets.Path, "", nil); !strings.Contains(string(page.Body), "~/pdf"+one) {
			t.Error("the page offers no PDF")
		}
		for _, query := range []string{"", one} {
			if words := download(query); !strings.Contains(words, "listpets") || !strings.Contains(words, "howmany") {
				t.Errorf("%q: the PDF lacks an operation", query)
			}
		}
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "List pets", "List all pets"), http.StatusOK)
		for _, query := range []string{"", one} {
			if words := download(query); !strings.Contains(words, "listallpets") {
				t.Errorf("%q: the PDF is of an earlier version", query)
			}
		}
	})
}
