package wire

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// State identifies the API specifications that computed pages of a space are made from, "" when there are none.
func (c *ComputedPages) State(ctx context.Context, space id.Space) (string, error) {
	return c.states.Do(ctx, space, c.Specs.StateOfSpace)
}

// Expand works out all computed pages of a revision.
func (c *ComputedPages) Expand(ctx context.Context, view *store.View) (*spec.Expansion, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	return c.Specs.Expand(ctx, view.Revision().Space, tree)
}

// Expanded makes the wire form of a page of an expansion with the pages below it, without bodies.
func (w Writer) Expanded(space id.Space, node *store.TreeNode, expansion *spec.Expansion) *Page {
	page := w.Page(space, node.Entry, node.Path)
	if computed, ok := expansion.Pages[node.Entry.ID]; ok && node.Entry.Type == entity.PageDocument {
		page.DocumentID = ""
		page.Computed = &Computed{Type: computed.Source.Type, Props: computed.Source.Props,
			Dependencies: computed.Source.Dependencies}
		page.ComputedSeed = computed.Seed
	}
	if node.Entry.Type == entity.PageDocument || node.Entry.Type == entity.PageGroup {
		page.Pages = make([]*Page, 0, len(node.Children))
		for _, child := range node.Children {
			page.Pages = append(page.Pages, w.Expanded(space, child, expansion))
		}
	}
	return page
}
