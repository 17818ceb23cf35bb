package pub

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/render"
	"github.com/rectodocs/recto/internal/site"
)

// sourceIndex finds pages and files by where they are in the Markdown tree: the form in which content that came from
// files mentions them.
type sourceIndex struct {
	pages     map[string]*content.TreeNode
	files     map[string]*entity.Entry
	reusables map[string]*entity.Entry
}

// assetFolder and includeFolder are where a Markdown tree keeps what has no path of its own.
const (
	assetFolder   = ".gitbook/assets/"
	includeFolder = ".gitbook/includes/"
)

func indexSources(tree *content.Tree, files, reusables []*entity.Entry) *sourceIndex {
	index := &sourceIndex{
		pages:     make(map[string]*content.TreeNode, 2*len(tree.Ordered)),
		files:     make(map[string]*entity.Entry, len(files)),
		reusables: make(map[string]*entity.Entry, len(reusables)),
	}
	for _, node := range tree.Ordered {
		if node.Entry.Path != "" {
			setOnce(index.pages, node.Entry.Path, node)
		}
	}
	// What pages would be called, for those that no file has that name.
	for _, node := range tree.Ordered {
		if node.Entry.Type != entity.PageLink {
			setOnce(index.pages, node.Path, node)
			setOnce(index.pages, node.Path+".md", node)
			setOnce(index.pages, node.Path+"/README.md", node)
		}
	}
	if tree.Landing != nil {
		setOnce(index.pages, "README.md", tree.Landing)
	}
	for _, file := range files {
		setOnce(index.files, filePath(file, assetFolder+file.Name), file)
	}
	for _, reusable := range reusables {
		setOnce(index.reusables, filePath(reusable, includeFolder+entity.Slugify(reusable.Title)+".md"), reusable)
	}
	return index
}

func setOnce[V any](m map[string]V, key string, value V) {
	if _, taken := m[key]; !taken {
		m[key] = value
	}
}

func filePath(e *entity.Entry, standard string) string {
	if e.Path != "" {
		return e.Path
	}
	return standard
}

// sourcePath is where a page's Markdown is, or would be.
func sourcePath(node *content.TreeNode) string {
	switch {
	case node.Entry.Path != "":
		return node.Entry.Path
	case len(node.Children) > 0:
		return node.Path + "/README.md"
	}
	return node.Path + ".md"
}

// resolver says where the references of one page lead, for readers of a scope.
type resolver struct {
	ctx   context.Context // of the page that is made; a resolver lives no longer
	scope *scope
	page  *content.TreeNode
	// markdown makes links to pages lead to their Markdown, relative to the page's.
	markdown bool
}

func (s *scope) resolver(page *content.TreeNode) *resolver {
	return &resolver{ctx: context.Background(), scope: s, page: page}
}

var broken = render.Target{Broken: true}

// target resolves a reference as entries hold them.
func (r *resolver) target(t *entity.Target) render.Target {
	if t == nil {
		return broken
	}
	return r.Resolve(doc.Ref{
		Kind: doc.RefKind(t.Kind), URL: t.URL, File: t.File, Page: t.Page, Anchor: t.Anchor, User: t.User, Collection: t.Collection,
		Space: t.Space, ReusableContent: t.ReusableContent, Tag: t.Tag, Spec: t.Spec,
	})
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
		return r.toPage(s, s.edition.tree.ByID[ref.Page], "")
	case doc.RefAnchor:
		if ref.Page == "" && ref.Space == "" {
			return render.Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor, Title: "#" + ref.Anchor}
		}
		return r.toPage(s, s.edition.tree.ByID[ref.Page], ref.Anchor)
	case doc.RefFile:
		file, err := s.edition.view.Entry(r.ctx, ref.File)
		if err != nil {
			return broken
		}
		return r.toFile(s, file)
	case doc.RefSpace:
		return render.Target{URL: s.home, Title: s.space.Title, Kind: doc.RefSpace}
	case doc.RefTag:
		return render.Target{Title: ref.Tag, Kind: doc.RefTag}
	case doc.RefOpenAPI:
		if s.edition.downloadable(ref.Spec) {
			return render.Target{URL: s.home + "~/openapi/" + url.PathEscape(ref.Spec), Title: ref.Spec, Kind: doc.RefOpenAPI}
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
		if other.Space == space && other.Head != "" && (found == nil || other.Section == r.scope.space.Section && found.Section != other.Section) {
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
	if len(s.edition.conditions) > 0 {
		s.uses.add(dependency{id: "space " + found.ID, space: found}, short(s.edition.outcomes))
	}
	return &s, true
}

// toPage is the target for a page, which may be nil. Pages that this audience cannot see are as if they were not.
func (r *resolver) toPage(s *scope, node *content.TreeNode, anchor string) render.Target {
	if !s.edition.exists(node) {
		return broken
	}
	if node.Entry.Type == entity.PageLink {
		return broken
	}
	if node.Entry.Type == entity.PageGroup && s.edition.firstDocument(node) == nil {
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
			address = relative(r.scope.markdownPath(r.page), s.markdownPath(node))
		}
	case node == r.page && fragment != "":
		address = ""
	}
	return render.Target{
		URL: address + fragment, Title: plainTitle(label(node.Entry)), Description: node.Entry.Description,
		Icon: node.Entry.Icon, Emoji: emojiText(node.Entry.Emoji), Kind: kind,
	}
}

