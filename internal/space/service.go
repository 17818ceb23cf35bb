package space

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/paging"
)

// Create makes a space with an empty first revision at the end of the organization's spaces. It needs the role create in
// the organization.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID string, in NewSpace) (Space, error) {
	var made Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, err = s.CreateIn(ctx, q, caller, organizationID, in)
		return err
	})
	if err != nil {
		return Space{}, err
	}
	return made, nil
}

// CreateIn is Create in the caller's transaction.
func (s *Service) CreateIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID string, in NewSpace) (Space, error) {
	organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent)
	if err != nil {
		return Space{}, err
	}
	if in, err = in.check(); err != nil {
		return Space{}, err
	}
	last, err := lastPosition(ctx, q, organizationID)
	if err != nil {
		return Space{}, err
	}
	now := s.clock()
	made := Space{
		ID: id.New("space"), Organization: organizationID, Title: in.Title, Emoji: in.Emoji, Visibility: VisibilityPrivate,
		EditMode: in.EditMode, Language: in.Language, DefaultLevel: access.Inherit, CreatedBy: caller.User.ID,
		CreatedAt: now, UpdatedAt: now, position: entity.Between(last, ""),
	}
	if err := insertSpace(ctx, q, made); err != nil {
		return Space{}, err
	}
	if err := s.initContent(ctx, q, made.ID, caller.User.ID, now.UnixMicro()); err != nil {
		return Space{}, fmt.Errorf("start content of space: %w", err)
	}
	return seenBy(organization, made), nil
}

// Get returns a space; errs.NotFound when the caller may not see it. A space in the trash is seen by admins only.
func (s *Service) Get(ctx context.Context, caller account.Caller, spaceID string) (Space, error) {
	return s.load(ctx, s.db.Read(), caller, spaceID)
}

func (s *Service) load(ctx context.Context, q db.Querier, caller account.Caller, spaceID string) (Space, error) {
	allowed, err := access.LoadSpace(ctx, q, caller, spaceID)
	if err != nil {
		return Space{}, err
	}
	return get(ctx, q, allowed)
}

// get reads a space that the caller may see.
func get(ctx context.Context, q db.Querier, allowed access.Space) (Space, error) {
	space, err := spaceByID(ctx, q, allowed.ID)
	if errors.Is(err, db.ErrNoRows) {
		return Space{}, noSpace()
	}
	if err != nil {
		return Space{}, err
	}
	space.Role, space.Permissions = allowed.Role, allowed.Permissions
	return space, nil
}

// List returns a page of an organization's spaces that the caller may read, in the order of the organization and without
// the trash, with the number of all of them and the keys of the next page (nil on the last).
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID string, page paging.Request) (spaces []Space, count int, next []string, err error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, organizationID)
	if err != nil {
		return nil, 0, nil, err
	}
	if spaces, count, err = listSpaces(ctx, s.db.Read(), organization, page); err != nil {
		return nil, 0, nil, err
	}
	spaces, next = paging.Cut(spaces, page.Size(), func(s Space) []string { return []string{s.position, s.ID} })
	return seenByAll(organization, spaces), count, next, nil
}

// Readable returns all spaces of an organization that the caller may read, in the order of the organization and without
// the trash: what a search over the organization goes through.
func (s *Service) Readable(ctx context.Context, caller account.Caller, organizationID string) ([]Space, error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, organizationID)
	if err != nil {
		return nil, err
	}
	spaces, err := readableSpaces(ctx, s.db.Read(), organization)
	return seenByAll(organization, spaces), err
}

// Load returns those of the spaces with the given ids that belong to the organization, are not in the trash and may be
// read by the caller whom organization was loaded for. It runs in the caller's transaction, or outside one.
func (s *Service) Load(ctx context.Context, q db.Querier, organization access.Organization, spaceIDs []string) (map[string]Space, error) {
	spaces, err := spacesByID(ctx, q, organization, spaceIDs)
	if err != nil {
		return nil, err
	}
	found := make(map[string]Space, len(spaces))
	for _, space := range seenByAll(organization, spaces) {
		found[space.ID] = space
	}
	return found, nil
}

// Update changes a space and returns it as it is then. It needs the role create in the space.
func (s *Service) Update(ctx context.Context, caller account.Caller, spaceID string, change Change) (Space, error) {
	var after Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.ManageSpace)
		if err != nil {
			return err
		}
		before, err := get(ctx, q, allowed)
		if err != nil {
			return err
		}
		var changed bool
		if after, changed, err = change.apply(before); err != nil || !changed {
			return err
		}
		after.UpdatedAt = s.clock()
		if err := updateSpace(ctx, q, after); err != nil {
			return err
		}
		// A new default level may have changed what the caller may do; an admin of the organization stays one.
		organization, err := access.LoadOrganization(ctx, q, caller, after.Organization)
		after = seenBy(organization, after)
		return err
	})
	if err != nil {
		return Space{}, err
	}
	return after, nil
}

// seenBy fills in what a member of the organization may do with a space.
func seenBy(organization access.Organization, space Space) Space {
	space.Role = access.Resolve(organization.Role, access.Place{Default: space.DefaultLevel})
	space.Permissions = access.PermissionsInSpace(space.Role)
	return space
}

func seenByAll(organization access.Organization, spaces []Space) []Space {
	for i := range spaces {
		spaces[i] = seenBy(organization, spaces[i])
	}
	return spaces
}

func noSpace() error {
	return errs.NotFoundf("There is no such space, or you may not see it.")
}
