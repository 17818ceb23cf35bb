package search_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// branch begins a change request at the head of a space and returns its branch.
func (w *world) branch(space id.Space) id.Branch {
	w.t.Helper()
	var made store.Branch
	heads, err := w.content.Heads(w.t.Context(), []id.Space{space})
	if err == nil {
		err = w.db.Tx(w.t.Context(), func(ctx context.Context, q db.Querier) error {
			made, err = w.content.CreateBranch(ctx, q, space, heads[space], time.Now().UnixMicro())
			return err
		})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return made.ID
}

// propose changes a branch and returns the revision that it is at then.
func (w *world) propose(space id.Space, branch id.Branch, remove []string, puts ...store.Put) id.Revision {
	w.t.Helper()
	made, err := w.content.Commit(w.t.Context(), store.CommitRequest{Space: space, Branch: branch,
		Author: id.User(id.New("user")), Put: puts, Delete: remove, FixSlugs: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.ID
}

// findIn searches a revision of a space as readers of the site would.
func (w *world) findIn(revision id.Revision, text string, space id.Space, more ...id.Space) search.Result {
	w.t.Helper()
	result, err := w.search.Search(w.t.Context(), search.Query{
		Spaces: append([]id.Space{space}, more...), Text: text, Limit: 20, Published: true,
		Preview: &search.Preview{Space: space, Revision: revision},
	})
	if err != nil {
		w.t.Fatalf("search the preview for %q: %v", text, err)
	}
	return result
}

func (w *world) expect(where string, found search.Result, want ...string) {
	w.t.Helper()
	got := titles(found)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || found.Total != len(want) || found.Incomplete {
		w.t.Errorf("%s: found %d, %q; want %q (incomplete: %t)", where, found.Total, got, want, found.Incomplete)
	}
}

func TestPreviewIsSearchedInItsOwnContent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space, other := w.space(), w.space()
		positions := entity.Positions(12)
		pages := map[string]*entity.Entry{}
		for i, title := range []string{"Stays", "Changes", "Goes", "Moves", "Includes", "Hides", "Shows"} {
			pages[title] = page(id.New("page"), "", positions[i], title)
		}
		shared := &entity.Entry{ID: id.New("content"), Kind: entity.KindReusable, Title: "Warning"}
		pages["Shows"].Hidden = true
		below := page(id.New("page"), pages["Hides"].ID, positions[0], "Below")
		text := func(s string) []byte { return []byte(s) }
		w.put(space,
			store.Put{Entry: shared, Body: text("Beware of alligators.")},
			store.Put{Entry: pages["Stays"], Body: text("Apples stay.")},
			store.Put{Entry: pages["Changes"], Body: text("Pears were here.\n\n## Installing\n\nAn old section.")},
			store.Put{Entry: pages["Goes"], Body: text("Plums go away.")},
			store.Put{Entry: pages["Moves"], Body: text("Cherries move.")},
			store.Put{Entry: pages["Includes"], Body: text("Text.\n\n{% include \"/reusable-content/" + shared.ID +
				"\" %}\n")},
			store.Put{Entry: pages["Hides"], Body: text("Melons hide.")},
			store.Put{Entry: below, Body: text("Lemons below.")},
			store.Put{Entry: pages["Shows"], Body: text("Figs show.")})
		w.put(other, store.Put{Entry: page(id.New("page"), "", positions[0], "Neighbour"),
			Body: text("Apples and quinces of another space.")})

		branch := w.branch(space)
		moved, hides, shows := *pages["Moves"], *pages["Hides"], *pages["Shows"]
		moved.Parent, hides.Hidden, shows.Hidden = pages["Stays"].ID, true, false
		added := page(id.New("page"), "", positions[8], "所有権とは")
		revision := w.propose(space, branch, []string{pages["Goes"].ID},
			store.Put{Entry: shared, Body: text("Beware of crocodiles.")},
			store.Put{Entry: pages["Changes"],
				Body: text("Quinces are here.\n\n## Configuration options\n\nRun the installer.")},
			store.Put{Entry: &moved, Body: text("Cherries move.")},
			store.Put{Entry: &hides, Body: text("Melons hide.")}, store.Put{Entry: &shows, Body: text("Figs show.")},
			store.Put{Entry: added, Body: text("所有権は最も独特な機能です。")})
		// The live content has moved on meanwhile, of which the change knows nothing.
		w.put(space, store.Put{Entry: page(id.New("page"), "", positions[9], "Newer"),
			Body: text("Olives came later.")})

		look := func(when string) {
			t.Helper()
			for text, want := range map[string][]string{
				"apples": {"Stays"}, "pears": nil, "plums": nil, "goes": nil, "quinces": {"Changes"},
				"cherries": {"Moves"}, "alligators": nil, "crocodiles": {"Includes"},
				"melons": nil, "lemons": nil, "figs": {"Shows"}, "olives": nil, "configuratoin": {"Changes"},
				"install": {"Changes"}, "owne": nil,
				"所有権": {"所有権とは"}, "機能": {"所有権とは"}, "newer": nil,
			} {
				w.expect(when+", "+text, w.findIn(revision, text, space), want...)
			}
			for text, want := range map[string][]string{
				"pears": {"Changes"}, "plums": {"Goes"}, "quinces": nil, "crocodiles": nil, "alligators": {"Includes"},
				"所有権": nil, "olives": {"Newer"},
			} {
				w.expect(when+", live, "+text, w.find(text, space), want...)
			}
		}
		look("first")
		look("again")
		if hit := w.findIn(revision, "cherries", space).Pages[0]; hit.Path != "stays/moves" {
			t.Errorf("the moved page is at %q", hit.Path)
		}
		hit := w.findIn(revision, "configuration", space).Pages[0]
		if hit.Sections[0].ID != "configuration-options" || hit.Sections[0].Title != "Configuration options" {
			t.Errorf("the section is %+v", hit.Sections)
		}
		w.expect("two spaces", w.findIn(revision, "apples", space, other), "Stays", "Neighbour")
		w.expect("two spaces, what is new", w.findIn(revision, "quinces", space, other), "Changes", "Neighbour")

		// The change goes on: another revision is another preview, made of the nearest one.
		next := w.propose(space, branch, nil, store.Put{Entry: pages["Changes"], Body: text("Medlars are here.")})
		w.expect("the next revision", w.findIn(next, "medlars", space), "Changes")
		w.expect("the next revision, what it no longer has", w.findIn(next, "quinces", space))
		w.expect("the next revision, what it still has", w.findIn(next, "crocodiles", space), "Includes")
		look("the revision before")
		if _, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{other}, Text: "quinces", Limit: 1,
			Preview: &search.Preview{Space: other, Revision: revision}}); err == nil {
			t.Error("a revision of another space is searched as a preview")
		}

		// Merged, all is found as it was in the preview.
		before := w.findIn(next, "here", space)
		if _, err := w.content.MergeBranch(t.Context(), store.MergeRequest{Space: space, Branch: branch,
			Author: id.User(id.New("user"))}); err != nil {
			t.Fatal(err)
		}
		after, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "here", Limit: 20,
			Published: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(titles(before), titles(after)); diff != "" || len(before.Pages) == 0 {
			t.Errorf("what the preview finds and the merge (-preview +live):\n%s", diff)
		}
		w.drop(space)
		if removed, err := w.search.Sweep(t.Context()); err != nil || removed != 1 {
			t.Fatal(removed, err)
		}
		if left := w.previews(); len(left) != 0 {
			t.Errorf("a space that is gone leaves %v", left)
		}
	})
}

