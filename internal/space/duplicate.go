package space

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/id"
)

// Duplicate makes a copy of a space right behind it and returns the copy: the same current content with a history of its
// own, the same settings, and open to the same people. It costs the same for a space of any size. It needs the role create
// in the space and where it is.
func (s *Service) Duplicate(ctx context.Context, caller account.Caller, spaceID string) (Space, error) {
	var made Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.ManageSpace)
		if err != nil {
			return err
		}
		original, err := get(ctx, q, allowed)
		if err != nil {
			return err
		}
		organization, err := requireRoom(ctx, q, caller, original.Organization, original.Parent)
		if err != nil {
			return err
		}
		made = original
		made.ID, made.Title = id.New("space"), copyTitle(original.Title)
		made.CreatedBy, made.CreatedAt, made.UpdatedAt = caller.User.ID, s.clock(), s.clock()
		behind := Position{After: &Pointer{Space: spaceID}}
		if made.position, err = placed(ctx, q, caller, made.Organization, made.Parent, made.ID, behind); err != nil {
			return err
		}
		if err := insertSpace(ctx, q, made); err != nil {
			return err
		}
		if err := access.CopyGrants(ctx, q, access.SpaceObject(spaceID), access.SpaceObject(made.ID), made.CreatedAt); err != nil {
			return err
		}
		if err := s.deps.CopyContent(ctx, q, allowed.Head, made.ID, caller.User.ID, made.CreatedAt.UnixMicro()); err != nil {
			return fmt.Errorf("copy content of space: %w", err)
		}
		made, err = reload(ctx, q, organization, made.ID)
		return err
	})
	if err != nil {
		return Space{}, parentGone(err)
	}
	return made, nil
}

// copyTitle is the title of a copy, cut to the length that titles may have.
func copyTitle(title string) string {
	runes := []rune("Copy of " + title)
	return strings.TrimSpace(string(runes[:min(len(runes), maxTitle)]))
}
