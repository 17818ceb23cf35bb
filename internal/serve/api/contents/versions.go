package contents

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// version says which revision of a space a read is about: that with the id revision, the head of a change request, or,
// when both are empty, the head of main.
type version struct {
	revision      id.Revision
	changeRequest id.ChangeRequest
}

// main reports whether it is the head of main.
func (v version) main() bool { return v == version{} }

// head checks that the caller may read a version of a space and returns the id of its revision.
func (h *Handlers) head(ctx context.Context, space id.Space, at version) (id.Revision, error) {
	caller := operation.Caller(ctx)
	key := readableKey{caller.User.ID, caller.VouchedBy(), caller.Closed, caller.Agent, space}
	allowed, err := h.readable.Do(ctx, key,
		func(ctx context.Context, _ readableKey) (access.Space, error) {
			return h.Access.RequireSpace(ctx, caller, space, access.ViewSpace)
		})
	switch {
	case err != nil:
		return "", err
	case at.revision != "":
		revision, err := h.revisionOf(ctx, space, at.revision)
		return revision.ID, err
	case at.changeRequest != "":
		request, err := h.Changes.Get(ctx, caller, space, at.changeRequest)
		return request.Head, err
	}
	return allowed.Head, nil
}

// revisionOf returns a revision of a space; one of another space is not there.
func (h *Handlers) revisionOf(ctx context.Context, space id.Space, revisionID id.Revision) (store.Revision, error) {
	revision, err := h.Content.Revision(ctx, revisionID)
	if errs.Is(err, errs.NotFound) || err == nil && revision.Space != space {
		return store.Revision{}, errs.NotFoundf("The space has no revision %q. List its revisions to see their ids.",
			revisionID)
	}
	return revision, err
}

// versionRead checks that the caller may read the version and answers from it: from memory when this very answer was
// given before, and with 304 when the caller has it. variant names everything beside the revision that the answer
// depends on.
func (h *Handlers) versionRead(ctx context.Context, params RevisionParams, at version, variant string,
	build func(context.Context, *store.View) (any, error)) (*operation.Encoded, error) {
	head, err := h.head(ctx, params.Space, at)
	if err != nil {
		return nil, err
	}
	return h.encode(ctx, head, params, strconv.FormatBool(at.main())+"/"+variant, build)
}

// encode answers from one revision, which the caller may read.
func (h *Handlers) encode(ctx context.Context, revision id.Revision, params RevisionParams, variant string,
	build func(context.Context, *store.View) (any, error)) (*operation.Encoded, error) {
	specs, err := h.specState(ctx, params)
	if err != nil {
		return nil, err
	}
	key := strings.Join([]string{string(revision), variant, strconv.FormatBool(params.Computed),
		strconv.FormatBool(params.Metadata), h.Wire.Downloads.Day(), specs}, "/")
	out := &operation.Encoded{CacheControl: "private, no-cache", ContentType: "application/json"}
	if params.IfNoneMatch != "" {
		// The tag is known without the answer, which need not be made then.
		if out.ETag = httpx.ETag(key); httpx.Matches([]string{params.IfNoneMatch}, out.ETag) {
			out.Status = http.StatusNotModified
			return out, nil
		}
	}
	kept, err := h.pages.get(ctx, key, func(ctx context.Context) ([]byte, error) {
		view, err := h.Content.View(ctx, revision)
		if err != nil {
			return nil, err
		}
		value, err := build(ctx, view)
		if err != nil {
			return nil, err
		}
		if !params.Metadata {
			value = withoutGit(value)
		}
		return json.Marshal(value)
	})
	if err != nil {
		return nil, err
	}
	out.Status, out.Body, out.ETag, out.ContentLength = http.StatusOK, kept.body, kept.tag, kept.length
	return out, nil
}

// readRevision answers a version with its whole tree.
func (h *Handlers) readRevision(ctx context.Context, params RevisionParams, at version) (*operation.Encoded, error) {
	head, err := h.head(ctx, params.Space, at)
	if err != nil {
		return nil, err
	}
	// A change request goes on changing after its merge (its comments do): what it is now belongs to the answer.
	merged, err := h.mergedFrom(ctx, head)
	if err != nil {
		return nil, err
	}
	shown, err := h.shown(ctx, params.Space, head)
	if err != nil {
		return nil, err
	}
	now, err := json.Marshal([]any{merged, shown})
	if err != nil {
		return nil, err
	}
	return h.encode(ctx, head, params, fmt.Sprintf("%t/revision/%s", at.main(), now),
		func(ctx context.Context, view *store.View) (any, error) {
			wire, err := h.wireRevision(ctx, view)
			if err != nil {
				return nil, err
			}
			if wire.Pages, err = h.withComputed(ctx, view, params, wire.Pages); err != nil {
				return nil, err
			}
			wire.MergedFrom = merged
			wire.URLs.Published, wire.URLs.Public = shown.Published, shown.Public
			at.qualify(view, wire.Pages...)
			for i := range wire.ReusableContents {
				wire.ReusableContents[i].Document = at.documentID(view, wire.ReusableContents[i].ID)
			}
			return wire, nil
		})
}

