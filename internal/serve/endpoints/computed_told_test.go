package endpoints_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// TestTheRendererIsToldOfMadePages changes what a source makes, and nothing of the space that has its pages.
func TestTheRendererIsToldOfMadePages(t *testing.T) {
	for name, storage := range map[string]func(*testing.T) config.Storage{
		"sqlite": apptest.InSQLite, "postgres": apptest.InPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			told := ""
			renderer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				var said struct{ Tags []string }
				if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				told += strings.Join(said.Tags, " ") + "\n"
			}))
			t.Cleanup(renderer.Close)
			hears := func() string {
				mu.Lock()
				defer mu.Unlock()
				return told
			}
			s := apptest.Start(t, storage(t), func(settings *config.Serve) {
				settings.RendererURL, settings.RendererSecret = renderer.URL, strings.Repeat("s", 32)
			})
			space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
			at := presses(s, space)
			insertSource(s, space, "Press", `{"n":1}`, `{}`)
			byPath := reads(s, s.Token, "/v1/spaces/"+space+"/content/path/press%2Falpha?format=markdown")
			eventually(t, byPath, "Sheet alpha calm")
			// All that is waiting comes before this.
			last := s.Space("Last")
			s.Call(http.MethodPatch, "/v1/spaces/"+last, `{"title":"Very last"}`, http.StatusOK, nil)
			eventually(t, hears, "space:"+space, "space:"+last)
			mu.Lock()
			told = ""
			mu.Unlock()
			s.Call(http.MethodPatch, at, `{"configuration":{"mood":"loud"}}`, http.StatusOK, nil)
			eventually(t, byPath, "Sheet alpha loud")
			eventually(t, hears, "integration:press", "space:"+space)
		})
	}
}
