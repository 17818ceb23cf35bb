package links

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those on links and backlinks.
func (h *Handlers) Operations() []operation.Operation {
	const (
		tag     = "Links"
		space   = "/v1/spaces/{spaceId}"
		request = space + "/change-requests/{changeRequestId}"
	)
	return []operation.Operation{
		operation.New("listSpaceLinks", http.MethodGet, space+"/links", tag, "List the links of a space",
			h.listSpaceLinks,
			operation.Scoped("content"),
			operation.Describe(
				"Every destination of every page and reusable content once. Those that need attention come first.")),
		operation.New("listPageLinksInSpace", http.MethodGet, space+"/content/page/{pageId}/links", tag,
			"List the links of a page",
			h.listPageLinks, operation.Scoped("content"),
			operation.Describe("In the order in which they stand on the page.")),
		operation.New("listSpacePageBacklinks", http.MethodGet, space+"/content/page/{pageId}/backlinks", tag,
			"List what links to a page",
			h.listPageBacklinks, operation.Scoped("content"),
			operation.Describe(
				"Pages and reusable contents, each once: those of the space first, then those of all other "+
					"spaces of the organization that you may read.")),
		operation.New("listSpaceFileBacklinks", http.MethodGet, space+"/content/files/{fileId}/backlinks", tag,
			"List what uses a file",
			h.listFileBacklinks, operation.Scoped("content")),
		operation.New("listReusableContentBacklinks", http.MethodGet,
			space+"/content/reusable-contents/{reusableContentId}/backlinks", tag,
			"List what includes a reusable content",
			h.listReusableBacklinks, operation.Scoped("content")),
		operation.New("listPageLinksInChangeRequest", http.MethodGet, request+"/content/page/{pageId}/links", tag,
			"List the links of a page in a change request",
			h.listChangeRequestPageLinks, operation.Scoped("content"),
			operation.Describe("stats.broken.changeRequest counts those that the change request breaks.")),
		operation.New("listChangeRequestPageBacklinks", http.MethodGet, request+"/content/page/{pageId}/backlinks", tag,
			"List what links to a page in a change request",
			h.listChangeRequestPageBacklinks, operation.Scoped("content")),
		operation.New("listChangeRequestFileBacklinks", http.MethodGet, request+"/content/files/{fileId}/backlinks",
			tag,
			"List what uses a file in a change request",
			h.listChangeRequestFileBacklinks, operation.Scoped("content")),
		operation.New("listReusableContentBacklinksInChangeRequest", http.MethodGet,
			request+"/content/reusable-contents/{reusableContentId}/backlinks", tag,
			"List what includes a reusable content in a change request", h.listChangeRequestReusableBacklinks,
			operation.Scoped("content")),
		operation.New("listChangeRequestLinks", http.MethodGet, request+"/links", tag,
			"List the links of a change request",
			h.listChangeRequestLinks, operation.Scoped("content"),
			operation.Describe(
				"stats.broken.changeRequest counts those that the change request breaks, also on pages that it "+
					"does not touch; added lists them.")),
	}
}
