package space

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// purgeBatch is how many spaces Purge looks up at a time.
const purgeBatch = 100

// Delete moves a space to the trash, from where it can be restored for seven days. It needs the right to administer
// the space. For an admin, who still sees the space, deleting it again changes nothing.
func (s *Service) Delete(ctx context.Context, caller account.Caller, spaceID id.Space) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.LoadSpace(ctx, q, caller, spaceID)
		if err != nil || allowed.Trashed {
			return err
		}
		if err := allowed.Require(access.AdministerSpace); err != nil {
			return err
		}
		if err := s.changed(ctx, q, spaceID); err != nil {
			return err
		}
		now := s.clock()
		return setDeleted(ctx, q, spaceID, caller.User.ID, now, now)
	})
}

// Restore takes a space out of the trash and returns it; it is again where it was, or where its collection was when
// that is gone. Who may delete the space may restore it. It is an errs.Conflict when the space is not in the trash, and
// an errs.NotFound when its seven days are over.
func (s *Service) Restore(ctx context.Context, caller account.Caller, spaceID id.Space) (Space, error) {
	var restored Space
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.LoadTrashed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		if !allowed.Trashed {
			if err := allowed.Require(access.AdministerSpace); err != nil {
				return err
			}
			return errs.Conflictf("The space is not in the trash; there is nothing to restore.")
		}
		if restored, err = get(ctx, q, allowed); err != nil {
			return err
		}
		now := s.clock()
		if !now.Before(restored.DeletedAt.Add(Retention)) {
			return errs.NotFoundf("The space was deleted more than seven days ago and cannot be restored.")
		}
		restored.DeletedAt, restored.DeletedBy, restored.UpdatedAt = time.Time{}, "", now
		if err := s.changed(ctx, q, spaceID); err != nil {
			return err
		}
		return setDeleted(ctx, q, spaceID, "", time.Time{}, now)
	})
	if err != nil {
		return Space{}, err
	}
	return restored, nil
}

// PurgeNow removes for good a space of an organization that is in the trash, before its seven days are over. Who may
// delete the space may do it. It is an errs.Conflict when the space is not in the trash, and an errs.NotFound when its
// seven days are over or it belongs to another organization.
func (s *Service) PurgeNow(ctx context.Context, caller account.Caller, organizationID id.Organization,
	spaceID id.Space) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := access.LoadOrganization(ctx, q, caller, organizationID); err != nil {
			return err
		}
		allowed, err := access.LoadTrashed(ctx, q, caller, spaceID)
		if err != nil {
			return err
		}
		if allowed.Organization != organizationID {
			return errs.NotFoundf("The organization has no such space in its trash.")
		}
		if !allowed.Trashed {
			if err := allowed.Require(access.AdministerSpace); err != nil {
				return err
			}
			return errs.Conflictf("The space is not in the trash; delete it first.")
		}
		now := s.clock()
		found, err := spaceByID(ctx, q, spaceID)
		if err != nil {
			return err
		}
		if !now.Before(found.DeletedAt.Add(Retention)) {
			return errs.NotFoundf("The space was deleted more than seven days ago and is gone already.")
		}
		err = access.Record(ctx, q, caller, organizationID, access.SpaceObject(spaceID), ".purge", map[string]any{})
		if err != nil {
			return err
		}
		_, err = s.remove(ctx, q, spaceID, now)
		return err
	})
}

// Purge removes for good all spaces that were deleted seven days or more before now, each with its content in a
// transaction of its own, and returns how many; their titles leave the audit log with them. A periodic job calls it;
// several processes may at the same time.
func (s *Service) Purge(ctx context.Context, now time.Time) (int, error) {
	before := now.Add(-Retention)
	purged := 0
	for {
		ids, err := expiredSpaces(ctx, s.db.Read(), before, purgeBatch)
		if err != nil {
			return purged, err
		}
		for _, spaceID := range ids {
			removed, err := s.purgeOne(ctx, spaceID, before)
			if err != nil {
				return purged, err
			}
			if removed {
				purged++
			}
		}
		if len(ids) < purgeBatch {
			return purged, nil
		}
	}
}

func (s *Service) purgeOne(ctx context.Context, spaceID id.Space, before time.Time) (bool, error) {
	var removed bool
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		// Another process may have removed it, or somebody restored it just in time.
		removed, err = s.remove(ctx, q, spaceID, before)
		return err
	})
	return removed && err == nil, err
}

// remove removes a space with its content if it is in the trash since a time or before, and reports whether it was.
func (s *Service) remove(ctx context.Context, q db.Querier, spaceID id.Space, before time.Time) (bool, error) {
	removed, err := deleteExpired(ctx, q, spaceID, before, s.hooks.Get().Leaves)
	if err != nil || !removed {
		return false, err
	}
	if err := s.hooks.Get().DropContent(ctx, q, spaceID); err != nil {
		return false, fmt.Errorf("drop content of space %s: %w", spaceID, err)
	}
	return true, nil
}
