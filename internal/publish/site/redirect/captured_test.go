package redirect

import (
	"math/rand/v2"
	"testing"

	"github.com/rectodocs/recto/internal/platform/httpx/httpxtest"
)

// TestCapturedStaysAtTheChosenServer: what a star has captured of an address adds to the path that an author has
// chosen, and never changes whose it is.
func TestCapturedStaysAtTheChosenServer(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	try := func(captured string) {
		for _, chosen := range []string{"https://example.com", "https://example.com/", "https://example.com/docs/",
			"https://example.com:8443/docs?x=1#y"} {
			want, _ := httpxtest.Origin("https://docs.example.org", chosen)
			to := External(chosen, captured)
			if got, ok := httpxtest.Origin("https://docs.example.org", to); !ok || got != want {
				t.Errorf("%s with %q leads to %q by %q", chosen, captured, got, to)
			}
		}
	}
	for _, captured := range httpxtest.HostilePaths {
		try(captured)
	}
	for range 20_000 {
		try(httpxtest.HostilePath(random))
	}
}
