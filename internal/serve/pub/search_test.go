package pub

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestResultsThatAreNotCompleteSaySo holds that neither the dialog nor the page of results says that nothing was found
// while pages are still being read, and that the page asks again by itself.
func TestResultsThatAreNotCompleteSaySo(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	var puts []store.Put
	for i := range 200 {
		puts = append(puts, document(fmt.Sprintf("pear-%d", i), fmt.Sprintf("Pear %d", i), "A pear."))
	}
	f.put(puts...)
	f.customize(`{"internationalization":{"locale":"de"}}`)
	// A service of its own for each answer, so that both come while the first build runs.
	hasty := func() {
		t.Helper()
		found, err := search.New(search.Deps{Content: f.content, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler),
			FirstBuildWait: time.Nanosecond})
		if err != nil {
			t.Fatal(err)
		}
		found.SetHooks(requiredtest.Fill(search.Hooks{}))
		t.Cleanup(func() {
			if err := found.Close(); err != nil {
				t.Error(err)
			}
		})
		f.restart(func(deps *Deps) { deps.Search = found })
	}
	hasty()
	var answer struct {
		Incomplete bool
		Note       string
	}
	if err := json.Unmarshal(f.get("~/search?q=pear").Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if !answer.Incomplete || !strings.HasPrefix(answer.Note, "Die Seiten werden noch gelesen") {
		t.Errorf("the dialog gets %+v", answer)
	}
	hasty()
	page := parse(t, f.get("~/search?q=pear", "Accept", "text/html"))
	if said := page.Find("main [role=status]").Text(); !strings.HasPrefix(said, "Die Seiten werden noch gelesen") {
		t.Errorf("the page says %q", said)
	}
	if seconds, _ := page.Find("meta[http-equiv=refresh]").Attr("content"); seconds != "2" {
		t.Errorf("the page asks again after %q seconds", seconds)
	}
}
