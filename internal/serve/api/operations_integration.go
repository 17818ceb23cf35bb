package api

import "net/http"

// maxPublication bounds a request that publishes an integration: a script of 5 MB as a JSON text, pictures of 7 MB in
// base64, and the rest.
const maxPublication = 24 << 20

// integrationOperations are those of integrations and their installations.
func (a *API) integrationOperations() []operation {
	const (
		list         = "/v1/integrations"
		one          = list + "/{integrationName}"
		installs     = one + "/installations"
		install      = installs + "/{installationId}"
		spaces       = install + "/spaces"
		sites        = install + "/sites"
		organization = "/v1/orgs/{organizationId}"
		tag          = "Integrations"
	)
	gone := status(http.StatusResetContent)
	return []operation{
		row("listIntegrations", get, list, tag, "List integrations", a.listIntegrations,
			describe("The public ones, by name.")),
		row("getIntegrationByName", get, one, tag, "Get an integration", a.getIntegration,
			describe(
				"A private one is there for the members of its organization, and of those that have installed it.")),
		row("publishIntegration", post, one, tag, "Publish an integration", a.publishIntegration, takes(maxPublication),
			may(http.StatusConflict, http.StatusRequestEntityTooLarge),
			describe("Makes it, or its next version. Needs an admin of the organization; a name stays with the "+
				"organization that has published it first.")),
		row("unpublishIntegration", remove, one, tag, "Unpublish an integration", a.unpublishIntegration,
			status(http.StatusNoContent),
			describe("With its versions, secrets and installations. The name stays the organization's.")),
		row("getIntegrationAsset", get, one+"/assets/{assetName}", tag, "Get a picture of an integration",
			a.getIntegrationAsset, anyone(),
			may(http.StatusNotFound, http.StatusTooManyRequests),
			describe("The address comes from urls.icon and previewImages.")),

		row("listIntegrationInstallations", get, installs, tag, "List installations", a.listInstallations,
			describe("Those in organizations where you may list them.")),
		row("installIntegration", post, installs, tag, "Install an integration", a.installIntegration,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("getIntegrationInstallationById", get, install, tag, "Get an installation", a.getInstallation),
		row("updateIntegrationInstallation", patch, install, tag, "Change an installation", a.updateInstallation),
		row("uninstallIntegration", remove, install, tag, "Uninstall an integration", a.uninstallIntegration, gone,
			describe("From the organization with all its spaces and sites.")),

		row("listIntegrationInstallationSpaces", get, spaces, tag, "List the spaces of an installation",
			a.listInstallationSpaces),
		row("installIntegrationOnSpace", post, spaces, tag, "Install on a space", a.installOnSpace,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("getIntegrationSpaceInstallation", get, spaces+"/{spaceId}", tag, "Get the installation on a space",
			a.getSpaceInstallation),
		row("updateIntegrationSpaceInstallation", patch, spaces+"/{spaceId}", tag, "Change the installation on a space",
			a.updateSpaceInstallation),
		row("uninstallIntegrationFromSpace", remove, spaces+"/{spaceId}", tag, "Uninstall from a space",
			a.uninstallFromSpace, gone, may(http.StatusConflict)),
		row("listIntegrationInstallationSites", get, sites, tag, "List the sites of an installation",
			a.listInstallationSites),
		row("installIntegrationOnSite", post, sites, tag, "Install on a site", a.installOnSite,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("getIntegrationSiteInstallation", get, sites+"/{siteId}", tag, "Get the installation on a site",
			a.getSiteInstallation),
		row("updateIntegrationSiteInstallation", patch, sites+"/{siteId}", tag, "Change the installation on a site",
			a.updateSiteInstallation),
		row("uninstallIntegrationFromSite", remove, sites+"/{siteId}", tag, "Uninstall from a site",
			a.uninstallFromSite, gone, may(http.StatusConflict)),
		row("listIntegrationSpaceInstallations", get, one+"/spaces", tag, "List the spaces of all installations",
			a.listIntegrationSpaces),
		row("listIntegrationSiteInstallations", get, one+"/sites", tag, "List the sites of all installations",
			a.listIntegrationSites),

		row("listOrganizationIntegrations", get, organization+"/integrations", tag, "List what can be installed",
			a.listOrganizationIntegrations,
			describe("The public integrations and those of the organization itself.")),
		row("listOrganizationIntegrationsStatus", get, organization+"/integrations/installations-status", tag,
			"List installed integrations with their status",
			a.listInstallationStatuses),
		row("getOrganizationIntegrationStatus", get, organization+"/integrations/{integrationName}/installation_status",
			tag,
			"Get the status of an integration", a.getInstallationStatus),
		row("listOrganizationInstallations", get, organization+"/installations", tag, "List what is installed",
			a.listOrganizationInstallations),
		row("listSpaceIntegrations", get, "/v1/spaces/{spaceId}/integrations", tag, "List the integrations of a space",
			a.listSpaceIntegrations),
		row("listSpaceIntegrationsBlocks", get, "/v1/spaces/{spaceId}/integration-blocks", tag,
			"List the blocks that integrations add", a.listSpaceIntegrationBlocks),
		row("listSiteIntegrations", get, organization+"/sites/{siteId}/integrations", tag,
			"List the integrations of a site", a.listSiteIntegrations),
	}
}
