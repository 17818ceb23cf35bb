package space

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/org"
)

// Target is where something is transferred.
type Target struct {
	// Organization is an id.
	Organization string
	// Parent is the id of a collection there; "" is the top. Only spaces have one.
	Parent string
}

// Transfer moves a space to another organization, behind everything there, and returns it. Its content and history go with
// it; what was granted to people and teams of the old organization does not. It needs the role create in both organizations
// and in the space. It is an errs.Conflict when the space is there already, and an errs.Precondition while a site shows it.
func (s *Service) Transfer(ctx context.Context, caller account.Caller, spaceID string, to Target) (Space, error) {
	var moved Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := managed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		if err := requireBoth(ctx, q, caller, before.Organization, to.Organization); err != nil {
			return err
		}
		organization, err := requireRoom(ctx, q, caller, to.Organization, to.Parent)
		if err != nil {
			return err
		}
		if before.Organization == to.Organization && (to.Parent == "" || to.Parent == before.Parent) {
			return alreadyThere("space")
		}
		if before.Organization != to.Organization {
			if err := s.leave(ctx, q, []thing{{spaceID, true}}, to.Organization); err != nil {
				return err
			}
		}
		position, err := endOf(ctx, q, to.Organization)
		if err != nil {
			return err
		}
		if err := setParent(ctx, q, thing{spaceID, true}, to.Parent, position); err != nil {
			return err
		}
		if err := touch(ctx, q, thing{spaceID, true}, s.clock()); err != nil {
			return err
		}
		if err := recordTransfer(ctx, q, caller, thing{spaceID, true}, before.Organization, to.Organization); err != nil {
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

// TransferCollection is Transfer for a collection with all that it holds, which the caller has to have the role create in
// as well; it goes to the top of the other organization.
func (s *Service) TransferCollection(ctx context.Context, caller account.Caller, collectionID, toOrganization string) (Collection, error) {
	var moved Collection
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.RequireCollection(ctx, q, caller, collectionID, access.ManageCollection)
		if err != nil {
			return err
		}
		if err := requireBoth(ctx, q, caller, allowed.Organization, toOrganization); err != nil {
			return err
		}
		if allowed.Organization == toOrganization {
			return alreadyThere("collection")
		}
		things, err := everythingIn(ctx, q, collectionID)
		if err != nil {
			return err
		}
		if err := requireAll(ctx, q, caller, allowed.Organization, things); err != nil {
			return err
		}
		if err := setParent(ctx, q, thing{collectionID, false}, "", ""); err != nil {
			return err
		}
		if err := s.leave(ctx, q, things, toOrganization); err != nil {
			return err
		}
		if err := touch(ctx, q, thing{collectionID, false}, s.clock()); err != nil {
			return err
		}
		if err := recordTransfer(ctx, q, caller, thing{collectionID, false}, allowed.Organization, toOrganization); err != nil {
			return err
		}
		organization, err := access.LoadOrganization(ctx, q, caller, toOrganization)
		if err != nil {
			return err
		}
		moved, err = reloadCollection(ctx, q, organization, collectionID)
		return err
	})
	if err != nil {
		return Collection{}, err
	}
	return moved, nil
}

// recordTransfer tells the audit logs of both organizations; within one it is a move.
func recordTransfer(ctx context.Context, q db.Querier, caller account.Caller, t thing, from, to string) error {
	action, logs := ".transfer", []string{from, to}
	if from == to {
		action, logs = ".move", logs[:1]
	}
	for _, organizationID := range logs {
		if err := access.Record(ctx, q, caller, organizationID, t.object(), action, map[string]any{"from": from, "to": to}); err != nil {
			return err
		}
	}
	return nil
}

// requireBoth lets those through who may create in both organizations.
func requireBoth(ctx context.Context, q db.Querier, caller account.Caller, from, to string) error {
	for _, organizationID := range []string{from, to} {
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent); err != nil {
			return err
		}
	}
	return nil
}

// requireAll lets those through who have the role create in all things.
func requireAll(ctx context.Context, q db.Querier, caller account.Caller, organizationID string, things []thing) error {
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
	for _, roles := range []map[string]access.Role{inSpaces, inCollections} {
		for _, role := range roles {
			if !role.AtLeast(org.RoleCreate) {
				return errs.Forbiddenf("The collection holds something in which your role is lower than %s; an admin can transfer it.", org.RoleCreate)
			}
		}
	}
	return nil
}

// split returns the ids of the spaces and of the collections among things.
func split(things []thing) (spaces, collections []string) {
	for _, t := range things {
		if t.isSpace {
			spaces = append(spaces, t.id)
		} else {
			collections = append(collections, t.id)
		}
	}
	return spaces, collections
}

// leave moves things to another organization, behind everything there and in the same order among themselves, without what
// holds them to the old one.
func (s *Service) leave(ctx context.Context, q db.Querier, things []thing, organizationID string) error {
	spaces, _ := split(things)
	if s.deps.OnSite != nil && len(spaces) > 0 {
		shown, err := s.deps.OnSite(ctx, q, spaces)
		if err != nil {
			return fmt.Errorf("look for sites: %w", err)
		}
		if shown != "" {
			return errs.New(errs.Precondition, "A site of the organization shows the space %s; take it off the site first.", shown)
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
	if s.deps.Transferred == nil {
		return nil
	}
	for _, spaceID := range spaces {
		if err := s.deps.Transferred(ctx, q, spaceID, organizationID); err != nil {
			return fmt.Errorf("move what belongs to space %s: %w", spaceID, err)
		}
	}
	return nil
}

func alreadyThere(what string) error {
	return errs.Conflictf("The %s is there already; nothing would change.", what)
}
