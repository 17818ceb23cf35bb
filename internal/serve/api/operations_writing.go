package api

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// writingOperations are the reads of revisions, what they changed, and the writing of content.
func (a *API) writingOperations() []operation {
	const space = "/v1/spaces/{spaceId}"
	const revision = space + "/revisions/{revisionId}"
	const request = space + "/change-requests/{changeRequestId}"
	return []operation{
		row("updateSpaceContent", post, space+"/content", "Content", "Change content", a.updateSpaceContent,
			large(maxChangesBytes), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusServiceUnavailable),
			describe("Inserts, updates, moves, deletes and sets back pages and reusable contents, takes files in, "+
				"renames, replaces and deletes them, and sets the space's variables: up to 50 changes that become "+
				"one revision, or none. Deletions answer with what still leads to what is gone. The space must not "+
				"be locked; changes that cannot be merged with what others have done are refused with the conflicts.")),
		row("uploadFiles", post, space+"/content/files", "Content", "Upload files", a.uploadFiles,
			status(http.StatusCreated), multipartFiles(), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("Up to 20 files of up to 100 MB each, which become one revision, or none.")),
		row("replaceFile", put, space+"/content/files/{fileId}", "Content", "Replace a file", a.replaceFile,
			multipartFile(), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("One file of up to 100 MB takes the place of the file's bytes. Its id and name stay, so that "+
				"what links to it goes on doing so.")),
		row("getReusableContentById", get, space+"/content/reusable-contents/{reusableContentId}", "Content",
			"Get a reusable content", a.getReusableContent, answers[ReusableContent]()),
		row("getDocumentById", get, space+"/documents/{documentId}", "Content", "Get a document", a.getDocument,
			answers[JSONDocument](),
			describe("The body of a page or reusable content as document JSON.")),

		row("listRevisions", get, space+"/revisions", "Content", "List revisions", a.listRevisions,
			describe("The history of the main content, the newest first.")),
		row("getRevisionById", get, revision, "Content", "Get a revision", a.getRevisionByID, answers[Revision]()),
		row("rollbackSpace", post, revision+"/rollback", "Content", "Go back to a revision", a.rollbackSpace,
			may(http.StatusConflict),
			describe(
				"Makes a new revision with the content of an earlier one; what was changed since stays in the "+
					"history.")),
		row("getRevisionSemanticChanges", get, revision+"/changes", "Content", "Get what a revision changed",
			a.getRevisionChanges, answers[SemanticChanges](),
			describe("Against its first parent, or the revision that from names.")),
		row("listPagesInRevisionById", get, revision+"/pages", "Content", "List pages of a revision",
			a.listPagesInRevision, answers[PageTree]()),
		row("listFilesInRevisionById", get, revision+"/files", "Content", "List files of a revision",
			a.listFilesInRevision),
		row("getFileInRevisionById", get, revision+"/files/{fileId}", "Content", "Get a file of a revision",
			a.getFileInRevision, answers[File]()),
		row("getPageInRevisionById", get, revision+"/page/{pageId}", "Content", "Get a page of a revision",
			a.getPageInRevision, answers[Page]()),
		row("getPageDocumentInRevisionById", get, revision+"/page/{pageId}/document", "Content",
			"Get the document of a page of a revision", a.getPageDocumentInRevision, answers[JSONDocument]()),
		row("getPageInRevisionByPath", get, revision+"/path/{pagePath}", "Content",
			"Get a page of a revision by its path", a.getPageInRevisionByPath, answers[Page]()),
		row("getReusableContentInRevisionById", get, revision+"/reusable-contents/{reusableContentId}", "Content",
			"Get a reusable content of a revision", a.getReusableContentInRevision, answers[ReusableContent]()),
		row("getReusableContentDocumentInRevisionById", get, revision+"/reusable-contents/{reusableContentId}/document",
			"Content", "Get the document of a reusable content of a revision", a.getReusableContentDocumentInRevision,
			answers[JSONDocument]()),

		row("getRevisionOfChangeRequestById", get, request+"/content", "Content", "Get the content of a change request",
			a.getChangeRequestRevision, answers[Revision]()),
		row("updateChangeRequestContent", post, request+"/content", "Content", "Change the content of a change request",
			a.updateChangeRequestContent,
			large(maxChangesBytes), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusServiceUnavailable),
			describe("Works as for the main content, also while that is locked.")),
		row("listPagesInChangeRequest", get, request+"/content/pages", "Content", "List pages of a change request",
			a.listChangeRequestPages, answers[PageTree]()),
		row("listFilesInChangeRequestById", get, request+"/content/files", "Content", "List files of a change request",
			a.listChangeRequestFiles),
		row("uploadFilesToChangeRequest", post, request+"/content/files", "Content", "Upload files to a change request",
			a.uploadChangeRequestFiles,
			status(http.StatusCreated), multipartFiles(), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType)),
		row("getFileInChangeRequestById", get, request+"/content/files/{fileId}", "Content",
			"Get a file of a change request", a.getChangeRequestFile, answers[File]()),
		row("replaceFileInChangeRequest", put, request+"/content/files/{fileId}", "Content",
			"Replace a file of a change request", a.replaceChangeRequestFile,
			multipartFile(), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType)),
		row("getPageInChangeRequestById", get, request+"/content/page/{pageId}", "Content",
			"Get a page of a change request", a.getChangeRequestPage, answers[Page]()),
		row("getPageInChangeRequestByPath", get, request+"/content/path/{pagePath}", "Content",
			"Get a page of a change request by its path", a.getChangeRequestPageByPath, answers[Page]()),
		row("getReusableContentInChangeRequestById", get, request+"/content/reusable-contents/{reusableContentId}",
			"Content", "Get a reusable content of a change request", a.getChangeRequestReusable,
			answers[ReusableContent]()),
		row("listRevisionsInChangeRequest", get, request+"/revisions", "Content", "List revisions of a change request",
			a.listChangeRequestRevisions,
			describe("What was written in it, the newest first.")),
		row("getChangeRequestChanges", get, request+"/changes", "Content", "Get what a change request changes",
			a.getChangeRequestChanges, answers[SemanticChanges](),
			describe("Against the main content that it was last up to date with.")),
	}
}

// JSONDocument is a body as a tree of blocks.
type JSONDocument struct {
	Object string         `json:"object" enum:"document"`
	Data   map[string]any `json:"data"`
	Nodes  []any          `json:"nodes"`
}

// schemaOf returns a reference to the schema of a type.
func schemaOf[T any](r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }
