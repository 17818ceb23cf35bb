package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// TestSearchingASiteIsLimited holds that an address that searches a site without end is told to wait, as script and as
// browser, and reads on meanwhile.
func TestSearchingASiteIsLimited(t *testing.T) {
	s := apptest.OnSQLite(t, func(settings *config.Serve) { settings.RateLimit = 6000 })
	space, _ := s.Documented("Guide", map[string]string{"Start": "About marmalade."})
	site, _ := s.PublishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"

	answered := 0
	for range 200 {
		got := s.Raw(http.MethodGet, home+"~/search?q=marmalade", "", nil)
		if got.Status == http.StatusTooManyRequests {
			if got.Header.Get("Retry-After") == "" {
				t.Error("it is not said how long to wait")
			}
			break
		}
		if got.Status != http.StatusOK || !strings.Contains(string(got.Body), `"total":1`) {
			t.Fatalf("a search: %d %s", got.Status, got.Body)
		}
		answered++
	}
	if answered < 40 || answered == 200 {
		t.Errorf("%d searches were answered", answered)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, home+"~/search?q=marmalade", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	if got := s.Send(request); got.Status != http.StatusTooManyRequests || !strings.Contains(string(got.Body),
		"Wait a moment") {
		t.Errorf("a browser: %d %.300s", got.Status, got.Body)
	}
	if got := s.Raw(http.MethodGet, home, "", nil); got.Status != http.StatusOK {
		t.Errorf("reading: %d", got.Status)
	}
}
