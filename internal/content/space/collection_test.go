package space_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// collect makes a collection; parent may be empty.
func (h *fixture) collect(t *testing.T, title string, parent id.Collection) space.Collection {
	t.Helper()
	made, err := h.CreateCollection(t.Context(), h.maker(), h.Organization, space.NewCollection{Title: title,
		Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// addIn makes a space in a collection.
func (h *fixture) addIn(t *testing.T, title string, parent id.Collection) space.Space {
	t.Helper()
	made, err := h.Create(t.Context(), h.maker(), h.Organization, space.NewSpace{Title: title, Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// in returns the titles of the spaces in a collection.
func (h *fixture) in(t *testing.T, caller account.Caller, collectionID id.Collection) []string {
	t.Helper()
	spaces, err := h.SpacesIn(t.Context(), caller, collectionID, paging.Request{Limit: 1000})
	if err != nil || spaces.Count != len(spaces.Items) || spaces.Next != nil {
		t.Fatal(spaces.Count, len(spaces.Items), spaces.Next, err)
	}
	return titles(spaces.Items)
}

// collections returns the titles of the collections that a caller sees.
func (h *fixture) collections(t *testing.T, caller account.Caller, nested bool) []string {
	t.Helper()
	found, err := h.Collections(t.Context(), caller, h.Organization, nested, paging.Request{Limit: 1000})
	if err != nil || found.Count != len(found.Items) || found.Next != nil {
		t.Fatal(found.Count, len(found.Items), found.Next, err)
	}
	var list []string
	for _, c := range found.Items {
		list = append(list, c.Title)
	}
	return list
}

func TestCollections(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		creator := h.Members[org.RoleCreate]
		guides, err := h.CreateCollection(ctx, creator, h.Organization, space.NewCollection{Title: " Guides "})
		if err != nil || guides.Title != "Guides" || guides.Parent != "" || guides.DefaultLevel != access.Inherit ||
			guides.Role != org.RoleCreate ||
			guides.Permissions != access.PermissionsInCollection(org.RoleCreate, true) ||
			guides.CreatedBy != creator.User.ID {
			t.Fatalf("%+v, %v", guides, err)
		}
		inner := h.collect(t, "", guides.ID)
		if inner.Title != "Untitled" || inner.Parent != guides.ID {
			t.Errorf("%+v", inner)
		}
		got, err := h.Collection(ctx, creator, guides.ID)
		if diff := cmp.Diff(guides, got, cmp.AllowUnexported(space.Collection{})); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if diff := cmp.Diff([]string{"Guides", "Untitled"}, h.collections(t, creator, true)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"Guides"}, h.collections(t, creator, false)); diff != "" {
			t.Error(diff)
		}
		if list := h.collections(t, h.Members[org.RoleGuest], true); list != nil {
			t.Errorf("a guest sees %v", list)
		}

		made := h.addIn(t, "In", guides.ID)
		if made.Parent != guides.ID || made.Visibility != space.VisibilityInCollection {
			t.Errorf("%+v", made)
		}
		h.addIn(t, "Deeper", inner.ID)
		h.add(t, "Top")
		if diff := cmp.Diff([]string{"In"}, h.in(t, creator, guides.ID)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"In", "Deeper", "Top"}, h.list(t, creator)); diff != "" {
			t.Error(diff)
		}

		h.wait(time.Minute)
		changed, err := h.UpdateCollection(ctx, h.Admin(), guides.ID, space.CollectionChange{
			Title: optional.Of("Handbooks"), Description: optional.Of("For all"),
			DefaultLevel: optional.Null[access.Level](),
		})
		if err != nil || changed.Title != "Handbooks" || changed.Description != "For all" ||
			changed.DefaultLevel != access.NoAccess || !changed.UpdatedAt.Equal(h.clock()) {
			t.Fatalf("%+v, %v", changed, err)
		}
		// Closed for all that inherits, whoever is no admin.
		for role, caller := range h.Members {
			if role == org.RoleAdmin {
				continue
			}
			_, err := h.Collection(ctx, caller, inner.ID)
			wantKind(t, err, errs.NotFound, "no such collection")
			_, err = h.Get(ctx, caller, made.ID)
			wantKind(t, err, errs.NotFound, "no such space")
		}
		if diff := cmp.Diff([]string{"Top"}, h.list(t, creator)); diff != "" {
			t.Error(diff)
		}
		h.wait(time.Minute)
		same, err := h.UpdateCollection(ctx, h.Admin(), guides.ID,
			space.CollectionChange{Title: optional.Of("Handbooks")})
		if err != nil || !same.UpdatedAt.Equal(changed.UpdatedAt) {
			t.Error("a change of nothing is dated", err)
		}
		plain, err := h.UpdateCollection(ctx, h.Admin(), guides.ID,
			space.CollectionChange{Description: optional.Null[string](), DefaultLevel: optional.Of(access.Inherit)})
		if err != nil || plain.Description != "" {
			t.Error(plain, err)
		}
		for name, change := range map[string]space.CollectionChange{
			"title":        {Title: optional.Of(strings.Repeat("a", 51))},
			"title ":       {Title: optional.Of("")},
			"title  ":      {Title: optional.Null[string]()},
			"description":  {Description: optional.Of(strings.Repeat("a", 101))},
			"defaultLevel": {DefaultLevel: optional.Of(access.Level("owner"))},
		} {
			_, err := h.UpdateCollection(ctx, h.Admin(), guides.ID, change)
			wantKind(t, err, errs.Invalid, strings.TrimSpace(name))
		}
		_, err = h.Collections(ctx, h.Admin(), h.Organization, true, paging.Request{After: []string{"x"}})
		wantKind(t, err, errs.Invalid, "cursor")
	})
}

// TestCollectionPages walks lists of collections and of the spaces in one, page by page.
func TestCollectionPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		var want []string
		parent := h.collect(t, "Parent", "")
		for i := range 23 {
			h.collect(t, fmt.Sprint(i), "")
			h.addIn(t, fmt.Sprint(i), parent.ID)
			want = append(want, fmt.Sprint(i))
		}
		var spaces, collections []string
		page := paging.Request{Limit: 4}
		for {
			found, err := h.SpacesIn(ctx, h.Members[org.RoleRead], parent.ID, page)
			if err != nil || found.Count != 23 {
				t.Fatal(found.Count, err)
			}
			spaces = append(spaces, titles(found.Items)...)
			if page.After = found.Next; found.Next == nil {
				break
			}
		}
		for {
			found, err := h.Collections(ctx, h.Members[org.RoleRead], h.Organization, false, page)
			if err != nil || found.Count != 24 {
				t.Fatal(found.Count, err)
			}
			for _, c := range found.Items {
				collections = append(collections, c.Title)
			}
			if page.After = found.Next; found.Next == nil {
				break
			}
		}
		if diff := cmp.Diff(want, spaces); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(append([]string{"Parent"}, want...), collections); diff != "" {
			t.Error(diff)
		}
	})
}

