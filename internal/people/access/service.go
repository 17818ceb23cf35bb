package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Space is what a caller may do with one space.
type Space struct {
	// ID is that of the space, Organization that of its organization.
	ID           id.Space
	Organization id.Organization
	// Role is the one that the caller has in the space, never a guest's.
	Role Role
	// Permissions follow from the role, and from who made the space.
	Permissions SpacePermissions
	// Locked says that the main content takes merges only.
	Locked bool
	// Trashed says that the space is in the trash; only admins get to see such a space.
	Trashed bool
	// Head is the id of the live revision, "" when the space has no content. It comes with the same row, so that a read
	// of content needs no other.
	Head id.Revision
}

// Require returns an errs.Forbidden error when the caller may not do the action, and an errs.Conflict one when the
// space is in the trash and the action is more than reading.
func (s Space) Require(action SpaceAction) error {
	if !action.permitted(s.Permissions) {
		if action == AdministerSpace && s.Role == org.RoleCreate {
			return errs.Forbiddenf(
				"Your role in this space is %s; that is enough in spaces that you made yourself, others need %s.",
				s.Role, org.RoleAdmin)
		}
		return errs.Forbiddenf("Your role in this space is %s; this needs %s or higher.", s.Role, action.role())
	}
	if s.Trashed && action != ViewSpace && action != ListPeopleInSpace {
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
		return errs.Conflictf("The space is locked: its main content changes by merges only. Use a change request, " +
			"or set editMode to live.")
	}
	return nil
}

// Organization is what a caller may do with one organization.
type Organization struct {
	ID id.Organization
	// User is the id of the caller.
	User        id.User
	Role        Role
	Permissions OrganizationPermissions

	agent account.Agent // the integration that calls; the zero Agent for people
}

// Require returns an errs.Forbidden error when the caller may not do the action.
func (o Organization) Require(action OrganizationAction) error {
	least := action.role()
	if action.permitted(o.Permissions) {
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
func (s *Service) Space(ctx context.Context, caller account.Caller, spaceID id.Space) (Space, error) {
	return LoadSpace(ctx, s.db.Read(), caller, spaceID)
}

// RequireSpace is Space followed by Space.Require.
func (s *Service) RequireSpace(ctx context.Context, caller account.Caller, spaceID id.Space,
	action SpaceAction) (Space, error) {
	return RequireSpace(ctx, s.db.Read(), caller, spaceID, action)
}

// RequireDirectWrite is Space followed by Space.RequireDirectWrite.
func (s *Service) RequireDirectWrite(ctx context.Context, caller account.Caller, spaceID id.Space) (Space, error) {
	space, err := s.Space(ctx, caller, spaceID)
	if err == nil {
		err = space.RequireDirectWrite()
	}
	return space, err
}

// Organization returns what the caller may do with an organization; errs.NotFound when they are not a member.
func (s *Service) Organization(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (Organization, error) {
	return LoadOrganization(ctx, s.db.Read(), caller, organizationID)
}

// RequireOrganization is Organization followed by Organization.Require.
func (s *Service) RequireOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	action OrganizationAction) (Organization, error) {
	return RequireOrganization(ctx, s.db.Read(), caller, organizationID, action)
}

// ReadsSpecs reports whether the caller may read the API specifications of an organization that they belong to: guests
// may not, and therefore must not put any into content that they write.
func (s *Service) ReadsSpecs(ctx context.Context, caller account.Caller, organizationID id.Organization) (bool, error) {
	organization, err := s.Organization(ctx, caller, organizationID)
	if err != nil {
		return false, err
	}
	return organization.Require(ViewSpecs) == nil, nil
}

// LoadSpace returns what the caller may do with a space; errs.NotFound when there is none, the caller is not a member
// of its organization or has no role in it, or it is in the trash and the caller is not an admin.
func LoadSpace(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space) (Space, error) {
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
func LoadTrashed(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space) (Space, error) {
	space, err := loadRole(ctx, q, caller, spaceID)
	if err != nil {
		return Space{}, err
	}
	if !space.Permissions.View || (space.Trashed && !space.Permissions.Admin) {
		return Space{}, noSpace()
	}
	return space, nil
}

// RequireSpace is LoadSpace followed by Space.Require.
func RequireSpace(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space,
	action SpaceAction) (Space, error) {
	space, err := LoadSpace(ctx, q, caller, spaceID)
	if err == nil {
		err = space.Require(action)
	}
	return space, err
}

// LoadOrganization returns what the caller may do with an organization; errs.NotFound when they are not a member.
func LoadOrganization(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) (Organization, error) {
	if !id.Valid("org", organizationID) {
		return Organization{}, noOrganization()
	}
	if caller.IsAgent() {
		return agentInOrganization(caller.Agent, organizationID)
	}
	if !caller.Reaches(organizationID) {
		return Organization{}, caller.Unreached(organizationID, noOrganization())
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
	return Organization{ID: organizationID, User: caller.User.ID, Role: Role(role.V),
		Permissions: PermissionsInOrganization(Role(role.V))}, nil
}

// RequireOrganization is LoadOrganization followed by Organization.Require.
func RequireOrganization(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	action OrganizationAction) (Organization, error) {
	organization, err := LoadOrganization(ctx, q, caller, organizationID)
	if err == nil {
		err = organization.Require(action)
	}
	return organization, err
}

func noSpace() error {
	return errs.NotFoundf("There is no such space, or you may not see it.")
}

func noOrganization() error {
	return errs.NotFoundf("There is no such organization, or you are not a member of it.")
}