// shown returns where a revision of a space is to be read, nowhere for one that is not live. The caller may read the
// space.
func (h *Handlers) shown(ctx context.Context, space id.Space, revision id.Revision) (site.Shown, error) {
	live, err := h.head(ctx, space, version{})
	if err != nil || live != revision {
		return site.Shown{}, err
	}
	return h.shownAt.Do(ctx, space, func(ctx context.Context, space id.Space) (site.Shown, error) {
		all, err := h.Sites.ShownAt(ctx, []id.Space{space})
		return all[space], err
	})
}

// documentID is the id under which a body of the version is read: that of its page or reusable content on main, and
// otherwise one that names the revision, too.
func (v version) documentID(view *store.View, id string) string {
	if v.main() {
		return id
	}
	return documentAt(view.Revision().ID, id)
}

// documentAt is the id of the body that a page or reusable content has in a revision.
func documentAt(revision id.Revision, id string) string { return string(revision) + "." + id }

// qualify puts document ids of the version in pages and those below them.
func (v version) qualify(view *store.View, pages ...*wire.Page) {
	if v.main() {
		return
	}
	for _, page := range pages {
		if page.DocumentID != "" {
			page.DocumentID = v.documentID(view, page.ID)
		}
		v.qualify(view, page.Pages...)
	}
}

// readPages answers the tree of pages of a version.
func (h *Handlers) readPages(ctx context.Context, params RevisionParams, at version) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "pages", func(ctx context.Context, view *store.View) (any, error) {
		tree, err := view.Pages(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the pages: %w", err)
		}
		pages, err := h.withComputed(ctx, view, params, h.Wire.Tree(params.Space, tree.Roots))
		if err != nil {
			return nil, err
		}
		at.qualify(view, pages...)
		return PageTree{Pages: pages}, nil
	})
}

// readPage answers a page of a version with its body.
func (h *Handlers) readPage(ctx context.Context, params RevisionParams, at version, format PageFormat,
	pageID string) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "page/"+pageID+"/"+format.variant(),
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := wire.PageEntry(ctx, view, pageID)
			// Pages that are stored are found without looking at all others.
			if errs.Is(err, errs.NotFound) || err == nil && spec.IsComputed(entry) {
				if page, err := h.computedPage(ctx, view, params, pageID, "", format); page != nil || err != nil {
					return page, err
				}
			}
			if err != nil {
				return nil, err
			}
			page, err := h.pageWithBody(ctx, view, entry, format)
			if err != nil {
				return nil, err
			}
			if page.Pages, err = h.withComputed(ctx, view, params, page.Pages); err != nil {
				return nil, err
			}
			at.qualify(view, page)
			return page, nil
		})
}

// readPath answers the page at a path of a version; old paths of moved pages lead to it too.
func (h *Handlers) readPath(ctx context.Context, params RevisionParams, at version, format PageFormat,
	path string) (*operation.Encoded, error) {
	path = strings.Trim(path, "/")
	return h.versionRead(ctx, params, at, "path/"+path+"/"+format.variant(),
		func(ctx context.Context, view *store.View) (any, error) {
			resolved, err := view.ByPath(ctx, path)
			// A page that is there goes before one that was there once.
			if errs.Is(err, errs.NotFound) || err == nil && (resolved.Redirected || resolved.Entry == nil ||
				spec.IsComputed(resolved.Entry)) {
				if page, err := h.computedPage(ctx, view, params, "", path, format); page != nil || err != nil {
					return page, err
				}
			}
			if errs.Is(err, errs.NotFound) || (err == nil && resolved.Entry == nil) {
				return nil, errs.NotFoundf("There is no page at the path %q in this space.", path)
			}
			if err != nil {
				return nil, err
			}
			page, err := h.pageWithBody(ctx, view, resolved.Entry, format)
			if err != nil {
				return nil, err
			}
			if page.Pages, err = h.withComputed(ctx, view, params, page.Pages); err != nil {
				return nil, err
			}
			at.qualify(view, page)
			return page, nil
		})
}

// readFiles lists the files of a version by name.
func (h *Handlers) readFiles(ctx context.Context, params RevisionParams, at version,
	paging wire.PageParams) (*operation.Body[wire.List[wire.File]], error) {
	head, err := h.head(ctx, params.Space, at)
	if err != nil {
		return nil, err
	}
	name := strings.TrimRight("files/"+string(params.Space)+"/"+string(at.revision)+string(at.changeRequest), "/")
	request, err := h.Lists.Request(name, paging)
	if err != nil {
		return nil, err
	}
	view, err := h.Content.View(ctx, head)
	if err != nil {
		return nil, err
	}
	files, err := view.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the files: %w", err)
	}
	page := cutFiles(files, request)
	answer := func(e *entity.Entry) wire.File {
		file := h.Wire.File(params.Space, e)
		if !params.Metadata {
			file.Git = nil
		}
		return file
	}
	return &operation.Body[wire.List[wire.File]]{Body: *wire.Listed(h.Lists, name, page, answer)}, nil
}