// previews lists the indexes of previews on disk.
func (w *world) previews() []string {
	w.t.Helper()
	entries, err := os.ReadDir(filepath.Join(w.dir, "previews"))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestPreviewRanksAsTheLiveContentWould holds that a change of a few pages among many gives the same list, in the same
// order and with the same scores, as when it is live.
func TestPreviewRanksAsTheLiveContentWould(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	positions := entity.Positions(60)
	var puts []store.Put
	for i := range 50 {
		body := strings.Repeat("Common words of all pages. ", 1+i%7) + strings.Repeat("Harbour. ", i%3)
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i], fmt.Sprintf("Chapter %d", i)),
			Body: []byte(body)})
	}
	w.put(space, puts...)
	branch := w.branch(space)
	revision := w.propose(space, branch, nil,
		store.Put{Entry: page(id.New("page"), "", positions[51], "Harbour"),
			Body: []byte("The harbour has common words too.")},
		store.Put{Entry: puts[3].Entry, Body: []byte("Harbor, harbours and a lighthouse.")})
	texts := []string{"harbour", "common words", "chapter", "harb", "harbuor", "lighthouse"}
	var before []search.Result
	for _, text := range texts {
		before = append(before, w.findIn(revision, text, space))
	}
	if first := before[0].Pages[0].Title; first != "Harbour" {
		t.Errorf("the page that is called so comes behind %q", first)
	}
	if _, err := w.content.MergeBranch(t.Context(), store.MergeRequest{Space: space, Branch: branch,
		Author: id.User(id.New("user"))}); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		after, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: text, Limit: 20,
			Published: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(after.Pages) == 0 || before[i].Total != after.Total {
			t.Errorf("%q: %d found in the preview and %d live", text, before[i].Total, after.Total)
		}
		if diff := cmp.Diff(titles(before[i]), titles(after)); diff != "" {
			t.Errorf("%q (-preview +live):\n%s", text, diff)
		}
	}
}

