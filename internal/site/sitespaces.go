package site

import (
	"context"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/optional"
	"github.com/rectodocs/recto/internal/paging"
	"github.com/rectodocs/recto/internal/space"
)

// AddSpace puts a space on a site, behind the others and under a path made from its title. The first space of a site is
// its default. It needs the role create in the organization and in the space.
func (s *Service) AddSpace(ctx context.Context, caller account.Caller, organizationID, siteID, spaceID string) (SiteSpace, error) {
	var added SiteSpace
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID)
		if err != nil {
			return err
		}
		spaces, err := s.shareable(ctx, q, organization, []string{spaceID})
		if err != nil {
			return err
		}
		if added, err = s.addSpace(ctx, q, siteID, spaces[0]); err != nil {
			return err
		}
		current, err := defaultOf(ctx, q, siteID)
		added.Default = added.ID == current
		added.PublishedURL = spaceURL(site.PublishedURL, added.Path, added.Default)
		return err
	})
	if err != nil {
		return SiteSpace{}, err
	}
	return added, nil
}

// addSpace puts a space on a site that the caller may change.
func (s *Service) addSpace(ctx context.Context, q db.Querier, siteID string, space space.Space) (SiteSpace, error) {
	last, err := lastPosition(ctx, q, siteID)
	if err != nil {
		return SiteSpace{}, err
	}
	marked, err := hasDefault(ctx, q, siteID)
	if err != nil {
		return SiteSpace{}, err
	}
	first := last == ""
	if !marked && !first {
		// The newcomer must not take the place of the space that answers at the site's address now.
		if err := markFirst(ctx, q, siteID); err != nil {
			return SiteSpace{}, err
		}
	}
	added := SiteSpace{
		ID: id.New("sitespace"), Site: siteID, Title: space.Title, Default: first, Space: space, position: entity.Between(last, ""),
	}
	for {
		added.Path, err = freeSlug(space.Title, func(slug string) (bool, error) { return pathTaken(ctx, q, siteID, slug) })
		if err != nil {
			return SiteSpace{}, err
		}
		done, err := insertSiteSpace(ctx, q, added, s.clock())
		if err != nil || done {
			return added, err
		}
	}
}

// ListSpaces returns a page of the spaces on a site that the caller may read, in the order of the site and without those
// in the trash, with the number of all under the same filter and the keys of the next page (nil on the last). onlyDefault
// asks for the default space or for the others; absent for all.
func (s *Service) ListSpaces(ctx context.Context, caller account.Caller, organizationID, siteID string, onlyDefault optional.Value[bool], page paging.Request) (siteSpaces []SiteSpace, count int, next []string, err error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return nil, 0, nil, err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return nil, 0, nil, err
	}
	current, err := defaultOf(ctx, q, siteID)
	if err != nil {
		return nil, 0, nil, err
	}
	rows, count, err := listSiteSpaces(ctx, q, organization, siteSpaceQuery{site: siteID, current: current, onlyDefault: onlyDefault}, page)
	if err != nil {
		return nil, 0, nil, err
	}
	rows, next = paging.Cut(rows, page.Size(), func(r siteSpaceRow) []string { return []string{r.position, r.id} })
	siteSpaces, err = s.withSpaces(ctx, q, organization, site, current, rows)
	return siteSpaces, count, next, err
}

// withSpaces makes the site spaces of rows, with what the caller sees of their spaces.
func (s *Service) withSpaces(ctx context.Context, q db.Querier, organization access.Organization, site Site, current string, rows []siteSpaceRow) ([]SiteSpace, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.space
	}
	spaces, err := s.spaces.Load(ctx, q, organization, ids)
	if err != nil {
		return nil, err
	}
	siteSpaces := make([]SiteSpace, 0, len(rows))
	for _, row := range rows {
		space, ok := spaces[row.space]
		if !ok {
			// It went to the trash between the two reads.
			continue
		}
		isDefault := row.id == current
		siteSpaces = append(siteSpaces, SiteSpace{
			ID: row.id, Site: site.ID, Path: row.path, Title: space.Title, Default: isDefault, Space: space,
			PublishedURL: spaceURL(site.PublishedURL, row.path, isDefault), position: row.position,
		})
	}
	return siteSpaces, nil
}

// Profile is what a site's visitors get, as a member of its organization sees it.
type Profile struct {
	Site Site
	// Structure holds the site's spaces in their order.
	Structure []SiteSpace
	// Customization is that of the site; SpaceCustomizations hold that of each space on it, by SiteSpace.ID.
	Customization       Customization
	SpaceCustomizations map[string]Customization
	// Scripts are those that integrations put on the site.
	Scripts []Script
}

// Published returns a site's profile, whether it is published or not. Spaces that the caller may not read are left out.
func (s *Service) Published(ctx context.Context, caller account.Caller, organizationID, siteID string) (Profile, error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return Profile{}, err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return Profile{}, err
	}
	current, err := defaultOf(ctx, q, siteID)
	if err != nil {
		return Profile{}, err
	}
	rows, err := allSiteSpaces(ctx, q, organization, siteID)
	if err != nil {
		return Profile{}, err
	}
	kept, err := loadCustomization(ctx, q, siteID)
	if err != nil {
		return Profile{}, err
	}
	profile := Profile{Site: site, Customization: kept.customization, SpaceCustomizations: map[string]Customization{}}
	if profile.Customization.Title == "" {
		profile.Customization.Title = site.Title
	}
	if profile.Structure, err = s.withSpaces(ctx, q, organization, site, current, rows); err != nil {
		return Profile{}, err
	}
	for _, siteSpace := range profile.Structure {
		own, err := profile.Customization.with(kept.overrides[siteSpace.ID].values)
		if err != nil {
			return Profile{}, err
		}
		profile.SpaceCustomizations[siteSpace.ID] = own
	}
	if profile.Scripts, err = s.scriptsOf(ctx, siteID); err != nil {
		return Profile{}, err
	}
	return profile, nil
}
