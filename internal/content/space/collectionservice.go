package space

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// CreateCollection makes an empty collection behind everything else in the organization. It needs the role create in
// the collection that the new one goes into, or in the organization when it goes to the top. It is an errs.Conflict
// where collections would nest too deep.
func (s *Service) CreateCollection(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in NewCollection) (Collection, error) {
	var made Collection
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, err := requireRoom(ctx, q, caller, organizationID, in.Parent)
		if err != nil {
			return err
		}
		checked, err := in.check()
		if err != nil {
			return err
		}
		if err := fits(ctx, q, checked.Parent, 1); err != nil {
			return err
		}
		now := s.clock()
		made = Collection{
			ID: id.Collection(id.New("collection")), Organization: organizationID, Parent: checked.Parent,
			Title:        checked.Title,
			Description:  checked.Description,
			DefaultLevel: access.Inherit, CreatedBy: caller.User.ID, CreatedAt: now, UpdatedAt: now,
		}
		if made.position, err = endOf(ctx, q, organizationID); err != nil {
			return err
		}
		if err := insertCollection(ctx, q, made); err != nil {
			return err
		}
		made, err = reloadCollection(ctx, q, organization, made.ID)
		return err
	})
	if err != nil {
		return Collection{}, parentGone(err)
	}
	return made, nil
}

// fits refuses a tree of collections of a height below a parent when the whole would be too deep.
func fits(ctx context.Context, q db.Querier, parent id.Collection, height int) error {
	if parent == "" {
		return nil
	}
	above, err := collectionsAbove(ctx, q, parent)
	if err != nil {
		return err
	}
	if len(above)+height > access.MaxDepth {
		return errs.Conflictf("Collections nest up to %d deep; choose a collection further up.", access.MaxDepth)
	}
	return nil
}

// Collection returns a collection; errs.NotFound when the caller may not see it.
func (s *Service) Collection(ctx context.Context, caller account.Caller,
	collectionID id.Collection) (Collection, error) {
	q := s.db.Read()
	allowed, err := access.LoadCollection(ctx, q, caller, collectionID)
	if err != nil {
		return Collection{}, err
	}
	return getCollection(ctx, q, allowed)
}

// getCollection reads a collection that the caller may see.
func getCollection(ctx context.Context, q db.Querier, allowed access.Collection) (Collection, error) {
	collection, err := collectionByID(ctx, q, allowed.ID)
	if errors.Is(err, db.ErrNoRows) {
		return Collection{}, noCollection()
	}
	if err != nil {
		return Collection{}, err
	}
	collection.Role, collection.Permissions = allowed.Role, allowed.Permissions
	return collection, nil
}

// managedCollection reads a collection that the caller may manage.
func managedCollection(ctx context.Context, q db.Querier, caller account.Caller,
	collectionID id.Collection) (Collection, error) {
	allowed, err := access.RequireCollection(ctx, q, caller, collectionID, access.ManageCollection)
	if err != nil {
		return Collection{}, err
	}
	return getCollection(ctx, q, allowed)
}

// Collections returns a page of an organization's collections that the caller may see, in the order of the
// organization, with the number of all of them and the keys of the next page (nil on the last). Unless nested, it is
// those at the top.
func (s *Service) Collections(ctx context.Context, caller account.Caller, organizationID id.Organization, nested bool,
	page paging.Request) (collections paging.Page[Collection], err error) {
	q := s.db.Read()
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return paging.Page[Collection]{}, err
	}
	if collections.Items, collections.Count, err = listCollections(ctx, q, organization, nested, page); err != nil {
		return paging.Page[Collection]{}, err
	}
	collections.Cut(page.Size(), func(c Collection) []string {
		return []string{c.position, string(c.ID)}
	})
	ids := make([]id.Collection, len(collections.Items))
	for i, collection := range collections.Items {
		ids[i] = collection.ID
	}
	roles, err := access.RolesInCollections(ctx, q, organization, ids)
	if err != nil {
		return paging.Page[Collection]{}, err
	}
	visible := collections.Items[:0]
	for _, collection := range collections.Items {
		if collection = collection.seenAs(roles[collection.ID], organization.User); collection.Permissions.View {
			visible = append(visible, collection)
		}
	}
	collections.Items = visible
	return collections, nil
}

