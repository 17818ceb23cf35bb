package contents

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// specState identifies the API specifications that an answer depends on, "" when it depends on none.
func (h *Handlers) specState(ctx context.Context, params RevisionParams) (string, error) {
	if !params.Computed {
		return "", nil
	}
	return h.ComputedPages.State(ctx, params.Space)
}

// withComputed puts the pages that computed pages stand for into their places. The given pages are those of the view,
// or some of them; they are changed.
func (h *Handlers) withComputed(ctx context.Context, view *store.View, params RevisionParams,
	pages []*wire.Page) ([]*wire.Page, error) {
	if !params.Computed {
		return pages, nil
	}
	var expansion *spec.Expansion
	var place func(pages []*wire.Page) ([]*wire.Page, error)
	place = func(pages []*wire.Page) ([]*wire.Page, error) {
		placed := pages[:0:0]
		for _, page := range pages {
			if page.Type != string(entity.PageComputed) || page.Computed == nil ||
				!spec.IsSource(page.Computed.Type) {
				if len(page.Pages) > 0 {
					var err error
					if page.Pages, err = place(page.Pages); err != nil {
						return nil, err
					}
				}
				placed = append(placed, page)
				continue
			}
			if expansion == nil {
				var err error
				if expansion, err = h.ComputedPages.Expand(ctx, view); err != nil {
					return nil, err
				}
			}
			nodes, expanded := expansion.Places[page.ID]
			if !expanded {
				placed = append(placed, page)
			}
			for _, node := range nodes {
				placed = append(placed, h.Wire.Expanded(view.Revision().Space, node, expansion))
			}
		}
		return placed, nil
	}
	if len(pages) == 0 {
		return pages, nil
	}
	return place(pages)
}

// computedPage answers a page that was made for a computed page, by its id or by its path; nil when there is no such
// one.
func (h *Handlers) computedPage(ctx context.Context, view *store.View, params RevisionParams, pageID, path string,
	format PageFormat) (*wire.Page, error) {
	state, err := h.specState(ctx, params)
	if err != nil || state == "" {
		return nil, err // no specification, no need to look at all pages
	}
	expansion, err := h.ComputedPages.Expand(ctx, view)
	if err != nil || len(expansion.Pages) == 0 {
		return nil, err
	}
	node := expansion.Tree.ByID[pageID]
	if pageID == "" {
		node = nil
		for _, each := range expansion.Tree.Ordered {
			if _, isComputed := expansion.Pages[each.Entry.ID]; isComputed && each.Path == path {
				node = each
				break
			}
		}
	}
	if node == nil {
		return nil, nil
	}
	computed, isComputed := expansion.Pages[node.Entry.ID]
	if !isComputed {
		return nil, nil
	}
	page := h.Wire.Expanded(view.Revision().Space, node, expansion)
	if node.Entry.Type != entity.PageDocument {
		return page, nil
	}
	if format.Format == "html" {
		return page, h.addComputedHTML(ctx, view, node.Entry, page, computed.Document.Clone())
	}
	if err := addComputedBody(page, node.Entry, computed.Document.Clone(), format); err != nil {
		return nil, err
	}
	return page, nil
}

// addComputedBody adds the body of a computed page in the wanted form. It holds nothing to evaluate.
func addComputedBody(page *wire.Page, e *entity.Entry, document *doc.Document, params PageFormat) error {
	if params.Format == "document" {
		doc.Finish(document)
		document.Complete()
		var err error
		page.Document, err = json.Marshal(document)
		return err
	}
	page.Markdown = new(string(treefile.WritePage(treefile.Page{
		FrontMatter: frontmatter.Write(e), Title: e.Title, Body: markdown.Write(document),
	})))
	return nil
}
