package site

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Create makes an unpublished site. It needs the role create in the organization, and in every space it puts on the
// site: a site makes its spaces readable for others.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in NewSite) (Site, error) {
	var made Site
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, err = s.CreateIn(ctx, q, caller, organizationID, in)
		return err
	})
	if err != nil {
		return Site{}, err
	}
	return made, nil
}

// CreateIn is Create in the caller's transaction.
func (s *Service) CreateIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	in NewSite) (Site, error) {
	organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent)
	if err != nil {
		return Site{}, err
	}
	checked, err := in.check()
	if err != nil {
		return Site{}, err
	}
	siteID, err := s.create(ctx, q, caller, organization, checked)
	if err != nil {
		return Site{}, err
	}
	if tell := s.hooks.Get().Made; tell != nil {
		if err := tell(ctx, q, siteID); err != nil {
			return Site{}, err
		}
	}
	made, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return Site{}, err
	}
	return made, s.record(ctx, q, caller, made, "site.create", siteTarget(made),
		map[string]any{"visibility": made.Visibility, "spaces": len(in.Spaces)})
}

func (s *Service) create(ctx context.Context, q db.Querier, caller account.Caller, organization access.Organization,
	in NewSite) (id.Site, error) {
	spaces, err := s.shareable(ctx, q, organization, in.Spaces)
	if err != nil {
		return "", err
	}
	title := in.Title
	if title == "" && len(spaces) > 0 {
		title = titleFrom(spaces[0].Title)
	}
	if title == "" {
		if title, err = organizationTitle(ctx, q, organization.ID); err != nil {
			return "", err
		}
		title = titleFrom(title)
	}
	now := s.clock()
	site := Site{
		ID: id.Site(id.New("site")), Organization: organization.ID, Type: in.Type, Title: title,
		Visibility:    in.Visibility,
		AgentsContext: AgentsIncluded, CreatedAt: now, UpdatedAt: now,
	}
	if err := insertWithBasename(ctx, q, site); err != nil {
		return "", err
	}
	if in.CreateSpace {
		made, err := s.spaces.CreateIn(ctx, q, caller, organization.ID, space.NewSpace{Title: clip(title, 50)})
		if err != nil {
			return "", err
		}
		spaces = append(spaces, made)
	}
	return site.ID, s.placeAll(ctx, q, site.ID, spaces)
}

// shareable returns the spaces with the given ids in the same order, if the caller may make them readable for others.
func (s *Service) shareable(ctx context.Context, q db.Querier, organization access.Organization,
	spaceIDs []id.Space) ([]space.Space, error) {
	for _, spaceID := range spaceIDs {
		if !id.Valid("space", spaceID) {
			return nil, noSpace(spaceID)
		}
	}
	found, err := s.spaces.Load(ctx, q, organization, spaceIDs)
	if err != nil {
		return nil, err
	}
	spaces := make([]space.Space, 0, len(spaceIDs))
	for _, spaceID := range spaceIDs {
		space, ok := found[spaceID]
		if !ok {
			return nil, noSpace(spaceID)
		}
		if err := (access.Space{ID: space.ID, Role: space.Role, Permissions: space.Permissions}).Require(
			access.ManageSpace); err != nil {
			return nil, err
		}
		spaces = append(spaces, space)
	}
	return spaces, nil
}

// insertWithBasename adds the site under the first free basename that its title gives.
func insertWithBasename(ctx context.Context, q db.Querier, site Site) error {
	for {
		var err error
		site.Basename, err = freeSlug(site.Title, func(slug string) (bool, error) {
			if reserved[slug] {
				return true, nil
			}
			return basenameTaken(ctx, q, site.Organization, slug)
		})
		if err != nil {
			return err
		}
		if added, err := insertSite(ctx, q, site); err != nil || added {
			return err
		}
	}
}

// freeSlug is entity.UniqueSlug with a question that can fail.
func freeSlug(title string, taken func(slug string) (bool, error)) (string, error) {
	var failure error
	slug := entity.UniqueSlug(nameFrom(title), func(slug string) bool {
		if failure != nil {
			return false
		}
		is, err := taken(slug)
		failure = err
		return is
	})
	return slug, failure
}

// Get returns a site; errs.NotFound when there is none in the organization or the caller may not see it.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Site, error) {
	organization, err := loadOrganization(ctx, s.db.Read(), caller, organizationID, access.ViewSites)
	if err != nil {
		return Site{}, err
	}
	return s.load(ctx, s.db.Read(), organization, siteID)
}

