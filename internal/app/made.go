package app

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/cache"
	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/render"
)

// madeSpaces is how many spaces' computed pages are kept worked out.
const madeSpaces = 8

// madePages returns what says which pages the computed pages of a revision stand for, kept while neither the revision nor a
// specification changes.
func (a *App) madePages() content.MadePages {
	kept := cache.Sized[*content.Made](madeSpaces)
	return func(ctx context.Context, view *content.View) (*content.Made, error) {
		space := view.Revision().Space
		state, err := a.specs.StateOfSpace(ctx, space)
		if err != nil || state == "" {
			return &content.Made{}, err
		}
		key := fmt.Sprintf("%s/%x/%s", space, view.Revision().Root, state)
		return kept.Load(ctx, key, func(ctx context.Context) (*content.Made, error) { return a.makePages(ctx, view, key) })
	}
}

func (a *App) makePages(ctx context.Context, view *content.View, key string) (*content.Made, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, err
	}
	space := view.Revision().Space
	expansion, err := a.specs.Expand(ctx, space, tree)
	if err != nil || len(expansion.Pages) == 0 {
		return &content.Made{}, err
	}
	made := &content.Made{Key: key, Pages: make(map[string]*content.MadePage, len(expansion.Pages))}
	for id, computed := range expansion.Pages {
		node := expansion.Tree.ByID[id]
		entry := *node.Entry
		entry.Body = "made/" + computed.Version + "/" + id
		document := computed.Document.Clone()
		doc.Finish(document)
		made.Pages[id] = &content.MadePage{
			Entry: &entry, Path: node.Path, Place: node.Place(), Document: document,
			Shown: func(ctx context.Context) (*doc.Document, error) {
				describe, err := a.specs.DescribeInSpace(ctx, space, nil)
				if err != nil {
					return nil, err
				}
				return render.Evaluate(ctx, document, render.Options{OpenAPI: describe})
			},
		}
	}
	return made, nil
}
