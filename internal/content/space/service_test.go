package space_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

func TestCreateAndGet(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made, err := h.Create(ctx, h.Members[org.RoleCreate], h.Organization, space.NewSpace{
			Title: "Guide", Emoji: "1f4d8", Language: "de", EditMode: space.EditModeLocked,
		})
		if err != nil {
			t.Fatal(err)
		}
		want := space.Space{
			ID: made.ID, Organization: h.Organization, Title: "Guide", Emoji: "📘", Visibility: space.VisibilityPrivate,
			EditMode: space.EditModeLocked, Language: "de", DefaultLevel: access.Inherit,
			CreatedBy: h.Members[org.RoleCreate].User.ID,
			CreatedAt: h.clock(), UpdatedAt: h.clock(), Role: org.RoleCreate,
			Permissions: access.PermissionsInSpace(org.RoleCreate, true),
		}
		ignore := cmpopts.IgnoreUnexported(space.Space{})
		if diff := cmp.Diff(want, made, ignore); diff != "" {
			t.Error(diff)
		}
		got, err := h.Get(ctx, h.Members[org.RoleCreate], made.ID)
		if diff := cmp.Diff(made, got, cmp.AllowUnexported(space.Space{})); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if !slices.Equal(h.started, []id.Space{made.ID}) {
			t.Errorf("content was started for %v", h.started)
		}
		seen, err := h.Get(ctx, h.Members[org.RoleRead], made.ID)
		if err != nil || seen.Role != org.RoleRead || seen.Permissions != access.PermissionsInSpace(org.RoleRead,
			false) {
			t.Error(seen, err)
		}
	})
}

func TestCreateFailsWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.failContent = errors.New("disk full")
		_, err := h.Create(t.Context(), h.Admin(), h.Organization, space.NewSpace{Title: "A"})
		if !errors.Is(err, h.failContent) {
			t.Error(err)
		}
		if list := h.list(t, h.Admin()); len(list) != 0 {
			t.Errorf("left %v", list)
		}
	})
}

// outcome is what an operation answers: 0 for success, or the kind of its error.
type outcome = errs.Kind

// TestOperationsByRole holds which role may do what: for every operation and every member's organization role, on a
// space that says nothing itself, and for the admin of another organization.
func TestOperationsByRole(t *testing.T) {
	const stranger = org.Role("stranger")
	allowed := func(least org.Role) func(org.Role) outcome {
		return func(role org.Role) outcome {
			switch {
			case role == stranger || role == org.RoleGuest:
				return errs.NotFound
			case role.AtLeast(least):
				return errs.Internal
			}
			return errs.Forbidden
		}
	}
	operations := []struct {
		name string
		// trashed operations work on a space in the trash.
		trashed bool
		run     func(ctx context.Context, h *fixture, caller account.Caller, spaceID string) error
		want    func(role org.Role) outcome
	}{
		{"get", false, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Get(ctx, c, id.Space(s))
			return err
		}, allowed(org.RoleRead)},
		{"rename", false, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Update(ctx, c, id.Space(s), space.Change{Title: optional.Of("New")})
			return err
		}, allowed(org.RoleCreate)},
		{"share", false, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Update(ctx, c, id.Space(s), space.Change{DefaultLevel: optional.Of(access.Level("read"))})
			return err
		}, allowed(org.RoleAdmin)},
		{"delete", false, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			return h.Delete(ctx, c, id.Space(s))
		}, allowed(org.RoleAdmin)},
		{"restore what is not deleted", false, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Restore(ctx, c, id.Space(s))
			return err
		}, func(role org.Role) outcome {
			if kind := allowed(org.RoleAdmin)(role); kind != errs.Internal {
				return kind
			}
			return errs.Conflict
		}},
		{"get from the trash", true, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Get(ctx, c, id.Space(s))
			return err
		}, hidden(org.RoleAdmin, errs.Internal)},
		{"rename in the trash", true, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Update(ctx, c, id.Space(s), space.Change{Title: optional.Of("New")})
			return err
		}, hidden(org.RoleAdmin, errs.Conflict)},
		{"delete again", true, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			return h.Delete(ctx, c, id.Space(s))
		}, hidden(org.RoleAdmin, errs.Internal)},
		{"restore", true, func(ctx context.Context, h *fixture, c account.Caller, s string) error {
			_, err := h.Restore(ctx, c, id.Space(s))
			return err
		}, hidden(org.RoleAdmin, errs.Internal)},
		{"create", false, func(ctx context.Context, h *fixture, c account.Caller, _ string) error {
			_, err := h.Create(ctx, c, h.Organization, space.NewSpace{})
			return err
		}, func(role org.Role) outcome {
			if role == org.RoleGuest {
				return errs.Forbidden
			}
			return allowed(org.RoleCreate)(role)
		}},
		{"list", false, func(ctx context.Context, h *fixture, c account.Caller, _ string) error {
			_, err := h.List(ctx, c, h.Organization, paging.Request{})
			return err
		}, func(role org.Role) outcome {
			if role == stranger {
				return errs.NotFound
			}
			return errs.Internal
		}},
		{"readable", false, func(ctx context.Context, h *fixture, c account.Caller, _ string) error {
			_, err := h.Readable(ctx, c, h.Organization)
			return err
		}, func(role org.Role) outcome {
			if role == stranger {
				return errs.NotFound
			}
			return errs.Internal
		}},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		callers := map[org.Role]account.Caller{stranger: h.Stranger}
		maps.Copy(callers, h.Members)
		for _, operation := range operations {
			for role, caller := range callers {
				target := h.add(t, "Target")
				if operation.trashed {
					if err := h.Delete(t.Context(), h.Admin(), target.ID); err != nil {
						t.Fatal(err)
					}
				}
				err := operation.run(t.Context(), h, caller, string(target.ID))
				if got, want := errs.KindOf(err), operation.want(role); (err != nil || want != errs.Internal) &&
					got != want {
					t.Errorf("%s as %q: got %v, want kind %d", operation.name, role, err, want)
				}
				if err != nil && errs.KindOf(err) == errs.Internal {
					t.Errorf("%s as %q: %v", operation.name, role, err)
				}
			}
		}
	})
}