// TestCollectionOperationsByRole holds which organization role may do what with a collection that says nothing itself.
func TestCollectionOperationsByRole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		operations := []struct {
			name  string
			least org.Role
			run   func(caller account.Caller, collectionID id.Collection) error
		}{
			{"get", org.RoleRead, func(c account.Caller, on id.Collection) error {
				_, err := h.Collection(ctx, c, on)
				return err
			}},
			{"list", org.RoleRead, func(c account.Caller, on id.Collection) error {
				_, err := h.SpacesIn(ctx, c, on, paging.Request{})
				return err
			}},
			{"rename", org.RoleCreate, func(c account.Caller, on id.Collection) error {
				_, err := h.UpdateCollection(ctx, c, on, space.CollectionChange{Title: optional.Of("New")})
				return err
			}},
			{"make a space", org.RoleCreate, func(c account.Caller, on id.Collection) error {
				_, err := h.Create(ctx, c, h.Organization, space.NewSpace{Parent: on})
				return err
			}},
			{"make a collection", org.RoleCreate, func(c account.Caller, on id.Collection) error {
				_, err := h.CreateCollection(ctx, c, h.Organization, space.NewCollection{Parent: on})
				return err
			}},
			{"move", org.RoleCreate, func(c account.Caller, on id.Collection) error {
				_, err := h.MoveCollection(ctx, c, on, space.Destination{Parent: optional.Null[id.Collection]()})
				return err
			}},
			{"set its level", org.RoleAdmin, func(c account.Caller, on id.Collection) error {
				_, err := h.UpdateCollection(ctx, c, on,
					space.CollectionChange{DefaultLevel: optional.Of(access.Level("read"))})
				return err
			}},
			{"delete", org.RoleAdmin, func(c account.Caller, on id.Collection) error {
				return h.DeleteCollection(ctx, c, on)
			}},
		}
		for _, operation := range operations {
			for role, caller := range h.Members {
				err := operation.run(caller, h.collect(t, "Target", "").ID)
				switch {
				case role.AtLeast(operation.least):
					if err != nil {
						t.Errorf("%s as %q: %v", operation.name, role, err)
					}
				case role == org.RoleGuest:
					wantKind(t, err, errs.NotFound, "no such collection")
				default:
					wantKind(t, err, errs.Forbidden, "")
				}
			}
			h.by(h.Members[org.RoleCreate])
			if err := operation.run(h.Members[org.RoleCreate], h.collect(t, "Target", "").ID); err != nil {
				t.Errorf("%s in what one made: %v", operation.name, err)
			}
			h.by(h.Admin())
			wantKind(t, operation.run(h.Stranger, h.collect(t, "Target", "").ID), errs.NotFound, "no such")
			for _, unknown := range []string{id.New("collection"), "x", "collection_\x00"} {
				wantKind(t, operation.run(h.Admin(), id.Collection(unknown)), errs.NotFound, "no such collection")
			}
		}
	})
}