// readFile answers one file of a version.
func (h *Handlers) readFile(ctx context.Context, params RevisionParams, at version,
	fileID string) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "file/"+fileID, func(ctx context.Context, view *store.View) (any, error) {
		entry, err := view.Entry(ctx, fileID)
		if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindFile) {
			return nil, errs.NotFoundf("There is no file %q in this space. List its files to see their ids.", fileID)
		}
		if err != nil {
			return nil, err
		}
		return h.Wire.File(params.Space, entry), nil
	})
}

// readReusable answers one reusable content of a version.
func (h *Handlers) readReusable(ctx context.Context, params RevisionParams, at version,
	reusableID string) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "reusable/"+reusableID,
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := reusableEntry(ctx, view, reusableID)
			if err != nil {
				return nil, err
			}
			return wire.ReusableContent{ID: entry.ID, Title: entry.Title, Document: at.documentID(view, entry.ID),
				Git: wire.GitFileOf(entry.Git)}, nil
		})
}

func reusableEntry(ctx context.Context, view *store.View, reusableID string) (*entity.Entry, error) {
	entry, err := view.Entry(ctx, reusableID)
	if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindReusable) {
		return nil, errs.NotFoundf(
			"There is no reusable content %q in this space. Read the space's content to see their ids.", reusableID)
	}
	return entry, err
}

// readDocument answers the body of an entry of a version as document JSON. find returns the entry.
func (h *Handlers) readDocument(ctx context.Context, params RevisionParams, at version, format PageFormat, id string,
	find func(context.Context, *store.View, string) (*entity.Entry, error)) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "document/"+id+"/"+format.variant(),
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := find(ctx, view, id)
			if errs.Is(err, errs.NotFound) || err == nil && spec.IsComputed(entry) {
				made, failure := h.computedPage(ctx, view, params, id, "", PageFormat{Format: "document"})
				if failure != nil {
					return nil, failure
				}
				if made != nil {
					return made.Document, nil
				}
			}
			if err != nil {
				return nil, err
			}
			if entry.Kind == entity.KindPage && entry.Type != entity.PageDocument {
				return nil, errs.NotFoundf("The page %q is a %s and has no document.", id, entry.Type)
			}
			document, _, err := documentOf(ctx, view, entry, format)
			if err != nil {
				return nil, err
			}
			document.Complete()
			return document, nil
		})
}

// bodyEntry returns a page or reusable content.
func bodyEntry(ctx context.Context, view *store.View, id string) (*entity.Entry, error) {
	entry, err := view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindPage &&
		entry.Kind != entity.KindReusable) {
		return nil, errs.NotFoundf("There is no document %q in this space. The documentId of a page and the document "+
			"of a reusable content name one.", id)
	}
	return entry, err
}

// PageMetaLinks say where else a page is, for the head of what shows it.
type PageMetaLinks struct {
	Canonical  *PageMetaLink  `json:"canonical,omitempty"`
	Alternates []PageMetaLink `json:"alternates"`
}

// PageMetaLink is a page, in this space or another one, or an address.
type PageMetaLink struct {
	Kind  string `json:"kind" enum:"page,url"`
	Page  string `json:"page,omitempty"`
	Space string `json:"space,omitempty"`
	URL   string `json:"url,omitempty" format:"uri"`
}

type metaLinksInput struct {
	RevisionParams
	Page string `path:"pageId"`
}

// listMetaLinks answers where else a page is.
func (h *Handlers) listMetaLinks(ctx context.Context, in *metaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, version{}, in.Page)
}

type revisionMetaLinksInput struct {
	RevisionParams
	AtRevision
	Page string `path:"pageId"`
}

// listRevisionMetaLinks answers where else a page of a revision is.
func (h *Handlers) listRevisionMetaLinks(ctx context.Context, in *revisionMetaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, in.version(), in.Page)
}

type changeRequestMetaLinksInput struct {
	RevisionParams
	AtChangeRequest
	Page string `path:"pageId"`
}

// listChangeRequestMetaLinks answers where else a page of a change request is.
func (h *Handlers) listChangeRequestMetaLinks(ctx context.Context,
	in *changeRequestMetaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, in.version(), in.Page)
}

// readMetaLinks answers where else a page of a version is: nowhere, if the page is there.
func (h *Handlers) readMetaLinks(ctx context.Context, params RevisionParams, at version,
	pageID string) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "meta-links/"+pageID,
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := wire.PageEntry(ctx, view, pageID)
			if errs.Is(err, errs.NotFound) || err == nil && spec.IsComputed(entry) {
				made, failure := h.computedPage(ctx, view, params, pageID, "", PageFormat{Format: "document"})
				if failure != nil {
					return nil, failure
				}
				if made != nil {
					return PageMetaLinks{Alternates: []PageMetaLink{}}, nil
				}
			}
			if err == nil && entry.Type != entity.PageDocument && entry.Type != entity.PageGroup {
				err = errs.NotFoundf("The page %q is a %s and has no address of its own.", pageID, entry.Type)
			}
			return PageMetaLinks{Alternates: []PageMetaLink{}}, err
		})
}
