package api

// linkOperations are those on links and backlinks.
func (a *API) linkOperations() []operation {
	const (
		tag     = "Links"
		space   = "/v1/spaces/{spaceId}"
		request = space + "/change-requests/{changeRequestId}"
	)
	return []operation{
		row("listSpaceLinks", get, space+"/links", tag, "List the links of a space", a.listSpaceLinks,
			scoped("content"),
			describe(
				"Every destination of every page and reusable content once. Those that need attention come first.")),
		row("listPageLinksInSpace", get, space+"/content/page/{pageId}/links", tag, "List the links of a page",
			a.listPageLinks, scoped("content"),
			describe("In the order in which they stand on the page.")),
		row("listSpacePageBacklinks", get, space+"/content/page/{pageId}/backlinks", tag, "List what links to a page",
			a.listPageBacklinks, scoped("content"),
			describe("Pages and reusable contents, each once: those of the space first, then those of all other "+
				"spaces of the organization that you may read.")),
		row("listSpaceFileBacklinks", get, space+"/content/files/{fileId}/backlinks", tag, "List what uses a file",
			a.listFileBacklinks, scoped("content")),
		row("listReusableContentBacklinks", get, space+"/content/reusable-contents/{reusableContentId}/backlinks", tag,
			"List what includes a reusable content",
			a.listReusableBacklinks, scoped("content")),
		row("listPageLinksInChangeRequest", get, request+"/content/page/{pageId}/links", tag,
			"List the links of a page in a change request",
			a.listChangeRequestPageLinks, scoped("content"),
			describe("stats.broken.changeRequest counts those that the change request breaks.")),
		row("listChangeRequestPageBacklinks", get, request+"/content/page/{pageId}/backlinks", tag,
			"List what links to a page in a change request",
			a.listChangeRequestPageBacklinks, scoped("content")),
		row("listChangeRequestFileBacklinks", get, request+"/content/files/{fileId}/backlinks", tag,
			"List what uses a file in a change request",
			a.listChangeRequestFileBacklinks, scoped("content")),
		row("listReusableContentBacklinksInChangeRequest", get,
			request+"/content/reusable-contents/{reusableContentId}/backlinks", tag,
			"List what includes a reusable content in a change request", a.listChangeRequestReusableBacklinks,
			scoped("content")),
		row("listChangeRequestLinks", get, request+"/links", tag, "List the links of a change request",
			a.listChangeRequestLinks, scoped("content"),
			describe("stats.broken.changeRequest counts those that the change request breaks, also on pages that it "+
				"does not touch; added lists them.")),
	}
}
