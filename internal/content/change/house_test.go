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
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// house is an organization with one member per role and a space, another organization with an admin, and the service
// under test.
type house struct {
	*testing.T
	*change.Service
	db           *db.DB
	content      *store.Service
	spaces       *space.Service
	accounts     *account.Service
	organization string
	members      map[org.Role]account.Caller
	stranger     account.Caller
	space        string
}

// each runs a test in a new house on both databases.
func each(t *testing.T, test func(h *house)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newHouse(t, d)) })
}

func newHouse(t *testing.T, d *db.DB) *house {
	t.Helper()
	ctx := t.Context()
	h := &house{T: t, db: d, members: map[org.Role]account.Caller{}}
	h.content = storetest.NewService(t, d,
		store.Deps{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error { return h.OnHead(ctx, q, moved) },
		}})
	h.Service = change.NewService(change.Deps{DB: d, Content: h.content})
	h.spaces = space.New(space.Deps{
		DB: d, InitContent: h.content.Init,
		DropContent: func(context.Context, db.Querier, string) error { return nil },
	})
	h.accounts = account.New(account.Deps{DB: d})
	orgs := org.New(org.Deps{DB: d, Accounts: h.accounts})
	made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	h.organization = made.Organization.ID
	h.members[org.RoleAdmin] = account.Caller{User: made.User}
	for _, role := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview,
		org.RoleCreate} {
		added, err := orgs.AddUser(ctx, org.NewMember{Email: "m" + string(role) + "@example.org",
			Organization: h.organization, Role: role})
		if err != nil {
			t.Fatal(err)
		}
		h.members[role] = account.Caller{User: added.User}
	}
	stranger, err := h.accounts.CreateUser(ctx, account.NewUser{DisplayName: "S", Email: "s@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	h.stranger = account.Caller{User: stranger}
	if _, err := orgs.Create(ctx, h.stranger, org.NewOrganization{Title: "Other"}); err != nil {
		t.Fatal(err)
	}
	h.space = h.addSpace()
	return h
}

func (h *house) admin() account.Caller    { return h.members[org.RoleAdmin] }
func (h *house) editor() account.Caller   { return h.members[org.RoleEdit] }
func (h *house) reviewer() account.Caller { return h.members[org.RoleReview] }

func (h *house) addSpace() string {
	h.Helper()
	made, err := h.spaces.Create(h.Context(), h.admin(), h.organization, space.NewSpace{Title: "Guide"})
	if err != nil {
		h.Fatal(err)
	}
	return made.ID
}

// propose makes a change request as the editor.
func (h *house) propose(subject string) change.Request {
	h.Helper()
	made, err := h.Create(h.Context(), h.editor(), h.space, change.New{Subject: subject})
	if err != nil {
		h.Fatal(err)
	}
	return made
}

// get reads a change request as the admin.
func (h *house) get(idOrNumber string) change.Request {
	h.Helper()
	found, err := h.Get(h.Context(), h.admin(), h.space, idOrNumber)
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
func (h *house) try(branch string, caller account.Caller, puts ...store.Put) (store.Revision, error) {
	return h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch, Author: caller.User.ID,
		Put: puts})
}

// write puts pages, given as name and title, on a branch ("" is main).
func (h *house) write(branch string, pairs ...string) store.Revision {
	h.Helper()
	r, err := h.try(branch, h.editor(), put(pairs...)...)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// titles returns the titles of the pages of a branch ("" is main), by name.
func (h *house) titles(branch string) map[string]string {
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
func (h *house) drop(spaceID string) {
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
func (h *house) lock() {
	h.Helper()
	if _, err := h.spaces.Update(h.Context(), h.admin(), h.space,
		space.Change{EditMode: optional.Of(space.EditModeLocked)}); err != nil {
		h.Fatal(err)
	}
}

// race runs an attempt many times at once and returns how many succeed; the others have to be refused with a conflict.
func (h *house) race(n int, attempt func(i int) error) int {
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
