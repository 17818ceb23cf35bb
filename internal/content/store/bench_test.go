package store_test

import (
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// BenchmarkGrowth measures operations on SQLite in spaces of 100 to 100,000 pages: how their cost grows is the figure.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range storetest.Sizes {
		d := dbtest.SQLite(b)
		space, err := storetest.NewSized(b.Context(), storetest.NewService(b, d, store.Deps{}), d, size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("edit/%d", size), func(b *testing.B) { benchmarkEdit(b, space) })
		b.Run(fmt.Sprintf("branch/%d", size), func(b *testing.B) { benchmarkBranch(b, space) })
		b.Run(fmt.Sprintf("merge/%d", size), func(b *testing.B) { benchmarkMerge(b, space) })
		b.Run(fmt.Sprintf("diff/%d", size), func(b *testing.B) { benchmarkDiff(b, space) })
		b.Run(fmt.Sprintf("path/%d", size), func(b *testing.B) { benchmarkPath(b, space) })
	}
}

func benchmarkEdit(b *testing.B, space *storetest.Space) {
	for b.Loop() {
		if _, err := space.Edit(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkBranch(b *testing.B, space *storetest.Space) {
	for b.Loop() {
		if _, err := space.Branch(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkMerge(b *testing.B, space *storetest.Space) {
	for b.Loop() {
		b.StopTimer()
		branch, err := space.Branch(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := space.Edit(b.Context(), branch.ID); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := space.Merge(b.Context(), branch); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkDiff(b *testing.B, space *storetest.Space) {
	revision, err := space.Edit(b.Context(), "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if count, err := space.Diff(b.Context(), revision); err != nil || count != 1 {
			b.Fatalf("diff found %d changes: %v", count, err)
		}
	}
}

func benchmarkPath(b *testing.B, space *storetest.Space) {
	head, err := space.Service.Head(b.Context(), space.ID)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := head.ByPath(b.Context(), storetest.Path(i*7919%space.Size)); err != nil {
			b.Fatal(err)
		}
	}
}
