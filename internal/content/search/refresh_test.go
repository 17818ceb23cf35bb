package search_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestUpdatesThatAreCutShort has readers leave while the index takes in a change of all pages, as the dialog makes them
// when they type on, and then takes that change back: no page may keep the words that it had in between.
func TestUpdatesThatAreCutShort(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.space()
		const pages = 450
		entries := make([]*entity.Entry, pages)
		for i, position := range entity.Positions(pages) {
			entries[i] = page(id.New("page"), "", position, fmt.Sprintf("Page %d", i))
		}
		say := func(word string) (revision id.Revision) {
			t.Helper()
			var puts []store.Put
			for _, entry := range entries {
				// No two bodies are alike: each is read by itself.
				puts = append(puts, store.Put{Entry: entry, Body: []byte("About " + word + ". " + entry.Title)})
			}
			w.put(space, puts...)
			heads, err := w.content.Heads(t.Context(), []id.Space{space})
			if err != nil {
				t.Fatal(err)
			}
			return heads[space]
		}
		held, heldRevision := "apples", say("apples")
		if found := w.find("apples", space); found.Total != pages {
			t.Fatalf("%d of %d pages are found", found.Total, pages)
		}
		// Where an update is cut depends on the machine: the reader stays longer or shorter until some pages were taken
		// in and others were not.
		patience, word := 200*time.Millisecond, ""
		for tries := 0; ; tries++ {
			if tries == 40 {
				t.Fatal("no update was cut short")
			}
			if word = []string{"pears", "cherries"}[tries%2]; word == held {
				word = "quinces"
			}
			revision := say(word)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			_, err := w.search.Search(ctx, search.Query{Spaces: []id.Space{space}, Text: word, Limit: 1})
			cancel()
			unfinished, failed := w.search.Unfinished(space)
			if failed != nil {
				t.Fatal(failed)
			}
			if err == nil {
				patience, held, heldRevision = patience*2/3, word, revision
				continue
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if len(unfinished) > 0 {
				break
			}
			patience = patience * 5 / 4
		}
		if _, err := w.content.Rollback(t.Context(), store.RollbackRequest{Space: space, To: heldRevision,
			Author: id.User(id.New("user"))}); err != nil {
			t.Fatal(err)
		}
		revision := w.propose(space, w.branch(space), nil, store.Put{Entry: entries[2], Body: []byte("About plums.")})
		for text, want := range map[string]int{held: pages - 1, word: 0, "plums": 1} {
			if found := w.findIn(revision, text, space); found.Total != want {
				t.Errorf("%d pages say %s in the preview, want %d", found.Total, text, want)
			}
		}
		for text, want := range map[string]int{held: pages, word: 0, "plums": 0} {
			if found := w.find(text, space); found.Total != want {
				t.Errorf("%d pages say %s, want %d", found.Total, text, want)
			}
		}
		if unfinished, err := w.search.Unfinished(space); err != nil || len(unfinished) != 0 {
			t.Errorf("after that %q is unfinished, %v", unfinished, err)
		}
	})
}