// SpacesIn is List for the spaces in a collection, without those in the collections below it.
func (s *Service) SpacesIn(ctx context.Context, caller account.Caller, collectionID id.Collection,
	page paging.Request) (spaces paging.Page[Space], err error) {
	q := s.db.Read()
	allowed, err := access.LoadCollection(ctx, q, caller, collectionID)
	if err != nil {
		return paging.Page[Space]{}, err
	}
	organization, err := access.LoadOrganization(ctx, q, caller, allowed.Organization)
	if err != nil {
		return paging.Page[Space]{}, err
	}
	return s.list(ctx, organization, collectionID, page)
}

// UpdateCollection changes a collection and returns it as it is then. It needs the role create in it; another default
// level needs the right to administer it.
func (s *Service) UpdateCollection(ctx context.Context, caller account.Caller, collectionID id.Collection,
	change CollectionChange) (Collection, error) {
	var after Collection
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managedCollection(ctx, q, caller, collectionID)
		if err != nil {
			return err
		}
		var changed bool
		if after, changed, err = change.apply(before); err != nil || !changed {
			return err
		}
		if after.DefaultLevel != before.DefaultLevel {
			if _, err := access.RequireCollection(ctx, q, caller, collectionID,
				access.AdministerCollection); err != nil {
				return err
			}
		}
		after.UpdatedAt = s.clock()
		affected, err := share(ctx, q, caller, access.CollectionObject(collectionID), levelChange{
			organization: after.Organization, own: before.Role, before: before.DefaultLevel, after: after.DefaultLevel,
			write: func() error { return updateCollection(ctx, q, after) },
		})
		if err != nil {
			return err
		}
		organization, err := access.LoadOrganization(ctx, q, caller, after.Organization)
		if err != nil {
			return err
		}
		after, err = reloadCollection(ctx, q, organization, collectionID)
		after.Affected = affected
		return err
	})
	if err != nil {
		return Collection{}, err
	}
	return after, nil
}

// DeleteCollection removes a collection and what was granted on it. What it holds, the spaces in the trash included,
// takes its place one level up, in the same order. It needs the right to administer it.
func (s *Service) DeleteCollection(ctx context.Context, caller account.Caller, collectionID id.Collection) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.RequireCollection(ctx, q, caller, collectionID, access.AdministerCollection)
		if err != nil {
			return err
		}
		gone, err := getCollection(ctx, q, allowed)
		if err != nil {
			return err
		}
		children, err := childrenOf(ctx, q, collectionID)
		if err != nil {
			return err
		}
		next, err := neighbour(ctx, q, `MIN`, `position > $2`, gone.Organization, gone.position, string(collectionID))
		if err != nil {
			return err
		}
		tooLong := false
		for i, position := range entity.Spread(gone.position, next, len(children)) {
			if err := setParent(ctx, q, children[i], gone.Parent, position); err != nil {
				return err
			}
			tooLong = tooLong || len(position) > maxPosition
		}
		if err := deleteCollection(ctx, q, collectionID); err != nil {
			return err
		}
		if tooLong {
			return renumber(ctx, q, gone.Organization)
		}
		return nil
	})
}

// reloadCollection is reload for a collection.
func reloadCollection(ctx context.Context, q db.Querier, organization access.Organization,
	collectionID id.Collection) (Collection, error) {
	collection, err := collectionByID(ctx, q, collectionID)
	if err != nil {
		return Collection{}, err
	}
	roles, err := access.RolesInCollections(ctx, q, organization, []id.Collection{collectionID})
	if err != nil {
		return Collection{}, err
	}
	return collection.seenAs(roles[collectionID], organization.User), nil
}
