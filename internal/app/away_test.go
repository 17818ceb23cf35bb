package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestDatabaseAwayIsUnavailable holds that the API, published sites and the product's pages answer 503 and say when to
// come back while the database cannot be reached, that none of them tells why, and that all answer again once it is
// there.
func TestDatabaseAwayIsUnavailable(t *testing.T) {
	gate, address := dbtest.PostgresGate(t)
	s := start(t, config.Storage{Data: t.TempDir(), DatabaseURL: address}, nil)
	space, pages := s.documented("Guide", map[string]string{"Start": "Words."})
	site, _ := s.publishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"
	browser := s.signedIn()

	requests := []struct{ name, method, address, token, body string }{
		{"read", http.MethodGet, "/v1/spaces/" + space, s.token, ""},
		{"page", http.MethodGet, "/v1/spaces/" + space + "/content/page/" + pages["Start"], s.token, ""},
		{"list", http.MethodGet, "/v1/orgs/" + s.organization + "/spaces", s.token, ""},
		{"write", http.MethodPatch, "/v1/spaces/" + space, s.token, `{"title":"Guide"}`},
		{"search", http.MethodGet, "/v1/spaces/" + space + "/search?query=words", s.token, ""},
		{"bad token", http.MethodGet, "/v1/user", "rct_" + strings.Repeat("a", len(s.token)-4), ""},
		{"site", http.MethodGet, home, "", ""},
		{"page of a site", http.MethodGet, home + "start", "", ""},
		{"search of a site", http.MethodGet, home + "~/search?q=words", "", ""},
		{"no such site", http.MethodGet, s.base + "/sites/none/none/", "", ""},
		{"ready", http.MethodGet, s.base + "/readyz", "", ""},
	}
	before := map[string]int{}
	for _, r := range requests {
		before[r.name] = s.raw(r.method, r.address, r.token, r.body).status
	}
	for range 2 {
		gate.Shut()
		for _, r := range requests {
			got := s.raw(r.method, r.address, r.token, r.body)
			if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" && r.name != "ready" {
				t.Errorf("%s: %d, Retry-After %q\n%.300s", r.name, got.status, got.header.Get("Retry-After"), got.body)
			}
			for _, internal := range []string{"postgres", "socket", "pgconn", "recto-gate"} {
				if strings.Contains(strings.ToLower(string(got.body)), internal) {
					t.Errorf("%s tells of %s: %s", r.name, internal, got.body)
				}
			}
		}
		if got := browser.send(http.MethodGet, "/account", "", nil); got.status != http.StatusServiceUnavailable ||
			got.header.Get("Retry-After") == "" {
			t.Errorf("a page of the product: %d, Retry-After %q", got.status, got.header.Get("Retry-After"))
		}
		gate.Open()
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			if s.raw(http.MethodGet, s.base+"/readyz", "", nil).status == http.StatusOK {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the server is not ready although its database is back")
			}
		}
		for _, r := range requests {
			if got := s.raw(r.method, r.address, r.token, r.body); got.status != before[r.name] {
				t.Errorf("%s: %d after the database came back, %d before\n%.300s", r.name, got.status, before[r.name],
					got.body)
			}
		}
	}
}