// TestSharingKeepsWithinOnesOwn holds that a default level gives nobody more than who sets it has.
func TestSharingKeepsWithinOnesOwn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		creator := h.Members[org.RoleCreate]
		others := h.add(t, "S")
		_, err := h.Update(ctx, creator, others.ID, space.Change{DefaultLevel: optional.Of(access.Level("create"))})
		wantKind(t, err, errs.Forbidden, "made yourself")
		h.by(creator)
		collection, made := h.collect(t, "C", ""), h.add(t, "S")
		_, err = h.UpdateCollection(ctx, creator, collection.ID,
			space.CollectionChange{DefaultLevel: optional.Of(access.Level("admin"))})
		wantKind(t, err, errs.Forbidden, "cannot give the role admin")
		_, err = h.Update(ctx, creator, made.ID, space.Change{DefaultLevel: optional.Of(access.Level("admin"))})
		wantKind(t, err, errs.Forbidden, "cannot give the role admin")
		if _, err = h.Update(ctx, creator, made.ID,
			space.Change{DefaultLevel: optional.Of(access.Level("create"))}); err != nil {
			t.Error(err)
		}
		// What holds them down goes only with somebody who has more.
		if _, err := h.UpdateCollection(ctx, h.Admin(), collection.ID,
			space.CollectionChange{DefaultLevel: optional.Of(access.Level("admin"))}); err != nil {
			t.Fatal(err)
		}
		held := h.addIn(t, "Held", collection.ID)
		if _, err := h.Update(ctx, h.Admin(), held.ID,
			space.Change{DefaultLevel: optional.Of(access.Level("create"))}); err != nil {
			t.Fatal(err)
		}
		_, err = h.Update(ctx, creator, held.ID, space.Change{DefaultLevel: optional.Of(access.Inherit)})
		wantKind(t, err, errs.Forbidden, "raise your own role")
		got, err := h.Get(ctx, creator, held.ID)
		if err != nil || got.DefaultLevel != "create" {
			t.Error(got.DefaultLevel, err)
		}
	})
}

