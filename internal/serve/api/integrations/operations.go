package integrations

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// maxPublication bounds a request that publishes an integration: a script of 5 MB as a JSON text, pictures of 7 MB in
// base64, and the rest.
const maxPublication = 24 << 20

// Operations are those of integrations and their installations.
func (h *Handlers) Operations() []operation.Operation {
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
	gone := operation.Status(http.StatusResetContent)
	return []operation.Operation{
		operation.New("listIntegrations", http.MethodGet, list, tag, "List integrations", h.listIntegrations,
			operation.Describe("The public ones, by name.")),
		operation.New("getIntegrationByName", http.MethodGet, one, tag, "Get an integration", h.getIntegration,
			operation.Describe(
				"A private one is there for the members of its organization, and of those that have installed it."),
			operation.Agents("")),
		operation.New("publishIntegration", http.MethodPost, one, tag, "Publish an integration", h.publishIntegration,
			operation.Takes(maxPublication),
			operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge),
			operation.Describe(
				"Makes it, or its next version. Needs an admin of the organization; a name stays with the "+
					"organization that has published it first.")),
		operation.New("unpublishIntegration", http.MethodDelete, one, tag, "Unpublish an integration",
			h.unpublishIntegration,
			operation.Status(http.StatusNoContent),
			operation.Describe("With its versions, secrets and installations. The name stays the organization's.")),
		operation.New("getIntegrationAsset", http.MethodGet, one+"/assets/{assetName}", tag,
			"Get a picture of an integration",
			h.getIntegrationAsset, operation.Anyone(),
			operation.May(http.StatusNotFound, http.StatusTooManyRequests),
			operation.Describe("The address comes from urls.icon and previewImages.")),

		operation.New("listIntegrationEvents", http.MethodGet, one+"/events", tag, "List the calls of an integration",
			h.listEvents,
			operation.Describe("The newest first, of 30 days, in organizations that you are an admin of: its author "+
				"sees those of the own organization, and who has installed it those of theirs.")),
		operation.New("getIntegrationEvent", http.MethodGet, one+"/events/{eventId}", tag,
			"Get a call of an integration", h.getEvent, operation.Describe("With what the script has logged.")),
		operation.New("redeliverIntegrationEvent", http.MethodPost, one+"/events/{eventId}/redeliver", tag,
			"Send an event once more", h.redeliverEvent, operation.Status(http.StatusNoContent),
			operation.May(http.StatusConflict),
			operation.Describe("Not for events whose answer somebody waited for.")),
		operation.New("setIntegrationDevelopmentMode", http.MethodPut, one+"/dev", tag,
			"Send events to an address in place of the script", h.setDevelopment,
			operation.Status(http.StatusNoContent),
			operation.Describe("They hold tokens and secrets of the integration. Needs an admin of its organization.")),
		operation.New("disableIntegrationDevelopmentMode", http.MethodDelete, one+"/dev", tag,
			"Send events to the script again", h.endDevelopment, gone),
		operation.New("queueIntegrationTask", http.MethodPost, one+"/tasks", tag, "Give an integration a task",
			h.queueTask, operation.Status(http.StatusNoContent), operation.Agents(""),
			operation.Describe("For the integration itself, with its own token: its script is called with the task, "+
				"now or up to a day later.")),
		operation.New("renderIntegrationUIWithPost", http.MethodPost, one+"/render", tag,
			"Draw a component of an integration", h.render, operation.Answers[RenderOutput](), operation.Reads(),
			operation.Visited(h.visitRender),
			operation.Describe("404 says that there is no such component; an answer of the type complete shows "+
				"nothing more.")),
		operation.New("renderIntegrationUIWithGet", http.MethodGet, one+"/render", tag,
			"Draw a component of an integration by its address", h.renderCompressed,
			operation.Visited(h.renderCompressed),
			operation.Answers[RenderOutput](),
			operation.Describe("The same as renderIntegrationUIWithPost, with the request in the address.")),

		operation.New("listIntegrationInstallations", http.MethodGet, installs, tag, "List installations",
			h.listInstallations,
			operation.Describe("Those in organizations where you may list them."),
			operation.Agents("")),
		operation.New("installIntegration", http.MethodPost, installs, tag, "Install an integration",
			h.installIntegration,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("getIntegrationInstallationById", http.MethodGet, install, tag, "Get an installation",
			h.getInstallation,
			operation.Agents("")),
		operation.New("updateIntegrationInstallation", http.MethodPatch, install, tag, "Change an installation",
			h.updateInstallation,
			operation.Agents("")),
		operation.New("uninstallIntegration", http.MethodDelete, install, tag, "Uninstall an integration",
			h.uninstallIntegration, gone,
			operation.Describe("From the organization with all its spaces and sites.")),

		operation.New("createIntegrationInstallationToken", http.MethodPost, install+"/tokens", tag,
			"Get a token of an installation", h.createInstallationToken, operation.Agents(""),
			operation.Describe("For the integration itself, with the token that its script has. The token opens what "+
				"the integration is installed on, as far as the scopes of its manifest go, and works for an hour.")),

		operation.New("listIntegrationInstallationSpaces", http.MethodGet, spaces, tag,
			"List the spaces of an installation",
			h.listInstallationSpaces,
			operation.Agents("")),
		operation.New("installIntegrationOnSpace", http.MethodPost, spaces, tag, "Install on a space", h.installOnSpace,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("getIntegrationSpaceInstallation", http.MethodGet, spaces+"/{spaceId}", tag,
			"Get the installation on a space",
			h.getSpaceInstallation,
			operation.Agents("")),
		operation.New("updateIntegrationSpaceInstallation", http.MethodPatch, spaces+"/{spaceId}", tag,
			"Change the installation on a space",
			h.updateSpaceInstallation,
			operation.Agents("")),
		operation.New("uninstallIntegrationFromSpace", http.MethodDelete, spaces+"/{spaceId}", tag,
			"Uninstall from a space",
			h.uninstallFromSpace, gone, operation.May(http.StatusConflict)),
		operation.New("listIntegrationInstallationSites", http.MethodGet, sites, tag,
			"List the sites of an installation",
			h.listInstallationSites,
			operation.Agents("")),
		operation.New("installIntegrationOnSite", http.MethodPost, sites, tag, "Install on a site", h.installOnSite,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("getIntegrationSiteInstallation", http.MethodGet, sites+"/{siteId}", tag,
			"Get the installation on a site",
			h.getSiteInstallation,
			operation.Agents("")),
		operation.New("updateIntegrationSiteInstallation", http.MethodPatch, sites+"/{siteId}", tag,
			"Change the installation on a site",
			h.updateSiteInstallation,
			operation.Agents("")),
		operation.New("uninstallIntegrationFromSite", http.MethodDelete, sites+"/{siteId}", tag,
			"Uninstall from a site",
			h.uninstallFromSite, gone, operation.May(http.StatusConflict)),
		operation.New("listIntegrationSpaceInstallations", http.MethodGet, one+"/spaces", tag,
			"List the spaces of all installations",
			h.listIntegrationSpaces,
			operation.Agents("")),
		operation.New("listIntegrationSiteInstallations", http.MethodGet, one+"/sites", tag,
			"List the sites of all installations",
			h.listIntegrationSites,
			operation.Agents("")),

		operation.New("listOrganizationIntegrations", http.MethodGet, organization+"/integrations", tag,
			"List what can be installed",
			h.listOrganizationIntegrations,
			operation.Describe("The public integrations and those of the organization itself.")),
		operation.New("listOrganizationIntegrationsStatus", http.MethodGet,
			organization+"/integrations/installations-status", tag,
			"List installed integrations with their status",
			h.listInstallationStatuses),
		operation.New("getOrganizationIntegrationStatus", http.MethodGet,
			organization+"/integrations/{integrationName}/installation_status",
			tag,
			"Get the status of an integration", h.getInstallationStatus),
		operation.New("listOrganizationInstallations", http.MethodGet, organization+"/installations", tag,
			"List what is installed",
			h.listOrganizationInstallations),
		operation.New("listSpaceIntegrations", http.MethodGet, "/v1/spaces/{spaceId}/integrations", tag,
			"List the integrations of a space",
			h.listSpaceIntegrations),
		operation.New("listSpaceIntegrationsBlocks", http.MethodGet, "/v1/spaces/{spaceId}/integration-blocks", tag,
			"List the blocks that integrations add", h.listSpaceIntegrationBlocks),
		operation.New("listSpaceContentSources", http.MethodGet, "/v1/spaces/{spaceId}/content-sources", tag,
			"List the sources of content that integrations add", h.listSpaceContentSources),
		operation.New("getEmbedByUrlInSpace", http.MethodGet, "/v1/spaces/{spaceId}/embed", tag,
			"Find what a link can be shown as in a space", h.embedInSpace, operation.Visited(h.visitEmbed),
			operation.Describe("The block of an integration on the space whose patterns fit the link, a frame of a "+
				"site that is known, or a link.")),
		operation.New("getEmbedByUrl", http.MethodGet, "/v1/urls/embed", tag,
			"Find what a link can be shown as", h.embed, operation.Visited(h.embed),
			operation.Describe("A frame of a site that is known, or a link.")),
		operation.New("listSiteIntegrations", http.MethodGet, organization+"/sites/{siteId}/integrations", tag,
			"List the integrations of a site", h.listSiteIntegrations),
	}
}
