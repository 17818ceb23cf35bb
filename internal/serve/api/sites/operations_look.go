package sites

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// lookOperations are those of how published sites look, and of what their readers say of them.
func (h *Handlers) lookOperations() []operation.Operation {
	const (
		one   = "/v1/orgs/{organizationId}/sites/{siteId}"
		space = one + "/site-spaces/{siteSpaceId}/customization"
	)
	return []operation.Operation{
		operation.New("getSiteCustomizationById", http.MethodGet, one+"/customization", "Sites", "Get how a site looks",
			h.getSiteCustomization),
		operation.New("updateSiteCustomizationById", http.MethodPut, one+"/customization", "Sites",
			"Set how a site looks",
			h.putSiteCustomization,
			operation.Describe(
				"Replaces the whole. What is wrong with it is named with its path. It shows with the next "+
					"request of a reader.")),
		operation.New("getSiteSpaceCustomizationById", http.MethodGet, space, "Sites",
			"Get how a space on a site looks",
			h.getSiteSpaceCustomization,
			operation.Describe("As the site, with the values that the space has of its own.")),
		operation.New("overrideSiteSpaceCustomizationById", http.MethodPatch, space, "Sites",
			"Let a space on a site look different",
			h.overrideSiteSpaceCustomization,
			operation.Describe(
				"What the body sets becomes the space's own, what is null in it is the site's again, what it "+
					"leaves out stays.")),
		operation.New("deleteSiteSpaceCustomizationById", http.MethodDelete, space, "Sites",
			"Let a space on a site look as the site again",
			h.deleteSiteSpaceCustomization,
			operation.Status(http.StatusResetContent),
			operation.Describe("204 says that it had no values of its own.")),
		operation.New("listSiteIntegrationScripts", http.MethodGet, one+"/integration-scripts", "Sites",
			"List the scripts of a site's pages", h.listSiteScripts,
			operation.Describe("Those of integrations, in the order in which pages load them.")),
		operation.New("listSiteFeedback", http.MethodGet, one+"/feedback", "Sites", "List what readers answered",
			h.listSiteFeedback,
			operation.Describe("To the question whether a page helped; the newest first.")),
		operation.New("listSitePageFeedback", http.MethodGet, one+"/feedback/pages", "Sites",
			"Count what readers answered, by page",
			h.listSitePageFeedback,
			operation.Describe("The pages that helped the fewest first.")),
	}
}
