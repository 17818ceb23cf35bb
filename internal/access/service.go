package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/org"
)

// Space is what a caller may do with one space.
type Space struct {
	// ID is that of the space, Organization that of its organization.
	ID           string
	Organization string
	// Role is the one that the caller has in the space, never a guest's.
	Role Role
	// Permissions follow from the role.
	Permissions SpacePermissions
	// Locked says that the main content takes merges only.
	Locked bool
	// Trashed says that the space is in the trash; only admins get to see such a space.
	Trashed bool
	// Head is the id of the live revision, "" when the space has no content. It comes with the same row, so that a read
	// of content needs no other.
	Head string
}

// Require returns an errs.Forbidden error when the caller may not do the action, and an errs.Conflict one when the
// space is in the trash and the action is more than reading.
func (s Space) Require(action SpaceAction) error {
	if least := action.role(); !s.Role.AtLeast(least) {
		return errs.Forbiddenf("Your role in this space is %s; this needs %s or higher.", s.Role, least)
	}
	if s.Trashed && action != ViewSpace {
		return errs.Conflictf("The space is in the trash; restore it first.")
	}
	return nil
}

// RequireDirectWrite returns an error unless the caller may write to the main content of the space without a change
// request: errs.Forbidden without the role, errs.Conflict while the space is locked or in the trash.
func (s Space) RequireDirectWrite() error {
	if err := s.Require(EditSpace); err != nil {
		return err
	}
	if s.Locked {
		return errs.Conflictf("The space is locked: its main content changes by merges only. Use a change request, or set editMode to live.")
	}
	return nil
}

// Organization is what a caller may do with one organization.
type Organization struct {
	ID          string
	Role        Role
	Permissions OrganizationPermissions
}

// Require returns an errs.Forbidden error when the caller may not do the action.
func (o Organization) Require(action OrganizationAction) error {
	least := action.role()
	if o.Role.AtLeast(least) {
		return nil
	}
	if o.Role == org.RoleGuest {
		return errs.Forbiddenf("You are a guest of this organization; this needs the role %s or higher.", least)
	}
	return errs.Forbiddenf("Your role in this organization is %s; this needs %s or higher.", o.Role, least)
}

// Service checks access outside transactions. Inside one use LoadSpace and LoadOrganization.
type Service struct{ db *db.DB }

// New returns a Service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Space returns what the caller may do with a space; errs.NotFound when they may not see it.
func (s *Service) Space(ctx context.Context, caller account.Caller, spaceID string) (Space, error) {
	return LoadSpace(ctx, s.db.Read(), caller, spaceID)
}

// RequireSpace is Space followed by Space.Require.
func (s *Service) RequireSpace(ctx context.Context, caller account.Caller, spaceID string, action SpaceAction) (Space, error) {
	return RequireSpace(ctx, s.db.Read(), caller, spaceID, action)
}

// RequireDirectWrite is Space followed by Space.RequireDirectWrite.
func (s *Service) RequireDirectWrite(ctx context.Context, caller account.Caller, spaceID string) (Space, error) {
	space, err := s.Space(ctx, caller, spaceID)
	if err == nil {
		err = space.RequireDirectWrite()
	}
	return space, err
}

// Organization returns what the caller may do with an organization; errs.NotFound when they are not a member.
func (s *Service) Organization(ctx context.Context, caller account.Caller, organizationID string) (Organization, error) {
	return LoadOrganization(ctx, s.db.Read(), caller, organizationID)
}

// RequireOrganization is Organization followed by Organization.Require.
func (s *Service) RequireOrganization(ctx context.Context, caller account.Caller, organizationID string, action OrganizationAction) (Organization, error) {
	return RequireOrganization(ctx, s.db.Read(), caller, organizationID, action)
}

// LoadSpace returns what the caller may do with a space; errs.NotFound when there is none, the caller is not a member
// of its organization or has no role in it, or it is in the trash and the caller is not an admin.
func LoadSpace(ctx context.Context, q db.Querier, caller account.Caller, spaceID string) (Space, error) {
	space, err := loadRole(ctx, q, caller, spaceID)
	if err != nil {
		return Space{}, err
	}
	if !space.Permissions.View || (space.Trashed && space.Role != org.RoleAdmin) {
		return Space{}, noSpace()
	}
	return space, nil
}

