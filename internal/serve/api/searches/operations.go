package searches

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those that find pages.
func (h *Handlers) Operations() []operation.Operation {
	return []operation.Operation{
		operation.New("searchSpaceContent", http.MethodGet, "/v1/spaces/{spaceId}/search", "Search", "Search a space",
			h.searchSpace),
		operation.New("searchOrganizationContent", http.MethodGet, "/v1/orgs/{organizationId}/search", "Search",
			"Search an organization",
			h.searchOrganization,
			operation.Describe("Everything that you may read, ranked together and grouped by space.")),
		operation.New("getSearchStatusOfOrganization", http.MethodGet, "/v1/orgs/{organizationId}/search/status",
			"Search", "Get how far search has come", h.getStatus,
			operation.Describe("How far the words of the organization's spaces are read and their passages are "+
				"embedded, on the server that answers: each server has indexes of its own. It needs the role admin.")),
		operation.New("refreshSearchOfOrganization", http.MethodPost, "/v1/orgs/{organizationId}/search/refresh",
			"Search", "Bring search up to date", h.refresh, operation.Status(http.StatusAccepted),
			operation.Describe("Reads what has changed in all spaces of the organization in the background, on the "+
				"server that answers, and sends passages again although the endpoint of embeddings has failed. "+
				"Nothing waits for it: a space is also read when somebody searches it. It needs the role admin.")),
		operation.New("searchSiteContent", http.MethodPost, "/v1/orgs/{organizationId}/sites/{siteId}/search", "Sites",
			"Search a site", h.searchSite, operation.Reads(),
			operation.Visited(h.visitSearch),
			operation.Describe("Pages of the site's spaces that you may read, ranked together and grouped by space.")),
	}
}
