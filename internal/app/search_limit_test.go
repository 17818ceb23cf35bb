package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/config"
)

// TestSearchingASiteIsLimited holds that an address that searches a site without end is told to wait, as script and as
// browser, and reads on meanwhile.
func TestSearchingASiteIsLimited(t *testing.T) {
	s := onSQLite(t, func(settings *config.Serve) { settings.RateLimit = 6000 })
	space, _ := s.documented("Guide", map[string]string{"Start": "About marmalade."})
	site, _ := s.publishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"

	answered := 0
	for range 200 {
		got := s.raw(http.MethodGet, home+"~/search?q=marmalade", "", nil)
		if got.status == http.StatusTooManyRequests {
			if got.header.Get("Retry-After") == "" {
				t.Error("it is not said how long to wait")
			}
			break
		}
		if got.status != http.StatusOK || !strings.Contains(string(got.body), `"total":1`) {
			t.Fatalf("a search: %d %s", got.status, got.body)
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
	if got := s.send(request); got.status != http.StatusTooManyRequests || !strings.Contains(string(got.body),
		"Wait a moment") {
		t.Errorf("a browser: %d %.300s", got.status, got.body)
	}
	if got := s.raw(http.MethodGet, home, "", nil); got.status != http.StatusOK {
		t.Errorf("reading: %d", got.status)
	}
}
