package access_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is an organization with one member per role, an outsider, and one space per default level.
type fixture struct {
	*orgtest.Fixture
	spaces map[access.Level]id.Space
}

func newFixture(t *testing.T, d *db.DB) fixture {
	t.Helper()
	h := fixture{Fixture: orgtest.New(t, d), spaces: map[access.Level]id.Space{}}
	for _, level := range []access.Level{access.NoAccess, access.Inherit, "read", "comment", "edit", "review", "create",
		"admin"} {
		h.spaces[level] = addSpace(t, d, h.Organization, level, nil)
	}
	return h
}

// addSpace writes the row of a space, whose package stands above this one.
func addSpace(t *testing.T, d *db.DB, organizationID id.Organization, level access.Level, deletedAt any) id.Space {
	t.Helper()
	var stored any
	if level != access.NoAccess {
		stored = string(level)
	}
	spaceID := id.New("space")
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `
			INSERT INTO space (id, organization_id, position, title, emoji, icon, visibility, edit_mode, language,
			default_level, created_at, updated_at, deleted_at)
			VALUES ($1, $2, 'a0', 'S', '', '', 'private', 'live', '', $3, 1, 1, $4)`, spaceID, organizationID, stored,
			deletedAt)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id.Space(spaceID)
}

// TestSpaceAndReadableSpacesAgree holds, for every role and every default level, that a space can be loaded exactly
// when the condition for lists holds, and that the role is the one that Resolve gives.
func TestSpaceAndReadableSpacesAgree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		service := access.New(d)
		for role, caller := range h.Members {
			organization, err := service.Organization(ctx, caller, h.Organization)
			if err != nil || organization.Role != role || organization.Permissions != access.PermissionsInOrganization(
				role) {
				t.Fatalf("%q: %+v, %v", role, organization, err)
			}
			for level, spaceID := range h.spaces {
				name := fmt.Sprintf("role %q, level %q", role, level)
				want := access.Resolve(role, access.Place{Default: level})
				got, err := service.Space(ctx, caller, spaceID)
				if want == org.RoleGuest {
					if !errs.Is(err, errs.NotFound) {
						t.Errorf("%s: %+v, %v", name, got, err)
					}
				} else if err != nil || got.Role != want || got.Permissions != access.PermissionsInSpace(want, false) ||
					got.Organization != h.Organization {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
				var listed bool
				args := db.Args{spaceID}
				readable := access.ReadableSpaces(organization, &args)
				err = d.Read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM space s WHERE s.id = $1 AND `+
					readable+`)`, args...).Scan(&listed)
				if err != nil || listed != (want != org.RoleGuest) {
					t.Errorf("%s: listed %v, %v", name, listed, err)
				}
			}
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		service := access.New(d)
		admin := h.Members[org.RoleAdmin]
		for _, spaceID := range []string{"", "space_", id.New("space"), id.New("page"),
			"space_" + strings.Repeat("\x00", 26), string(h.Organization)} {
			if _, err := service.Space(ctx, admin, id.Space(spaceID)); !errs.Is(err, errs.NotFound) {
				t.Errorf("space %q: %v", spaceID, err)
			}
		}
		for _, organizationID := range []string{"", id.New("org"), "org_\xff", string(h.spaces["read"])} {
			if _,
				err := service.Organization(ctx, admin, id.Organization(organizationID)); !errs.Is(err, errs.NotFound) {
				t.Errorf("organization %q: %v", organizationID, err)
			}
		}
		if _, err := service.Organization(ctx, h.Stranger, h.Organization); !errs.Is(err, errs.NotFound) {
			t.Errorf("outsider: %v", err)
		}
		for level, spaceID := range h.spaces {
			if _, err := service.Space(ctx, h.Stranger, spaceID); !errs.Is(err, errs.NotFound) {
				t.Errorf("outsider, level %q: %v", level, err)
			}
		}
		if _, err := service.Space(ctx, account.Caller{}, h.spaces["admin"]); !errs.Is(err, errs.NotFound) {
			t.Errorf("nobody: %v", err)
		}
	})
}

func TestRequire(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		service := access.New(d)
		reader := h.Members[org.RoleRead]
		if _, err := service.RequireSpace(ctx, reader, h.spaces[access.Inherit], access.ViewSpace); err != nil {
			t.Error(err)
		}
		if _, err := service.RequireSpace(ctx, reader, h.spaces[access.Inherit], access.EditSpace); !errs.Is(err,
			errs.Forbidden) {
			t.Error(err)
		}
		if _, err := service.RequireSpace(ctx, reader, h.spaces[access.NoAccess], access.EditSpace); !errs.Is(err,
			errs.NotFound) {
			t.Error(err)
		}
		if _, err := service.RequireDirectWrite(ctx, reader, h.spaces["edit"]); err != nil {
			t.Error(err)
		}
		if _, err := service.RequireOrganization(ctx, h.Members[org.RoleGuest], h.Organization,
			access.ListPeople); !errs.Is(err, errs.Forbidden) ||
			!strings.Contains(err.Error(), "guest") {
			t.Error(err)
		}
		if _, err := service.RequireOrganization(ctx, h.Stranger, h.Organization, access.ViewOrganization); !errs.Is(
			err, errs.NotFound) {
			t.Error(err)
		}
	})
}

func TestTrash(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		trashed := addSpace(t, d, h.Organization, access.Inherit, int64(1))
		for role, caller := range h.Members {
			space, err := access.New(d).Space(ctx, caller, trashed)
			if role == org.RoleAdmin {
				if err != nil || !space.Trashed {
					t.Errorf("admin: %+v, %v", space, err)
				}
			} else if !errs.Is(err, errs.NotFound) {
				t.Errorf("%q sees the trash: %v", role, err)
			}
			_, err = access.LoadTrashed(ctx, d.Read(), caller, trashed)
			if may := role == org.RoleAdmin; may != (err == nil) || (!may && !errs.Is(err, errs.NotFound)) {
				t.Errorf("%q, to restore: %v", role, err)
			}
		}
	})
}
