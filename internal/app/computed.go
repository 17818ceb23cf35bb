package app

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// computedSource lets the search find the pages that are made from API specifications and by integrations.
func computedSource(specs *spec.Service) search.ComputedSource {
	return search.ComputedSource{
		State: specs.StateOfSpace,
		Pages: func(ctx context.Context, view *store.View) ([]search.ComputedPage, error) {
			return computedPages(ctx, specs, view)
		},
	}
}

func computedPages(ctx context.Context, specs *spec.Service,
	view *store.View) ([]search.ComputedPage, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, err
	}
	space := view.Revision().Space
	expansion, err := specs.Expand(ctx, space, tree)
	if err != nil {
		return nil, err
	}
	pages := make([]search.ComputedPage, 0, len(expansion.Pages))
	for _, node := range expansion.Tree.Ordered {
		made, ok := expansion.Pages[node.Entry.ID]
		if !ok || node.Entry.Type != entity.PageDocument {
			continue
		}
		page := search.ComputedPage{
			ID: node.Entry.ID, Title: node.Entry.Title, Path: node.Path, Description: node.Entry.Description,
			Version: made.Version, Flags: node.Flags(),
			Document: func(ctx context.Context) (*doc.Document, error) {
				describe, err := specs.DescribeInSpace(ctx, space, nil)
				if err != nil {
					return nil, err
				}
				return page.Computed(ctx, made.Document, describe)
			},
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// printedBlocks lets PDFs say what blocks of integrations say.
func (a *App) printedBlocks(ctx context.Context, space id.Space, document *doc.Document) error {
	set, err := a.blocks.In(ctx, space)
	if err == nil {
		set.SpellOut(ctx, document)
	}
	return err
}

// printedState is the state of all that PDFs of a space are made from besides its own content.
func (a *App) printedState(ctx context.Context, space id.Space) (string, error) {
	specs, err := a.specs.StateOfSpace(ctx, space)
	if err != nil {
		return "", err
	}
	shown, err := a.integrations.BlocksStateOfSpace(ctx, space)
	return specs + shown, err
}

// printedSource lets PDFs hold what is made from API specifications.
func (a *App) printedSource() print.ComputedSource {
	specs := a.specs
	return print.ComputedSource{
		State: a.printedState,
		Describe: func(ctx context.Context, space id.Space,
			file func(context.Context, doc.Ref) (string, error)) (page.Describe, error) {
			return specs.DescribeInSpace(ctx, space, file)
		},
		Expand: func(ctx context.Context, space id.Space,
			tree *store.Tree) (*store.Tree, map[string]*doc.Document, error) {
			expansion, err := specs.Expand(ctx, space, tree)
			if err != nil {
				return nil, nil, err
			}
			bodies := make(map[string]*doc.Document, len(expansion.Pages))
			for id, page := range expansion.Pages {
				bodies[id] = page.Document
			}
			return expansion.Tree, bodies, nil
		},
	}
}
