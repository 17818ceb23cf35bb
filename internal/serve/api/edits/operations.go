package edits

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/upload"
)

// Operations are those that write content.
func (h *Handlers) Operations() []operation.Operation {
	const space = "/v1/spaces/{spaceId}"
	const revision = space + "/revisions/{revisionId}"
	const request = space + "/change-requests/{changeRequestId}"
	return []operation.Operation{
		operation.New("updateSpaceContent", http.MethodPost, space+"/content", "Content", "Change content",
			h.updateSpaceContent,
			large(maxChangesBytes), operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusServiceUnavailable),
			operation.Describe(
				"Inserts, updates, moves, deletes and sets back pages and reusable contents, takes files in, "+
					"renames, replaces and deletes them, and sets the space's variables: up to 50 changes that become "+
					"one revision, or none. Deletions answer with what still leads to what is gone. The space "+
					"must not "+
					"be locked; changes that cannot be merged with what others have done are refused with the "+
					"conflicts.")),
		operation.New("uploadFiles", http.MethodPost, space+"/content/files", "Content", "Upload files", h.uploadFiles,
			operation.Status(http.StatusCreated), upload.Files(), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe("Up to 20 files of up to 100 MB each, which become one revision, or none.")),
		operation.New("replaceFile", http.MethodPut, space+"/content/files/{fileId}", "Content", "Replace a file",
			h.replaceFile,
			upload.File(), operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			operation.Describe(
				"One file of up to 100 MB takes the place of the file's bytes. Its id and name stay, so that "+
					"what links to it goes on doing so.")),
		operation.New("rollbackSpace", http.MethodPost, revision+"/rollback", "Content", "Go back to a revision",
			h.rollbackSpace,
			operation.May(http.StatusConflict),
			operation.Describe(
				"Makes a new revision with the content of an earlier one; what was changed since stays in the "+
					"history.")),
		operation.New("updateChangeRequestContent", http.MethodPost, request+"/content", "Content",
			"Change the content of a change request",
			h.updateChangeRequestContent,
			large(maxChangesBytes), operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusServiceUnavailable),
			operation.Describe("Works as for the main content, also while that is locked.")),
		operation.New("movePagesToSpace", http.MethodPost, request+"/content/moves", "Content",
			"Move pages to another space",
			h.movePages, operation.May(http.StatusConflict, http.StatusServiceUnavailable),
			operation.Describe("Moves pages, with those below them, to the root of another space of the "+
				"organization: out of this change request, and into one of that space. Each of the two merges by "+
				"itself; merge that of the other space first. Files and reusable contents that the pages use are "+
				"copied along, links go on leading where they did, and the paths that the pages had lead to where "+
				"they are. Comments and history stay with the space.")),
		operation.New("uploadFilesToChangeRequest", http.MethodPost, request+"/content/files", "Content",
			"Upload files to a change request",
			h.uploadChangeRequestFiles,
			operation.Status(http.StatusCreated), upload.Files(), operation.May(http.StatusConflict,
				http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType)),
		operation.New("replaceFileInChangeRequest", http.MethodPut, request+"/content/files/{fileId}", "Content",
			"Replace a file of a change request", h.replaceChangeRequestFile,
			upload.File(), operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType)),
	}
}
