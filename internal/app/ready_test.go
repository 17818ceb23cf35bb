package app_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// TestReadyOnlyWhileItCanWrite holds that a server whose data folder or store of files takes no writes is not ready,
// says which check failed and nothing else, still lives, and is ready again when that is mended.
func TestReadyOnlyWhileItCanWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		ready := func(want int) string {
			t.Helper()
			// answers are kept for a while
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
				got := s.raw(http.MethodGet, s.base+"/readyz", "", nil)
				if got.status == want {
					return string(got.body)
				}
				if time.Now().After(deadline) {
					t.Fatalf("/readyz stays %d, want %d: %s", got.status, want, got.body)
				}
			}
		}
		first := ready(http.StatusOK)
		for _, check := range []string{"database", "writing", "room", "files"} {
			if !strings.Contains(first, `"`+check+`":"ok"`) {
				t.Errorf("%s is not checked: %s", check, first)
			}
		}
		away := s.storage.Data + ".away"
		if err := os.Rename(s.storage.Data, away); err != nil {
			t.Fatal(err)
		}
		if body := ready(http.StatusServiceUnavailable); !strings.Contains(body, `"room":"failed"`) ||
			strings.Contains(body, s.storage.Data) {
			t.Errorf("without its data folder: %s", body)
		}
		if live := s.raw(http.MethodGet, s.base+"/healthz", "", nil); live.status != http.StatusOK {
			t.Errorf("it is called dead: %d", live.status)
		}
		if err := os.Rename(away, s.storage.Data); err != nil {
			t.Fatal(err)
		}
		ready(http.StatusOK)
	})
}
