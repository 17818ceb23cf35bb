package site

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ShowBeside puts a space on every site of an organization that shows another one, as a variant beside it, unless it is
// there already. It needs what AddSpace needs.
func (s *Service) ShowBeside(ctx context.Context, caller account.Caller, organizationID id.Organization, besideSpace,
	spaceID id.Space) error {
	places, err := placesOf(ctx, s.db.Read(), organizationID, besideSpace)
	if err != nil {
		return err
	}
	there, err := placesOf(ctx, s.db.Read(), organizationID, spaceID)
	if err != nil {
		return err
	}
	shown := map[siteSection]bool{}
	for _, place := range there {
		shown[place] = true
	}
	for _, place := range places {
		if shown[place] {
			continue
		}
		shown[place] = true
		if _, err := s.AddSpace(ctx, caller, organizationID, place.site, spaceID, place.section); err != nil {
			return err
		}
	}
	return nil
}

// SitesOf returns the ids of the sites that a space is on. It checks no access and runs in the caller's transaction.
func SitesOf(ctx context.Context, q db.Querier, spaceID id.Space) ([]id.Site, error) {
	return db.All(ctx, q, "list sites of space", db.Column[id.Site],
		`SELECT DISTINCT site_id FROM site_space WHERE space_id = $1`, spaceID)
}

// siteSection is where variants stand together: a section, or a site without sections.
type siteSection struct {
	site    id.Site
	section id.Section
}

func placesOf(ctx context.Context, q db.Querier, organizationID id.Organization,
	spaceID id.Space) ([]siteSection, error) {
	return db.All(ctx, q, "find sites of space", func(row db.Scanner) (siteSection, error) {
		var place siteSection
		err := row.Scan(&place.site, &place.section)
		return place, err
	}, `
		SELECT p.site_id, COALESCE(p.section_id, '') FROM site_space p JOIN site ON site.id = p.site_id
		WHERE p.space_id = $1 AND site.organization_id = $2 ORDER BY p.site_id, p.id`, spaceID, organizationID)
}
