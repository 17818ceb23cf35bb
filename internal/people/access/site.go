package access

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// A site makes its spaces readable for others. So who changes who may read a site has to have the right to do that with
// every space on it; the role in the organization alone gives a say in how the site is made up and looks.

// SitePermissions say what a caller may do with a site.
type SitePermissions struct {
	View               bool
	Access             bool
	Edit               bool
	Create             bool
	Admin              bool
	InstallIntegration bool
	ViewAdaptiveSchema bool
	EditAdaptiveSchema bool
}

// SiteAction is something that can be done with a site.
type SiteAction int

// Actions on sites.
const (
	// ViewSite reads the site and what of its spaces the caller may read.
	ViewSite SiteAction = iota
	// EditSite changes how the site is called, ordered and looks.
	EditSite
	// AddToSite puts spaces and sections on the site. Each space needs ManageSpace besides.
	AddToSite
	// AdministerSite publishes and deletes the site, and changes and learns who may read it and where: visibility,
	// share links, keys and schemas of visitors, conditions, hosts, agents.
	AdministerSite
	// IntegrateSite puts integrations that the organization has installed on the site: their scripts run in its pages.
	IntegrateSite
	// ChangeVisitorSchema says what the site may know of its visitors, which conditions ask.
	ChangeVisitorSchema
)

// permitted is SpaceAction.permitted for a site.
func (a SiteAction) permitted(p SitePermissions) bool {
	switch a {
	case ViewSite:
		return p.View
	case EditSite:
		return p.Edit
	case AddToSite:
		return p.Create
	case IntegrateSite:
		return p.InstallIntegration
	case ChangeVisitorSchema:
		return p.EditAdaptiveSchema
	default:
		return p.Admin
	}
}

// PermissionsInSite returns what a member's role in the organization permits with one of its sites. every says that
// they have ManageSpace in each space on it, those in the trash included.
func PermissionsInSite(role Role, every bool) SitePermissions {
	read, create := role.AtLeast(org.RoleRead), role.AtLeast(org.RoleCreate)
	admin := role.AtLeast(org.RoleAdmin) || create && every
	return SitePermissions{
		View: read, Access: read, ViewAdaptiveSchema: read,
		Edit: create, Create: create,
		Admin: admin, InstallIntegration: admin, EditAdaptiveSchema: admin,
	}
}

// Require returns an errs.Forbidden error when the permissions do not hold the one that stands for the action.
func (p SitePermissions) Require(action SiteAction) error {
	switch {
	case action.permitted(p):
		return nil
	case !p.Edit:
		return errs.Forbiddenf("Changing a site needs the role %s or higher in the organization.", org.RoleCreate)
	}
	return errs.Forbiddenf("Changing who may read a site needs the role %s or higher in every space on it, and there "+
		"is one in which yours is lower; an admin can do this.",
		org.RoleCreate)
}

// PermissionsInSites returns what the caller whom organization was loaded for may do with sites of it, by their ids:
// for all of them with one statement for what is on them and one for the roles there, and none for those who need not
// be asked.
func PermissionsInSites(ctx context.Context, q db.Querier, organization Organization,
	siteIDs []id.Site) (map[id.Site]SitePermissions, error) {
	every := make(map[id.Site]bool, len(siteIDs))
	if organization.Role == org.RoleCreate && len(siteIDs) > 0 {
		sites, err := sitesOfSpaces(ctx, q, siteIDs)
		if err != nil {
			return nil, err
		}
		spaceIDs := make([]id.Space, 0, len(sites))
		for spaceID := range sites {
			spaceIDs = append(spaceIDs, spaceID)
		}
		roles, err := RolesInSpaces(ctx, q, organization, spaceIDs)
		if err != nil {
			return nil, err
		}
		for _, siteID := range siteIDs {
			every[siteID] = true
		}
		for spaceID, on := range sites {
			for _, siteID := range on {
				every[siteID] = every[siteID] && roles[spaceID].AtLeast(ManageSpace.role())
			}
		}
	}
	permissions := make(map[id.Site]SitePermissions, len(siteIDs))
	for _, siteID := range siteIDs {
		permissions[siteID] = PermissionsInSite(organization.Role, every[siteID])
		if organization.agent.Integration != "" {
			permissions[siteID] = agentInSite(organization.agent, siteID)
		}
	}
	return permissions, nil
}

// sitesOfSpaces returns the spaces on sites, the trash included, each with those of the sites that it is on.
func sitesOfSpaces(ctx context.Context, q db.Querier, siteIDs []id.Site) (map[id.Space][]id.Site, error) {
	args := make([]any, len(siteIDs))
	for i, siteID := range siteIDs {
		args[i] = siteID
	}
	sites := map[id.Space][]id.Site{}
	err := db.Each(ctx, q, "list spaces of sites", func(row db.Scanner) error {
		var (
			spaceID id.Space
			siteID  id.Site
		)
		if err := row.Scan(&spaceID, &siteID); err != nil {
			return err
		}
		sites[spaceID] = append(sites[spaceID], siteID)
		return nil
	}, `SELECT p.space_id, p.site_id FROM site_space p WHERE p.site_id IN (`+
		db.Placeholders(1, len(args))+`)`, args...)
	return sites, err
}
