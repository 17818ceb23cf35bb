package imports

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/upload"
)

// Operations are the imports into a part of a space.
func (h *Handlers) Operations() []operation.Operation {
	return []operation.Operation{
		operation.New("importContent", http.MethodPost, "/v1/spaces/{spaceId}/content/import", "Content",
			"Import from an address",
			h.importContent,
			operation.Status(http.StatusCreated), operation.Background[Import](), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe(
				"The import becomes one revision, or none when it fails. With the header Prefer: respond-async "+
					"the answer is 202 and the import goes on in the background.")),
		operation.New("uploadContent", http.MethodPost, "/v1/spaces/{spaceId}/content/upload", "Content",
			"Import an uploaded file",
			h.uploadContent, upload.FileOrForm(),
			operation.Status(http.StatusCreated), operation.Background[Import](), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe(
				"The request's body is a ZIP of pages, an export of Confluence or Notion, or one Word, Markdown "+
					"or HTML file; or a form with one of them. Prefer: respond-async works as for an import from an "+
					"address.")),
		operation.New("exportContent", http.MethodGet, "/v1/spaces/{spaceId}/content/export", "Content",
			"Export as Markdown",
			h.exportContent,
			operation.Describe(
				"A ZIP of Markdown files with SUMMARY.md and all files; importing it gives the same content.")),
		operation.New("listImports", http.MethodGet, "/v1/org/{organizationId}/imports", "Imports", "List imports",
			h.listImports,
			operation.Describe("The newest first.")),
		operation.New("getImport", http.MethodGet, "/v1/org/{organizationId}/imports/{importId}", "Imports",
			"Get an import", h.getImport,
			operation.Describe("Its progress while it runs, and its report when it is done.")),
		operation.New("cancelImport", http.MethodDelete, "/v1/org/{organizationId}/imports/{importId}", "Imports",
			"Cancel an import",
			h.cancelImport,
			operation.Status(http.StatusNoContent), operation.May(http.StatusConflict),
			operation.Describe("Nothing of it is kept.")),

		operation.New("importContentInPageById", http.MethodPost, "/v1/spaces/{spaceId}/content/page/{pageId}/import",
			"Content",
			"Import into a page", h.importInPage,
			operation.Status(http.StatusCreated), operation.Background[Import](), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe(
				"A single document (docx, markdown, html, google-docs) becomes the body of the page; pages of "+
					"other sources go below it. Prefer: respond-async works as for an import into a space.")),
		operation.New("importContentInChangeRequest", http.MethodPost,
			"/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import", "Content",
			"Import into a change request", h.importInChangeRequest,
			operation.Status(http.StatusCreated), operation.Background[Import](), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe(
				"The import becomes one revision of the change request. A locked space takes it too. Prefer: "+
					"respond-async works as for an import into a space.")),
	}
}
