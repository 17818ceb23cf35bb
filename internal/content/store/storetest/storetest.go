// Package storetest makes content for tests and benchmarks: spaces of any size with a known tree.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// FanOut is the number of children that a page of a generated tree has, as far as there are pages.
const FanOut = 50

// NewService returns a content service on a database, with its files in a temporary folder. DB and Blobs of deps are
// filled in when they are missing.
func NewService(t testing.TB, d *db.DB, deps store.Deps) *store.Service {
	t.Helper()
	return NewServiceWith(t, d, deps, store.Hooks{})
}

// NewServiceWith is NewService with functions of others. Those that are missing do nothing.
func NewServiceWith(t testing.TB, d *db.DB, deps store.Deps, hooks store.Hooks) *store.Service {
	t.Helper()
	deps.DB = d
	if deps.Blobs == nil {
		blobs, err := blob.OpenStore("dir:" + t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		deps.Blobs = blobs
	}
	return requiredtest.Wire(store.New(deps), hooks)
}

// NewSpace gives a space its content: an empty main branch.
func NewSpace(ctx context.Context, t testing.TB, s *store.Service, d *db.DB, space id.Space) {
	t.Helper()
	err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.Init(ctx, q, space, "user_test", time.Now().UnixMicro())
	})
	if err != nil {
		t.Fatalf("make space: %v", err)
	}
}

// PageID returns the id of the i-th page that Pages makes.
func PageID(i int) string { return fmt.Sprintf("page_%026d", i) }

// Pages makes n document pages, a parent always before its children: the first is the only one at the root, and page i
// is below page (i-1)/FanOut. Titles are "Page i", slugs "page-i", and every body is different. The same n gives the
// same pages.
func Pages(n int) []store.Put {
	positions := entity.Positions(FanOut)
	puts := make([]store.Put, n)
	for i := range n {
		e := &entity.Entry{
			ID: PageID(i), Kind: entity.KindPage, Type: entity.PageDocument, Title: fmt.Sprintf("Page %d", i),
			Slug:        fmt.Sprintf("page-%d", i),
			Description: "A page of a generated tree, with a description of the usual length.", Position: positions[0],
		}
		if i > 0 {
			e.Parent, e.Position = PageID((i-1)/FanOut), positions[(i-1)%FanOut]
		}
		puts[i] = store.Put{Entry: e, Body: Body(i)}
	}
	return puts
}

// Body returns the body of the i-th page.
func Body(i int) []byte {
	return fmt.Appendf(nil, "Page %d says what pages say.\n\n## How it works\n\nIt has a [link](page-%d.md), a list "+
		"and a table.\n\n* one\n* two\n", i, i/2)
}

// Path returns the path of the i-th page.
func Path(i int) string {
	path := fmt.Sprintf("page-%d", i)
	for i > 0 {
		i = (i - 1) / FanOut
		path = fmt.Sprintf("page-%d/%s", i, path)
	}
	return path
}

// Fill puts n pages into an empty space with one commit.
func Fill(ctx context.Context, s *store.Service, space id.Space, n int) (store.Revision, error) {
	return s.Commit(ctx, store.CommitRequest{Space: space, Author: "user_test", Message: "fill", Put: Pages(n)})
}
