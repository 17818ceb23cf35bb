package api

import "net/http"

// lookOperations are those of how published sites look, and of what their readers say of them.
func (a *API) lookOperations() []operation {
	const (
		one   = "/v1/orgs/{organizationId}/sites/{siteId}"
		space = one + "/site-spaces/{siteSpaceId}/customization"
	)
	return []operation{
		row("getSiteCustomizationById", get, one+"/customization", "Sites", "Get how a site looks",
			a.getSiteCustomization),
		row("updateSiteCustomizationById", put, one+"/customization", "Sites", "Set how a site looks",
			a.putSiteCustomization,
			describe("Replaces the whole. What is wrong with it is named with its path. It shows with the next "+
				"request of a reader.")),
		row("getSiteSpaceCustomizationById", get, space, "Sites", "Get how a space on a site looks",
			a.getSiteSpaceCustomization,
			describe("As the site, with the values that the space has of its own.")),
		row("overrideSiteSpaceCustomizationById", patch, space, "Sites", "Let a space on a site look different",
			a.overrideSiteSpaceCustomization,
			describe("What the body sets becomes the space's own, what is null in it is the site's again, what it "+
				"leaves out stays.")),
		row("deleteSiteSpaceCustomizationById", remove, space, "Sites", "Let a space on a site look as the site again",
			a.deleteSiteSpaceCustomization,
			status(http.StatusResetContent), describe("204 says that it had no values of its own.")),
		row("listSiteIntegrationScripts", get, one+"/integration-scripts", "Sites",
			"List the scripts of a site's pages", a.listSiteScripts,
			describe("Those of integrations, in the order in which pages load them.")),
		row("listSiteFeedback", get, one+"/feedback", "Sites", "List what readers answered", a.listSiteFeedback,
			describe("To the question whether a page helped; the newest first.")),
		row("listSitePageFeedback", get, one+"/feedback/pages", "Sites", "Count what readers answered, by page",
			a.listSitePageFeedback,
			describe("The pages that helped the fewest first.")),
	}
}
