package site

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Seen loads a site in the caller's transaction for someone who may see it; errs.NotFound when there is none for them.
func (s *Service) Seen(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Site, error) {
	_, site, err := s.SeenIn(ctx, q, caller, organizationID, siteID)
	return site, err
}

// SeenIn is Seen, and returns the organization as it was loaded for the caller, too.
func (s *Service) SeenIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (access.Organization, Site, error) {
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return access.Organization{}, Site{}, err
	}
	site, err := s.load(ctx, q, organization, siteID)
	return organization, site, err
}

// Managed is Seen for someone who may do an action with the site; errs.Forbidden for who may only see it.
func (s *Service) Managed(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site, action access.SiteAction) (Site, error) {
	_, site, err := s.manage(ctx, q, caller, organizationID, siteID, action)
	return site, err
}

// Touch makes the site a changed one: what is kept for its visitors under its UpdatedAt is made again. It runs in the
// caller's transaction, which has checked access. The time always moves forwards, whatever the clocks say.
func (s *Service) Touch(ctx context.Context, q db.Querier, siteID id.Site) error {
	if err := s.changed(ctx, q, siteID); err != nil {
		return err
	}
	return touchSite(ctx, q, siteID, s.clock())
}

// changed tells that a site has changed.
func (s *Service) changed(ctx context.Context, q db.Querier, siteID id.Site) error {
	if tell := s.hooks.Get().Changed; tell != nil {
		return tell(ctx, q, siteID)
	}
	return nil
}

// SpaceURLOn returns the address of a published site, and that of a space on it: "" when the site is not published or
// the space is not on it. It checks no access.
func (s *Service) SpaceURLOn(ctx context.Context, siteID id.Site,
	spaceID id.Space) (siteURL, address string, err error) {
	hostname, basename, err := nameOfSite(ctx, s.db.Read(), siteID)
	if errors.Is(err, db.ErrNoRows) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	served, err := s.Resolve(ctx, hostname, basename)
	if errs.Is(err, errs.NotFound) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	for _, space := range served.Spaces {
		if space.Space == spaceID {
			return served.Site.PublishedURL, space.URL, nil
		}
	}
	return served.Site.PublishedURL, "", nil
}

// NotServed is the error for a site that is not there, or not for who asks: the two are not told apart.
func NotServed() error { return noSite() }
