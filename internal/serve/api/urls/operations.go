package urls

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those that say what is at an address.
func (h *Handlers) Operations() []operation.Operation {
	lookups := operation.May(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusTooManyRequests)
	return []operation.Operation{
		operation.New("getContentByUrl", http.MethodGet, "/v1/urls/content", "Sites",
			"Find the content that an address names",
			h.getContentByURL, operation.Agents("space:content:read", "space:content:write")),
		operation.New("getPublishedContentByUrl", http.MethodGet, "/v1/urls/published", "Sites",
			"Find what is published at an address",
			h.getPublishedContentByURL,
			operation.AnyoneOrCaller(), lookups,
			operation.Describe("Replaced by resolvePublishedContentByUrl."), operation.Deprecated()),
		operation.New("resolvePublishedContentByUrl", http.MethodPost, "/v1/urls/published", "Sites",
			"Find what is published at an address",
			h.resolvePublishedContentByURL,
			operation.Reads(), operation.AnyoneOrCaller(), lookups,
			operation.Describe(
				"The site, section and space with the path in it, or where the address leads. A caller who "+
					"names a visitor gets what the site has for them: sections and spaces whose conditions hold for "+
					"their claims, and where to sign in when the site asks for a token. A site of a share link is "+
					"found "+
					"with its key in the address. Members of the organization who name no visitor find everything.")),
	}
}