// TestPreviewIsToldWhileItIsBuilt holds that a search which cannot wait finds nothing of the previewed space, live or
// not, says so, and finds all in the end; and that those who ask at the same time share one index.
func TestPreviewIsToldWhileItIsBuilt(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	const pages = 200
	var puts []store.Put
	for _, position := range entity.Positions(pages) {
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", position, "Pear"), Body: []byte("A pear.")})
	}
	w.put(space, puts...)
	branch := w.branch(space)
	for i := range puts {
		puts[i].Body = []byte("A quince.")
	}
	revision := w.propose(space, branch, nil, puts...)
	dir := t.TempDir()
	hasty, err := search.New(search.Deps{Content: w.content, Dir: dir, Log: slog.New(slog.DiscardHandler),
		FirstBuildWait: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	hasty.SetHooks(requiredtest.Fill(search.Hooks{}))
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for tries := 0; ; tries++ {
				found,
					err := hasty.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "quince", Limit: 1,
					Preview: &search.Preview{Space: space, Revision: revision}})
				if err != nil {
					t.Error(err)
					return
				}
				if !found.Incomplete {
					if tries == 0 || found.Total != pages {
						t.Errorf("after %d incomplete answers %d of %d pages are found", tries, found.Total, pages)
					}
					return
				}
				if found.Total != 0 || len(found.Pages) != 0 {
					t.Errorf("an index that is being built finds %+v", found)
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	asking.Wait()
	if made, err := os.ReadDir(filepath.Join(dir, "previews")); err != nil || len(made) != 1 {
		t.Errorf("the indexes are %v, %v", made, err)
	}
	if err := hasty.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "previews")); err != nil || len(left) != 0 {
		t.Errorf("what is left is %v, %v", left, err)
	}
}

// TestPreviewsAreBounded asks for more previews than are kept, and for the first one again.
func TestPreviewsAreBounded(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	only := page(id.New("page"), "", entity.Positions(1)[0], "Only")
	w.put(space, store.Put{Entry: only, Body: []byte("Nothing.")})
	branch := w.branch(space)
	words := strings.Fields("anchor basket candle dolphin engine feather garden hammer island jungle")
	var revisions []id.Revision
	for _, word := range words {
		revisions = append(revisions,
			w.propose(space, branch, nil, store.Put{Entry: only, Body: []byte("A " + word + ".")}))
	}
	for i, word := range append(words, words[0]) {
		revision := revisions[i%len(revisions)]
		w.expect(word, w.findIn(revision, word, space), "Only")
		if kept := w.previews(); len(kept) > 8 || !slices.Contains(kept, string(revision)) {
			t.Errorf("after %d previews %d are kept: %v", i+1, len(kept), kept)
		}
	}
	// What a process leaves behind that was killed goes away with the next one.
	if err := w.search.Close(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(w.dir, "previews", "revision_left")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	w.search = w.open()
	if kept := w.previews(); len(kept) != 0 {
		t.Errorf("a new process finds %v", kept)
	}
}

// TestPreviewThatCannotBeBuilt holds that whoever asks is told, and that the next one tries again.
func TestPreviewThatCannotBeBuilt(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	only := page(id.New("page"), "", entity.Positions(1)[0], "Only")
	w.put(space, store.Put{Entry: only, Body: []byte("Nothing.")})
	revision := w.propose(space, w.branch(space), nil, store.Put{Entry: only, Body: []byte("A lighthouse.")})
	inTheWay := filepath.Join(w.dir, "previews")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	query := search.Query{Spaces: []id.Space{space}, Text: "lighthouse", Limit: 1,
		Preview: &search.Preview{Space: space,
			Revision: revision}}
	if found, err := w.search.Search(t.Context(), query); err == nil {
		t.Errorf("without a directory it finds %+v", found)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	w.expect("after that", w.findIn(revision, "lighthouse", space), "Only")
	query.Preview.Revision = "revision_0"
	if _, err := w.search.Search(t.Context(), query); err == nil {
		t.Error("a revision that is not there is searched")
	}
}
