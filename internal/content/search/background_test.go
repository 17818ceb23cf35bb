package search_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestImportMakesWayForQueries holds that adding many pages waits for its turn while somebody searches, that it goes on
// all the same, and that an edit, whose words are looked for at once, does not wait.
func TestImportMakesWayForQueries(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	const pages = 200 + segments.Many + 1 // the first 200 never wait, and the last one stands alone
	positions := entity.Positions(pages)
	puts := make([]store.Put, pages)
	for i := range puts {
		puts[i] = store.Put{Entry: page(id.New("page"), "", positions[i], fmt.Sprintf("Page %d", i)),
			Body: fmt.Appendf(nil, "About apples and %d pears.", i)}
	}
	space := w.space()
	w.put(space, puts[:100]...)
	if found := w.find("apples", space); found.Total != 100 {
		t.Fatalf("%d of 100 pages are found", found.Total)
	}

	defer segments.Background.Searching()()
	var others []func() // that have all turns
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		others = append(others, segments.Background.Step(nil))
	}
	quickest := time.Hour // on a busy machine some edit takes long by itself
	for try := range 8 {
		word := fmt.Sprintf("quinces%d", try)
		began := time.Now()
		w.put(space, store.Put{Entry: puts[try].Entry, Body: []byte("About " + word + ".")})
		if found := w.find(word, space); found.Total != 1 {
			t.Fatalf("%d pages say %s", found.Total, word)
		}
		quickest = min(quickest, time.Since(began))
	}
	if quickest > 900*time.Millisecond {
		t.Errorf("an edit is found after %s at best: it waits as an import does", quickest)
	}

	other := w.space()
	w.put(other, puts...)
	const busy = 1500 * time.Millisecond
	time.AfterFunc(busy, func() {
		for _, end := range others {
			end()
		}
	})
	began := time.Now()
	if found := w.find("pears", other); found.Total != pages {
		t.Errorf("%d of %d pages are found", found.Total, pages)
	}
	if took := time.Since(began); took < busy {
		t.Errorf("%d pages are found after %s: they were added while other work had all turns", pages, took)
	}
}
