package site

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// Customization returns how a site looks and behaves, to those who may see the site.
func (s *Service) Customization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (customization.Customized, error) {
	organization, err := loadOrganization(ctx, s.db.Read(), caller, organizationID, access.ViewSites)
	if err != nil {
		return customization.Customized{}, err
	}
	if _, err := s.load(ctx, s.db.Read(), organization, siteID); err != nil {
		return customization.Customized{}, err
	}
	kept, err := customization.Load(ctx, s.db.Read(), siteID)
	return kept.Site(), err
}

// SetCustomization replaces how a site looks and behaves by what an object of JSON says, and returns it. It needs the
// role create in the organization.
func (s *Service) SetCustomization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, object map[string]any) (customization.Customized, error) {
	var after customization.Customized
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		kept, err := customization.Load(ctx, q, siteID)
		if err != nil {
			return err
		}
		if kept.IsEdit(object) {
			object = kept.Customization.Edited(object)
		}
		read, err := customization.Read(object)
		if err != nil {
			return err
		}
		if kept.Set && reflect.DeepEqual(read, kept.Customization) {
			after = kept.Site() // what was read is sent back
			return nil
		}
		after = customization.Customized{Customization: read, UpdatedAt: s.clock()}
		if err := customization.Save(ctx, q, siteID, read, after.UpdatedAt); err != nil {
			return err
		}
		return s.record(ctx, q, caller, site, "site.customize", siteTarget(site), nil)
	})
	if err != nil {
		return customization.Customized{}, err
	}
	return after, nil
}

// SpaceCustomization returns how a space on a site looks and behaves: the site's, with the values that the space has of
// its own. It is there for those who may read the space.
func (s *Service) SpaceCustomization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, siteSpaceID id.SiteSpace) (customization.Customized, error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return customization.Customized{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return customization.Customized{}, err
	}
	if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
		return customization.Customized{}, err
	}
	kept, err := customization.Load(ctx, q, siteID)
	if err != nil {
		return customization.Customized{}, err
	}
	return kept.Space(siteSpaceID)
}

// OverrideCustomization gives a space on a site values of its own, and returns how it looks then: what the object sets
// is the space's, what is null in it is the site's again, what it leaves out stays. It needs the role create in the
// organization.
func (s *Service) OverrideCustomization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, siteSpaceID id.SiteSpace, change map[string]any) (customization.Customized, error) {
	var after customization.Customized
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
			return err
		}
		kept, err := customization.Load(ctx, q, siteID)
		if err != nil {
			return err
		}
		changed, err := customization.Override(kept.Overrides[siteSpaceID].Values, change)
		if err != nil {
			return err
		}
		now := s.clock()
		if err := customization.SaveOverrides(ctx, q, siteID, siteSpaceID, changed, now); err != nil {
			return err
		}
		kept.Overrides[siteSpaceID] = customization.SpaceOverrides{Values: changed, UpdatedAt: now}
		if after, err = kept.Space(siteSpaceID); err != nil {
			return err
		}
		return s.record(ctx, q, caller, site, "site.customize", siteTarget(site),
			map[string]any{"siteSpace": siteSpaceID, "keys": slices.Sorted(maps.Keys(change))})
	})
	if err != nil {
		return customization.Customized{}, err
	}
	return after, nil
}

// ClearOverrides takes away all values that a space on a site has of its own, and reports whether it had any. It needs
// the role create in the organization.
func (s *Service) ClearOverrides(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, siteSpaceID id.SiteSpace) (bool, error) {
	had := false
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
			return err
		}
		kept, err := customization.Load(ctx, q, siteID)
		if err != nil {
			return err
		}
		if had = len(kept.Overrides[siteSpaceID].Values) > 0; !had {
			return nil
		}
		if err := customization.SaveOverrides(ctx, q, siteID, siteSpaceID, nil, s.clock()); err != nil {
			return err
		}
		return s.record(ctx, q, caller, site, "site.customize", siteTarget(site),
			map[string]any{"siteSpace": siteSpaceID, "keys": []string{}})
	})
	return had && err == nil, err
}

// Scripts returns the scripts that integrations put on a site, to those who may see the site.
func (s *Service) Scripts(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) ([]Script, error) {
	organization, err := loadOrganization(ctx, s.db.Read(), caller, organizationID, access.ViewSites)
	if err != nil {
		return nil, err
	}
	if _, err := s.load(ctx, s.db.Read(), organization, siteID); err != nil {
		return nil, err
	}
	scripts, _, err := s.scriptsOf(ctx, siteID)
	return scripts, err
}

// findSiteSpace refuses a site space that is not on the site, or that the caller may not read.
func findSiteSpace(ctx context.Context, q db.Querier, organization access.Organization, siteID id.Site,
	siteSpaceID id.SiteSpace) error {
	gone := errs.NotFoundf("There is no such space on this site; give the id of one of its site spaces.")
	if !id.Valid("sitespace", siteSpaceID) {
		return gone
	}
	args := db.Args{siteID, siteSpaceID}
	readable := access.ReadableSpaces(organization, &args)
	is, err := exists(ctx, q, `
		SELECT EXISTS (SELECT 1 FROM site_space ss JOIN space s ON s.id = ss.space_id
			WHERE ss.site_id = $1 AND ss.id = $2 AND s.deleted_at IS NULL AND `+readable+`)`, args...)
	if err == nil && !is {
		err = gone
	}
	return err
}
