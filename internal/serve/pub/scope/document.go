package scope

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Load reads a page as the scope's visitor gets it. options are those of Options, for the same page.
func (s *Scope) Load(ctx context.Context, node *store.TreeNode, options render.Options) (*doc.Document, error) {
	if computed, ok := s.Edition.Computed[node.Entry.ID]; ok {
		return page.Computed(ctx, computed.Document.Clone(), options.OpenAPI)
	}
	return s.reading(ctx, node).Document(ctx, options)
}

// reading is a page as the scope's visitor gets it, with the spaces of the site that they see.
func (s *Scope) reading(ctx context.Context, node *store.TreeNode) *page.Reading {
	r := s.Resolver(node)
	r.Ctx = ctx
	return s.Edition.Pages.Read(node.Entry, page.Reader{
		Visitor: s.Visitor.Variables(),
		Space: func(_ context.Context, space id.Space) (*page.Revision, error) {
			if other, ok := r.Of(space); ok {
				return other.Edition.Pages, nil
			}
			return nil, nil
		},
	})
}

// Options are how the documents of a page are rendered.
func (s *Scope) Options(ctx context.Context, node *store.TreeNode) render.Options {
	r := s.Resolver(node)
	r.Ctx = ctx
	return s.reading(ctx, node).Options(render.Options{
		Resolver:    r,
		Fence:       s.fence(ctx),
		Integration: s.blockHTML,
		Used:        s.used(node.Entry),
		Discreet:    true,
		OpenAPI:     s.openAPI(r),
		Icon:        s.Services.Themes.Icons.SVG,
		SearchURL:   s.SearchPath() + "?q=",
		NewTab:      s.Customization().ExternalLinks.Target == "blank",
		Labels:      s.Theme().Words.Content,
	})
}

// openAPI describes the API blocks of a page: from the specifications of the site's organization, from files of the
// space, and from addresses.
func (s *Scope) openAPI(r *Resolver) spec.Blocks {
	files := func(_ context.Context, ref doc.Ref) (string, error) {
		file := r.file(ref)
		if file == nil {
			return "", nil
		}
		return file.Blob, nil
	}
	return s.Services.Specs.Describe(s.Served.Site.Organization, files, s.Edition.Model)
}
