package space

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Create makes a space with an empty first revision behind everything else in the organization. It needs the role
// create in the collection that the space goes into, or in the organization when it goes to the top.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in NewSpace) (Space, error) {
	var made Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, err = s.CreateIn(ctx, q, caller, organizationID, in)
		return err
	})
	if err != nil {
		return Space{}, parentGone(err)
	}
	return made, nil
}

// CreateIn is Create in the caller's transaction.
func (s *Service) CreateIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	in NewSpace) (Space, error) {
	organization, err := requireRoom(ctx, q, caller, organizationID, in.Parent)
	if err != nil {
		return Space{}, err
	}
	if in, err = in.check(); err != nil {
		return Space{}, err
	}
	now := s.clock()
	made := Space{
		ID: id.Space(id.New("space")), Organization: organizationID, Parent: in.Parent, Title: in.Title,
		Emoji:    in.Emoji,
		Icon:     in.Icon,
		EditMode: in.EditMode, Language: in.Language, DefaultLevel: access.Inherit, CreatedBy: caller.User.ID,
		CreatedAt: now, UpdatedAt: now,
	}
	if made.position, err = endOf(ctx, q, organizationID); err != nil {
		return Space{}, err
	}
	if err := insertSpace(ctx, q, made); err != nil {
		return Space{}, err
	}
	if err := s.hooks.Get().InitContent(ctx, q, made.ID, caller.User.ID, now.UnixMicro()); err != nil {
		return Space{}, fmt.Errorf("start content of space: %w", err)
	}
	if err := s.hooks.Get().Came(ctx, q, made.ID); err != nil {
		return Space{}, err
	}
	return reload(ctx, q, organization, made.ID)
}

// requireRoom returns the caller's place in an organization when they may put things into a collection of it, or at its
// top when parent is empty.
func requireRoom(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	parent id.Collection) (access.Organization, error) {
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return access.Organization{}, err
	}
	if parent == "" {
		return organization, organization.Require(access.CreateContent)
	}
	collection, err := access.LoadCollection(ctx, q, caller, parent)
	if err == nil && collection.Organization != organizationID {
		err = noCollection()
	}
	if err != nil {
		return access.Organization{}, err
	}
	return organization, collection.Require(access.CreateInCollection)
}

// parentGone turns the loss of a race against the deletion of the collection that something should go into into what it
// means.
func parentGone(err error) error {
	if db.IsForeignKey(err) {
		return noCollection()
	}
	return err
}

// Get returns a space; errs.NotFound when the caller may not see it. A space in the trash is seen by admins only.
func (s *Service) Get(ctx context.Context, caller account.Caller, spaceID id.Space) (Space, error) {
	return s.load(ctx, s.db.Read(), caller, spaceID)
}

func (s *Service) load(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space) (Space, error) {
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

// managed reads a space that the caller may manage.
func managed(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space) (Space, error) {
	allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.ManageSpace)
	if err != nil {
		return Space{}, err
	}
	return get(ctx, q, allowed)
}

// List returns a page of an organization's spaces that the caller may read, in the order of the organization and
// without the trash, with the number of all of them and the keys of the next page (nil on the last).
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (spaces paging.Page[Space], err error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, organizationID)
	if err != nil {
		return paging.Page[Space]{}, err
	}
	return s.list(ctx, organization, "", page)
}

func (s *Service) list(ctx context.Context, organization access.Organization, parent id.Collection,
	page paging.Request) (spaces paging.Page[Space], err error) {
	q := s.db.Read()
	if spaces.Items, spaces.Count, err = listSpaces(ctx, q, organization, string(parent), page); err != nil {
		return paging.Page[Space]{}, err
	}
	spaces.Cut(page.Size(), func(s Space) []string { return []string{s.position, string(s.ID)} })
	spaces.Items, err = seen(ctx, q, organization, spaces.Items)
	return spaces, err
}

// Readable returns all spaces of an organization that the caller may read, in the order of the organization and without
// the trash: what a search over the organization goes through. Role and Permissions are left out.
func (s *Service) Readable(ctx context.Context, caller account.Caller,
	organizationID id.Organization) ([]Space, error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, organizationID)
	if err != nil {
		return nil, err
	}
	return readableSpaces(ctx, s.db.Read(), organization)
}

