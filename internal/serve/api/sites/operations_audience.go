package sites

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// audienceOperations are those of who may read a site.
func (h *Handlers) audienceOperations() []operation.Operation {
	const (
		one    = "/v1/orgs/{organizationId}/sites/{siteId}"
		schema = one + "/adaptive-schema"
		links  = one + "/share-links"
		link   = links + "/{shareLinkId}"
		auth   = one + "/publishing/auth"
	)
	return []operation.Operation{
		operation.New("getSiteAdaptiveSchema", http.MethodGet, schema, "Sites", "Get the adaptive schema of a site",
			h.getAdaptiveSchema,
			operation.Describe("404 while the site has none."),
			operation.Agents("site:adaptive:read", "site:adaptive:write")),
		operation.New("updateSiteAdaptiveSchema", http.MethodPut, schema, "Sites", "Put the adaptive schema of a site",
			h.putAdaptiveSchema,
			operation.Describe(
				"A JSON Schema of draft-07: an object of claims that are booleans, texts, numbers, lists of "+
					"these or objects of claims, and below unsigned those that visitors may say of themselves. "+
					"Anything "+
					"else is refused with the path of what is not accepted."),
			operation.Agents("site:adaptive:write")),
		operation.New("listSiteAdaptiveTemplateConditions", http.MethodGet, schema+"/template-conditions", "Sites",
			"List conditions made from the adaptive schema", h.listTemplateConditions,
			operation.Describe("Ready for pages, blocks, variants, sections and links of the header.")),
		operation.New("listSiteShareLinks", http.MethodGet, links, "Sites", "List the share links of a site",
			h.listShareLinks,
			operation.Describe(
				"The oldest first. Their addresses are secrets: it needs the right to change the site.")),
		operation.New("createSiteShareLink", http.MethodPost, links, "Sites", "Create a share link", h.createShareLink,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("updateSiteShareLinkById", http.MethodPatch, link, "Sites", "Change a share link",
			h.updateShareLink,
			operation.Describe("An inactive link lets nobody in, whoever has opened it before.")),
		operation.New("deleteSiteShareLinkById", http.MethodDelete, link, "Sites", "Delete a share link",
			h.deleteShareLink,
			operation.Status(http.StatusResetContent)),
		operation.New("getSitePublishingAuthById", http.MethodGet, auth, "Sites", "Get how a site knows its visitors",
			h.getPublishingAuth,
			operation.Describe("The private key signs visitors' tokens; it is made with the first question.")),
		operation.New("updateSitePublishingAuthById", http.MethodPatch, auth, "Sites",
			"Change how a site knows its visitors",
			h.updatePublishingAuth,
			operation.Describe("null takes an address away.")),
		operation.New("regenerateSitePublishingAuthById", http.MethodPost, auth+"/regenerate", "Sites",
			"Give a site a new private key",
			h.regeneratePublishingAuth,
			operation.Describe(
				"Tokens that were signed with the key before count for 24 hours more; regenerating again ends "+
					"that at once.")),
	}
}