func (r *resolver) toFile(s *scope, file *entity.Entry) render.Target {
	if file.Kind != entity.KindFile {
		return broken
	}
	address := s.fileURL(file)
	if r.markdown && s.home == r.scope.home {
		address = relative(r.scope.markdownPath(r.page), strings.TrimPrefix(address, s.home))
	}
	return render.Target{
		URL: address, Title: file.Name, Kind: doc.RefFile, Size: file.Size, MediaType: file.ContentType, Width: file.Width, Height: file.Height,
	}
}

// file returns the file that a reference names, by its id or by where its Markdown has it; nil when there is none.
func (r *resolver) file(ref doc.Ref) *entity.Entry {
	if ref.Kind == doc.RefURL {
		ref = doc.ParseDestination(strings.TrimSpace(ref.URL))
	}
	s, ok := r.of(ref.Space)
	if !ok {
		return nil
	}
	if ref.Kind == doc.RefFile {
		if file, err := s.edition.view.Entry(r.ctx, ref.File); err == nil && file.Kind == entity.KindFile {
			return file
		}
		return nil
	}
	if ref.Kind != doc.RefURL || r.page == nil {
		return nil
	}
	for _, place := range []func(string) (string, error){func(place string) (string, error) { return place, nil }, url.PathUnescape} {
		if name, err := place(ref.URL); err == nil {
			if file := s.edition.sources().files[joinSource(sourcePath(r.page), name)]; file != nil {
				return file
			}
		}
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
	destination = strings.TrimSpace(destination)
	switch {
	case destination == "":
		return broken
	case strings.HasPrefix(destination, "#"):
		return render.Target{URL: destination, Kind: doc.RefAnchor, Title: destination}
	case strings.HasPrefix(destination, "//"):
		return render.Target{URL: "https:" + destination, Kind: doc.RefURL}
	case doc.URL(destination).IsExternal():
		return render.Target{URL: destination, Kind: doc.RefURL}
	case strings.HasPrefix(destination, "/broken/"):
		return broken
	}
	if ref := doc.ParseDestination(destination); ref.Kind != doc.RefURL {
		return r.Resolve(ref)
	}
	place, fragment, _ := strings.Cut(destination, "#")
	place, _, _ = strings.Cut(place, "?")
	if found := r.source(place, fragment); !found.Broken {
		return found
	}
	if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
		return r.source(decoded, fragment)
	}
	return broken
}

// source resolves a path in the Markdown tree: from its root with a leading slash, else from the page's folder.
func (r *resolver) source(place, fragment string) render.Target {
	sources := r.scope.edition.sources()
	if place == "" {
		return r.toPage(r.scope, r.page, fragment)
	}
	from := ""
	if r.page != nil {
		from = sourcePath(r.page)
	}
	clean := joinSource(from, place)
	if node, ok := sources.pages[clean]; ok && !strings.HasSuffix(place, "/") {
		return r.toPage(r.scope, node, fragment)
	}
	if file, ok := sources.files[clean]; ok {
		return r.toFile(r.scope, file)
	}
	for _, name := range []string{"README.md", "index.md", "readme.md"} {
		if node, ok := sources.pages[strings.TrimPrefix(clean+"/"+name, "/")]; ok {
			return r.toPage(r.scope, node, fragment)
		}
	}
	if node, ok := sources.pages[clean]; ok {
		return r.toPage(r.scope, node, fragment)
	}
	return broken
}

// joinSource is what a destination in the file at a path means, from the root of the tree.
func joinSource(from, destination string) string {
	if strings.HasPrefix(destination, "/") {
		from = ""
	}
	return strings.TrimPrefix(path.Join("/", path.Dir(from), destination), "/")
}

// relative is the way from one path to another, both below one root and percent-encoded.
func relative(from, to string) string {
	a, b := strings.Split(path.Dir(from), "/"), strings.Split(to, "/")
	if a[0] == "." {
		a = nil
	}
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	way := strings.Repeat("../", len(a)) + strings.Join(b, "/")
	if first, _, _ := strings.Cut(way, "/"); strings.Contains(first, ":") {
		return "./" + way
	}
	return way
}
