package search_test

import (
	"archive/zip"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/docs/manual"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/search/judge"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// corpora are the texts that need no installing.
func corpora(t testing.TB) map[string][]judge.Page {
	t.Helper()
	book, err := zip.OpenReader("../importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	pages := map[string][]judge.Page{}
	for name, tree := range map[string]fs.FS{"rust": book, "manual": manual.Files} {
		if name == "rust" {
			if tree, err = fs.Sub(book, "src"); err != nil {
				t.Fatal(err)
			}
		}
		if pages[name], err = judge.Markdown(tree); err != nil {
			t.Fatal(err)
		}
		if len(pages[name]) == 0 {
			t.Fatalf("%s has no pages", name)
		}
	}
	for name := range strings.FieldsFuncSeq(os.Getenv("RECTO_JUDGE"), func(r rune) bool { return r == ',' }) {
		read, known := judge.Installed[name]
		if !known {
			t.Fatalf("RECTO_JUDGE: there are no texts named %q", name)
		}
		if pages[name], err = read(); err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// TestRankingIsJudged holds that what people look for is found, and stands where they look: on the half of the queries
// that ranking was tuned with, in the texts that need no installing, and those that RECTO_JUDGE names.
func TestRankingIsJudged(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	figures := map[string]*judge.Figures{}
	for corpus, pages := range corpora(t) {
		space := w.space()
		ids := map[string]string{}
		positions := entity.Positions(len(pages))
		var puts []store.Put
		for i, each := range pages {
			entry := page(id.New("page"), "", positions[i], each.Title)
			ids[entry.ID] = each.ID
			puts = append(puts, store.Put{Entry: entry, Body: each.AsMarkdown()})
		}
		for some := range slices.Chunk(puts, 200) {
			w.put(space, some...)
		}
		queries, err := judge.Queries(corpus)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range queries {
			for _, expected := range q.Pages {
				if !slices.ContainsFunc(pages, func(p judge.Page) bool { return p.ID == expected }) {
					t.Errorf("%s has no page %s", corpus, expected)
				}
			}
			if q.Held && q.Later == 0 {
				continue
			}
			result, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: q.Text,
				Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, hit := range result.Pages {
				found = append(found, ids[hit.ID])
			}
			if figures[q.Kind] == nil {
				figures[q.Kind] = &judge.Figures{}
			}
			figures[q.Kind].Add(q, found)
			if testing.Verbose() && judge.Rank(q, found) != 1 {
				t.Logf("%s, %s: %q is answered by %v, found are %v", q.Corpus, q.Kind, q.Text, q.Pages, found)
			}
		}
	}
	for kind, floor := range floors {
		if got := figures[kind]; got == nil || got.MRR < floor {
			t.Errorf("%s: the mean reciprocal rank is %+v, want at least %.2f", kind, got, floor)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(figures)) {
		t.Logf("%-10s %3d queries, MRR %.2f, recall %.2f", kind, figures[kind].Queries, figures[kind].MRR,
			figures[kind].Recall)
	}
}

// floors are what ranking has to reach, by kind of query. They lie a little below what it reaches.
var floors = map[string]float64{"keyword": 0.95, "question": 0.82, "typo": 0.82, "code": 0.87, "prefix": 0.8,
	"phrase": 0.95}
