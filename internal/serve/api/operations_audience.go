package api

import "net/http"

// audienceOperations are those of who may read a site.
func (a *API) audienceOperations() []operation {
	const (
		one    = "/v1/orgs/{organizationId}/sites/{siteId}"
		schema = one + "/adaptive-schema"
		links  = one + "/share-links"
		link   = links + "/{shareLinkId}"
		auth   = one + "/publishing/auth"
	)
	return []operation{
		row("getSiteAdaptiveSchema", get, schema, "Sites", "Get the adaptive schema of a site", a.getAdaptiveSchema,
			describe("404 while the site has none.")),
		row("updateSiteAdaptiveSchema", put, schema, "Sites", "Put the adaptive schema of a site", a.putAdaptiveSchema,
			describe("A JSON Schema of draft-07: an object of claims that are booleans, texts, numbers, lists of "+
				"these or objects of claims, and below unsigned those that visitors may say of themselves. Anything "+
				"else is refused with the path of what is not accepted.")),
		row("listSiteAdaptiveTemplateConditions", get, schema+"/template-conditions", "Sites",
			"List conditions made from the adaptive schema", a.listTemplateConditions,
			describe("Ready for pages, blocks, variants, sections and links of the header.")),
		row("listSiteShareLinks", get, links, "Sites", "List the share links of a site", a.listShareLinks,
			describe("The oldest first. Their addresses are secrets: it needs the right to change the site.")),
		row("createSiteShareLink", post, links, "Sites", "Create a share link", a.createShareLink,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("updateSiteShareLinkById", patch, link, "Sites", "Change a share link", a.updateShareLink,
			describe("An inactive link lets nobody in, whoever has opened it before.")),
		row("deleteSiteShareLinkById", remove, link, "Sites", "Delete a share link", a.deleteShareLink,
			status(http.StatusResetContent)),
		row("getSitePublishingAuthById", get, auth, "Sites", "Get how a site knows its visitors", a.getPublishingAuth,
			describe("The private key signs visitors' tokens; it is made with the first question.")),
		row("updateSitePublishingAuthById", patch, auth, "Sites", "Change how a site knows its visitors",
			a.updatePublishingAuth,
			describe("null takes an address away.")),
		row("regenerateSitePublishingAuthById", post, auth+"/regenerate", "Sites", "Give a site a new private key",
			a.regeneratePublishingAuth,
			describe("Tokens that were signed with the key before count for 24 hours more; regenerating again ends "+
				"that at once.")),
	}
}
