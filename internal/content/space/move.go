package space

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Destination is where something moves within its organization.
type Destination struct {
	// Parent is the id of a collection; null is the top, absent the place where it is.
	Parent optional.Value[id.Collection]
	// Position is where among its neighbours. Without one, it goes behind all of them when the parent is another one.
	Position Position
}

// Move moves a space into a collection, to the top, or to another place among its neighbours, and returns it. It needs
// the role create in the space and where it goes, and may not raise the caller's own role in it.
func (s *Service) Move(ctx context.Context, caller account.Caller, spaceID id.Space, to Destination) (Space, error) {
	var moved Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		organization,
			err := s.move(ctx, q, caller, thing{string(spaceID), true}, before.Organization, before.Parent, to)
		if err != nil {
			return err
		}
		moved, err = reload(ctx, q, organization, spaceID)
		return err
	})
	if err != nil {
		return Space{}, parentGone(err)
	}
	return moved, nil
}

// MoveCollection is Move for a collection. It is an errs.Conflict when the collection would come to be inside itself,
// or collections would nest too deep.
func (s *Service) MoveCollection(ctx context.Context, caller account.Caller, collectionID id.Collection,
	to Destination) (Collection, error) {
	var moved Collection
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managedCollection(ctx, q, caller, collectionID)
		if err != nil {
			return err
		}
		organization,
			err := s.move(ctx, q, caller, thing{string(collectionID), false}, before.Organization, before.Parent, to)
		if err != nil {
			return err
		}
		moved, err = reloadCollection(ctx, q, organization, collectionID)
		return err
	})
	if err != nil {
		return Collection{}, parentGone(err)
	}
	return moved, nil
}

// move changes the parent and position of what the caller may manage, and returns the caller's place in its
// organization.
func (s *Service) move(ctx context.Context, q db.Querier, caller account.Caller, t thing,
	organizationID id.Organization, from id.Collection, to Destination) (access.Organization, error) {
	parent := from
	if to.Parent.IsSet() {
		if parent = to.Parent.Or(""); parent == "" && !to.Parent.IsNull() {
			return access.Organization{},
				errs.Invalidf("parent", "may not be empty; the id of a collection, or null for the top, is accepted")
		}
	}
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return access.Organization{}, err
	}
	own, err := access.RoleOf(ctx, q, caller, t.object())
	if err != nil {
		return access.Organization{}, err
	}
	if parent != from {
		if _, err := requireRoom(ctx, q, caller, organizationID, parent); err != nil {
			return access.Organization{}, err
		}
		if !t.isSpace {
			if err := nests(ctx, q, id.Collection(t.id), parent); err != nil {
				return access.Organization{}, err
			}
		}
	}
	if parent == from && !to.Position.isSet() {
		return organization, nil
	}
	position, err := placed(ctx, q, caller, organizationID, parent, t.id, to.Position)
	if err != nil {
		return access.Organization{}, err
	}
	if err := setParent(ctx, q, t, parent, position); err != nil {
		return access.Organization{}, err
	}
	if parent != from {
		// Another collection gives other people access; nobody gives themselves more by a move.
		if err := access.NoHigher(ctx, q, caller, t.object(), own); err != nil {
			return access.Organization{}, err
		}
		if err := access.Record(ctx, q, caller, organizationID, t.object(), ".move",
			map[string]any{"from": from, "to": parent}); err != nil {
			return access.Organization{}, err
		}
		if before, after := visibilityIn(from), visibilityIn(parent); t.isSpace && before != after {
			if err := s.hooks.Get().Seen(ctx, q, id.Space(t.id), before, after); err != nil {
				return access.Organization{}, err
			}
		}
	}
	return organization, touch(ctx, q, t, s.clock())
}

// visibilityIn is the visibility of a space with a parent.
func visibilityIn(parent id.Collection) Visibility {
	if parent == "" {
		return VisibilityPrivate
	}
	return VisibilityInCollection
}

// VisibilityAlone returns the visibility of a space as it is while no published site shows it. It checks no access and
// runs in the caller's transaction.
func VisibilityAlone(ctx context.Context, q db.Querier, spaceID id.Space) (Visibility, error) {
	var parent sql.Null[id.Collection]
	err := q.QueryRowContext(ctx, `SELECT parent_id FROM space WHERE id = $1`, spaceID).Scan(&parent)
	if err != nil {
		return "", fmt.Errorf("read where a space stands: %w", err)
	}
	return visibilityIn(parent.V), nil
}

// nests refuses a parent that is the collection itself or inside it, and one that is too deep.
func nests(ctx context.Context, q db.Querier, collectionID, parent id.Collection) error {
	if parent == "" {
		return nil
	}
	above, err := collectionsAbove(ctx, q, parent)
	if err != nil {
		return err
	}
	if slices.Contains(above, collectionID) {
		return errs.Conflictf("A collection cannot be inside itself; choose another parent.")
	}
	height, err := heightOf(ctx, q, collectionID)
	if err != nil {
		return err
	}
	return fits(ctx, q, parent, height)
}