// List returns a page of an organization's sites, oldest first, with the number of all under the same filter and the
// keys of the next page (nil on the last). Guests see no sites.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization, filter Filter,
	page paging.Request) (sites paging.Page[Site], err error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, organizationID)
	if err != nil || organization.Require(access.ViewSites) != nil {
		return paging.Page[Site]{}, err
	}
	for _, kind := range filter.Types {
		if err := checkType("type", kind); err != nil {
			return paging.Page[Site]{}, err
		}
	}
	if filter.Space != "" {
		// A space that the caller may not see is on no site as far as they can tell.
		if _, err := access.LoadSpace(ctx, s.db.Read(), caller, filter.Space); errs.Is(err, errs.NotFound) {
			return paging.Page[Site]{}, nil
		} else if err != nil {
			return paging.Page[Site]{}, err
		}
	}
	rows, count, err := listSites(ctx, s.db.Read(), organization.ID, filter, page)
	if err != nil {
		return paging.Page[Site]{}, err
	}
	sites.Count = count
	rows, sites.Next = paging.Cut(rows, page.Size(), func(r siteRow) []string { return []string{string(r.id)} })
	sites.Items, err = s.seen(ctx, s.db.Read(), organization, rows...)
	if err != nil {
		return paging.Page[Site]{}, err
	}
	return sites, nil
}

// Listed is a site with the title of its organization.
type Listed struct {
	Site

	OrganizationTitle string
}

// ListPublic returns up to limit published sites of the server that everybody may read and search engines may list,
// the oldest first.
func (s *Service) ListPublic(ctx context.Context, limit int) ([]Listed, error) {
	sites, rows, err := publicSites(ctx, s.db.Read(), limit)
	for i := range sites {
		sites[i].Site = rows[i].site()
		sites[i].PublishedURL = s.address(rows[i])
	}
	return sites, err
}

// Update changes a site and returns it as it is then. It needs the role create in the organization; who may read the
// site, and where, is for those who may administer it. A basename that another site of the organization has is an
// errs.Conflict.
func (s *Service) Update(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	change Change) (Site, error) {
	proof, err := s.proof(ctx, caller, organizationID, siteID, change.Hostname)
	if err != nil {
		return Site{}, err
	}
	var after Site
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, before, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if after, err = change.apply(before); err != nil {
			return err
		}
		if after.readers() != before.readers() {
			if err := before.Permissions.Require(access.AdministerSite); err != nil {
				return err
			}
		}
		proof.apply(&after)
		if err := s.setDefaults(ctx, q, siteID, change); err != nil {
			return err
		}
		after.UpdatedAt = s.clock()
		err = s.write(ctx, q, before, after)
		if db.IsUnique(err) && after.Basename == before.Basename {
			return errs.Conflictf("Another site answers at the hostname %s; choose another one.", after.Hostname)
		}
		if db.IsUnique(err) {
			return errs.Conflictf("Another site of the organization has the basename %s; choose another one.",
				after.Basename)
		}
		if err != nil {
			return err
		}
		if after.Basename != before.Basename {
			if err := keepBasename(ctx, q, before, s.clock()); err != nil {
				return err
			}
		}
		if details := change.details(before, after); len(details) > 0 {
			if err := s.record(ctx, q, caller, before, "site.update", siteTarget(before), details); err != nil {
				return err
			}
		}
		after, err = s.load(ctx, q, organization, siteID)
		return err
	})
	if err != nil {
		return Site{}, err
	}
	return after, nil
}

// write writes a site that has changed, and tells of the spaces that others come to see by it.
func (s *Service) write(ctx context.Context, q db.Querier, before, after Site) error {
	if before.Published == after.Published && before.Visibility == after.Visibility {
		return updateSite(ctx, q, after)
	}
	spaces, err := spacesOn(ctx, q, after.ID)
	if err != nil {
		return err
	}
	return s.showing(ctx, q, spaces, func() error { return updateSite(ctx, q, after) })
}