// Load returns those of the spaces with the given ids that belong to the organization, are not in the trash and may be
// read by the caller whom organization was loaded for. It runs in the caller's transaction, or outside one.
func (s *Service) Load(ctx context.Context, q db.Querier, organization access.Organization,
	spaceIDs []id.Space) (map[id.Space]Space, error) {
	spaces, err := spacesByID(ctx, q, organization, spaceIDs)
	if err != nil {
		return nil, err
	}
	if spaces, err = seen(ctx, q, organization, spaces); err != nil {
		return nil, err
	}
	found := make(map[id.Space]Space, len(spaces))
	for _, space := range spaces {
		found[space.ID] = space
	}
	return found, nil
}

// Update changes a space and returns it as it is then. It needs the role create in the space; another default level
// needs the right to administer it.
func (s *Service) Update(ctx context.Context, caller account.Caller, spaceID id.Space, change Change) (Space, error) {
	var after Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		var changed bool
		if after, changed, err = change.apply(before); err != nil || !changed {
			return err
		}
		if after.DefaultLevel != before.DefaultLevel {
			if _, err := access.RequireSpace(ctx, q, caller, spaceID, access.AdministerSpace); err != nil {
				return err
			}
		}
		after.UpdatedAt = s.clock()
		if err := s.changed(ctx, q, spaceID); err != nil {
			return err
		}
		affected, err := share(ctx, q, caller, access.SpaceObject(spaceID), levelChange{
			organization: after.Organization, own: before.Role, before: before.DefaultLevel, after: after.DefaultLevel,
			write: func() error { return updateSpace(ctx, q, after) },
		})
		if err != nil {
			return err
		}
		organization, err := access.LoadOrganization(ctx, q, caller, after.Organization)
		if err != nil {
			return err
		}
		after, err = reload(ctx, q, organization, spaceID)
		after.Affected = affected
		return err
	})
	if err != nil {
		return Space{}, err
	}
	return after, nil
}

// levelChange is a change of something that may change its default level, too.
type levelChange struct {
	organization  id.Organization
	own           access.Role // the caller's before it
	before, after access.Level
	write         func() error
}

// share writes a change, and checks and records that of a default level. It refuses one that gives away more than the
// caller has, or raises the caller's own role. It returns who has less than before; nil when nobody has.
func share(ctx context.Context, q db.Querier, caller account.Caller, object access.Object,
	change levelChange) (*access.Affected, error) {
	if change.after == change.before {
		return nil, change.write()
	}
	if change.after != access.Inherit {
		if err := access.MayGive(change.own, access.Role(change.after)); err != nil {
			return nil, err
		}
	}
	had, err := access.RolesOfEverybody(ctx, q, object)
	if err != nil {
		return nil, err
	}
	if err := change.write(); err != nil {
		return nil, err
	}
	if err := access.NoHigher(ctx, q, caller, object, change.own); err != nil {
		return nil, err
	}
	have, err := access.RolesOfEverybody(ctx, q, object)
	if err != nil {
		return nil, err
	}
	if err := access.RecordLevel(ctx, q, caller, change.organization, object, change.before, change.after); err != nil {
		return nil, err
	}
	losses := access.Losses(had, have)
	if len(losses) == 0 {
		return nil, nil
	}
	return &access.Affected{Losses: losses}, nil
}

// reload reads a space as a transaction left it. The caller may see nothing of it any more: then the role is a guest's.
func reload(ctx context.Context, q db.Querier, organization access.Organization, spaceID id.Space) (Space, error) {
	space, err := spaceByID(ctx, q, spaceID)
	if err != nil {
		return Space{}, err
	}
	roles, err := access.RolesInSpaces(ctx, q, organization, []id.Space{spaceID})
	if err != nil {
		return Space{}, err
	}
	return space.seenAs(roles[spaceID], organization.User), nil
}

// seen fills in what the caller may do with spaces, and leaves out what was closed to them since it was listed.
func seen(ctx context.Context, q db.Querier, organization access.Organization, spaces []Space) ([]Space, error) {
	ids := make([]id.Space, len(spaces))
	for i, space := range spaces {
		ids[i] = space.ID
	}
	roles, err := access.RolesInSpaces(ctx, q, organization, ids)
	if err != nil {
		return nil, err
	}
	visible := spaces[:0]
	for _, space := range spaces {
		if space = space.seenAs(roles[space.ID], organization.User); space.Permissions.View {
			visible = append(visible, space)
		}
	}
	return visible, nil
}

// seenAs fills in what somebody with a role may do with the space.
func (s Space) seenAs(role access.Role, userID id.User) Space {
	s.Role, s.Permissions = role, access.PermissionsInSpace(role, userID != "" && s.CreatedBy == userID)
	return s
}

func noSpace() error {
	return errs.NotFoundf("There is no such space, or you may not see it.")
}
