package space

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ListTrash returns a page of the deleted spaces of an organization that the caller may restore, the last deleted
// first, with the number of all of them and the keys of the next page (nil on the last). What was deleted more than
// seven days ago is no longer among them, also before it is purged. All are read for each page: the trash is a week's.
func (s *Service) ListTrash(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (spaces paging.Page[Space], err error) {
	after, err := trashKeys(page.After)
	if err != nil {
		return paging.Page[Space]{}, err
	}
	q := s.db.Read()
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return paging.Page[Space]{}, err
	}
	deleted, err := trashedSpaces(ctx, q, organization, s.clock().Add(-Retention))
	if err != nil {
		return paging.Page[Space]{}, err
	}
	for chunk := range slices.Chunk(deleted, batch) {
		visible, err := seen(ctx, q, organization, chunk)
		if err != nil {
			return paging.Page[Space]{}, err
		}
		for _, space := range visible {
			if !space.Permissions.Admin {
				continue
			}
			spaces.Count++
			if after == nil || compareTrashed(space, *after) > 0 {
				spaces.Items = append(spaces.Items, space)
			}
		}
	}
	slices.SortFunc(spaces.Items, compareTrashed)
	spaces.Cut(page.Size(), func(s Space) []string {
		return []string{strconv.FormatInt(s.DeletedAt.UnixMicro(), 10), string(s.ID)}
	})
	return spaces, nil
}

// compareTrashed orders the trash.
func compareTrashed(a, b Space) int {
	return cmp.Or(b.DeletedAt.Compare(a.DeletedAt), cmp.Compare(b.ID, a.ID))
}

// trashKeys reads where a page of the trash begins, nil at the beginning.
func trashKeys(keys []string) (*Space, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if len(keys) == 2 {
		if at, err := strconv.ParseInt(keys[0], 10, 64); err == nil {
			return &Space{ID: id.Space(keys[1]), DeletedAt: time.UnixMicro(at).UTC()}, nil
		}
	}
	return nil, errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

// trashedSpaces returns the spaces of an organization that were deleted after a time and that the caller could read.
func trashedSpaces(ctx context.Context, q db.Querier, organization access.Organization,
	after time.Time) ([]Space, error) {
	args := db.Args{organization.ID, after.UnixMicro()}
	readable := access.ReadableSpaces(organization, &args)
	return querySpaces(ctx, q, `
		SELECT `+spaceColumns+` FROM space s
		WHERE s.organization_id = $1 AND s.deleted_at > $2 AND `+readable, args...)
}
