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
		operation.New("searchSiteContent", http.MethodPost, "/v1/orgs/{organizationId}/sites/{siteId}/search", "Sites",
			"Search a site", h.searchSite, operation.Reads(),
			operation.Visited(h.visitSearch),
			operation.Describe("Pages of the site's spaces that you may read, ranked together and grouped by space.")),
	}
}
