package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestDatabaseAwayIsUnavailable holds that the API, published sites and the product's pages answer 503 and say when to
// come back while the database cannot be reached, that none of them tells why, and that all answer again once it is
// there.
func TestDatabaseAwayIsUnavailable(t *testing.T) {
	gate, address := dbtest.PostgresGate(t)
	s := apptest.Start(t, config.Storage{Data: t.TempDir(), DatabaseURL: address}, nil)
	space, pages := s.Documented("Guide", map[string]string{"Start": "Words."})
	site, _ := s.PublishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"
	browser := s.SignedIn()

	requests := []struct{ name, method, address, token, body string }{
		{"read", http.MethodGet, "/v1/spaces/" + space, s.Token, ""},
		{"page", http.MethodGet, "/v1/spaces/" + space + "/content/page/" + pages["Start"], s.Token, ""},
		{"list", http.MethodGet, "/v1/orgs/" + s.Organization + "/spaces", s.Token, ""},
		{"write", http.MethodPatch, "/v1/spaces/" + space, s.Token, `{"title":"Guide"}`},
		{"search", http.MethodGet, "/v1/spaces/" + space + "/search?query=words", s.Token, ""},
		{"bad token", http.MethodGet, "/v1/user", "rct_" + strings.Repeat("a", len(s.Token)-4), ""},
		{"site", http.MethodGet, home, "", ""},
		{"page of a site", http.MethodGet, home + "start", "", ""},
		{"search of a site", http.MethodGet, home + "~/search?q=words", "", ""},
		{"no such site", http.MethodGet, s.Base + "/sites/none/none/", "", ""},
		{"ready", http.MethodGet, s.Base + "/readyz", "", ""},
	}
	before := map[string]int{}
	for _, r := range requests {
		before[r.name] = s.Raw(r.method, r.address, r.token, r.body).Status
	}
	for range 2 {
		gate.Shut()
		for _, r := range requests {
			got := s.Raw(r.method, r.address, r.token, r.body)
			if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" && r.name != "ready" {
				t.Errorf("%s: %d, Retry-After %q\n%.300s", r.name, got.Status, got.Header.Get("Retry-After"), got.Body)
			}
			for _, internal := range []string{"postgres", "socket", "pgconn", "recto-gate"} {
				if strings.Contains(strings.ToLower(string(got.Body)), internal) {
					t.Errorf("%s tells of %s: %s", r.name, internal, got.Body)
				}
			}
		}
		if got := browser.Send(http.MethodGet, "/account", "", nil); got.Status != http.StatusServiceUnavailable ||
			got.Header.Get("Retry-After") == "" {
			t.Errorf("a page of the product: %d, Retry-After %q", got.Status, got.Header.Get("Retry-After"))
		}
		gate.Open()
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			if s.Raw(http.MethodGet, s.Base+"/readyz", "", nil).Status == http.StatusOK {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the server is not ready although its database is back")
			}
		}
		for _, r := range requests {
			if got := s.Raw(r.method, r.address, r.token, r.body); got.Status != before[r.name] {
				t.Errorf("%s: %d after the database came back, %d before\n%.300s", r.name, got.Status, before[r.name],
					got.Body)
			}
		}
	}
}
