package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/httpx"
)

// RevisionParams are the parameters of every read of a revision. Like all structs that inputs embed it is exported,
// because huma does not look into others.
type RevisionParams struct {
	Space string `path:"spaceId"`
	// Metadata asks for git metadata; there is none while spaces are not synchronised with git, so both values answer alike.
	Metadata bool `query:"metadata" default:"true" doc:"false leaves out git metadata that may change without a new revision."`
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
	Body         []byte
}

// revisionRead checks that the caller may read the space and answers from the head: from memory when this very answer
// was given before, and with 304 when the caller has it. variant names everything beside the revision that the answer
// depends on.
func (a *API) revisionRead(ctx context.Context, params RevisionParams, variant string, build func(context.Context, *content.View) (any, error)) (*encoded, error) {
	caller := callerOf(ctx)
	allowed, err := a.readable.Do(ctx, readableKey{caller.User.ID, params.Space}, func(ctx context.Context, _ readableKey) (access.Space, error) {
		return a.Access.RequireSpace(ctx, caller, params.Space, access.ViewSpace)
	})
	if err != nil {
		return nil, err
	}
	head := allowed.Head
	specs := ""
	if params.Computed {
		if specs, err = a.specsOf.Do(ctx, params.Space, a.Specs.StateOfSpace); err != nil {
			return nil, err
		}
	}
	key := fmt.Sprintf("%s/%s/%t/%s/%s", head, variant, params.Computed, a.downloadDay(), specs)
	out := &encoded{ETag: httpx.ETag(key), CacheControl: "private, no-cache", ContentType: "application/json"}
	if httpx.Matches([]string{params.IfNoneMatch}, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	out.Body, err = a.pages.get(ctx, key, func(ctx context.Context) ([]byte, error) {
		view, err := a.Content.View(ctx, head)
		if err != nil {
			return nil, err
		}
		value, err := build(ctx, view)
		if err != nil {
			return nil, err
		}
		return json.Marshal(value)
	})
	if err != nil {
		return nil, err
	}
	out.Status = http.StatusOK
	return out, nil
}

// getRevision answers the current revision with its whole tree.
func (a *API) getRevision(ctx context.Context, in *struct{ RevisionParams }) (*encoded, error) {
	return a.revisionRead(ctx, in.RevisionParams, "revision", func(ctx context.Context, view *content.View) (any, error) {
		wire, err := a.wireRevision(ctx, view)
		if err == nil && in.Computed {
			wire.Pages, err = a.withComputed(ctx, view, wire.Pages)
		}
		return wire, err
	})
}

func (a *API) wireRevision(ctx context.Context, view *content.View) (*Revision, error) {
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
	wire := &Revision{
		Object: "revision", ID: revision.ID, Type: string(revision.Type), Parents: revision.Parents,
		Pages: a.wireTree(revision.Space, tree.Roots), Files: make([]File, 0, len(files)),
		ReusableContents: make([]ReusableContent, 0, len(reusables)), Variables: variables,
		CreatedAt: timestamp(revision.CreatedAt),
		URLs:      AppURLs{App: a.BaseURL + "/app/spaces/" + revision.Space + "/revisions/" + revision.ID},
	}
	if wire.Parents == nil {
		wire.Parents = []string{}
	}
	for _, file := range files {
		wire.Files = append(wire.Files, a.wireFile(revision.Space, file))
	}
	for _, reusable := range reusables {
		wire.ReusableContents = append(wire.ReusableContents, ReusableContent{ID: reusable.ID, Title: reusable.Title, Document: reusable.ID})
	}
	return wire, nil
}

// PageTree is the answer of listPages.
type PageTree struct {
	Pages []*Page `json:"pages"`
}

// listPages answers the tree of pages.
func (a *API) listPages(ctx context.Context, in *struct{ RevisionParams }) (*encoded, error) {
	return a.revisionRead(ctx, in.RevisionParams, "pages", func(ctx context.Context, view *content.View) (any, error) {
		tree, err := view.Pages(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the pages: %w", err)
		}
		pages := a.wireTree(in.Space, tree.Roots)
		if in.Computed {
			pages, err = a.withComputed(ctx, view, pages)
		}
		return PageTree{Pages: pages}, err
	})
}

// PageFormat is how one page is read.
type PageFormat struct {
	Format string `query:"format" enum:"document,markdown" default:"document" doc:"Form of the body."`
	// Evaluated is a word rather than a boolean, because one of its values is.
	Evaluated string `query:"evaluated" enum:"true,false,deterministic-only" default:"false" doc:"true puts values for expressions, drops conditions that do not hold and includes reusable content; deterministic-only leaves what depends on a visitor."`
	Refs      string `query:"format.markdown.refs" enum:"relative,stable" default:"relative" doc:"How Markdown names other pages and files: by relative path, or by id."`
}

func (p PageFormat) variant() string { return p.Format + "/" + p.Evaluated + "/" + p.Refs }

type getPageInput struct {
	RevisionParams
	PageFormat
	Page string `path:"pageId"`
}

// getPageByID answers one page with its body.
func (a *API) getPageByID(ctx context.Context, in *getPageInput) (*encoded, error) {
	return a.revisionRead(ctx, in.RevisionParams, "page/"+in.Page+"/"+in.variant(), func(ctx context.Context, view *content.View) (any, error) {
		if in.Computed {
			if page, err := a.computedPage(ctx, view, in.Page, "", in.PageFormat); page != nil || err != nil {
				return page, err
			}
		}
		entry, err := view.Entry(ctx, in.Page)
		if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindPage) {
			return nil, errs.NotFoundf("There is no page %q in this space. List its pages to see their ids.", in.Page)
		}
		if err != nil {
			return nil, err
		}
		return a.readPage(ctx, view, entry, in.RevisionParams, in.PageFormat)
	})
}

