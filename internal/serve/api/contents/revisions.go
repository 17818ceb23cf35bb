package contents

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AtRevision names a revision in an operation's path.
type AtRevision struct {
	Revision id.Revision `path:"revisionId"`
}

func (r AtRevision) version() version { return version{revision: r.Revision} }

type getRevisionInput struct {
	RevisionParams
	AtRevision
}

// getRevisionByID answers a revision with its whole tree.
func (h *Handlers) getRevisionByID(ctx context.Context, in *getRevisionInput) (*operation.Encoded, error) {
	return h.readRevision(ctx, in.RevisionParams, in.version())
}

// listPagesInRevision answers the tree of pages of a revision.
func (h *Handlers) listPagesInRevision(ctx context.Context, in *getRevisionInput) (*operation.Encoded, error) {
	return h.readPages(ctx, in.RevisionParams, in.version())
}

type listFilesInRevisionInput struct {
	RevisionParams
	AtRevision
	wire.PageParams
}

// listFilesInRevision lists the files of a revision by name.
func (h *Handlers) listFilesInRevision(ctx context.Context,
	in *listFilesInRevisionInput) (*operation.Body[wire.List[wire.File]], error) {
	return h.readFiles(ctx, in.RevisionParams, in.version(), in.PageParams)
}

type getFileInRevisionInput struct {
	RevisionParams
	AtRevision
	File string `path:"fileId"`
}

// getFileInRevision answers one file of a revision.
func (h *Handlers) getFileInRevision(ctx context.Context, in *getFileInRevisionInput) (*operation.Encoded, error) {
	return h.readFile(ctx, in.RevisionParams, in.version(), in.File)
}

type getPageInRevisionInput struct {
	RevisionParams
	AtRevision
	PageFormat
	Page string `path:"pageId"`
}

// getPageInRevision answers one page of a revision with its body.
func (h *Handlers) getPageInRevision(ctx context.Context, in *getPageInRevisionInput) (*operation.Encoded, error) {
	return h.readPage(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Page)
}

// DocumentFormat is how a document is read on its own.
type DocumentFormat struct {
	Evaluated    string `query:"evaluated" enum:"true,false,deterministic-only" default:"false" doc:"true puts values for expressions, drops conditions that do not hold and includes reusable content; deterministic-only leaves what depends on a visitor."`
	Dereferenced string `query:"dereferenced" enum:"true,false,reusable-contents" default:"false" doc:"true and reusable-contents put the blocks of reusable contents in the place where they are included."`
}

func (f DocumentFormat) page() PageFormat {
	return PageFormat{Format: "document", Evaluated: f.Evaluated, Dereferenced: f.Dereferenced}
}

type getPageDocumentInRevisionInput struct {
	RevisionParams
	AtRevision
	DocumentFormat
	Page string `path:"pageId"`
}

// getPageDocumentInRevision answers the body of a page of a revision.
func (h *Handlers) getPageDocumentInRevision(ctx context.Context,
	in *getPageDocumentInRevisionInput) (*operation.Encoded, error) {
	return h.readDocument(ctx, in.RevisionParams, in.version(), in.page(), in.Page, wire.PageEntry)
}

