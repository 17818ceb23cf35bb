package space_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// join makes a member of the first organization one of the other, too.
func (h *fixture) join(t *testing.T, caller account.Caller, role org.Role) {
	t.Helper()
	orgs := orgtest.NewService(t,
		org.Deps{DB: h.db, Accounts: accounttest.NewService(account.Deps{DB: h.db}, account.Hooks{})}, org.Hooks{})
	if _, err := orgs.AddMember(t.Context(), h.Other, caller.User.ID, role); err != nil {
		t.Fatal(err)
	}
}

// invite gives a member a role in an object.
func (h *fixture) invite(t *testing.T, object access.Object, to account.Caller, role org.Role) {
	t.Helper()
	if err := access.New(h.db).Invite(t.Context(), h.Admin(), object,
		access.Invitation{Users: []string{string(to.User.ID)},
			Role: role}); err != nil {
		t.Fatal(err)
	}
}

func (h *fixture) grants(t *testing.T) int {
	t.Helper()
	var count int
	if err := h.db.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM access_grant`).Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}

func TestTransfer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		creator := h.Members[org.RoleCreate]
		h.join(t, creator, org.RoleCreate)
		theirs, err := h.Create(ctx, h.Stranger, h.Other, space.NewSpace{Title: "Theirs"})
		if err != nil {
			t.Fatal(err)
		}
		shelf, err := h.CreateCollection(ctx, h.Stranger, h.Other, space.NewCollection{Title: "Shelf"})
		if err != nil {
			t.Fatal(err)
		}
		h.by(creator)
		box := h.collect(t, "Box", "")
		made, second := h.addIn(t, "Guide", box.ID), h.addIn(t, "Second", box.ID)
		h.invite(t, access.SpaceObject(made.ID), h.Members[org.RoleGuest], org.RoleEdit)

		_, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Organization})
		wantKind(t, err, errs.Conflict, "nothing would change")
		_, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Organization, Parent: box.ID})
		wantKind(t, err, errs.Conflict, "nothing would change")
		for _, unknown := range []string{id.New("org"), "", "x"} {
			_, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: id.Organization(unknown)})
			wantKind(t, err, errs.NotFound, "no such organization")
		}
		_, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Other, Parent: box.ID})
		wantKind(t, err, errs.NotFound, "no such collection")
		h.onSite[made.ID] = true
		_, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Precondition, string(made.ID))
		if n := h.grants(t); n != 1 || len(h.transferred) != 0 {
			t.Errorf("refusals left %d grants and moved %v", n, h.transferred)
		}
		delete(h.onSite, made.ID)

		moved, err := h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Other})
		if err != nil || moved.Organization != h.Other || moved.Parent != "" ||
			moved.Visibility != space.VisibilityPrivate || moved.Role != org.RoleCreate {
			t.Fatal(moved, err)
		}
		if n := h.grants(t); n != 0 || !slices.Equal(h.transferred, []id.Space{made.ID}) {
			t.Errorf("%d grants are left, %v moved", n, h.transferred)
		}
		_, err = h.Get(ctx, h.Admin(), made.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		_, err = h.Get(ctx, h.Members[org.RoleGuest], made.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		if diff := cmp.Diff([]string{"Second"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
		listed, err := h.List(ctx, h.Stranger, h.Other, paging.Request{})
		if diff := cmp.Diff([]string{theirs.Title, "Guide"}, titles(listed.Items)); err != nil || diff != "" {
			t.Error(err, diff)
		}
		// To a collection there; then from one collection to another of the same organization.
		if moved, err = h.Transfer(ctx, creator, second.ID, space.Target{Organization: h.Other,
			Parent: shelf.ID}); err != nil || moved.Parent != shelf.ID {
			t.Error(moved, err)
		}
		if moved, err = h.Transfer(ctx, creator, made.ID, space.Target{Organization: h.Other,
			Parent: shelf.ID}); err != nil || moved.Parent != shelf.ID {
			t.Error(moved, err)
		}
		if len(h.transferred) != 2 {
			t.Errorf("moved %v", h.transferred)
		}
	})
}

// TestTransferNeedsBothSides holds who may transfer: creators and admins of both organizations who manage the space.
func TestTransferNeedsBothSides(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		_, err := h.Transfer(ctx, h.Admin(), h.add(t, "S").ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.NotFound, "no such organization")
		reader, creator, guest := h.Members[org.RoleRead], h.Members[org.RoleCreate], h.Members[org.RoleGuest]
		h.join(t, creator, org.RoleReview)
		h.by(creator)
		_, err = h.Transfer(ctx, creator, h.add(t, "S").ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Forbidden, "needs create")
		h.join(t, reader, org.RoleAdmin)
		_, err = h.Transfer(ctx, reader, h.add(t, "S").ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Forbidden, "needs create")
		// Nobody carries off what was only shared with them.
		h.join(t, guest, org.RoleAdmin)
		shared := h.add(t, "S")
		h.invite(t, access.SpaceObject(shared.ID), guest, org.RoleAdmin)
		_, err = h.Transfer(ctx, guest, shared.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Forbidden, "guest")
		_, err = h.Transfer(ctx, h.Stranger, shared.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.NotFound, "no such space")
	})
}

func TestTransferCollection(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		creator := h.Members[org.RoleCreate]
		h.join(t, creator, org.RoleAdmin)
		h.by(creator)
		outer := h.collect(t, "Outer", "")
		root := h.collect(t, "Root", outer.ID)
		b := h.addIn(t, "b", root.ID)
		inner := h.collect(t, "Inner", root.ID)
		h.addIn(t, "c", inner.ID)
		trashed := h.addIn(t, "d", inner.ID)
		closed := h.addIn(t, "a", root.ID)
		h.add(t, "stays")
		for _, step := range []error{
			second(h.Move(ctx, h.Admin(), closed.ID, space.Destination{Position: before(b)})),
			second(h.Update(ctx, h.Admin(), closed.ID, space.Change{DefaultLevel: optional.Null[access.Level]()})),
			h.Delete(ctx, h.Admin(), trashed.ID),
		} {
			if step != nil {
				t.Fatal(step)
			}
		}
		h.invite(t, access.CollectionObject(inner.ID), h.Members[org.RoleRead], org.RoleEdit)

		_, err := h.TransferCollection(ctx, creator, root.ID, space.Target{Organization: h.Organization})
		wantKind(t, err, errs.Conflict, "nothing would change")
		_, err = h.TransferCollection(ctx, creator, root.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Forbidden, "holds something")
		_, err = h.TransferCollection(ctx, h.Admin(), root.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.NotFound, "no such organization")
		_, err = h.TransferCollection(ctx, h.Stranger, root.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.NotFound, "no such collection")
		if _, err := h.Update(ctx, h.Admin(), closed.ID,
			space.Change{DefaultLevel: optional.Of(access.Inherit)}); err != nil {
			t.Fatal(err)
		}
		h.onSite[trashed.ID] = true
		_, err = h.TransferCollection(ctx, creator, root.ID, space.Target{Organization: h.Other})
		wantKind(t, err, errs.Precondition, string(trashed.ID))
		delete(h.onSite, trashed.ID)

		moved, err := h.TransferCollection(ctx, creator, root.ID, space.Target{Organization: h.Other})
		if err != nil || moved.Organization != h.Other || moved.Parent != "" || moved.Role != org.RoleAdmin {
			t.Fatal(moved, err)
		}
		if n := h.grants(t); n != 0 || len(h.transferred) != 4 {
			t.Errorf("%d grants are left, %v moved", n, h.transferred)
		}
		if diff := cmp.Diff([]string{"stays"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"Outer"}, h.collections(t, h.Admin(), true)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"a", "b"}, h.in(t, h.Stranger, root.ID)); diff != "" {
			t.Error(diff)
		}
		if _, err := h.Restore(ctx, h.Stranger, trashed.ID); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"c", "d"}, h.in(t, h.Stranger, inner.ID)); diff != "" {
			t.Error(diff)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestDuplicate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		box := h.collect(t, "Box", "")
		original, err := h.Create(ctx, h.Admin(), h.Organization, space.NewSpace{
			Title: "A title of forty-five characters, or so it is", Icon: "https://example.org/i.png", Parent: box.ID,
			Language: "de", EditMode: space.EditModeLocked,
		})
		if err != nil {
			t.Fatal(err)
		}
		h.addIn(t, "next", box.ID)
		if _, err := h.Update(ctx, h.Admin(), original.ID,
			space.Change{DefaultLevel: optional.Null[access.Level]()}); err != nil {
			t.Fatal(err)
		}
		guest, creator := h.Members[org.RoleGuest], h.Members[org.RoleCreate]
		h.invite(t, access.SpaceObject(original.ID), guest, org.RoleEdit)
		_, err = h.Duplicate(ctx, creator, original.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		_, err = h.Duplicate(ctx, guest, original.ID)
		wantKind(t, err, errs.Forbidden, "needs create")
		h.invite(t, access.SpaceObject(original.ID), creator, org.RoleCreate)

		copied, err := h.Duplicate(ctx, creator, original.ID)
		if err != nil || copied.ID == original.ID ||
			copied.Title != "Copy of A title of forty-five characters, or so it" || copied.Icon != original.Icon ||
			copied.Language != "de" || copied.EditMode != space.EditModeLocked || copied.Parent != box.ID ||
			copied.DefaultLevel != access.NoAccess ||
			copied.CreatedBy != creator.User.ID || copied.Role != org.RoleCreate {
			t.Fatalf("%+v, %v", copied, err)
		}
		if len(h.copied) != 1 || h.copied[0][1] != string(copied.ID) {
			t.Errorf("copied %v", h.copied)
		}
		if diff := cmp.Diff([]string{original.Title, copied.Title, "next"}, h.in(t, h.Admin(), box.ID)); diff != "" {
			t.Error(diff)
		}
		// What was closed stays closed, and open to the same people.
		if got, err := h.Get(ctx, guest, copied.ID); err != nil || got.Role != org.RoleEdit {
			t.Error(got, err)
		}
		_, err = h.Get(ctx, h.Members[org.RoleReview], copied.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		if err := h.Delete(ctx, h.Admin(), original.ID); err != nil {
			t.Fatal(err)
		}
		_, err = h.Duplicate(ctx, h.Admin(), original.ID)
		wantKind(t, err, errs.Conflict, "trash")
	})
}
