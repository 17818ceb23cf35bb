package contents

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Operations are the reads of revisions and of what they changed.
func (h *Handlers) Operations() []operation.Operation {
	const space = "/v1/spaces/{spaceId}"
	const revision = space + "/revisions/{revisionId}"
	const request = space + "/change-requests/{changeRequestId}"
	const metaLinks = "Its canonical address, where it has another one, and its forms elsewhere. Pages say neither " +
		"of themselves: their site does, by its variants."
	return []operation.Operation{
		operation.New("getCurrentRevision", http.MethodGet, "/v1/spaces/{spaceId}/content", "Content",
			"Get the current revision",
			h.getRevision, operation.Answers[wire.Revision](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listPages", http.MethodGet, "/v1/spaces/{spaceId}/content/pages", "Content", "List pages",
			h.listPages,
			operation.Answers[PageTree](),
			operation.Describe("The whole tree, without bodies."),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getPageById", http.MethodGet, "/v1/spaces/{spaceId}/content/page/{pageId}", "Content",
			"Get a page", h.getPageByID,
			operation.Answers[wire.Page](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("evaluateInSpace", http.MethodGet, "/v1/spaces/{spaceId}/content/page/{pageId}/value", "Content",
			"Evaluate an expression on a page",
			h.evaluateInSpace, operation.Answers[ExpressionValue](),
			operation.Describe("What an expression comes to with the variables of the space and the page, for a "+
				"visitor of whom nothing is known.")),
		operation.New("getPageByPath", http.MethodGet, "/v1/spaces/{spaceId}/content/path/{pagePath}", "Content",
			"Get a page by its path",
			h.getPageByPath, operation.Answers[wire.Page](),
			operation.Describe("Old paths of pages that were renamed or moved lead to them too."),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listFiles", http.MethodGet, "/v1/spaces/{spaceId}/content/files", "Content", "List files",
			h.listFiles,
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getFileById", http.MethodGet, "/v1/spaces/{spaceId}/content/files/{fileId}", "Content",
			"Get a file", h.getFile,
			operation.Answers[wire.File](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("downloadFile", http.MethodGet, "/v1/downloads/{spaceId}/{blob}/{name}", "Content",
			"Download a file", h.download,
			operation.Anyone(), operation.May(http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests),
			operation.Describe(
				"The address comes from a file's downloadURL, which is signed and works for a day or two.")),

		operation.New("listUndescribedPictures", http.MethodGet, space+"/content/pictures/undescribed", "Content",
			"List pictures without an alternative text", h.listPictures,
			operation.Describe("Where a picture stands in a page or reusable content and says nothing to those who "+
				"do not see it. Each picture is listed once for each of them.")),
		operation.New("listUndescribedPicturesInChangeRequest", http.MethodGet,
			request+"/content/pictures/undescribed", "Content",
			"List pictures without an alternative text of a change request", h.listChangeRequestPictures),

		operation.New("getReusableContentById", http.MethodGet, space+"/content/reusable-contents/{reusableContentId}",
			"Content",
			"Get a reusable content", h.getReusableContent, operation.Answers[wire.ReusableContent](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getDocumentById", http.MethodGet, space+"/documents/{documentId}", "Content", "Get a document",
			h.getDocument,
			operation.Answers[JSONDocument](),
			operation.Describe("The body of a page or reusable content as document JSON."),
			operation.Agents("space:content:read", "space:content:write")),

		operation.New("listRevisions", http.MethodGet, space+"/revisions", "Content", "List revisions", h.listRevisions,
			operation.Describe("The history of the main content, the newest first.")),
		operation.New("listPageRevisions", http.MethodGet, space+"/content/page/{pageId}/revisions", "Content",
			"List revisions of a page",
			h.listPageRevisions,
			operation.Describe("The revisions of the main content that changed this page, the newest first: its "+
				"text, its options, its name and its place, not the pages below it. A page that was deleted has "+
				"a history, too.")),
		operation.New("listPageRedirects", http.MethodGet, space+"/content/page/{pageId}/redirects", "Content",
			"List redirects to a page",
			h.listPageRedirects,
			operation.Describe("The addresses in the space that lead to a page: those that it had, and those that "+
				"people have made lead there with insert_redirect. Addresses that lead over a former place of a page "+
				"above it are not listed.")),
		operation.New("getRevisionById", http.MethodGet, revision, "Content", "Get a revision", h.getRevisionByID,
			operation.Answers[wire.Revision](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getRevisionSemanticChanges", http.MethodGet, revision+"/changes", "Content",
			"Get what a revision changed",
			h.getRevisionChanges, operation.Answers[SemanticChanges](),
			operation.Describe("Against its first parent, or the revision that from names."),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listPagesInRevisionById", http.MethodGet, revision+"/pages", "Content",
			"List pages of a revision",
			h.listPagesInRevision, operation.Answers[PageTree](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listFilesInRevisionById", http.MethodGet, revision+"/files", "Content",
			"List files of a revision",
			h.listFilesInRevision,
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getFileInRevisionById", http.MethodGet, revision+"/files/{fileId}", "Content",
			"Get a file of a revision",
			h.getFileInRevision, operation.Answers[wire.File](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getPageInRevisionById", http.MethodGet, revision+"/page/{pageId}", "Content",
			"Get a page of a revision",
			h.getPageInRevision, operation.Answers[wire.Page](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getPageDocumentInRevisionById", http.MethodGet, revision+"/page/{pageId}/document", "Content",
			"Get the document of a page of a revision", h.getPageDocumentInRevision, operation.Answers[JSONDocument](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listSpacePageMetaLinks", http.MethodGet, space+"/content/page/{pageId}/meta-links", "Content",
			"List where else a page is", h.listMetaLinks, operation.Answers[PageMetaLinks](),
			operation.Describe(metaLinks),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listRevisionPageMetaLinks", http.MethodGet, revision+"/page/{pageId}/meta-links", "Content",
			"List where else a page of a revision is", h.listRevisionMetaLinks, operation.Answers[PageMetaLinks](),
			operation.Describe(metaLinks),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("listChangeRequestPageMetaLinks", http.MethodGet, request+"/content/page/{pageId}/meta-links",
			"Content", "List where else a page of a change request is", h.listChangeRequestMetaLinks,
			operation.Answers[PageMetaLinks](), operation.Describe(metaLinks)),
		operation.New("getPageInRevisionByPath", http.MethodGet, revision+"/path/{pagePath}", "Content",
			"Get a page of a revision by its path", h.getPageInRevisionByPath, operation.Answers[wire.Page](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getReusableContentInRevisionById", http.MethodGet,
			revision+"/reusable-contents/{reusableContentId}", "Content",
			"Get a reusable content of a revision", h.getReusableContentInRevision,
			operation.Answers[wire.ReusableContent](),
			operation.Agents("space:content:read", "space:content:write")),
		operation.New("getReusableContentDocumentInRevisionById", http.MethodGet,
			revision+"/reusable-contents/{reusableContentId}/document",
			"Content", "Get the document of a reusable content of a revision", h.getReusableContentDocumentInRevision,
			operation.Answers[JSONDocument]()),

		operation.New("getRevisionOfChangeRequestById", http.MethodGet, request+"/content", "Content",
			"Get the content of a change request",
			h.getChangeRequestRevision, operation.Answers[wire.Revision]()),
		operation.New("listPagesInChangeRequest", http.MethodGet, request+"/content/pages", "Content",
			"List pages of a change request",
			h.listChangeRequestPages, operation.Answers[PageTree]()),
		operation.New("listFilesInChangeRequestById", http.MethodGet, request+"/content/files", "Content",
			"List files of a change request",
			h.listChangeRequestFiles),
		operation.New("getFileInChangeRequestById", http.MethodGet, request+"/content/files/{fileId}", "Content",
			"Get a file of a change request", h.getChangeRequestFile, operation.Answers[wire.File]()),
		operation.New("getPageInChangeRequestById", http.MethodGet, request+"/content/page/{pageId}", "Content",
			"Get a page of a change request", h.getChangeRequestPage, operation.Answers[wire.Page]()),
		operation.New("evaluateInChangeRequest", http.MethodGet, request+"/content/page/{pageId}/value", "Content",
			"Evaluate an expression on a page of a change request",
			h.evaluateInChangeRequest, operation.Answers[ExpressionValue](),
			operation.Describe("What an expression comes to with the variables of the space and the page, for a "+
				"visitor of whom nothing is known.")),
		operation.New("getPageInChangeRequestByPath", http.MethodGet, request+"/content/path/{pagePath}", "Content",
			"Get a page of a change request by its path", h.getChangeRequestPageByPath, operation.Answers[wire.Page]()),
		operation.New("getReusableContentInChangeRequestById", http.MethodGet,
			request+"/content/reusable-contents/{reusableContentId}",
			"Content", "Get a reusable content of a change request", h.getChangeRequestReusable,
			operation.Answers[wire.ReusableContent]()),
		operation.New("listRevisionsInChangeRequest", http.MethodGet, request+"/revisions", "Content",
			"List revisions of a change request",
			h.listChangeRequestRevisions,
			operation.Describe("What was written in it, the newest first.")),
		operation.New("listPageRevisionsInChangeRequest", http.MethodGet, request+"/content/page/{pageId}/revisions",
			"Content", "List revisions of a page of a change request",
			h.listChangeRequestPageRevisions,
			operation.Describe("What was written in it of this page, the newest first, and what came of the page "+
				"from main with an update.")),
		operation.New("listPageRedirectsInChangeRequest", http.MethodGet,
			request+"/content/page/{pageId}/redirects", "Content",
			"List redirects to a page of a change request",
			h.listChangeRequestPageRedirects),
		operation.New("getChangeRequestChanges", http.MethodGet, request+"/changes", "Content",
			"Get what a change request changes",
			h.getChangeRequestChanges, operation.Answers[SemanticChanges](),
			operation.Describe("Against the main content that it was last up to date with.")),
		operation.New("getChangeRequestPageChanges", http.MethodGet, request+"/changes/pages/{pageId}", "Content",
			"Get what a change request changes in a page",
			h.getChangeRequestPageChanges, operation.Answers[PageComparison](),
			operation.Describe("Against the main content that it was last up to date with.")),
		operation.New("comparePage", http.MethodGet, space+"/compare/pages/{pageId}", "Content",
			"Compare a page in two versions of a space",
			h.comparePage, operation.Answers[PageComparison](),
			operation.Describe("What differs in a page from one version of the space to another: main, a revision or "+
				"a change request. A page that is on one side alone is added or deleted.")),
		operation.New("getChangeRequestReusableContentChanges", http.MethodGet,
			request+"/changes/reusable-contents/{reusableContentId}", "Content",
			"Get what a change request changes in a reusable content",
			h.getChangeRequestReusableChanges, operation.Answers[ReusableContentComparison](),
			operation.Describe("Against the main content that it was last up to date with.")),
		operation.New("compareReusableContent", http.MethodGet,
			space+"/compare/reusable-contents/{reusableContentId}", "Content",
			"Compare a reusable content in two versions of a space",
			h.compareReusable, operation.Answers[ReusableContentComparison](),
			operation.Describe("What differs in a reusable content from one version of the space to another: main, a "+
				"revision or a change request. One that is on one side alone is added or deleted.")),
		operation.New("readMarkdown", http.MethodPost, space+"/content/markdown", "Content",
			"Read Markdown", h.readMarkdown,
			operation.Describe("What the file of a page becomes, and what is wrong in it, by line and column. "+
				"Nothing is saved.")),
	}
}

// JSONDocument is a body as a tree of blocks.
type JSONDocument struct {
	Object string         `json:"object" enum:"document"`
	Data   map[string]any `json:"data"`
	Nodes  []any          `json:"nodes"`
}
