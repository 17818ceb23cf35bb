package contents

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// RevisionParams are the parameters of every read of a revision. Like all structs that inputs embed it is exported,
// because huma does not look into others.
type RevisionParams struct {
	Space id.Space `path:"spaceId"`
	// Metadata asks for git metadata.
	Metadata bool `query:"metadata" default:"true" doc:"false leaves out git metadata: what a revision, page, file or reusable content was imported from."`
	// Computed asks for computed pages to be expanded into the pages they compute.
	Computed    bool   `query:"computed" default:"true" doc:"false leaves computed pages as they are stored."`
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of an answer that you have; 304 says it is still good."`
}

// getRevision answers the current revision with its whole tree.
func (h *Handlers) getRevision(ctx context.Context, in *struct{ RevisionParams }) (*operation.Encoded, error) {
	return h.readRevision(ctx, in.RevisionParams, version{})
}

func (h *Handlers) wireRevision(ctx context.Context, view *store.View) (*wire.Revision, error) {
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
	answer := h.Wire.RevisionAlone(view)
	answer.Pages, answer.Variables = h.Wire.Tree(revision.Space, tree.Roots), variables
	answer.Files, answer.ReusableContents = make([]wire.File, 0, len(files)), make([]wire.ReusableContent, 0,
		len(reusables))
	for _, file := range files {
		answer.Files = append(answer.Files, h.Wire.File(revision.Space, file))
	}
	for _, reusable := range reusables {
		answer.ReusableContents = append(answer.ReusableContents, wire.ReusableContent{ID: reusable.ID,
			Title:    reusable.Title,
			Document: reusable.ID, Git: wire.GitFileOf(reusable.Git)})
	}
	return answer, nil
}

// PageTree is the answer of listPages.
type PageTree struct {
	Pages []*wire.Page `json:"pages"`
}

// listPages answers the tree of pages.
func (h *Handlers) listPages(ctx context.Context, in *struct{ RevisionParams }) (*operation.Encoded, error) {
	return h.readPages(ctx, in.RevisionParams, version{})
}

// PageFormat is how one page is read.
type PageFormat struct {
	Format string `query:"format" enum:"document,markdown,html" default:"document" doc:"Form of the body. html is what published sites show to a visitor of whom nothing is known, with links that lead into the app; evaluated and dereferenced do not change it."`
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
func (h *Handlers) getPageByID(ctx context.Context, in *getPageInput) (*operation.Encoded, error) {
	return h.readPage(ctx, in.RevisionParams, version{}, in.PageFormat, in.Page)
}

type getPageByPathInput struct {
	RevisionParams
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getPageByPath answers the page at a path; old paths of moved pages lead to it too.
func (h *Handlers) getPageByPath(ctx context.Context, in *getPageByPathInput) (*operation.Encoded, error) {
	return h.readPath(ctx, in.RevisionParams, version{}, in.PageFormat, in.Path)
}

// pageWithBody makes the wire form of a page, the pages below it, and its body in the wanted format. It reads the
// trie nodes on the way to the page and its descendants, whatever the size of the space.
func (h *Handlers) pageWithBody(ctx context.Context, view *store.View, e *entity.Entry,
	params PageFormat) (*wire.Page, error) {
	path, err := view.Path(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("find the path of %s: %w", e.ID, err)
	}
	page, err := h.wireBelow(ctx, view, e, path)
	if err != nil {
		return nil, err
	}
	if e.Type == entity.PageDocument {
		if err := h.addBody(ctx, view, e, page, params); err != nil {
			return nil, err
		}
	}
	return page, nil
}

func (h *Handlers) wireBelow(ctx context.Context, view *store.View, e *entity.Entry, path string) (*wire.Page, error) {
	space := view.Revision().Space
	page := h.Wire.Page(space, e, path)
	if e.Type != entity.PageDocument && e.Type != entity.PageGroup {
		return page, nil
	}
	children, err := view.Children(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("read the pages below %s: %w", e.ID, err)
	}
	page.Pages = make([]*wire.Page, 0, len(children))
	for _, child := range children {
		below, err := h.wireBelow(ctx, view, child, path+"/"+child.Slug)
		if err != nil {
			return nil, err
		}
		page.Pages = append(page.Pages, below)
	}
	return page, nil
}

type listFilesInput struct {
	RevisionParams
	wire.PageParams
}

// listFiles lists the files of a space by name.
func (h *Handlers) listFiles(ctx context.Context, in *listFilesInput) (*operation.Body[wire.List[wire.File]], error) {
	return h.readFiles(ctx, in.RevisionParams, version{}, in.PageParams)
}

type getFileInput struct {
	RevisionParams
	File string `path:"fileId"`
}

// getFile answers one file.
func (h *Handlers) getFile(ctx context.Context, in *getFileInput) (*operation.Encoded, error) {
	return h.readFile(ctx, in.RevisionParams, version{}, in.File)
}
