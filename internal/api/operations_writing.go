package api

import "net/http"

// writingOperations are the reads of revisions, what they changed, and the writing of content.
func (a *API) writingOperations() []operation {
	const space = "/v1/spaces/{spaceId}"
	const revision = space + "/revisions/{revisionId}"
	return []operation{
		row("updateSpaceContent", post, space+"/content", "Content", "Change content", a.updateSpaceContent,
			large(maxChangesBytes), may(http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable),
			describe("Inserts, updates, moves, deletes and sets back pages, and takes files in: up to 50 changes that become one revision, or none. The space must not be locked; changes that cannot be merged with what others have done are refused with the conflicts.")),
		row("uploadFiles", post, space+"/content/files", "Content", "Upload files", a.uploadFiles,
			status(http.StatusCreated), multipartFiles(), may(http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType),
			describe("Up to 20 files of up to 100 MB each, which become one revision, or none.")),
		row("getReusableContentById", get, space+"/content/reusable-contents/{reusableContentId}", "Content", "Get a reusable content", a.getReusableContent, answers[ReusableContent]()),
		row("getDocumentById", get, space+"/documents/{documentId}", "Content", "Get a document", a.getDocument, answers[JSONDocument](),
			describe("The body of a page or reusable content as document JSON.")),

		row("listRevisions", get, space+"/revisions", "Content", "List revisions", a.listRevisions,
			describe("The history of the main content, the newest first.")),
		row("getRevisionById", get, revision, "Content", "Get a revision", a.getRevisionByID, answers[Revision]()),
		row("rollbackSpace", post, revision+"/rollback", "Content", "Go back to a revision", a.rollbackSpace, may(http.StatusConflict),
			describe("Makes a new revision with the content of an earlier one; what was changed since stays in the history.")),
		row("getRevisionSemanticChanges", get, revision+"/changes", "Content", "Get what a revision changed", a.getRevisionChanges, answers[SemanticChanges](),
			describe("Against its first parent, or the revision that from names.")),
		row("listPagesInRevisionById", get, revision+"/pages", "Content", "List pages of a revision", a.listPagesInRevision, answers[PageTree]()),
		row("listFilesInRevisionById", get, revision+"/files", "Content", "List files of a revision", a.listFilesInRevision),
		row("getFileInRevisionById", get, revision+"/files/{fileId}", "Content", "Get a file of a revision", a.getFileInRevision, answers[File]()),
		row("getPageInRevisionById", get, revision+"/page/{pageId}", "Content", "Get a page of a revision", a.getPageInRevision, answers[Page]()),
		row("getPageDocumentInRevisionById", get, revision+"/page/{pageId}/document", "Content", "Get the document of a page of a revision", a.getPageDocumentInRevision, answers[JSONDocument]()),
		row("getPageInRevisionByPath", get, revision+"/path/{pagePath}", "Content", "Get a page of a revision by its path", a.getPageInRevisionByPath, answers[Page]()),
		row("getReusableContentInRevisionById", get, revision+"/reusable-contents/{reusableContentId}", "Content", "Get a reusable content of a revision", a.getReusableContentInRevision, answers[ReusableContent]()),
		row("getReusableContentDocumentInRevisionById", get, revision+"/reusable-contents/{reusableContentId}/document", "Content", "Get the document of a reusable content of a revision", a.getReusableContentDocumentInRevision, answers[JSONDocument]()),
	}
}

// JSONDocument is a body as a tree of blocks.
type JSONDocument struct {
	Object string         `json:"object" enum:"document"`
	Data   map[string]any `json:"data"`
	Nodes  []any          `json:"nodes"`
}