// TestDeletedCollectionLiftsItsContent holds where the content of a deleted collection goes, the trash included.
func TestDeletedCollectionLiftsItsContent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		outer := h.collect(t, "Outer", "")
		h.addIn(t, "1", outer.ID)
		gone := h.collect(t, "Gone", outer.ID)
		last := h.addIn(t, "5", outer.ID)
		h.addIn(t, "2", gone.ID)
		trashed := h.addIn(t, "3", gone.ID)
		inner := h.collect(t, "Inner", gone.ID)
		h.addIn(t, "4", gone.ID)
		h.addIn(t, "inside", inner.ID)
		if err := h.Delete(ctx, h.Admin(), trashed.ID); err != nil {
			t.Fatal(err)
		}
		if err := h.DeleteCollection(ctx, h.Admin(), gone.ID); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"1", "2", "4", "5"}, h.in(t, h.Admin(), outer.ID)); diff != "" {
			t.Error(diff)
		}
		restored, err := h.Restore(ctx, h.Admin(), trashed.ID)
		if err != nil || restored.Parent != outer.ID {
			t.Error(restored, err)
		}
		if diff := cmp.Diff([]string{"1", "2", "3", "4", "5"}, h.in(t, h.Admin(), outer.ID)); diff != "" {
			t.Error(diff)
		}
		if got, err := h.Collection(ctx, h.Admin(), inner.ID); err != nil || got.Parent != outer.ID {
			t.Error(got, err)
		}
		// Among the collections and spaces of one place there is one order.
		if _, err := h.Move(ctx, h.Admin(), last.ID,
			space.Destination{Position: space.Position{Before: &space.Pointer{Collection: inner.ID}}}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"1", "2", "3", "5", "4"}, h.in(t, h.Admin(), outer.ID)); diff != "" {
			t.Error(diff)
		}
		if err := h.DeleteCollection(ctx, h.Admin(), outer.ID); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"1", "2", "3", "5", "4", "inside"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
		wantKind(t, h.DeleteCollection(ctx, h.Admin(), outer.ID), errs.NotFound, "no such collection")
	})
}

// TestCollectionDeletedWhileItIsFilled makes spaces in a collection that is deleted at the same time: each is made and
// taken one level up, or there is no such collection.
func TestCollectionDeletedWhileItIsFilled(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		for range 6 {
			gone := h.collect(t, "Gone", "")
			before := len(h.list(t, h.Admin()))
			made := make([]bool, 6)
			var wg sync.WaitGroup
			for i := range made {
				wg.Go(func() {
					_, err := h.Create(ctx, h.Admin(), h.Organization, space.NewSpace{Parent: gone.ID})
					if made[i] = err == nil; !made[i] {
						wantKind(t, err, errs.NotFound, "no such collection")
					}
				})
			}
			wg.Go(func() {
				if err := h.DeleteCollection(ctx, h.Admin(), gone.ID); err != nil {
					t.Error(err)
				}
			})
			wg.Wait()
			want := before
			for _, done := range made {
				if done {
					want++
				}
			}
			spaces, err := h.List(ctx, h.Admin(), h.Organization, paging.Request{Limit: 1000})
			if err != nil || len(spaces.Items) != want {
				t.Errorf("%d spaces, want %d, %v", len(spaces.Items), want, err)
			}
			for _, s := range spaces.Items {
				if s.Parent != "" {
					t.Errorf("%s is in %s", s.ID, s.Parent)
				}
			}
		}
	})
}
