package space

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Duplicate makes a copy of a space right behind it and returns the copy: the same current content with a history of
// its own, the same settings, and open to the same people. It costs the same for a space of any size. It needs the role
// create in the space and where it is.
func (s *Service) Duplicate(ctx context.Context, caller account.Caller, spaceID id.Space) (Space, error) {
	var made Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, _, err = s.DuplicateIn(ctx, q, caller, spaceID, Copy{})
		return err
	})
	if err != nil {
		return Space{}, err
	}
	return made, nil
}

// Copy says what is different about a copy.
type Copy struct {
	// Suffix comes behind the title, which is shortened for it; "" makes it "Copy of …".
	Suffix string
	// Language is "" for that of the original.
	Language string
}

// DuplicateIn is Duplicate in the caller's transaction, with differences. It also returns the revision that was copied.
func (s *Service) DuplicateIn(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space,
	differs Copy) (made Space, revision id.Revision, err error) {
	allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.ManageSpace)
	if err != nil {
		return Space{}, "", err
	}
	original, err := get(ctx, q, allowed)
	if err != nil {
		return Space{}, "", err
	}
	organization, err := requireRoom(ctx, q, caller, original.Organization, original.Parent)
	if err != nil {
		return Space{}, "", parentGone(err)
	}
	made = original
	made.ID, made.Title = id.Space(id.New("space")), copyTitle(original.Title)
	if differs.Suffix != "" {
		made.Title = suffixed(original.Title, differs.Suffix)
	}
	if differs.Language != "" {
		if err := checkLanguage("language", differs.Language); err != nil {
			return Space{}, "", err
		}
		made.Language = differs.Language
	}
	made.CreatedBy, made.CreatedAt, made.UpdatedAt = caller.User.ID, s.clock(), s.clock()
	behind := Position{After: &Pointer{Space: spaceID}}
	if made.position,
		err = placed(ctx, q, caller, made.Organization, made.Parent, string(made.ID), behind); err != nil {
		return Space{}, "", parentGone(err)
	}
	if err := insertSpace(ctx, q, made); err != nil {
		return Space{}, "", parentGone(err)
	}
	if err := access.CopyGrants(ctx, q, access.SpaceObject(spaceID), access.SpaceObject(made.ID),
		made.CreatedAt); err != nil {
		return Space{}, "", err
	}
	if err := s.hooks.Get().CopyContent(ctx, q, allowed.Head, made.ID, caller.User.ID,
		made.CreatedAt.UnixMicro()); err != nil {
		return Space{}, "", fmt.Errorf("copy content of space: %w", err)
	}
	if err := s.hooks.Get().Came(ctx, q, made.ID); err != nil {
		return Space{}, "", err
	}
	made, err = reload(ctx, q, organization, made.ID)
	return made, allowed.Head, err
}

// copyTitle is the title of a copy, cut to the length that titles may have.
func copyTitle(title string) string {
	runes := []rune("Copy of " + title)
	return strings.TrimSpace(string(runes[:min(len(runes), maxTitle)]))
}

// suffixed is a title with a suffix that stays whole.
func suffixed(title, suffix string) string {
	runes := []rune(title)
	if room := maxTitle - len([]rune(suffix)); len(runes) > room {
		runes = append(runes[:max(room-1, 0)], '…')
	}
	return string(runes) + suffix
}