// readPage is pageWithBody with the computed pages below the page.
func (a *API) readPage(ctx context.Context, view *content.View, e *entity.Entry, params RevisionParams, format PageFormat) (*Page, error) {
	page, err := a.pageWithBody(ctx, view, e, format)
	if err == nil && params.Computed && len(page.Pages) > 0 {
		page.Pages, err = a.withComputed(ctx, view, page.Pages)
	}
	return page, err
}

type getPageByPathInput struct {
	RevisionParams
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getPageByPath answers the page at a path; old paths of moved pages lead to it too.
func (a *API) getPageByPath(ctx context.Context, in *getPageByPathInput) (*encoded, error) {
	path := strings.Trim(in.Path, "/")
	return a.revisionRead(ctx, in.RevisionParams, "path/"+path+"/"+in.variant(), func(ctx context.Context, view *content.View) (any, error) {
		if in.Computed {
			if page, err := a.computedPage(ctx, view, "", path, in.PageFormat); page != nil || err != nil {
				return page, err
			}
		}
		resolved, err := view.ByPath(ctx, path)
		if errs.Is(err, errs.NotFound) || (err == nil && resolved.Entry == nil) {
			return nil, errs.NotFoundf("There is no page at the path %q in this space.", path)
		}
		if err != nil {
			return nil, err
		}
		return a.readPage(ctx, view, resolved.Entry, in.RevisionParams, in.PageFormat)
	})
}

// pageWithBody makes the wire form of a page, the pages below it, and its body in the wanted format. It reads the
// trie nodes on the way to the page and its descendants, whatever the size of the space.
func (a *API) pageWithBody(ctx context.Context, view *content.View, e *entity.Entry, params PageFormat) (*Page, error) {
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

func (a *API) wireBelow(ctx context.Context, view *content.View, e *entity.Entry, path string) (*Page, error) {
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
	if _, err := a.Access.RequireSpace(ctx, callerOf(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	name := "files/" + in.Space
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	view, err := a.Content.Head(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	files, err := view.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the files: %w", err)
	}
	page, next := cutFiles(files, request)
	return &body[List[File]]{Body: *listed(a, name, page, len(files), next, func(e *entity.Entry) File { return a.wireFile(in.Space, e) })}, nil
}

type getFileInput struct {
	RevisionParams
	File string `path:"fileId"`
}

// getFile answers one file.
func (a *API) getFile(ctx context.Context, in *getFileInput) (*encoded, error) {
	return a.revisionRead(ctx, in.RevisionParams, "file/"+in.File, func(ctx context.Context, view *content.View) (any, error) {
		entry, err := view.Entry(ctx, in.File)
		if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindFile) {
			return nil, errs.NotFoundf("There is no file %q in this space. List its files to see their ids.", in.File)
		}
		if err != nil {
			return nil, err
		}
		return a.wireFile(in.Space, entry), nil
	})
}