// setDefaults changes what answers at the address of a site.
func (s *Service) setDefaults(ctx context.Context, q db.Querier, siteID id.Site, change Change) error {
	if !change.DefaultSiteSection.IsSet() && !change.DefaultSiteSpace.IsSet() {
		return nil
	}
	before, err := loadLayout(ctx, q, siteID)
	if err != nil {
		return err
	}
	after := before.clone()
	if sectionID, ok := change.DefaultSiteSection.Get(); ok {
		section := after.section(sectionID)
		if section == nil {
			return errs.Invalidf("defaultSiteSection", "names no section of this site; give the id of one")
		}
		if after.answers().spaces[section.id] == "" {
			return errs.Conflictf(
				"The section has no spaces, so nothing could answer at the site's address; put one into it first.")
		}
		after.markSection(section)
	}
	if spaceID, ok := change.DefaultSiteSpace.Get(); ok {
		space := after.space(spaceID)
		if space == nil || space.trashed {
			return errs.NotFoundf("There is no such space on this site; give the id of one of its site spaces.")
		}
		if space.section != after.answers().section {
			return errs.Invalidf("defaultSiteSpace",
				"is not in the default section; change the section, or name it as defaultSiteSection too")
		}
		after.mark(space)
	}
	after.settle()
	return saveLayout(ctx, q, siteID, before, after, s.clock())
}

// Publish makes a site live for the audience that its visibility names, and returns it. Publishing it again changes
// nothing. It needs the right to administer the site.
func (s *Service) Publish(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Site, error) {
	return s.setPublished(ctx, caller, organizationID, siteID, true)
}

// Unpublish takes a site off the air and returns it. It needs the right to administer the site.
func (s *Service) Unpublish(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Site, error) {
	return s.setPublished(ctx, caller, organizationID, siteID, false)
}

func (s *Service) setPublished(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, published bool) (Site, error) {
	var after Site
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, before, err := s.manage(ctx, q, caller, organizationID, siteID, access.AdministerSite)
		if err != nil {
			return err
		}
		after = before
		if before.Published == published {
			return nil
		}
		after.Published, after.UpdatedAt = published, s.clock()
		if err := s.write(ctx, q, before, after); err != nil {
			return err
		}
		action := "site.unpublish"
		if published {
			action = "site.publish"
		}
		if err := s.record(ctx, q, caller, before, action, siteTarget(before),
			map[string]any{"visibility": before.Visibility}); err != nil {
			return err
		}
		after, err = s.load(ctx, q, organization, siteID)
		return err
	})
	if err != nil {
		return Site{}, err
	}
	return after, nil
}

// Delete removes a site for good and leaves its spaces alone. It needs the right to administer the site.
func (s *Service) Delete(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.AdministerSite)
		if err != nil {
			return err
		}
		if gone := s.hooks.Get().Gone; gone != nil {
			if err := gone(ctx, q, siteID); err != nil {
				return err
			}
		}
		spaces, err := spacesOn(ctx, q, siteID)
		if err != nil {
			return err
		}
		if err := s.showing(ctx, q, spaces, func() error { return deleteSite(ctx, q, siteID) }); err != nil {
			return err
		}
		return s.record(ctx, q, caller, site, "site.delete", siteTarget(site), nil)
	})
}

// manage loads a site that the caller is about to change.
func (s *Service) manage(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site, action access.SiteAction) (access.Organization, Site, error) {
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return access.Organization{}, Site{}, err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err == nil {
		err = site.Permissions.Require(action)
	}
	return organization, site, err
}

// loadOrganization loads the organization for something that is not there for those who may not see it.
func loadOrganization(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	see access.OrganizationAction) (access.Organization, error) {
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err == nil && organization.Require(see) != nil {
		err = noSite()
	}
	return organization, err
}

func (s *Service) load(ctx context.Context, q db.Querier, organization access.Organization,
	siteID id.Site) (Site, error) {
	if !id.Valid("site", siteID) {
		return Site{}, noSite()
	}
	row, err := siteByID(ctx, q, organization.ID, siteID)
	if errors.Is(err, db.ErrNoRows) {
		return Site{}, noSite()
	}
	if err != nil {
		return Site{}, err
	}
	sites, err := s.seen(ctx, q, organization, row)
	if err != nil {
		return Site{}, err
	}
	return sites[0], nil
}

// seen makes the sites of rows, as a member of the organization sees them.
func (s *Service) seen(ctx context.Context, q db.Querier, organization access.Organization,
	rows ...siteRow) ([]Site, error) {
	ids := make([]id.Site, len(rows))
	for i, row := range rows {
		ids[i] = row.id
	}
	permissions, err := access.PermissionsInSites(ctx, q, organization, ids)
	if err != nil {
		return nil, err
	}
	var sites []Site
	for _, row := range rows {
		site := row.site()
		site.DirectURL = s.direct(row)
		if site.Published {
			site.PublishedURL = s.address(row)
		}
		site.Permissions = permissions[row.id]
		sites = append(sites, site)
	}
	return sites, nil
}

func noSpace(spaceID id.Space) error {
	return errs.NotFoundf("There is no space %.40q in this organization, or you may not see it.", spaceID)
}
