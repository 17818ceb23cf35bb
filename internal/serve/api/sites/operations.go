package sites

import (
	"net/http"
	"slices"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Operations are those of sites: what is on them, who reads them, and how they look.
func (h *Handlers) Operations() []operation.Operation {
	return slices.Concat(h.structureOperations(), h.audienceOperations(), h.lookOperations())
}

// structureOperations are those of a site's parts and their order.
func (h *Handlers) structureOperations() []operation.Operation {
	const (
		one      = "/v1/orgs/{organizationId}/sites/{siteId}"
		space    = one + "/site-spaces/{siteSpaceId}"
		section  = one + "/sections/{siteSectionId}"
		group    = one + "/section-groups/{siteSectionGroupId}"
		redirect = one + "/redirects/{siteRedirectId}"
		replaced = "Replaced by sortSiteStructure, with which it agrees."
	)
	conflict := operation.May(http.StatusConflict)
	return []operation.Operation{
		operation.New("listSites", http.MethodGet, "/v1/orgs/{organizationId}/sites", "Sites", "List sites",
			h.listSites),
		operation.New("createSite", http.MethodPost, "/v1/orgs/{organizationId}/sites", "Sites", "Create a site",
			h.createSite,
			operation.Status(http.StatusCreated)),
		operation.New("getSiteById", http.MethodGet, "/v1/orgs/{organizationId}/sites/{siteId}", "Sites", "Get a site",
			h.getSite,
			operation.Agents("site:metadata:read", "site:adaptive:read", "site:adaptive:write")),
		operation.New("updateSiteById", http.MethodPatch, "/v1/orgs/{organizationId}/sites/{siteId}", "Sites",
			"Change a site", h.updateSite,
			operation.May(http.StatusConflict)),
		operation.New("publishSite", http.MethodPost, "/v1/orgs/{organizationId}/sites/{siteId}/publish", "Sites",
			"Publish a site",
			h.publishSite,
			operation.Describe("From now on it follows its spaces.")),
		operation.New("getPublishedContentSite", http.MethodGet, "/v1/orgs/{organizationId}/sites/{siteId}/published",
			"Sites",
			"Get a site's profile", h.getPublishedSite, operation.Visited(h.visitPublished), operation.Previewed(),
			operation.Describe(
				"Its structure and looks, complete with defaults. A site that is not published has none: 404."),
			operation.Agents("site:metadata:read", "site:adaptive:read", "site:adaptive:write")),
		operation.New("trackEventsInSiteById", http.MethodPost, one+"/insights/events", "Sites",
			"Report what readers of a site did", h.trackEvents, operation.Status(http.StatusNoContent),
			operation.Takes(maxEventsBody),
			operation.Describe("For who shows the site elsewhere. What readers say of pages is kept, where "+
				"the site asks for it; of all else nothing is kept.")),
		operation.New("streamAskInSite", http.MethodPost, one+"/ask", "Sites", "Ask a site's content", h.ask,
			operation.Visited(h.visitAsk),
			operation.Reads(), operation.AnswersStream[wire.AskStream](),
			operation.Describe("Nobody has connected a model to this server: the answer says so.")),
		operation.New("streamRecommendedQuestionsInSite", http.MethodGet, one+"/ask/questions", "Sites",
			"Get a stream of questions to ask a site's content", h.askQuestions, operation.Visited(h.visitAskQuestions),
			operation.AnswersStream[wire.AskQuestion]()),
		operation.New("listSiteSpaces", http.MethodGet, "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", "Sites",
			"List the spaces of a site", h.listSiteSpaces,
			operation.Agents("site:metadata:read", "site:adaptive:read", "site:adaptive:write")),
		operation.New("addSpaceToSite", http.MethodPost, "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces",
			"Sites",
			"Put a space on a site", h.addSiteSpace,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),

		operation.New("deleteSiteById", http.MethodDelete, one, "Sites", "Delete a site", h.deleteSite,
			operation.Status(http.StatusNoContent),
			operation.Describe("Its spaces stay.")),
		operation.New("unpublishSite", http.MethodPost, one+"/unpublish", "Sites", "Take a site off the air",
			h.unpublishSite),
		operation.New("getSiteStructure", http.MethodGet, one+"/structure", "Sites", "Get all that is on a site",
			h.getSiteStructure,
			operation.Describe("Spaces, or sections and their groups, in order."),
			operation.Agents("site:metadata:read", "site:adaptive:read", "site:adaptive:write")),
		operation.New("sortSiteStructure", http.MethodPatch, one+"/structure/sort", "Sites",
			"Move a space, section or group",
			h.sortSiteStructure,
			operation.Describe(
				"It goes next to what position names, into the same section or group. With the header Prefer: "+
					"return=minimal the answer is 204.")),
		operation.New("updateSiteSpaceById", http.MethodPatch, space, "Sites", "Change a space on a site",
			h.updateSiteSpace, conflict,
			operation.Describe("The address that it leaves leads to the new one.")),
		operation.New("deleteSiteSpaceById", http.MethodDelete, space, "Sites", "Take a space off a site",
			h.deleteSiteSpace,
			operation.Status(http.StatusResetContent),
			operation.Describe("The space itself stays.")),
		operation.New("moveSiteSpace", http.MethodPost, space+"/move", "Sites", "Move a space on a site",
			h.moveSiteSpace,
			operation.Describe(replaced), operation.Deprecated()),
		operation.New("listSiteSections", http.MethodGet, one+"/sections", "Sites", "List the sections of a site",
			h.listSiteSections),
		operation.New("addSectionToSite", http.MethodPost, one+"/sections", "Sites", "Add a section to a site",
			h.addSiteSection,
			operation.Status(http.StatusCreated), conflict,
			operation.Describe(
				"Before the first section, what is at the root of the site becomes a section of its own, the "+
					"default one, at the same addresses; moved says so. A section for a space that is at the root is "+
					"that section.")),
		operation.New("updateSiteSectionById", http.MethodPatch, section, "Sites", "Change a section",
			h.updateSiteSection, conflict,
			operation.Describe("The addresses that its spaces leave lead to the new ones.")),
		operation.New("deleteSiteSectionById", http.MethodDelete, section, "Sites", "Delete a section",
			h.deleteSiteSection,
			operation.Empty(http.StatusNoContent,
				"No Content: the section is deleted. Removed-Site-Spaces names the site spaces that left the site."),
			operation.Describe(
				"Its spaces are taken off the site; those of the last section go back to the root of the site. "+
					"The answer says which site spaces left the site: by their ids in the header Removed-Site-Spaces, "+
					"and with Prefer: return=representation as a body.")),
		operation.New("moveSiteSection", http.MethodPost, section+"/move", "Sites", "Move a section", h.moveSiteSection,
			operation.Describe(replaced),
			operation.Deprecated()),
		operation.New("listSiteSectionGroups", http.MethodGet, one+"/section-groups", "Sites",
			"List the section groups of a site",
			h.listSectionGroups),
		operation.New("addSectionGroupToSite", http.MethodPost, one+"/section-groups", "Sites",
			"Add a section group to a site",
			h.addSectionGroup,
			operation.Status(http.StatusCreated), conflict, operation.Describe("Groups nest two levels deep.")),
		operation.New("updateSiteSectionGroupById", http.MethodPatch, group, "Sites", "Change a section group",
			h.updateSectionGroup),
		operation.New("deleteSiteSectionGroupById", http.MethodDelete, group, "Sites", "Delete a section group",
			h.deleteSectionGroup,
			operation.Status(http.StatusResetContent),
			operation.Describe("What is in it takes its place.")),
		operation.New("addSectionToGroup", http.MethodPost, group+"/sections", "Sites", "Move a section into a group",
			h.addSectionToGroup,
			operation.Status(http.StatusCreated)),
		operation.New("removeSectionFromGroup", http.MethodDelete, group+"/sections/{siteSectionId}", "Sites",
			"Move a section out of a group", h.removeSectionFromGroup,
			operation.Status(http.StatusResetContent)),
		operation.New("listSiteRedirects", http.MethodGet, one+"/redirects", "Sites", "List the redirects of a site",
			h.listSiteRedirects),
		operation.New("createSiteRedirect", http.MethodPost, one+"/redirects", "Sites", "Add a redirect to a site",
			h.createSiteRedirect,
			operation.Status(http.StatusCreated), conflict,
			operation.Describe("It works where no page is.")),
		operation.New("updateSiteRedirectById", http.MethodPatch, redirect, "Sites", "Change a redirect",
			h.updateSiteRedirect, conflict),
		operation.New("deleteSiteRedirectById", http.MethodDelete, redirect, "Sites", "Delete a redirect",
			h.deleteSiteRedirect,
			operation.Status(http.StatusNoContent)),
		operation.New("getSiteRedirectBySource", http.MethodGet, one+"/redirect", "Sites",
			"Find the redirect for a path",
			h.getSiteRedirectBySource, operation.Visited(h.visitRedirect),
			operation.Describe("With the address that it leads to.")),
		operation.New("moveSiteSectionGroup", http.MethodPost, group+"/move", "Sites", "Move a section group",
			h.moveSectionGroup,
			operation.Describe(replaced), operation.Deprecated()),
	}
}
