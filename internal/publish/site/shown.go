package site

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// showing changes what published sites show, and tells of the spaces with the given ids that others come to see by it,
// or fewer. A space that is there twice counts once.
func (s *Service) showing(ctx context.Context, q db.Querier, spaceIDs []id.Space, change func() error) error {
	tell := s.hooks.Get().Shown
	if tell == nil || len(spaceIDs) == 0 {
		return change()
	}
	spaceIDs = slices.Compact(slices.Sorted(slices.Values(spaceIDs)))
	before, err := visibilities(ctx, q, spaceIDs)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := visibilities(ctx, q, spaceIDs)
	if err != nil {
		return err
	}
	for _, spaceID := range spaceIDs {
		if before[spaceID] == after[spaceID] {
			continue
		}
		if err := tell(ctx, q, spaceID, before[spaceID], after[spaceID]); err != nil {
			return err
		}
	}
	return nil
}

// visibilities returns the visibility of the most open of the published sites that show a space, by its id. One that
// none shows is not in the map.
func visibilities(ctx context.Context, q db.Querier, spaceIDs []id.Space) (map[id.Space]Visibility, error) {
	type pair struct {
		space      id.Space
		visibility Visibility
	}
	found := map[id.Space]Visibility{}
	for batch := range slices.Chunk(spaceIDs, 1000) {
		args := make([]any, len(batch))
		for i, spaceID := range batch {
			args[i] = spaceID
		}
		pairs, err := db.All(ctx, q, "find the sites of spaces", func(row db.Scanner) (pair, error) {
			var one pair
			return one, row.Scan(&one.space, &one.visibility)
		}, `SELECT DISTINCT w.space_id, site.visibility FROM site_space w JOIN site ON site.id = w.site_id
			WHERE site.published AND w.space_id IN (`+db.Placeholders(1, len(args))+`)`, args...)
		if err != nil {
			return nil, err
		}
		for _, one := range pairs {
			found[one.space] = mostOpen(found[one.space], one.visibility)
		}
	}
	return found, nil
}

// VisibilityOf returns the visibility of the most open of the published sites that show a space, "" when none does. It
// checks no access and runs in the caller's transaction.
func VisibilityOf(ctx context.Context, q db.Querier, spaceID id.Space) (Visibility, error) {
	found, err := visibilities(ctx, q, []id.Space{spaceID})
	return found[spaceID], err
}

// spacesOn returns the ids of the spaces on a site.
func spacesOn(ctx context.Context, q db.Querier, siteID id.Site) ([]id.Space, error) {
	return db.All(ctx, q, "list spaces of site", db.Column[id.Space],
		`SELECT DISTINCT space_id FROM site_space WHERE site_id = $1`, siteID)
}

// spacesOf returns the ids of the spaces in layouts.
func spacesOf(layouts ...*layout) (spaceIDs []id.Space) {
	for _, each := range layouts {
		for _, placed := range each.spaces {
			spaceIDs = append(spaceIDs, placed.space)
		}
	}
	return spaceIDs
}
