package integration

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// LevelFor returns the level on which a component of an integration is drawn for a caller, by the context of the
// family's renderers: a document of a space that they read, the configuration of an organization, a space or a site
// that they may configure, or that of a source of content of a space that they write in.
func (s *Service) LevelFor(ctx context.Context, caller account.Caller, name, contextType string,
	organizationID id.Organization, spaceID id.Space, siteID id.Site) (Level, error) {
	q := s.deps.DB.Read()
	if contextType == "configuration_contentsource" && spaceID == "" {
		contextType = "configuration_account" // the source is not of one space yet
	}
	switch contextType {
	case "document", "configuration_space", "configuration_contentsource":
		action := map[string]access.SpaceAction{"document": access.ViewSpace,
			"configuration_space": access.IntegrateSpace, "configuration_contentsource": access.EditSpace}[contextType]
		space, err := access.RequireSpace(ctx, q, caller, spaceID, action)
		if err != nil {
			return Level{}, err
		}
		installation, err := installationIn(ctx, q, name, space.Organization)
		return Level{Installation: installation, Space: spaceID}, err
	case "configuration_site":
		owner, err := siteOwner(ctx, q, siteID)
		if err != nil {
			return Level{}, err
		}
		organization, err := access.LoadOrganization(ctx, q, caller, owner)
		if err != nil {
			return Level{}, err
		}
		permissions, err := access.PermissionsInSites(ctx, q, organization, []id.Site{siteID})
		if err == nil {
			err = permissions[siteID].Require(access.IntegrateSite)
		}
		if err != nil {
			return Level{}, err
		}
		installation, err := installationIn(ctx, q, name, owner)
		return Level{Installation: installation, Site: siteID}, err
	case "configuration_account":
		_, err := access.RequireOrganization(ctx, q, caller, organizationID, access.ListInstallations)
		if err != nil {
			return Level{}, err
		}
		installation, err := installationIn(ctx, q, name, organizationID)
		return Level{Installation: installation}, err
	}
	return Level{}, errs.Invalidf("context.type", "%.60q is none; it is document, configuration_account, "+
		"configuration_space, configuration_site or configuration_contentsource", contextType)
}

// LevelForVisitor returns the level on which a block of a space is drawn for a visitor of a site. Who calls it has made
// sure that they get the space. It is an errs.NotFound for what is no document.
func (s *Service) LevelForVisitor(ctx context.Context, name, contextType string, organizationID id.Organization,
	spaceID id.Space) (Level, error) {
	if contextType != "document" {
		return Level{}, errs.NotFoundf("Visitors see blocks of documents alone.")
	}
	installation, err := installationIn(ctx, s.deps.DB.Read(), name, organizationID)
	return Level{Installation: installation, Space: spaceID}, err
}

// installationIn returns the id of the installation of an integration in an organization.
func installationIn(ctx context.Context, q db.Querier, name string, organizationID id.Organization) (string, error) {
	found, err := db.All(ctx, q, "look for installation", db.Column[string], `
		SELECT n.id FROM integration_installation n JOIN integration i ON i.id = n.integration_id
		WHERE i.name_key = $1 AND i.published AND n.organization_id = $2 AND n.parent_id IS NULL`,
		nameKey(name), organizationID)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", errs.NotFoundf("The integration %.100q is not installed here.", name)
	}
	return found[0], nil
}

func siteOwner(ctx context.Context, q db.Querier, siteID id.Site) (id.Organization, error) {
	if !id.Valid("site", siteID) {
		return "", errs.NotFoundf("There is no such site, or you may not see it.")
	}
	found, err := db.All(ctx, q, "look for site", db.Column[id.Organization],
		`SELECT organization_id FROM site WHERE id = $1`, siteID)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", errs.NotFoundf("There is no such site, or you may not see it.")
	}
	return found[0], nil
}
