package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
)

// specState identifies the API specifications that an answer depends on, "" when it depends on none.
func (a *API) specState(ctx context.Context, params RevisionParams) (string, error) {
	if !params.Computed {
		return "", nil
	}
	return a.specsOf.Do(ctx, params.Space, a.Specs.StateOfSpace)
}

// withComputed puts the pages that computed pages stand for into their places. The given pages are those of the view,
// or some of them; they are changed.
func (a *API) withComputed(ctx context.Context, view *store.View, params RevisionParams,
	pages []*Page) ([]*Page, error) {
	if !params.Computed {
		return pages, nil
	}
	var expansion *spec.Expansion
	var place func(pages []*Page) ([]*Page, error)
	place = func(pages []*Page) ([]*Page, error) {
		placed := pages[:0:0]
		for _, page := range pages {
			if page.Type != string(entity.PageComputed) || page.Computed == nil ||
				page.Computed.Type != spec.ComputedType {
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
				if expansion, err = a.expand(ctx, view); err != nil {
					return nil, err
				}
			}
			nodes, worked := expansion.Places[page.ID]
			if !worked {
				placed = append(placed, page)
			}
			for _, node := range nodes {
				placed = append(placed, a.wireExpanded(view.Revision().Space, node, expansion))
			}
		}
		return placed, nil
	}
	if len(pages) == 0 {
		return pages, nil
	}
	return place(pages)
}

func (a *API) expand(ctx context.Context, view *store.View) (*spec.Expansion, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	return a.Specs.Expand(ctx, view.Revision().Space, tree)
}

// wireExpanded makes the wire form of a page of an expansion with the pages below it, without bodies.
func (a *API) wireExpanded(space string, node *store.TreeNode, expansion *spec.Expansion) *Page {
	page := a.wirePage(space, node.Entry, node.Path)
	if computed, ok := expansion.Pages[node.Entry.ID]; ok {
		page.DocumentID = ""
		page.Computed = &Computed{Type: computed.Source.Type, Props: computed.Source.Props,
			Dependencies: computed.Source.Dependencies}
		page.ComputedSeed = computed.Seed
	}
	if node.Entry.Type == entity.PageDocument || node.Entry.Type == entity.PageGroup {
		page.Pages = make([]*Page, 0, len(node.Children))
		for _, child := range node.Children {
			page.Pages = append(page.Pages, a.wireExpanded(space, child, expansion))
		}
	}
	return page
}

// computedPage answers a page that was made for a computed page, by its id or by its path; nil when there is no such
// one.
func (a *API) computedPage(ctx context.Context, view *store.View, params RevisionParams, pageID, path string,
	format PageFormat) (*Page, error) {
	state, err := a.specState(ctx, params)
	if err != nil || state == "" {
		return nil, err // no specification, no need to look at all pages
	}
	expansion, err := a.expand(ctx, view)
	if err != nil || len(expansion.Pages) == 0 {
		return nil, err
	}
	node := expansion.Tree.ByID[pageID]
	if pageID == "" {
		node = nil
		for _, each := range expansion.Tree.Ordered {
			if _, made := expansion.Pages[each.Entry.ID]; made && each.Path == path {
				node = each
				break
			}
		}
	}
	if node == nil {
		return nil, nil
	}
	computed, made := expansion.Pages[node.Entry.ID]
	if !made {
		return nil, nil
	}
	page := a.wireExpanded(view.Revision().Space, node, expansion)
	if err := addComputedBody(page, node.Entry, computed.Document.Clone(), format); err != nil {
		return nil, err
	}
	return page, nil
}

// addComputedBody adds the body of a computed page in the wanted form. It holds nothing to evaluate.
func addComputedBody(page *Page, e *entity.Entry, document *doc.Document, params PageFormat) error {
	if params.Format == "document" {
		doc.Finish(document)
		var err error
		page.Document, err = json.Marshal(document)
		return err
	}
	page.Markdown = new(string(markdown.WritePage(markdown.Page{
		FrontMatter: frontmatter.Write(e), Title: e.Title, Body: markdown.Write(document),
	})))
	return nil
}
