package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestOpenAPIDownload holds that readers may download a description where its computed page says so, and nowhere else.
func TestOpenAPIDownload(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		s.putSpec("pets", petsSpec, http.StatusCreated)
		s.putSpec("others", petsSpec, http.StatusCreated)
		publish := func(title, props string) string {
			t.Helper()
			space := s.space(title)
			s.upload(space, "book.zip", computedBook(t, "  title: Reference\n", props))
			var site struct {
				ID   string
				URLs struct{ Published string }
			}
			s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", map[string]any{"title": title,
				"spaces": []string{space}}, http.StatusCreated, &site)
			s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)
			return site.URLs.Published
		}
		open := publish("Open", "    downloadLink: true\n")
		page := s.raw(http.MethodGet, open+"api/reference", "", nil)
		if page.status != http.StatusOK || !strings.Contains(string(page.body), "/~/openapi/pets\"") ||
			!strings.Contains(string(page.body), "Download the OpenAPI description") {
			t.Errorf("the page has no link: %d\n%s", page.status, page.body)
		}
		got := s.raw(http.MethodGet, open+"~/openapi/pets", "", nil)
		if got.status != http.StatusOK || string(got.body) != petsSpec ||
			!strings.Contains(got.header.Get("Content-Disposition"), `filename="pets.yaml"`) {
			t.Errorf("download: %d %v", got.status, got.header)
		}
		for _, address := range []string{open + "~/openapi/others", open + "~/openapi/none", open + "~/openapi/",
			publish("Closed", "    models: true\n") + "~/openapi/pets"} {
			if got := s.raw(http.MethodGet, address, "", nil); got.status != http.StatusNotFound {
				t.Errorf("%s: %d", address, got.status)
			}
		}
	})
}
