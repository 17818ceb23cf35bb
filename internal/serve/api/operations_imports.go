package api

import "net/http"

// importsOperations are the imports into a part of a space.
func (a *API) importsOperations() []operation {
	return []operation{
		row("importContentInPageById", post, "/v1/spaces/{spaceId}/content/page/{pageId}/import", "Content",
			"Import into a page", a.importInPage,
			status(http.StatusCreated), background[Import](), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("A single document (docx, markdown, html, google-docs) becomes the body of the page; pages of "+
				"other sources go below it. Prefer: respond-async works as for an import into a space.")),
		row("importContentInChangeRequest", post,
			"/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import", "Content",
			"Import into a change request", a.importInChangeRequest,
			status(http.StatusCreated), background[Import](), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("The import becomes one revision of the change request. A locked space takes it too. Prefer: "+
				"respond-async works as for an import into a space.")),
	}
}
