package search_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// drop ends the content of a space for good.
func (w *world) drop(space id.Space) {
	w.t.Helper()
	err := w.db.Tx(w.t.Context(), func(ctx context.Context, q db.Querier) error {
		return w.content.DropSpace(ctx, q, space, time.Now().UnixMicro())
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// indexed lists the spaces that have an index in a directory.
func indexed(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "v*", "space_*"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, path := range found {
		names = append(names, filepath.Base(path))
	}
	return names
}

// TestSweepRemovesIndexesOfSpacesThatAreGone holds that every process takes the index of a purged space off its disk,
// also one that did not purge it, and one that was not open at that time, and keeps those of others.
func TestSweepRemovesIndexesOfSpacesThatAreGone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		other := &world{t: t, db: d, content: w.content, dir: t.TempDir()}
		other.search = other.open()
		kept, gone := w.space(), w.space()
		for _, space := range []id.Space{kept, gone} {
			w.put(space, store.Put{Entry: page(id.New("page"), "", "a0", "Marmalade"), Body: []byte("Of quinces.")})
			for _, each := range []*world{w, other} {
				if found := each.find("marmalade", space); len(found.Pages) != 1 {
					t.Fatalf("found %+v", found)
				}
			}
		}
		w.drop(gone)
		for _, each := range []*world{w, other} {
			if removed, err := each.search.Sweep(t.Context()); err != nil || removed != 1 {
				t.Fatal(removed, err)
			}
			if left := indexed(t, each.dir); !slices.Equal(left, []string{string(kept)}) {
				t.Errorf("indexes of %v are left, want %s", left, kept)
			}
			if found := each.find("marmalade", kept); len(found.Pages) != 1 {
				t.Errorf("after the sweep: %+v", found)
			}
		}
	})
}

// TestStartRemovesIndexesOfOtherLayouts holds that what an older program has left is not kept for ever.
func TestStartRemovesIndexesOfOtherLayouts(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	old := filepath.Join(w.dir, "v1", "space_old")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	w.open()
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("an index of another layout is still there: %v", err)
	}
}

// TestAnIndexThatAnotherProcessHasIsNoReasonToWait holds that a query ends when its index is locked, says so, and does
// not take the index for damaged.
func TestAnIndexThatAnotherProcessHasIsNoReasonToWait(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	w.put(space, store.Put{Entry: page(id.New("page"), "", "a0", "Marmalade"), Body: []byte("Of quinces.")})
	if found := w.find("marmalade", space); len(found.Pages) != 1 {
		t.Fatalf("found %+v", found)
	}
	other := w.open() // with the directory of the first
	ended := make(chan error, 1)
	go func() {
		_, err := other.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "marmalade", Limit: 1})
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("a locked index: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the query waits for the lock")
	}
	if found := w.find("quinces", space); len(found.Pages) != 1 {
		t.Errorf("the first process lost its index: %+v", found)
	}
}
