package content_test

import (
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/content/contenttest"
	"github.com/rectodocs/recto/internal/db/dbtest"
)

// BenchmarkGrowth measures operations on SQLite in spaces of 100 to 100,000 pages: how their cost grows is the figure.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range contenttest.Sizes {
		d := dbtest.SQLite(b)
		space, err := contenttest.NewSized(b.Context(), contenttest.NewService(b, d, content.Deps{}), d, size)
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

func benchmarkEdit(b *testing.B, space *contenttest.Space) {
	for b.Loop() {
		if _, err := space.Edit(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkBranch(b *testing.B, space *contenttest.Space) {
	for b.Loop() {
		if _, err := space.Branch(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkMerge(b *testing.B, space *contenttest.Space) {
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

func benchmarkDiff(b *testing.B, space *contenttest.Space) {
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

func benchmarkPath(b *testing.B, space *contenttest.Space) {
	head, err := space.Service.Head(b.Context(), space.ID)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := head.ByPath(b.Context(), contenttest.Path(i*7919%space.Size)); err != nil {
			b.Fatal(err)
		}
	}
}
