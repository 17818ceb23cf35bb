package app_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// TestReadyOnlyWhileItCanWrite holds that a server whose data folder or store of files takes no writes is not ready,
// says which check failed and nothing else, still lives, and is ready again when that is mended.
func TestReadyOnlyWhileItCanWrite(t *testing.T) {
	soon := func(settings *config.Serve) { settings.CheckTime = 50 * time.Millisecond }
	apptest.OnBothWith(t, soon, func(t *testing.T, s *apptest.Server) {
		ready := func(want int) string {
			t.Helper()
			// answers are kept for a while
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				got := s.Raw(http.MethodGet, s.Base+"/readyz", "", nil)
				if got.Status == want {
					return string(got.Body)
				}
				if time.Now().After(deadline) {
					t.Fatalf("/readyz stays %d, want %d: %s", got.Status, want, got.Body)
				}
			}
		}
		first := ready(http.StatusOK)
		for _, check := range []string{"database", "writing", "room", "files"} {
			if !strings.Contains(first, `"`+check+`":"ok"`) {
				t.Errorf("%s is not checked: %s", check, first)
			}
		}
		away := s.Storage.Data + ".away"
		if err := os.Rename(s.Storage.Data, away); err != nil {
			t.Fatal(err)
		}
		if body := ready(http.StatusServiceUnavailable); !strings.Contains(body, `"room":"failed"`) ||
			strings.Contains(body, s.Storage.Data) {
			t.Errorf("without its data folder: %s", body)
		}
		if live := s.Raw(http.MethodGet, s.Base+"/healthz", "", nil); live.Status != http.StatusOK {
			t.Errorf("it is called dead: %d", live.Status)
		}
		if err := os.Rename(away, s.Storage.Data); err != nil {
			t.Fatal(err)
		}
		ready(http.StatusOK)
	})
}
