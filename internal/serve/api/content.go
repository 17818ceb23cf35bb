package api

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// RevisionParams are the parameters of every read of a revision. Like all structs that inputs embed it is exported,
// because huma does not look into others.
type RevisionParams struct {
	Space string `path:"spaceId"`
	// Metadata asks for git metadata.
	Metadata bool `query:"metadata" default:"true" doc:"false leaves out git metadata: what a revision, page, file or reusable content was imported from."`
	// Computed asks for computed pages to be expanded into the pages they compute.
	Computed    bool   `query:"computed" default:"true" doc:"false leaves computed pages as they are stored."`
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of an answer that you have; 304 says it is still good."`
}

// encoded is the output of an operation that answers with ready-made JSON of a revision.
type encoded struct {
	Status       int
	ETag         string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	ContentType  string `header:"Content-Type"`
	// ContentLength spares a long body the chunks that HTTP cuts an answer of unknown length into.
	ContentLength string `header:"Content-Length"`
	Body          []byte
}

// getRevision answers the current revision with its whole tree.
func (a *API) getRevision(ctx context.Context, in *struct{ RevisionParams }) (*encoded, error) {
	return a.readRevision(ctx, in.RevisionParams, version{})
}

func (a *API) wireRevision(ctx context.Context, view *store.View) (*Revision, error) {
	revision := view.Revision()
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	files, err := view.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the files: %w", err)
	}
	reusables, err := view.ReusableContents(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the reusable contents: %w", err)
	}
	variables, err := view.Variables(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the variables: %w", err)
	}
	wire := a.revisionAlone(view)
	wire.Pages, wire.Variables = a.wireTree(revision.Space, tree.Roots), variables
	wire.Files, wire.ReusableContents = make([]File, 0, len(files)), make([]ReusableContent, 0, len(reusables))
	for _, file := range files {
		wire.Files = append(wire.Files, a.wireFile(revision.Space, file))
	}
	for _, reusable := range reusables {
		wire.ReusableContents = append(wire.ReusableContents, ReusableContent{ID: reusable.ID, Title: reusable.Title,
			Document: reusable.ID, Git: wireGitFile(reusable.Git)})
	}
	return wire, nil
}

// revisionAlone is a revision without its content.
func (a *API) revisionAlone(view *store.View) *Revision {
	revision := view.Revision()
	wire := &Revision{
		Object: "revision", ID: revision.ID, Type: string(revision.Type), Parents: revision.Parents,
		Pages: []*Page{}, Files: []File{}, ReusableContents: []ReusableContent{},
		CreatedAt: timestamp(revision.CreatedAt), Git: wireGitCommit(revision.Origin),
		URLs: ContentURLs{App: a.BaseURL + "/app/spaces/" + revision.Space + "/revisions/" + revision.ID},
	}
	if wire.Parents == nil {
		wire.Parents = []string{}
	}
	return wire
}

// PageTree is the answer of listPages.
type PageTree struct {
	Pages []*Page `json:"pages"`
}

// listPages answers the tree of pages.
func (a *API) listPages(ctx context.Context, in *struct{ RevisionParams }) (*encoded, error) {
	return a.readPages(ctx, in.RevisionParams, version{})
}

// PageFormat is how one page is read.
type PageFormat struct {
	Format string `query:"format" enum:"document,markdown" default:"document" doc:"Form of the body."`
	// Evaluated is a word rather than a boolean, because one of its values is.
	Evaluated string `query:"evaluated" enum:"true,false,deterministic-only" default:"false" doc:"true puts values for expressions, drops conditions that do not hold and includes reusable content; deterministic-only leaves what depends on a visitor."`
	Refs      string `query:"format.markdown.refs" enum:"relative,stable" default:"relative" doc:"How Markdown names other pages and files: by relative path, or by id."`
	// Dereferenced is a word for the same reason as Evaluated.
	Dereferenced string `query:"dereferenced" enum:"true,false,reusable-contents" default:"false" doc:"true and reusable-contents put the blocks of reusable contents in the place where they are included."`
}

// asStored reports whether the body is asked for as it is stored, with nothing evaluated or included.
func (p PageFormat) asStored() bool { return p.Evaluated == "false" && p.Dereferenced == "false" }

func (p PageFormat) variant() string {
	return p.Format + "/" + p.Evaluated + "/" + p.Refs + "/" + p.Dereferenced
}

type getPageInput struct {
	RevisionParams
	PageFormat
	Page string `path:"pageId"`
}

// getPageByID answers one page with its body.
func (a *API) getPageByID(ctx context.Context, in *getPageInput) (*encoded, error) {
	return a.readPage(ctx, in.RevisionParams, version{}, in.PageFormat, in.Page)
}

type getPageByPathInput struct {
	RevisionParams
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getPageByPath answers the page at a path; old paths of moved pages lead to it too.
func (a *API) getPageByPath(ctx context.Context, in *getPageByPathInput) (*encoded, error) {
	return a.readPath(ctx, in.RevisionParams, version{}, in.PageFormat, in.Path)
}

// pageWithBody makes the wire form of a page, the pages below it, and its body in the wanted format. It reads the
// trie nodes on the way to the page and its descendants, whatever the size of the space.
func (a *API) pageWithBody(ctx context.Context, view *store.View, e *entity.Entry, params PageFormat) (*Page, error) {
	path, err := view.Path(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("find the path of %s: %w", e.ID, err)
	}
	page, err := a.wireBelow(ctx, view, e, path)
	if err != nil {
		return nil, err
	}
	if e.Type == entity.PageDocument {
		if err := a.addBody(ctx, view, e, page, params); err != nil {
			return nil, err
		}
	}
	return page, nil
}

func (a *API) wireBelow(ctx context.Context, view *store.View, e *entity.Entry, path string) (*Page, error) {
	space := view.Revision().Space
	page := a.wirePage(space, e, path)
	if e.Type != entity.PageDocument && e.Type != entity.PageGroup {
		return page, nil
	}
	children, err := view.Children(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("read the pages below %s: %w", e.ID, err)
	}
	page.Pages = make([]*Page, 0, len(children))
	for _, child := range children {
		below, err := a.wireBelow(ctx, view, child, path+"/"+child.Slug)
		if err != nil {
			return nil, err
		}
		page.Pages = append(page.Pages, below)
	}
	return page, nil
}

type listFilesInput struct {
	RevisionParams
	PageParams
}

// listFiles lists the files of a space by name.
func (a *API) listFiles(ctx context.Context, in *listFilesInput) (*body[List[File]], error) {
	return a.readFiles(ctx, in.RevisionParams, version{}, in.PageParams)
}

type getFileInput struct {
	RevisionParams
	File string `path:"fileId"`
}

// getFile answers one file.
func (a *API) getFile(ctx context.Context, in *getFileInput) (*encoded, error) {
	return a.readFile(ctx, in.RevisionParams, version{}, in.File)
}
