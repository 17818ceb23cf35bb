package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestReadingAPageTouchesOnlyItsPath counts the trie nodes that one cold read costs in a space of 100,000 pages.
func TestReadingAPageTouchesOnlyItsPath(t *testing.T) {
	const size = 100_000
	// A leaf has up to 64 entries below four levels of branches, one of them for luck; a parent's children in the path
	// index add two.
	const perKey, perStep = 6, 8
	d := dbtest.SQLite(t)
	space, err := storetest.NewSized(t.Context(), storetest.NewService(t, d, store.Deps{}), d, size)
	if err != nil {
		t.Fatal(err)
	}
	cold := func() (*store.Service, *store.View) {
		s := storetest.NewService(t, d, store.Deps{})
		v, err := s.Head(t.Context(), space.ID)
		if err != nil {
			t.Fatal(err)
		}
		return s, v
	}
	most := map[string]int64{}
	for i := 1; i < size; i += size / 50 {
		path := storetest.Path(i)
		segments := int64(strings.Count(path, "/") + 1)
		for _, read := range []struct {
			name  string
			limit int64
			run   func(*store.View) error
		}{
			{"by id", perKey, func(v *store.View) error {
				_, err := v.Entry(t.Context(), storetest.PageID(i))
				return err
			}},
			{"by path", perKey + segments*perStep, func(v *store.View) error {
				got, err := v.ByPath(t.Context(), path)
				if err == nil && got.Entry.ID != storetest.PageID(i) {
					t.Errorf("path %s leads to %s", path, got.Entry.ID)
				}
				return err
			}},
			{"path of", segments * perKey, func(v *store.View) error {
				got, err := v.Path(t.Context(), storetest.PageID(i))
				if got != path {
					t.Errorf("path of page %d is %s, want %s", i, got, path)
				}
				return err
			}},
			{"landing page", 2*perStep + 4*perKey, func(v *store.View) error {
				_, err := v.ByPath(t.Context(), "")
				return err
			}},
			{"nowhere", segments * 4 * perStep, func(v *store.View) error {
				if _, err := v.ByPath(t.Context(), path+"/nowhere"); !errs.Is(err, errs.NotFound) {
					return err
				}
				return nil
			}},
		} {
			s, v := cold()
			if err := read.run(v); err != nil {
				t.Fatal(err)
			}
			nodes := s.Reads().Nodes
			most[read.name] = max(most[read.name], nodes)
			if nodes > read.limit {
				t.Errorf("page %d %s: %d nodes were read, at most %d are on the way", i, read.name, nodes, read.limit)
			}
		}
	}
	s, v := cold()
	children, err := v.Children(t.Context(), storetest.PageID(40))
	if err != nil || len(children) != storetest.FanOut {
		t.Fatalf("%d children, %v", len(children), err)
	}
	if nodes := s.Reads().Nodes; nodes > 2*perStep+storetest.FanOut*perKey {
		t.Errorf("listing %d children read %d nodes", len(children), nodes)
	}
	t.Logf("most nodes read: %v; children of one page: %d", most, s.Reads().Nodes)
}

// TestDerivedTreeEqualsRead compares the tree made from an earlier one by the diff with the tree read anew.
func TestDerivedTreeEqualsRead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, store.Deps{})
		if _, err := storetest.Fill(t.Context(), f.s, f.space, 400); err != nil {
			t.Fatal(err)
		}
		if _, err := f.head().Pages(t.Context()); err != nil {
			t.Fatal(err)
		}
		change := func(i int, change func(*entity.Entry)) store.Put {
			e, err := f.head().Entry(t.Context(), storetest.PageID(i))
			if err != nil {
				t.Fatal(err)
			}
			e = e.Clone()
			change(e)
			return store.Put{Entry: e}
		}
		f.commit(store.CommitRequest{
			Put: []store.Put{
				change(20, func(e *entity.Entry) { e.Slug = "renamed" }),
				change(3, func(e *entity.Entry) { e.Parent, e.Position = storetest.PageID(390), "" }),
				{Entry: page("new", "")},
			},
			Delete: []string{storetest.PageID(6)},
		})
		warm := f.s.Reads().Nodes
		derived, err := f.head().Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if read := f.s.Reads().Nodes - warm; read > 0 {
			t.Errorf("deriving the tree read %d nodes", read)
		}
		again, err := f.head().Pages(t.Context())
		if err != nil || again != derived {
			t.Errorf("the tree was made again: %v", err)
		}
		fresh := storetest.NewService(t, d, store.Deps{})
		v, err := fresh.Head(t.Context(), f.space)
		if err != nil {
			t.Fatal(err)
		}
		read, err := v.Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list := func(tree *store.Tree) []string {
			var lines []string
			for _, node := range tree.Ordered {
				parent := ""
				if node.Parent != nil {
					parent = node.Parent.Entry.ID
				}
				lines = append(lines, node.Entry.ID+" "+node.Path+" "+parent)
			}
			return lines
		}
		if diff := cmp.Diff(list(read), list(derived)); diff != "" {
			t.Errorf("trees differ (-read +derived):\n%s", diff)
		}
		if diff := cmp.Diff(read.ByID, derived.ByID, cmpopts.IgnoreFields(store.TreeNode{}, "Parent",
			"Children")); diff != "" {
			t.Errorf("pages differ (-read +derived):\n%s", diff)
		}
	})
}

// TestTreeSurvivesTheEndOfOneCaller has many ask for one tree while some of them give up.
func TestTreeSurvivesTheEndOfOneCaller(t *testing.T) {
	each(t, func(f *fixture) {
		if _, err := storetest.Fill(t.Context(), f.s, f.space, 300); err != nil {
			t.Fatal(err)
		}
		fresh := storetest.NewService(t, f.db, store.Deps{})
		v, err := fresh.Head(t.Context(), f.space)
		if err != nil {
			t.Fatal(err)
		}
		failures := make(chan error, 16)
		for i := range cap(failures) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 0 {
				cancel()
			}
			go func() {
				_, err := v.Pages(ctx)
				if i%2 == 0 {
					err = nil
				}
				failures <- err
			}()
		}
		for range cap(failures) {
			if err := <-failures; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestGrowthCanBeMeasured runs what the benchmarks run, once and small.
func TestGrowthCanBeMeasured(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		space, err := storetest.NewSized(t.Context(), storetest.NewService(t, d, store.Deps{}), d, 120)
		if err != nil {
			t.Fatal(err)
		}
		costs, err := storetest.Measure(t.Context(), []*storetest.Space{space}, 3)
		if err != nil || len(costs) != 1 {
			t.Fatal(costs, err)
		}
		if c := costs[0]; c.Pages != 120 || c.Edit <= 0 || c.Branch <= 0 || c.Merge <= 0 || c.Diff <= 0 {
			t.Errorf("costs are %+v", c)
		}
	})
}