// hidden is the outcome of operations on what is not there for roles below one.
func hidden(least org.Role, otherwise outcome) func(org.Role) outcome {
	return func(role org.Role) outcome {
		if role.AtLeast(least) {
			return otherwise
		}
		return errs.NotFound
	}
}

func TestForeignIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		theirs, err := h.Create(ctx, h.Stranger, h.Other, space.NewSpace{Title: "Theirs"})
		if err != nil {
			t.Fatal(err)
		}
		for _, spaceID := range []id.Space{theirs.ID, id.Space(id.New("space")), "", "space_\x00", "1"} {
			_, err := h.Get(ctx, h.Admin(), spaceID)
			wantKind(t, err, errs.NotFound, "no such space")
			_, err = h.Update(ctx, h.Admin(), spaceID, space.Change{})
			wantKind(t, err, errs.NotFound, "no such space")
			wantKind(t, h.Delete(ctx, h.Admin(), spaceID), errs.NotFound, "no such space")
			_, err = h.Restore(ctx, h.Admin(), spaceID)
			wantKind(t, err, errs.NotFound, "no such space")
		}
		_, err = h.Create(ctx, h.Admin(), h.Other, space.NewSpace{})
		wantKind(t, err, errs.NotFound, "no such organization")
		_, err = h.List(ctx, h.Admin(), h.Other, paging.Request{})
		wantKind(t, err, errs.NotFound, "no such organization")
		ours := h.add(t, "Ours")
		organization, err := access.LoadOrganization(ctx, d.Read(), h.Admin(), h.Organization)
		if err != nil {
			t.Fatal(err)
		}
		found, err := h.Load(ctx, d.Read(), organization, []id.Space{ours.ID, theirs.ID, "x"})
		if err != nil || len(found) != 1 || found[ours.ID].Title != "Ours" {
			t.Error(found, err)
		}
	})
}

func TestUpdate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := h.add(t, "Guide")
		h.wait(time.Minute)
		same, err := h.Update(ctx, h.Admin(), made.ID, space.Change{Title: optional.Of("Guide")})
		if err != nil || !same.UpdatedAt.Equal(made.UpdatedAt) {
			t.Error("a change of nothing is dated", err)
		}
		after, err := h.Update(ctx, h.Admin(), made.ID, space.Change{
			Title: optional.Of("Handbook"), Icon: optional.Of("https://example.org/i.png"),
			EditMode:     optional.Of(space.EditModeLocked),
			DefaultLevel: optional.Of(access.Level("comment")), Language: optional.Of("fr"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if !after.UpdatedAt.Equal(h.clock()) || !after.CreatedAt.Equal(made.CreatedAt) {
			t.Error("dates", after.UpdatedAt, after.CreatedAt)
		}
		if after.Affected == nil || len(after.Affected.Losses) != 3 {
			t.Errorf("the default level takes rights from %+v", after.Affected)
		}
		after.Affected = nil
		got, err := h.Get(ctx, h.Admin(), made.ID)
		if diff := cmp.Diff(after, got, cmp.AllowUnexported(space.Space{})); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if got.Title != "Handbook" || got.Icon == "" || got.EditMode != space.EditModeLocked ||
			got.DefaultLevel != "comment" || got.Language != "fr" {
			t.Errorf("%+v", got)
		}
		_, err = h.Update(ctx, h.Admin(), made.ID, space.Change{Title: optional.Of(strings.Repeat("x", 51))})
		wantKind(t, err, errs.Invalid, "from 1 to 50")

		// Who takes their own access away is told what they have left.
		creator := h.Members[org.RoleCreate]
		h.by(creator)
		second := h.add(t, "Second")
		lost, err := h.Update(ctx, creator, second.ID, space.Change{DefaultLevel: optional.Of(access.Level("read"))})
		if err != nil || lost.Role != org.RoleRead || lost.Permissions.Edit {
			t.Error(lost, err)
		}
		_, err = h.Update(ctx, creator, second.ID, space.Change{DefaultLevel: optional.Of(access.Level("create"))})
		wantKind(t, err, errs.Forbidden, "needs create")
	})
}
