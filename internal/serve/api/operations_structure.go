package api

import "net/http"

// structureOperations are those of a site's parts and their order.
func (a *API) structureOperations() []operation {
	const (
		one      = "/v1/orgs/{organizationId}/sites/{siteId}"
		space    = one + "/site-spaces/{siteSpaceId}"
		section  = one + "/sections/{siteSectionId}"
		group    = one + "/section-groups/{siteSectionGroupId}"
		redirect = one + "/redirects/{siteRedirectId}"
		replaced = "Replaced by sortSiteStructure, with which it agrees."
	)
	conflict := may(http.StatusConflict)
	return []operation{
		row("deleteSiteById", remove, one, "Sites", "Delete a site", a.deleteSite, status(http.StatusNoContent),
			describe("Its spaces stay.")),
		row("unpublishSite", post, one+"/unpublish", "Sites", "Take a site off the air", a.unpublishSite),
		row("getSiteStructure", get, one+"/structure", "Sites", "Get all that is on a site", a.getSiteStructure,
			describe("Spaces, or sections and their groups, in order.")),
		row("sortSiteStructure", patch, one+"/structure/sort", "Sites", "Move a space, section or group",
			a.sortSiteStructure,
			describe("It goes next to what position names, into the same section or group. With the header Prefer: "+
				"return=minimal the answer is 204.")),
		row("updateSiteSpaceById", patch, space, "Sites", "Change a space on a site", a.updateSiteSpace, conflict,
			describe("The address that it leaves leads to the new one.")),
		row("deleteSiteSpaceById", remove, space, "Sites", "Take a space off a site", a.deleteSiteSpace,
			status(http.StatusResetContent),
			describe("The space itself stays.")),
		row("moveSiteSpace", post, space+"/move", "Sites", "Move a space on a site", a.moveSiteSpace,
			describe(replaced), deprecated()),
		row("listSiteSections", get, one+"/sections", "Sites", "List the sections of a site", a.listSiteSections),
		row("addSectionToSite", post, one+"/sections", "Sites", "Add a section to a site", a.addSiteSection,
			status(http.StatusCreated), conflict,
			describe("Before the first section, what is at the root of the site becomes a section of its own, the "+
				"default one, at the same addresses; moved says so. A section for a space that is at the root is "+
				"that section.")),
		row("updateSiteSectionById", patch, section, "Sites", "Change a section", a.updateSiteSection, conflict,
			describe("The addresses that its spaces leave lead to the new ones.")),
		row("deleteSiteSectionById", remove, section, "Sites", "Delete a section", a.deleteSiteSection,
			empty(http.StatusNoContent,
				"No Content: the section is deleted. Removed-Site-Spaces names the site spaces that left the site."),
			describe("Its spaces are taken off the site; those of the last section go back to the root of the site. "+
				"The answer says which site spaces left the site: by their ids in the header Removed-Site-Spaces, "+
				"and with Prefer: return=representation as a body.")),
		row("moveSiteSection", post, section+"/move", "Sites", "Move a section", a.moveSiteSection, describe(replaced),
			deprecated()),
		row("listSiteSectionGroups", get, one+"/section-groups", "Sites", "List the section groups of a site",
			a.listSectionGroups),
		row("addSectionGroupToSite", post, one+"/section-groups", "Sites", "Add a section group to a site",
			a.addSectionGroup,
			status(http.StatusCreated), conflict, describe("Groups nest two levels deep.")),
		row("updateSiteSectionGroupById", patch, group, "Sites", "Change a section group", a.updateSectionGroup),
		row("deleteSiteSectionGroupById", remove, group, "Sites", "Delete a section group", a.deleteSectionGroup,
			status(http.StatusResetContent),
			describe("What is in it takes its place.")),
		row("addSectionToGroup", post, group+"/sections", "Sites", "Move a section into a group", a.addSectionToGroup,
			status(http.StatusCreated)),
		row("removeSectionFromGroup", remove, group+"/sections/{siteSectionId}", "Sites",
			"Move a section out of a group", a.removeSectionFromGroup,
			status(http.StatusResetContent)),
		row("listSiteRedirects", get, one+"/redirects", "Sites", "List the redirects of a site", a.listSiteRedirects),
		row("createSiteRedirect", post, one+"/redirects", "Sites", "Add a redirect to a site", a.createSiteRedirect,
			status(http.StatusCreated), conflict,
			describe("It works where no page is.")),
		row("updateSiteRedirectById", patch, redirect, "Sites", "Change a redirect", a.updateSiteRedirect, conflict),
		row("deleteSiteRedirectById", remove, redirect, "Sites", "Delete a redirect", a.deleteSiteRedirect,
			status(http.StatusNoContent)),
		row("getSiteRedirectBySource", get, one+"/redirect", "Sites", "Find the redirect for a path",
			a.getSiteRedirectBySource,
			describe("With the address that it leads to.")),
		row("searchSiteContent", post, one+"/search", "Sites", "Search a site", a.searchSite, reads(),
			describe("Pages of the site's spaces that you may read, ranked together and grouped by space.")),
		row("getContentByUrl", get, "/v1/urls/content", "Sites", "Find the content that an address names",
			a.getContentByURL),
		row("getPublishedContentByUrl", get, "/v1/urls/published", "Sites", "Find what is published at an address",
			a.getPublishedContentByURL,
			describe("Replaced by resolvePublishedContentByUrl."), deprecated()),
		row("resolvePublishedContentByUrl", post, "/v1/urls/published", "Sites", "Find what is published at an address",
			a.resolvePublishedContentByURL,
			reads(),
			describe("The site, section and space with the path in it, or where the address leads. A caller who "+
				"names a visitor gets what the site has for them: sections and spaces whose conditions hold for "+
				"their claims, and where to sign in when the site asks for a token. A site of a share link is found "+
				"with its key in the address. Members of the organization who name no visitor find everything.")),
		row("moveSiteSectionGroup", post, group+"/move", "Sites", "Move a section group", a.moveSectionGroup,
			describe(replaced), deprecated()),
	}
}
