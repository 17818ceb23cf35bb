package space

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Target is where something is transferred.
type Target struct {
	// Organization is an id.
	Organization id.Organization
	// Parent is the id of a collection there; "" is the top.
	Parent id.Collection
}

// Transfer moves a space to another organization, or to another collection of its own, behind everything there, and
// returns it. Its content and history go with it; what was granted to people and teams of another organization does
// not. It needs the role create where it goes; to leave the organization the right to administer the space and the role
// create in the organization besides, and within it what Move needs. It is an errs.Conflict when the space is there
// already, and an errs.Precondition when it leaves while a site shows it.
func (s *Service) Transfer(ctx context.Context, caller account.Caller, spaceID id.Space, to Target) (Space, error) {
	var moved Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		from := Target{before.Organization, before.Parent}
		leaves := func() ([]thing, error) {
			_, err := access.RequireSpace(ctx, q, caller, spaceID, access.AdministerSpace)
			return []thing{{string(spaceID), true}}, err
		}
		organization, err := s.transfer(ctx, q, caller, thing{string(spaceID), true}, from, to, leaves)
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

// TransferCollection is Transfer for a collection with all that it holds. To leave the organization, all that has to be
// the caller's to administer.
func (s *Service) TransferCollection(ctx context.Context, caller account.Caller, collectionID id.Collection,
	to Target) (Collection, error) {
	var moved Collection
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managedCollection(ctx, q, caller, collectionID)
		if err != nil {
			return err
		}
		from := Target{before.Organization, before.Parent}
		leaves := func() ([]thing, error) {
			things, err := everythingIn(ctx, q, collectionID)
			if err != nil {
				return nil, err
			}
			return things, requireAll(ctx, q, caller, before.Organization, things)
		}
		organization, err := s.transfer(ctx, q, caller, thing{string(collectionID), false}, from, to, leaves)
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

// transfer moves what the caller may manage, and returns the caller's place where it is then. leaves returns all that
// goes with it to another organization, if the caller may take it there.
func (s *Service) transfer(ctx context.Context, q db.Querier, caller account.Caller, t thing, from, to Target,
	leaves func() ([]thing, error)) (access.Organization, error) {
	if from.Organization == to.Organization && (to.Parent == "" || to.Parent == from.Parent) {
		return access.Organization{}, alreadyThere(t.table())
	}
	organization, err := requireRoom(ctx, q, caller, to.Organization, to.Parent)
	if err != nil {
		return access.Organization{}, err
	}
	if from.Organization == to.Organization {
		_, err := s.move(ctx, q, caller, t, from.Organization, from.Parent, Destination{Parent: optional.Of(to.Parent)})
		return organization, err
	}
	if err := requireBoth(ctx, q, caller, from.Organization, to.Organization); err != nil {
		return access.Organization{}, err
	}
	things, err := leaves()
	if err != nil {
		return access.Organization{}, err
	}
	if !t.isSpace {
		if err := nests(ctx, q, id.Collection(t.id), to.Parent); err != nil {
			return access.Organization{}, err
		}
	}
	// Nothing is in a collection of another organization at any moment.
	if err := setParent(ctx, q, t, "", ""); err != nil {
		return access.Organization{}, err
	}
	if err := s.leave(ctx, q, things, to.Organization); err != nil {
		return access.Organization{}, err
	}
	if to.Parent != "" {
		position, err := endOf(ctx, q, to.Organization)
		if err == nil {
			err = setParent(ctx, q, t, to.Parent, position)
		}
		if err != nil {
			return access.Organization{}, err
		}
	}
	if err := touch(ctx, q, t, s.clock()); err != nil {
		return access.Organization{}, err
	}
	return organization, recordTransfer(ctx, q, caller, t, from.Organization, to.Organization)
}

// recordTransfer tells the audit logs of both organizations.
func recordTransfer(ctx context.Context, q db.Querier, caller account.Caller, t thing, from, to id.Organization) error {
	for _, organizationID := range []id.Organization{from, to} {
		if err := access.Record(ctx, q, caller, organizationID, t.object(), ".transfer",
			map[string]any{"from": from, "to": to}); err != nil {
			return err
		}
	}
	return nil
}

// requireBoth lets those through who may create in both organizations.
func requireBoth(ctx context.Context, q db.Querier, caller account.Caller, from, to id.Organization) error {
	for _, organizationID := range []id.Organization{from, to} {
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent); err != nil {
			return err
		}
	}
	return nil
}

// requireAll lets those through who may administer all things: what leaves the organization is lost to it.
func requireAll(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	things []thing) error {
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return err
	}
	spaces, collections := split(things)
	inSpaces, err := access.RolesInSpaces(ctx, q, organization, spaces)
	if err != nil {
		return err
	}
	inCollections, err := access.RolesInCollections(ctx, q, organization, collections)
	if err != nil {
		return err
	}
	for _, t := range things {
		made, err := madeBy(ctx, q, t)
		if err != nil {
			return err
		}
		own, may := made != "" && made == caller.User.ID, false
		if t.isSpace {
			may = access.PermissionsInSpace(inSpaces[id.Space(t.id)], own).Admin
		} else {
			may = access.PermissionsInCollection(inCollections[id.Collection(t.id)], own).Admin
		}
		if !may {
			return errs.Forbiddenf(
				"The collection holds something that is not yours to administer; an admin can transfer it.")
		}
	}
	return nil
}

// split returns the ids of the spaces and of the collections among things.
func split(things []thing) (spaces []id.Space, collections []id.Collection) {
	for _, t := range things {
		if t.isSpace {
			spaces = append(spaces, id.Space(t.id))
		} else {
			collections = append(collections, id.Collection(t.id))
		}
	}
	return spaces, collections
}

// leave moves things to another organization, behind everything there and in the same order among themselves, without
// what holds them to the old one.
func (s *Service) leave(ctx context.Context, q db.Querier, things []thing, organizationID id.Organization) error {
	spaces, _ := split(things)
	if len(spaces) > 0 {
		shown, err := s.hooks.Get().OnSite(ctx, q, spaces)
		if err != nil {
			return fmt.Errorf("look for sites: %w", err)
		}
		if shown != "" {
			return errs.New(errs.Precondition,
				"A site of the organization shows the space %s; take it off the site first.", shown)
		}
	}
	for _, spaceID := range spaces {
		if err := s.hooks.Get().Leaves(ctx, q, spaceID); err != nil {
			return err
		}
	}
	last, err := endOf(ctx, q, organizationID)
	if err != nil {
		return err
	}
	for i, position := range entity.Spread(last, "", len(things)) {
		if err := access.DropGrants(ctx, q, things[i].object()); err != nil {
			return err
		}
		if err := setOrganization(ctx, q, things[i], organizationID, position); err != nil {
			return err
		}
	}
	for _, spaceID := range spaces {
		if err := s.hooks.Get().Transferred(ctx, q, spaceID, organizationID); err != nil {
			return fmt.Errorf("move what belongs to space %s: %w", spaceID, err)
		}
		if err := s.hooks.Get().Came(ctx, q, spaceID); err != nil {
			return err
		}
	}
	return nil
}

func alreadyThere(what string) error {
	return errs.Conflictf("The %s is there already; nothing would change.", what)
}
