package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestOpenAPIDownload holds that readers may download a description where its computed page says so, and nowhere else.
func TestOpenAPIDownload(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		s.PutSpec("others", apptest.PetsSpec, http.StatusCreated)
		publish := func(title, props string) string {
			t.Helper()
			space := s.Space(title)
			s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", props))
			var site struct {
				ID   string
				URLs struct{ Published string }
			}
			s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": title,
				"spaces": []string{space}}, http.StatusCreated, &site)
			s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)
			return site.URLs.Published
		}
		open := publish("Open", "    downloadLink: true\n")
		page := s.Raw(http.MethodGet, open+"api/reference", "", nil)
		if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "/~/openapi/pets\"") ||
			!strings.Contains(string(page.Body), "Download the OpenAPI description") {
			t.Errorf("the page has no link: %d\n%s", page.Status, page.Body)
		}
		got := s.Raw(http.MethodGet, open+"~/openapi/pets", "", nil)
		if got.Status != http.StatusOK || string(got.Body) != apptest.PetsSpec ||
			!strings.Contains(got.Header.Get("Content-Disposition"), `filename="pets.yaml"`) {
			t.Errorf("download: %d %v", got.Status, got.Header)
		}
		for _, address := range []string{open + "~/openapi/others", open + "~/openapi/none", open + "~/openapi/",
			publish("Closed", "    models: true\n") + "~/openapi/pets"} {
			if got := s.Raw(http.MethodGet, address, "", nil); got.Status != http.StatusNotFound {
				t.Errorf("%s: %d", address, got.Status)
			}
		}
	})
}
