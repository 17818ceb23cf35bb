package api

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
)

// AtRevision names a revision in an operation's path.
type AtRevision struct {
	Revision string `path:"revisionId"`
}

func (r AtRevision) version() version { return version{revision: r.Revision} }

type getRevisionInput struct {
	RevisionParams
	AtRevision
}

// getRevisionByID answers a revision with its whole tree.
func (a *API) getRevisionByID(ctx context.Context, in *getRevisionInput) (*encoded, error) {
	return a.readRevision(ctx, in.RevisionParams, in.version())
}

// listPagesInRevision answers the tree of pages of a revision.
func (a *API) listPagesInRevision(ctx context.Context, in *getRevisionInput) (*encoded, error) {
	return a.readPages(ctx, in.RevisionParams, in.version())
}

type listFilesInRevisionInput struct {
	RevisionParams
	AtRevision
	PageParams
}

// listFilesInRevision lists the files of a revision by name.
func (a *API) listFilesInRevision(ctx context.Context, in *listFilesInRevisionInput) (*body[List[File]], error) {
	return a.readFiles(ctx, in.RevisionParams, in.version(), in.PageParams)
}

type getFileInRevisionInput struct {
	RevisionParams
	AtRevision
	File string `path:"fileId"`
}

// getFileInRevision answers one file of a revision.
func (a *API) getFileInRevision(ctx context.Context, in *getFileInRevisionInput) (*encoded, error) {
	return a.readFile(ctx, in.RevisionParams, in.version(), in.File)
}

type getPageInRevisionInput struct {
	RevisionParams
	AtRevision
	PageFormat
	Page string `path:"pageId"`
}

// getPageInRevision answers one page of a revision with its body.
func (a *API) getPageInRevision(ctx context.Context, in *getPageInRevisionInput) (*encoded, error) {
	return a.readPage(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Page)
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
func (a *API) getPageDocumentInRevision(ctx context.Context, in *getPageDocumentInRevisionInput) (*encoded, error) {
	return a.readDocument(ctx, in.RevisionParams, in.version(), in.page(), in.Page, pageEntry)
}

type getPageInRevisionByPathInput struct {
	RevisionParams
	AtRevision
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getPageInRevisionByPath answers the page at a path of a revision.
func (a *API) getPageInRevisionByPath(ctx context.Context, in *getPageInRevisionByPathInput) (*encoded, error) {
	return a.readPath(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Path)
}

type getReusableInput struct {
	RevisionParams
	Reusable string `path:"reusableContentId"`
}

// getReusableContent answers one reusable content.
func (a *API) getReusableContent(ctx context.Context, in *getReusableInput) (*encoded, error) {
	return a.readReusable(ctx, in.RevisionParams, version{}, in.Reusable)
}

type getReusableInRevisionInput struct {
	RevisionParams
	AtRevision
	Reusable string `path:"reusableContentId"`
}

// getReusableContentInRevision answers one reusable content of a revision.
func (a *API) getReusableContentInRevision(ctx context.Context, in *getReusableInRevisionInput) (*encoded, error) {
	return a.readReusable(ctx, in.RevisionParams, in.version(), in.Reusable)
}

type getReusableDocumentInRevisionInput struct {
	RevisionParams
	AtRevision
	DocumentFormat
	Reusable string `path:"reusableContentId"`
}

// getReusableContentDocumentInRevision answers the body of a reusable content of a revision.
func (a *API) getReusableContentDocumentInRevision(ctx context.Context,
	in *getReusableDocumentInRevisionInput) (*encoded, error) {
	return a.readDocument(ctx, in.RevisionParams, in.version(), in.page(), in.Reusable, reusableEntry)
}

type getDocumentInput struct {
	RevisionParams
	Document string `path:"documentId" doc:"The documentId of a page, or the document of a reusable content or a change."`
	Schema   string `query:"schema" enum:"current,next" default:"current" doc:"Both values answer alike."`
}

// getDocument answers a body by its id: of a page or reusable content as it is now, or as a revision has it.
func (a *API) getDocument(ctx context.Context, in *getDocumentInput) (*encoded, error) {
	id, at := in.Document, version{}
	if revision, entry, ok := strings.Cut(in.Document, "."); ok {
		id, at.revision = entry, revision
	}
	return a.readDocument(ctx, in.RevisionParams, at, DocumentFormat{Evaluated: "false", Dereferenced: "false"}.page(),
		id, bodyEntry)
}

// RevisionSummary is a revision in a list, without its content.
type RevisionSummary struct {
	Object    string       `json:"object" enum:"revision"`
	ID        string       `json:"id"`
	Type      string       `json:"type" enum:"edits,merge,rollback,update,computed"`
	Parents   []string     `json:"parents"`
	Author    User         `json:"author" doc:"Who made it."`
	Message   string       `json:"message,omitempty" doc:"What the author wrote about it."`
	CreatedAt string       `json:"createdAt" format:"date-time"`
	URLs      RevisionURLs `json:"urls"`
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
	PageParams
	Space string `path:"spaceId"`
}

// listRevisions lists the revisions of main, the newest first.
func (a *API) listRevisions(ctx context.Context, in *listRevisionsInput) (*body[List[RevisionSummary]], error) {
	if _, err := a.Access.RequireSpace(ctx, callerOf(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	return a.listHistory(ctx, in.Space, "", in.PageParams)
}

// listHistory lists the revisions of a branch of a space that the caller may read.
func (a *API) listHistory(ctx context.Context, space, branchID string,
	params PageParams) (*body[List[RevisionSummary]], error) {
	branch, err := a.Content.Branch(ctx, space, branchID)
	if err != nil {
		return nil, err
	}
	name := "revisions/" + branch.ID
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	revisions, err := a.Content.History(ctx, branch.ID, request)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(revisions.Items))
	for i, revision := range revisions.Items {
		ids[i] = revision.Author
	}
	authors, err := a.usersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := listed(a, name, revisions, func(r store.Revision) RevisionSummary {
		return a.wireSummary(r, a.wireKnownUser(authors, r.Author))
	})
	live, err := a.head(ctx, space, version{})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		if list.Items[i].ID == live {
			shown, err := a.shown(ctx, space, live)
			if err != nil {
				return nil, err
			}
			list.Items[i].URLs.Published, list.Items[i].URLs.Public = shown.Published, shown.Public
		}
	}
	return &body[List[RevisionSummary]]{Body: *list}, nil
}

func (a *API) wireSummary(r store.Revision, author User) RevisionSummary {
	summary := RevisionSummary{
		Object: "revision", ID: r.ID, Type: r.Type, Parents: r.Parents, Author: author, Message: r.Message,
		CreatedAt: timestamp(r.CreatedAt),
		URLs: RevisionURLs{
			Location: a.revisionURL(r.Space, r.ID),
			App:      a.BaseURL + "/app/spaces/" + r.Space + "/revisions/" + r.ID,
		},
	}
	if summary.Parents == nil {
		summary.Parents = []string{}
	}
	return summary
}

func (a *API) revisionURL(space, id string) string {
	return a.BaseURL + "/v1/spaces/" + space + "/revisions/" + id
}
