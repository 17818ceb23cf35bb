package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestPDFsOfSitesFollowSpecifications holds that readers get PDFs of the pages of a specification, each by itself too,
// as it is at that moment.
func TestPDFsOfSitesFollowSpecifications(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "book.zip", computedBook(t, "  title: Reference\n", "    models: true\n"))
		s.putSpec("pets", petsSpec, http.StatusCreated)
		var tree struct{ Pages []apiPage }
		s.call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
		pets := tree.Pages[1].Pages[0].Pages[0]
		sites := "/v1/orgs/" + s.organization + "/sites"
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		var look map[string]any
		s.call(http.MethodGet, sites+"/"+site.ID+"/customization", nil, http.StatusOK, &look)
		look["pdf"] = map[string]any{"enabled": true}
		s.call(http.MethodPut, sites+"/"+site.ID+"/customization", look, http.StatusOK, nil)
		s.call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := strings.TrimSuffix(site.URLs.Published, "/") + "/"
		download := func(query string) string {
			t.Helper()
			var got answer
			for range 300 {
				if got = s.raw(http.MethodGet, home+"~/pdf"+query, "", nil); got.status != http.StatusAccepted {
					break
				}
			}
			if got.status != http.StatusOK {
				t.Fatalf("%s: %d %.300s", query, got.status, got.body)
			}
			return wordsOfPDF(t, got.body)
		}
		one := "?page=" + pets.ID
		if page := s.raw(http.MethodGet, home+pets.Path, "", nil); !strings.Contains(string(page.body), "~/pdf"+one) {
			t.Error("the page offers no PDF")
		}
		for _, query := range []string{"", one} {
			if words := download(query); !strings.Contains(words, "listpets") || !strings.Contains(words, "howmany") {
				t.Errorf("%q: the PDF lacks an operation", query)
			}
		}
		s.putSpec("pets", strings.ReplaceAll(petsSpec, "List pets", "List all pets"), http.StatusOK)
		for _, query := range []string{"", one} {
			if words := download(query); !strings.Contains(words, "listallpets") {
				t.Errorf("%q: the PDF is of an earlier version", query)
			}
		}
	})
}
