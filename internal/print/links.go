package print

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/pdf"
)

// places finds pages, files and reusable contents by where their Markdown is, or would be, in an export: the form in
// which bodies that came from files may mention them.
type places struct {
	pages                  map[string]*content.TreeNode
	files                  map[string]*entity.Entry
	fileByID, reusableByID map[string]*entity.Entry
	reusables              map[string]*entity.Entry
}

// assetFolder and includeFolder are where a Markdown tree keeps what has no path of its own.
const (
	assetFolder   = ".gitbook/assets/"
	includeFolder = ".gitbook/includes/"
)

func newPlaces(tree *content.Tree, files, reusables []*entity.Entry) *places {
	p := &places{
		pages: map[string]*content.TreeNode{}, files: map[string]*entity.Entry{}, reusables: map[string]*entity.Entry{},
		fileByID: map[string]*entity.Entry{}, reusableByID: map[string]*entity.Entry{},
	}
	for _, node := range tree.Ordered {
		if node.Entry.Path != "" {
			setOnce(p.pages, node.Entry.Path, node)
		}
	}
	for _, node := range tree.Ordered {
		if node.Entry.Type != entity.PageLink {
			setOnce(p.pages, node.Path, node)
			setOnce(p.pages, node.Path+".md", node)
			setOnce(p.pages, node.Path+"/README.md", node)
		}
	}
	if tree.Landing != nil {
		setOnce(p.pages, "README.md", tree.Landing)
	}
	for _, file := range files {
		p.fileByID[file.ID] = file
		setOnce(p.files, firstOf(file.Path, assetFolder+file.Name), file)
	}
	for _, reusable := range reusables {
		p.reusableByID[reusable.ID] = reusable
		setOnce(p.reusables, firstOf(reusable.Path, includeFolder+entity.Slugify(reusable.Title)+".md"), reusable)
	}
	return p
}

func setOnce[V any](m map[string]V, key string, value V) {
	if _, taken := m[key]; !taken {
		m[key] = value
	}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
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

// join is what a destination in the file at a path means, from the root of the tree.
func join(from, destination string) string {
	if strings.HasPrefix(destination, "/") {
		from = ""
	}
	return strings.TrimPrefix(path.Join("/", path.Dir(from), destination), "/")
}

// stable returns a reference as one of another kind when a destination as written names something by its id.
func stable(ref doc.Ref) doc.Ref {
	if ref.Kind == doc.RefURL {
		return doc.ParseDestination(strings.TrimSpace(ref.URL))
	}
	return ref
}

// local splits a destination within the tree into the path from its root and the anchor, both with and without its
// percent signs resolved. Others give false.
func (s *source) local(pageID string, ref doc.Ref) (candidates []string, anchor string, ok bool) {
	if ref.Kind != doc.RefURL || ref.IsExternal() {
		return nil, "", false
	}
	place, anchor, _ := strings.Cut(ref.URL, "#")
	place, _, _ = strings.Cut(place, "?")
	node := s.tree.ByID[pageID]
	if place == "" || node == nil {
		return nil, anchor, true
	}
	from := sourcePath(node)
	candidates = []string{join(from, place)}
	if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
		candidates = append(candidates, join(from, decoded))
	}
	return candidates, anchor, true
}

// file returns the file that a reference on a page names, nil when it names none.
func (s *source) file(pageID string, ref doc.Ref) *entity.Entry {
	ref = stable(ref)
	if ref.Kind == doc.RefFile && s.own(ref.Space) {
		return s.places.fileByID[ref.File]
	}
	candidates, _, _ := s.local(pageID, ref)
	for _, candidate := range candidates {
		if file := s.places.files[candidate]; file != nil {
			return file
		}
	}
	return nil
}

// own reports whether a space is the one that is printed.
func (s *source) own(spaceID string) bool { return spaceID == "" || spaceID == s.view.Revision().Space }

// Resolve implements pdf.Source.
func (s *source) Resolve(ctx context.Context, pageID string, ref doc.Ref) pdf.Target {
	ref = stable(ref)
	switch ref.Kind {
	case doc.RefURL:
		return s.written(ctx, pageID, ref)
	case doc.RefPage, doc.RefAnchor:
		if !s.own(ref.Space) {
			return pdf.Target{URL: s.app(ref.Space, ref.Page)}
		}
		return s.page(ctx, s.tree.ByID[firstOf(ref.Page, pageID)], ref.Anchor)
	case doc.RefFile:
		if file := s.file(pageID, ref); file != nil {
			return pdf.Target{Title: file.Name}
		}
	case doc.RefSpace:
		return pdf.Target{URL: s.app(ref.Space, "")}
	case doc.RefTag:
		return pdf.Target{Title: ref.Tag}
	case doc.RefOpenAPI:
		return pdf.Target{Title: ref.Spec}
	}
	return pdf.Target{}
}

// written resolves a destination as an author wrote it.
func (s *source) written(ctx context.Context, pageID string, ref doc.Ref) pdf.Target {
	switch {
	case strings.HasPrefix(ref.URL, "//"):
		return pdf.Target{URL: "https:" + ref.URL}
	case ref.IsExternal():
		return pdf.Target{URL: ref.URL}
	}
	candidates, anchor, _ := s.local(pageID, ref)
	if len(candidates) == 0 {
		return s.page(ctx, s.tree.ByID[pageID], anchor)
	}
	for _, candidate := range candidates {
		for _, name := range []string{candidate, strings.TrimPrefix(candidate+"/README.md", "/"), strings.TrimPrefix(candidate+"/index.md", "/")} {
			if node := s.places.pages[name]; node != nil {
				return s.page(ctx, node, anchor)
			}
		}
	}
	if file := s.file(pageID, ref); file != nil {
		return pdf.Target{Title: file.Name}
	}
	return pdf.Target{}
}

// notAvailable is printed of a page that the reader may not know of, where a link has no text of its own.
const notAvailable = "Not available"

// page is the target for a page, which may be nil.
func (s *source) page(ctx context.Context, node *content.TreeNode, anchor string) pdf.Target {
	if node == nil {
		return pdf.Target{}
	}
	if !s.there(ctx, node) {
		return pdf.Target{Title: notAvailable}
	}
	return pdf.Target{
		Page: node.Entry.ID, Anchor: anchor, URL: s.app(s.view.Revision().Space, node.Entry.ID),
		Title: pageTitle(node.Entry), Description: strings.TrimSpace(node.Entry.Description),
	}
}

// app is the address of a page in the app, for what is not in the PDF.
func (s *source) app(spaceID, pageID string) string {
	address := s.service.deps.BaseURL + "/app/spaces/" + url.PathEscape(spaceID)
	if pageID != "" {
		address += "/pages/" + url.PathEscape(pageID)
	}
	return address
}
