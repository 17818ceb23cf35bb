package api

import "net/http"

// pdfOperations are those that print.
func (a *API) pdfOperations() []operation {
	const about = "The PDF is made in the background. The address is ready at once, works for one hour and needs no " +
		"token: it answers with the PDF " +
		"as soon as that is made, or with 503 and Retry-After when that takes longer than it waits. "
	const scope = "With page it holds that page and those below it, with only as well that page alone."
	return []operation{
		row("getSpacePDF", get, "/v1/spaces/{spaceId}/pdf", "Spaces", "Get a PDF of a space", a.getSpacePDF,
			describe(about+scope)),
		row("getChangeRequestPDF", get, "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", "Change requests",
			"Get a PDF of a change request",
			a.getChangeRequestPDF, scoped("change-requests"), describe(about+scope)),
		row("downloadPDF", get, "/v1/pdfs/{pdfId}/{name}", "Spaces", "Download a PDF", a.downloadPDF, anyone(),
			may(http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests,
				http.StatusServiceUnavailable),
			describe("The address comes from getSpacePDF and getChangeRequestPDF, which sign it. While the PDF is "+
				"being made the answer waits up to half a minute, then it is "+
				"503 with Retry-After: ask again. After an hour it is 404; a PDF that is too large to be made "+
				"is 413.")),
	}
}
