package change_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is an organization with one member per role and a space, another organization with an admin, and the service
// under test.
type fixture struct {
	*testing.T
	*change.Service
	*orgtest.Fixture
	db      *db.DB
	content *store.Service
	spaces  *space.Service
	space   id.Space
}

// each runs a test with a new fixture on both databases.
func each(t *testing.T, test func(h *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	h := &fixture{T: t, Fixture: orgtest.New(t, d), db: d}
	h.content, h.Service, h.spaces = changetest.New(t, d, changetest.Options{})
	h.space = h.addSpace()
	return h
}

func (h *fixture) addSpace() id.Space {
	h.Helper()
	made, err := h.spaces.Create(h.Context(), h.Admin(), h.Organization, space.NewSpace{Title: "Guide"})
	if err != nil {
		h.Fatal(err)
	}
	return made.ID
}

// propose makes a change request as the editor.
func (h *fixture) propose(subject string) change.Request {
	h.Helper()
	made, err := h.Create(h.Context(), h.Editor(), h.space, change.New{Subject: subject})
	if err != nil {
		h.Fatal(err)
	}
	return made
}

// get reads a change request as the admin.
func (h *fixture) get(idOrNumber id.ChangeRequest) change.Request {
	h.Helper()
	found, err := h.Get(h.Context(), h.Admin(), h.space, idOrNumber)
	if err != nil {
		h.Fatal(err)
	}
	return found
}

func pageID(name string) string { return "page_" + name }

// page is a document page at the root.
func page(name, title string) *entity.Entry {
	return &entity.Entry{ID: pageID(name), Kind: entity.KindPage, Type: entity.PageDocument, Title: title, Slug: name}
}

// try commits to a branch ("" is main) as a user.
func (h *fixture) try(branch id.Branch, caller account.Caller, puts ...store.Put) (store.Revision, error) {
	return h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch, Author: caller.User.ID,
		Put: puts})
}

// write puts pages, given as name and title, on a branch ("" is main).
func (h *fixture) write(branch id.Branch, pairs ...string) store.Revision {
	h.Helper()
	r, err := h.try(branch, h.Editor(), put(pairs...)...)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// titles returns the titles of the pages of a branch ("" is main), by name.
func (h *fixture) titles(branch id.Branch) map[string]string {
	h.Helper()
	view, err := h.content.BranchHead(h.Context(), h.space, branch)
	if err != nil {
		h.Fatal(err)
	}
	tree, err := view.Pages(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	found := map[string]string{}
	for id, node := range tree.ByID {
		found[strings.TrimPrefix(id, "page_")] = node.Entry.Title
	}
	return found
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(fmt.Sprint(err), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}

// detail returns the paths in the details of an error.
func detail(err error) string {
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok {
		return ""
	}
	var paths strings.Builder
	for _, d := range refusal.Details {
		paths.WriteString(" " + d.Path)
	}
	return paths.String()
}

// put makes puts of pages, given as name and title.
func put(pairs ...string) []store.Put {
	var puts []store.Put
	for i := 0; i < len(pairs); i += 2 {
		puts = append(puts, store.Put{Entry: page(pairs[i], pairs[i+1])})
	}
	return puts
}

// drop removes a space for good.
func (h *fixture) drop(spaceID id.Space) {
	h.Helper()
	err := h.db.Tx(h.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM space WHERE id = $1`, spaceID)
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
}

// lock makes the space take merges only.
func (h *fixture) lock() {
	h.Helper()
	if _, err := h.spaces.Update(h.Context(), h.Admin(), h.space,
		space.Change{EditMode: optional.Of(space.EditModeLocked)}); err != nil {
		h.Fatal(err)
	}
}

// race runs an attempt many times at once and returns how many succeed; the others have to be refused with a conflict.
func (h *fixture) race(n int, attempt func(i int) error) int {
	var won atomic.Int32
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			switch err := attempt(i); {
			case err == nil:
				won.Add(1)
			case !errs.Is(err, errs.Conflict):
				h.Error(err)
			}
		})
	}
	group.Wait()
	return int(won.Load())
}
