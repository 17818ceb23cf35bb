package scope

import (
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// Resolver says where the references of one page lead, for readers of a scope.
type Resolver struct {
	Ctx   context.Context // of the page that is made; a resolver lives no longer
	scope *Scope
	page  *store.TreeNode
	// Markdown makes links to pages lead to their Markdown, relative to the page's.
	Markdown bool
}

// Resolver returns the resolver of a page, which is nil for references that are of no page.
func (s *Scope) Resolver(page *store.TreeNode) *Resolver {
	return &Resolver{Ctx: context.Background(), scope: s, page: page}
}

var broken = render.Target{Broken: true}

// Target resolves a reference as entries hold them.
func (r *Resolver) Target(t *doc.Ref) render.Target {
	if t == nil {
		return broken
	}
	return r.Resolve(*t)
}

// Resolve implements render.Resolver.
func (r *Resolver) Resolve(ref doc.Ref) render.Target {
	if ref.Kind == doc.RefURL {
		return r.written(ref.URL)
	}
	s, ok := r.Of(id.Space(ref.Space))
	if !ok {
		return broken
	}
	switch ref.Kind {
	case doc.RefPage:
		return r.ToPage(s, s.Edition.Tree.ByID[ref.Page], "")
	case doc.RefAnchor:
		if ref.Page == "" && ref.Space == "" {
			return render.Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor, Title: "#" + ref.Anchor}
		}
		return r.ToPage(s, s.Edition.Tree.ByID[ref.Page], ref.Anchor)
	case doc.RefFile:
		file, err := s.Edition.View.Entry(r.Ctx, ref.File)
		if err != nil {
			return broken
		}
		return r.toFile(s, file)
	case doc.RefSpace:
		return render.Target{URL: s.Home, Title: s.Space.Title, Kind: doc.RefSpace}
	case doc.RefTag:
		return render.Target{Title: ref.Tag, Kind: doc.RefTag}
	case doc.RefOpenAPI:
		if s.Edition.Downloadable(ref.Spec) {
			return render.Target{URL: s.Home + "~/openapi/" + url.PathEscape(ref.Spec), Title: ref.Spec,
				Kind: doc.RefOpenAPI}
		}
	}
	return broken
}

// Of returns the scope of a space on this site; "" is the page's own.
func (r *Resolver) Of(space id.Space) (*Scope, bool) {
	if space == "" || space == r.scope.Space.Space {
		return r.scope, true
	}
	// A space that is on the site more than once is linked in the section of the page, if it is there.
	var found *site.ServedSpace
	for i, other := range r.scope.Served.Spaces {
		if other.Space == space && other.Head != "" && (found == nil || other.Section == r.scope.Space.Section &&
			found.Section != other.Section) {
			found = &r.scope.Served.Spaces[i]
		}
	}
	if found == nil {
		return nil, false
	}
	s := *r.scope
	s.enter(*found)
	if s.Prepare(r.Ctx) != nil {
		return nil, false
	}
	if s.Edition.Conditional() {
		s.uses.add(dependency{id: "space " + string(found.ID), space: found}, edition.ShortKey(s.Edition.Outcomes))
	}
	return &s, true
}

// ToPage is the target for a page, which may be nil. Pages that this audience cannot see are as if they were not.
func (r *Resolver) ToPage(s *Scope, node *store.TreeNode, anchor string) render.Target {
	if !s.Edition.Exists(node) {
		return broken
	}
	if node.Entry.Type == entity.PageLink {
		return broken
	}
	if node.Entry.Type == entity.PageGroup && s.Edition.FirstDocument(node) == nil {
		return broken
	}
	kind := doc.RefPage
	fragment := ""
	if anchor != "" {
		kind = doc.RefAnchor
		fragment = "#" + anchor
	}
	address := s.PageURL(node)
	switch {
	case r.Markdown && node.Entry.Type == entity.PageDocument:
		address = s.Home + s.MarkdownPath(node)
		if s.Home == r.scope.Home {
			address = pagefile.Relative(r.scope.MarkdownPath(r.page), s.MarkdownPath(node))
		}
	case node == r.page && fragment != "":
		address = ""
	}
	return render.Target{
		URL: address + fragment, Title: edition.PlainTitle(edition.Label(node.Entry)),
		Description: node.Entry.Description,
		Icon:        node.Entry.Icon, Emoji: edition.EmojiText(node.Entry.Emoji), Kind: kind,
	}
}

func (r *Resolver) toFile(s *Scope, file *entity.Entry) render.Target {
	if file.Kind != entity.KindFile {
		return broken
	}
	address := s.FileURL(file)
	if r.Markdown && s.Home == r.scope.Home {
		address = pagefile.Relative(r.scope.MarkdownPath(r.page), strings.TrimPrefix(address, s.Home))
	}
	return render.Target{
		URL: address, Title: file.Name, Kind: doc.RefFile, Size: file.Size, MediaType: file.ContentType,
		Width: file.Width, Height: file.Height,
	}
}

// file returns the file that a reference names, by its id or by where its Markdown has it; nil when there is none.
func (r *Resolver) file(ref doc.Ref) *entity.Entry {
	place := ""
	if ref.Kind == doc.RefURL {
		ref, place, _, _ = pagefile.ReadDestination(ref.URL)
	}
	if place != "" {
		_, file := r.scope.Edition.Sources().Find(r.page, place)
		return file
	}
	s, ok := r.Of(id.Space(ref.Space))
	if !ok || ref.Kind != doc.RefFile {
		return nil
	}
	if file, err := s.Edition.View.Entry(r.Ctx, ref.File); err == nil && file.Kind == entity.KindFile {
		return file
	}
	return nil
}

// FileURL is the address of a file. It changes with the file's bytes, so that it may be kept for ever.
func (s *Scope) FileURL(file *entity.Entry) string {
	address := s.Home + "~/files/" + url.PathEscape(file.ID) + "/" + url.PathEscape(file.Name)
	if len(file.Blob) >= VersionLength {
		address += "?v=" + file.Blob[:VersionLength]
	}
	return address
}

// VersionLength is how much of a blob's hash an address has.
const VersionLength = 10

// written resolves a destination as an author wrote it.
func (r *Resolver) written(destination string) render.Target {
	ref, place, fragment, ok := pagefile.ReadDestination(destination)
	switch {
	case !ok:
		return broken
	case ref.Kind == doc.RefURL:
		return render.Target{URL: ref.URL, Kind: doc.RefURL}
	case ref.Kind != "":
		return r.Resolve(ref)
	case place == "":
		return r.ToPage(r.scope, r.page, fragment)
	}
	node, file := r.scope.Edition.Sources().Find(r.page, place)
	if file != nil {
		return r.toFile(r.scope, file)
	}
	return r.ToPage(r.scope, node, fragment)
}
