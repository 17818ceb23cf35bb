package prints

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those that print.
func (h *Handlers) Operations() []operation.Operation {
	const about = "The PDF is made in the background. The address is ready at once, works for one hour and needs no " +
		"token: it answers with the PDF " +
		"as soon as that is made, or with 503 and Retry-After when that takes longer than it waits. "
	const scope = "With page it holds that page and those below it, with only as well that page alone."
	return []operation.Operation{
		operation.New("getSpacePDF", http.MethodGet, "/v1/spaces/{spaceId}/pdf", "Spaces", "Get a PDF of a space",
			h.getSpacePDF,
			operation.Describe(about+scope)),
		operation.New("getChangeRequestPDF", http.MethodGet,
			"/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", "Change requests",
			"Get a PDF of a change request",
			h.getChangeRequestPDF, operation.Scoped("change-requests"), operation.Describe(about+scope)),
		operation.New("downloadPDF", http.MethodGet, "/v1/pdfs/{pdfId}/{name}", "Spaces", "Download a PDF",
			h.downloadPDF, operation.Anyone(),
			operation.May(http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
				http.StatusTooManyRequests,
				http.StatusServiceUnavailable),
			operation.Describe(
				"The address comes from getSpacePDF and getChangeRequestPDF, which sign it. While the PDF is "+
					"being made the answer waits up to half a minute, then it is "+
					"503 with Retry-After: ask again. After an hour it is 404; a PDF that is too large to be made "+
					"is 413.")),
	}
}