type getPageInRevisionByPathInput struct {
	RevisionParams
	AtRevision
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getPageInRevisionByPath answers the page at a path of a revision.
func (h *Handlers) getPageInRevisionByPath(ctx context.Context,
	in *getPageInRevisionByPathInput) (*operation.Encoded, error) {
	return h.readPath(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Path)
}

type getReusableInput struct {
	RevisionParams
	Reusable string `path:"reusableContentId"`
}

// getReusableContent answers one reusable content.
func (h *Handlers) getReusableContent(ctx context.Context, in *getReusableInput) (*operation.Encoded, error) {
	return h.readReusable(ctx, in.RevisionParams, version{}, in.Reusable)
}

type getReusableInRevisionInput struct {
	RevisionParams
	AtRevision
	Reusable string `path:"reusableContentId"`
}

// getReusableContentInRevision answers one reusable content of a revision.
func (h *Handlers) getReusableContentInRevision(ctx context.Context,
	in *getReusableInRevisionInput) (*operation.Encoded, error) {
	return h.readReusable(ctx, in.RevisionParams, in.version(), in.Reusable)
}

type getReusableDocumentInRevisionInput struct {
	RevisionParams
	AtRevision
	DocumentFormat
	Reusable string `path:"reusableContentId"`
}

// getReusableContentDocumentInRevision answers the body of a reusable content of a revision.
func (h *Handlers) getReusableContentDocumentInRevision(ctx context.Context,
	in *getReusableDocumentInRevisionInput) (*operation.Encoded, error) {
	return h.readDocument(ctx, in.RevisionParams, in.version(), in.page(), in.Reusable, reusableEntry)
}

type getDocumentInput struct {
	RevisionParams
	Document string `path:"documentId" doc:"The documentId of a page, or the document of a reusable content or a change."`
	Schema   string `query:"schema" enum:"current,next" default:"current" doc:"Both values answer alike."`
}

// getDocument answers a body by its id: of a page or reusable content as it is now, or as a revision has it.
func (h *Handlers) getDocument(ctx context.Context, in *getDocumentInput) (*operation.Encoded, error) {
	entryID, at := in.Document, version{}
	if revision, entry, ok := strings.Cut(in.Document, "."); ok {
		entryID, at.revision = entry, id.Revision(revision)
	}
	return h.readDocument(ctx, in.RevisionParams, at, DocumentFormat{Evaluated: "false", Dereferenced: "false"}.page(),
		entryID, bodyEntry)
}

// RevisionSummary is a revision in a list, without its content.
type RevisionSummary struct {
	Object    string        `json:"object" enum:"revision"`
	ID        id.Revision   `json:"id"`
	Type      string        `json:"type" enum:"edits,merge,rollback,update,computed"`
	Parents   []id.Revision `json:"parents"`
	Author    wire.User     `json:"author" doc:"Who made it."`
	Message   string        `json:"message,omitempty" doc:"What the author wrote about it."`
	CreatedAt string        `json:"createdAt" format:"date-time"`
	URLs      RevisionURLs  `json:"urls"`
}

// RevisionURLs are a revision's addresses.
type RevisionURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
	// Published and Public are there for the revision that is live, see ContentURLs.
	Published string `json:"published,omitempty" format:"uri"`
	Public    string `json:"public,omitempty" format:"uri"`
}

type listRevisionsInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
}

// listRevisions lists the revisions of main, the newest first.
func (h *Handlers) listRevisions(ctx context.Context,
	in *listRevisionsInput) (*operation.Body[wire.List[RevisionSummary]], error) {
	if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	return h.listHistory(ctx, in.Space, "", in.PageParams)
}

// listHistory lists the revisions of a branch of a space that the caller may read.
func (h *Handlers) listHistory(ctx context.Context, space id.Space, branchID id.Branch,
	params wire.PageParams) (*operation.Body[wire.List[RevisionSummary]], error) {
	branch, err := h.Content.Branch(ctx, space, branchID)
	if err != nil {
		return nil, err
	}
	name := "revisions/" + string(branch.ID)
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	revisions, err := h.Content.History(ctx, branch.ID, request)
	if err != nil {
		return nil, err
	}
	ids := make([]id.User, len(revisions.Items))
	for i, revision := range revisions.Items {
		ids[i] = revision.Author
	}
	authors, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := wire.Listed(h.Lists, name, revisions, func(r store.Revision) RevisionSummary {
		return h.wireSummary(r, h.Wire.KnownUser(authors, r.Author))
	})
	live, err := h.head(ctx, space, version{})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		if list.Items[i].ID == live {
			shown, err := h.shown(ctx, space, live)
			if err != nil {
				return nil, err
			}
			list.Items[i].URLs.Published, list.Items[i].URLs.Public = shown.Published, shown.Public
		}
	}
	return &operation.Body[wire.List[RevisionSummary]]{Body: *list}, nil
}

func (h *Handlers) wireSummary(r store.Revision, author wire.User) RevisionSummary {
	summary := RevisionSummary{
		Object: "revision", ID: r.ID, Type: r.Type, Parents: r.Parents, Author: author, Message: r.Message,
		CreatedAt: wire.Timestamp(r.CreatedAt),
		URLs: RevisionURLs{
			Location: h.revisionURL(r.Space, r.ID),
			App:      h.Wire.BaseURL + "/app/spaces/" + string(r.Space) + "/revisions/" + string(r.ID),
		},
	}
	if summary.Parents == nil {
		summary.Parents = []id.Revision{}
	}
	return summary
}

func (h *Handlers) revisionURL(space id.Space, id id.Revision) string {
	return h.Wire.BaseURL + "/v1/spaces/" + string(space) + "/revisions/" + string(id)
}
