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
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// house is an organization with one member per role, an outsider, and one space per default level.
type house struct {
	organization string
	members      map[org.Role]account.Caller
	outsider     account.Caller
	spaces       map[access.Level]string
}

func newHouse(t *testing.T, d *db.DB) house {
	t.Helper()
	ctx := t.Context()
	accounts := account.New(account.Deps{DB: d})
	orgs := org.New(org.Deps{DB: d, Accounts: accounts})
	h := house{members: map[org.Role]account.Caller{}, spaces: map[access.Level]string{}}
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
	outsider, err := accounts.CreateUser(ctx, account.NewUser{DisplayName: "Out", Email: "out@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	h.outsider = account.Caller{User: outsider}
	for _, level := range []access.Level{access.NoAccess, access.Inherit, "read", "comment", "edit", "review", "create",
		"admin"} {
		h.spaces[level] = addSpace(t, d, h.organization, level, nil)
	}
	return h
}

// addSpace writes the row of a space, whose package stands above this one.
func addSpace(t *testing.T, d *db.DB, organizationID string, level access.Level, deletedAt any) string {
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
	return spaceID
}

// TestSpaceAndReadableSpacesAgree holds, for every role and every default level, that a space can be loaded exactly
// when the condition for lists holds, and that the role is the one that Resolve gives.
func TestSpaceAndReadableSpacesAgree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		ctx := t.Context()
		service := access.New(d)
		for role, caller := range h.members {
			organization, err := service.Organization(ctx, caller, h.organization)
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
					got.Organization != h.organization {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
				var listed bool
				readable, args := access.ReadableSpaces(organization, []any{spaceID})
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
		h := newHouse(t, d)
		ctx := t.Context()
		service := access.New(d)
		admin := h.members[org.RoleAdmin]
		for _, spaceID := range []string{"", "space_", id.New("space"), id.New("page"),
			"space_" + strings.Repeat("\x00", 26), h.organization} {
			if _, err := service.Space(ctx, admin, spaceID); !errs.Is(err, errs.NotFound) {
				t.Errorf("space %q: %v", spaceID, err)
			}
		}
		for _, organizationID := range []string{"", id.New("org"), "org_\xff", h.spaces["read"]} {
			if _, err := service.Organization(ctx, admin, organizationID); !errs.Is(err, errs.NotFound) {
				t.Errorf("organization %q: %v", organizationID, err)
			}
		}
		if _, err := service.Organization(ctx, h.outsider, h.organization); !errs.Is(err, errs.NotFound) {
			t.Errorf("outsider: %v", err)
		}
		for level, spaceID := range h.spaces {
			if _, err := service.Space(ctx, h.outsider, spaceID); !errs.Is(err, errs.NotFound) {
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
		h := newHouse(t, d)
		ctx := t.Context()
		service := access.New(d)
		reader := h.members[org.RoleRead]
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
		if _, err := service.RequireOrganization(ctx, h.members[org.RoleGuest], h.organization,
			access.ListPeople); !errs.Is(err, errs.Forbidden) ||
			!strings.Contains(err.Error(), "guest") {
			t.Error(err)
		}
		if _, err := service.RequireOrganization(ctx, h.outsider, h.organization, access.ViewOrganization); !errs.Is(
			err, errs.NotFound) {
			t.Error(err)
		}
	})
}

func TestTrash(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		ctx := t.Context()
		trashed := addSpace(t, d, h.organization, access.Inherit, int64(1))
		for role, caller := range h.members {
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
