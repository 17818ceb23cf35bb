package pub

import (
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// resolver says where the references of one page lead, for readers of a scope.
type resolver struct {
	ctx   context.Context // of the page that is made; a resolver lives no longer
	scope *scope
	page  *store.TreeNode
	// markdown makes links to pages lead to their Markdown, relative to the page's.
	markdown bool
}

func (s *scope) resolver(page *store.TreeNode) *resolver {
	return &resolver{ctx: context.Background(), scope: s, page: page}
}

var broken = render.Target{Broken: true}

// target resolves a reference as entries hold them.
func (r *resolver) target(t *doc.Ref) render.Target {
	if t == nil {
		return broken
	}
	return r.Resolve(*t)
}

// Resolve implements render.Resolver.
func (r *resolver) Resolve(ref doc.Ref) render.Target {
	if ref.Kind == doc.RefURL {
		return r.written(ref.URL)
	}
	s, ok := r.of(ref.Space)
	if !ok {
		return broken
	}
	switch ref.Kind {
	case doc.RefPage:
		return r.toPage(s, s.edition.Tree.ByID[ref.Page], "")
	case doc.RefAnchor:
		if ref.Page == "" && ref.Space == "" {
			return render.Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor, Title: "#" + ref.Anchor}
		}
		return r.toPage(s, s.edition.Tree.ByID[ref.Page], ref.Anchor)
	case doc.RefFile:
		file, err := s.edition.View.Entry(r.ctx, ref.File)
		if err != nil {
			return broken
		}
		return r.toFile(s, file)
	case doc.RefSpace:
		return render.Target{URL: s.home, Title: s.space.Title, Kind: doc.RefSpace}
	case doc.RefTag:
		return render.Target{Title: ref.Tag, Kind: doc.RefTag}
	case doc.RefOpenAPI:
		if s.edition.Downloadable(ref.Spec) {
			return render.Target{URL: s.home + "~/openapi/" + url.PathEscape(ref.Spec), Title: ref.Spec,
				Kind: doc.RefOpenAPI}
		}
	}
	return broken
}

// of returns the scope of a space on this site; "" is the page's own.
func (r *resolver) of(space string) (*scope, bool) {
	if space == "" || space == r.scope.space.Space {
		return r.scope, true
	}
	// A space that is on the site more than once is linked in the section of the page, if it is there.
	var found *site.ServedSpace
	for i, other := range r.scope.site.Spaces {
		if other.Space == space && other.Head != "" && (found == nil || other.Section == r.scope.space.Section &&
			found.Section != other.Section) {
			found = &r.scope.site.Spaces[i]
		}
	}
	if found == nil {
		return nil, false
	}
	s := *r.scope
	s.enter(*found)
	if s.prepare(r.ctx) != nil {
		return nil, false
	}
	if s.edition.Conditional() {
		s.uses.add(dependency{id: "space " + found.ID, space: found}, edition.ShortKey(s.edition.Outcomes))
	}
	return &s, true
}

// toPage is the target for a page, which may be nil. Pages that this audience cannot see are as if they were not.
func (r *resolver) toPage(s *scope, node *store.TreeNode, anchor string) render.Target {
	if !s.edition.Exists(node) {
		return broken
	}
	if node.Entry.Type == entity.PageLink {
		return broken
	}
	if node.Entry.Type == entity.PageGroup && s.edition.FirstDocument(node) == nil {
		return broken
	}
	kind := doc.RefPage
	fragment := ""
	if anchor != "" {
		kind = doc.RefAnchor
		fragment = "#" + anchor
	}
	address := s.pageURL(node)
	switch {
	case r.markdown && node.Entry.Type == entity.PageDocument:
		address = s.home + s.markdownPath(node)
		if s.home == r.scope.home {
			address = pagefile.Relative(r.scope.markdownPath(r.page), s.markdownPath(node))
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

func (r *resolver) toFile(s *scope, file *entity.Entry) render.Target {
	if file.Kind != entity.KindFile {
		return broken
	}
	address := s.fileURL(file)
	if r.markdown && s.home == r.scope.home {
		address = pagefile.Relative(r.scope.markdownPath(r.page), strings.TrimPrefix(address, s.home))
	}
	return render.Target{
		URL: address, Title: file.Name, Kind: doc.RefFile, Size: file.Size, MediaType: file.ContentType,
		Width: file.Width, Height: file.Height,
	}
}

// file returns the file that a reference names, by its id or by where its Markdown has it; nil when there is none.
func (r *resolver) file(ref doc.Ref) *entity.Entry {
	place := ""
	if ref.Kind == doc.RefURL {
		ref, place, _, _ = pagefile.ReadDestination(ref.URL)
	}
	if place != "" {
		_, file := r.scope.edition.Sources().Find(r.page, place)
		return file
	}
	s, ok := r.of(ref.Space)
	if !ok || ref.Kind != doc.RefFile {
		return nil
	}
	if file, err := s.edition.View.Entry(r.ctx, ref.File); err == nil && file.Kind == entity.KindFile {
		return file
	}
	return nil
}

// fileURL is the address of a file. It changes with the file's bytes, so that it may be kept for ever.
func (s *scope) fileURL(file *entity.Entry) string {
	address := s.home + "~/files/" + url.PathEscape(file.ID) + "/" + url.PathEscape(file.Name)
	if len(file.Blob) >= versionLength {
		address += "?v=" + file.Blob[:versionLength]
	}
	return address
}

// versionLength is how much of a blob's hash an address has.
const versionLength = 10

// written resolves a destination as an author wrote it.
func (r *resolver) written(destination string) render.Target {
	ref, place, fragment, ok := pagefile.ReadDestination(destination)
	switch {
	case !ok:
		return broken
	case ref.Kind == doc.RefURL:
		return render.Target{URL: ref.URL, Kind: doc.RefURL}
	case ref.Kind != "":
		return r.Resolve(ref)
	case place == "":
		return r.toPage(r.scope, r.page, fragment)
	}
	node, file := r.scope.edition.Sources().Find(r.page, place)
	if file != nil {
		return r.toFile(r.scope, file)
	}
	return r.toPage(r.scope, node, fragment)
}
