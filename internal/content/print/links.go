package print

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/render"
)

// file returns the file that a reference on a page names, nil when it names none that the reader sees.
func (s *source) file(ctx context.Context, pageID string, ref doc.Ref) *entity.Entry {
	place := ""
	if ref.Kind == doc.RefURL {
		ref, place, _, _ = pagefile.ReadDestination(ref.URL)
	}
	if place != "" {
		_, file := s.places.Find(s.tree.ByID[pageID], place)
		return file
	}
	if ref.Kind != doc.RefFile {
		return nil
	}
	// What cannot be read is not printed; the page is.
	if from, err := s.of(ctx, id.Space(ref.Space)); err == nil && from != nil {
		return from.fileByID[ref.File]
	}
	return nil
}

// own reports whether a space is the one that is printed.
func (s *source) own(spaceID id.Space) bool {
	return spaceID == "" || spaceID == s.view.Revision().Space
}

// Resolve implements pdf.Source.
func (s *source) Resolve(ctx context.Context, pageID string, ref doc.Ref) pdf.Target {
	if ref.Kind == doc.RefURL {
		named, place, fragment, ok := pagefile.ReadDestination(ref.URL)
		switch {
		case !ok:
			return pdf.Target{}
		case named.Kind == doc.RefURL:
			return pdf.Target{URL: named.URL}
		case named.Kind == "":
			return s.at(ctx, pageID, place, fragment)
		}
		ref = named
	}
	switch ref.Kind {
	case doc.RefPage, doc.RefAnchor:
		if !s.own(id.Space(ref.Space)) {
			return s.elsewhere(ctx, ref)
		}
		return s.page(ctx, s.tree.ByID[cmp.Or(ref.Page, pageID)], ref.Anchor)
	case doc.RefFile:
		if file := s.file(ctx, pageID, ref); file != nil {
			return fileTarget(file)
		}
	case doc.RefSpace:
		return pdf.Target{URL: s.app(id.Space(ref.Space), "")}
	case doc.RefTag:
		return pdf.Target{Title: ref.Tag}
	case doc.RefOpenAPI:
		return pdf.Target{Title: ref.Spec}
	}
	return pdf.Target{}
}

// at is the target for a place in the Markdown tree, "" for the page itself.
func (s *source) at(ctx context.Context, pageID, place, fragment string) pdf.Target {
	node, file := s.tree.ByID[pageID], (*entity.Entry)(nil)
	if place != "" {
		node, file = s.places.Find(node, place)
	}
	if file != nil {
		return fileTarget(file)
	}
	return s.page(ctx, node, fragment)
}

func fileTarget(file *entity.Entry) pdf.Target {
	return pdf.Target{Title: file.Name, Description: render.FileMeta(file.Name, file.Size)}
}

// elsewhere is the target for a page of another space. Of one that not everybody sees nothing is printed: a PDF is
// shared by readers who differ in what they see there.
func (s *source) elsewhere(ctx context.Context, ref doc.Ref) pdf.Target {
	target := pdf.Target{URL: s.app(id.Space(ref.Space), ref.Page)}
	from, err := s.of(ctx, id.Space(ref.Space))
	if err != nil || from == nil {
		return target
	}
	node := from.tree.ByID[ref.Page]
	if node == nil {
		return target
	}
	for at := node; at != nil; at = at.Parent {
		if strings.TrimSpace(at.Entry.Condition) != "" {
			return pdf.Target{Title: notAvailable}
		}
	}
	target.Title, target.Description = pageTitle(node.Entry), strings.TrimSpace(node.Entry.Description)
	return target
}

// notAvailable is printed of a page that the reader may not know of, where a link has no text of its own.
const notAvailable = "Not available"

// page is the target for a page, which may be nil.
func (s *source) page(ctx context.Context, node *store.TreeNode, anchor string) pdf.Target {
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
func (s *source) app(spaceID id.Space, pageID string) string {
	address := s.service.deps.BaseURL + "/app/spaces/" + url.PathEscape(string(spaceID))
	if pageID != "" {
		address += "/pages/" + url.PathEscape(pageID)
	}
	return address
}