// LoadTrashed is LoadSpace for a space in the trash, and lets those see it who may take it out again. A space that is
// not in the trash is loaded as well.
func LoadTrashed(ctx context.Context, q db.Querier, caller account.Caller, spaceID string) (Space, error) {
	space, err := loadRole(ctx, q, caller, spaceID)
	if err != nil {
		return Space{}, err
	}
	if !space.Permissions.View || (space.Trashed && !space.Role.AtLeast(ManageSpace.role())) {
		return Space{}, noSpace()
	}
	return space, nil
}

// RequireSpace is LoadSpace followed by Space.Require.
func RequireSpace(ctx context.Context, q db.Querier, caller account.Caller, spaceID string, action SpaceAction) (Space, error) {
	space, err := LoadSpace(ctx, q, caller, spaceID)
	if err == nil {
		err = space.Require(action)
	}
	return space, err
}

// LoadOrganization returns what the caller may do with an organization; errs.NotFound when they are not a member.
func LoadOrganization(ctx context.Context, q db.Querier, caller account.Caller, organizationID string) (Organization, error) {
	if !id.Valid("org", organizationID) {
		return Organization{}, noOrganization()
	}
	var role sql.Null[string]
	err := q.QueryRowContext(ctx, `
		SELECT role FROM organization_member WHERE organization_id = $1 AND user_id = $2`,
		organizationID, caller.User.ID).Scan(&role)
	if errors.Is(err, db.ErrNoRows) {
		return Organization{}, noOrganization()
	}
	if err != nil {
		return Organization{}, fmt.Errorf("load role in organization: %w", err)
	}
	return Organization{ID: organizationID, Role: Role(role.V), Permissions: PermissionsInOrganization(Role(role.V))}, nil
}

// RequireOrganization is LoadOrganization followed by Organization.Require.
func RequireOrganization(ctx context.Context, q db.Querier, caller account.Caller, organizationID string, action OrganizationAction) (Organization, error) {
	organization, err := LoadOrganization(ctx, q, caller, organizationID)
	if err == nil {
		err = organization.Require(action)
	}
	return organization, err
}

// loadRole reads all that decides about a space in one statement.
func loadRole(ctx context.Context, q db.Querier, caller account.Caller, spaceID string) (Space, error) {
	if !id.Valid("space", spaceID) {
		return Space{}, noSpace()
	}
	var (
		organizationID, editMode string
		role, level, head        sql.Null[string]
		deletedAt                sql.Null[int64]
	)
	err := q.QueryRowContext(ctx, `
		SELECT s.organization_id, s.edit_mode, s.default_level, s.deleted_at, m.role, b.head_revision_id
		FROM space s JOIN organization_member m ON m.organization_id = s.organization_id AND m.user_id = $2
		LEFT JOIN content_branch b ON b.space_id = s.id AND b.kind = 'main'
		WHERE s.id = $1`, spaceID, caller.User.ID).Scan(&organizationID, &editMode, &level, &deletedAt, &role, &head)
	if errors.Is(err, db.ErrNoRows) {
		return Space{}, noSpace()
	}
	if err != nil {
		return Space{}, fmt.Errorf("load role in space: %w", err)
	}
	space := Space{
		ID: spaceID, Organization: organizationID, Role: Resolve(Role(role.V), Place{Default: Level(level.V)}),
		Locked: editMode == "locked", Trashed: deletedAt.Valid, Head: head.V,
	}
	space.Permissions = PermissionsInSpace(space.Role)
	return space, nil
}

// ReadableSpaces returns an SQL condition on the table space, under the alias s, that holds for exactly the spaces in
// which Resolve gives a member a role; the trash is not its concern. The spaces have to be those of the organization.
func ReadableSpaces(organization Organization) string {
	switch organization.Role {
	case org.RoleAdmin:
		return `1 = 1`
	case org.RoleGuest:
		return `(s.default_level IS NOT NULL AND s.default_level <> 'inherit')`
	default:
		return `s.default_level IS NOT NULL`
	}
}

func noSpace() error {
	return errs.NotFoundf("There is no such space, or you may not see it.")
}

func noOrganization() error {
	return errs.NotFoundf("There is no such organization, or you are not a member of it.")
}
