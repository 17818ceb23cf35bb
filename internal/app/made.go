package app

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/cache"
)

// madeSpaces is how many spaces' computed pages are kept worked out.
const madeSpaces = 8

// madePages returns what says which pages the computed pages of a revision stand for, kept while neither the revision
// nor a specification changes.
func madePages(specs *spec.Service) store.MadePages {
	kept := cache.Sized[*store.Made](madeSpaces)
	return func(ctx context.Context, view *store.View) (*store.Made, error) {
		space := view.Revision().Space
		state, err := specs.StateOfSpace(ctx, space)
		if err != nil || state == "" {
			return &store.Made{}, err
		}
		key := fmt.Sprintf("%s/%x/%s", space, view.Revision().Root, state)
		return kept.Load(ctx, key, func(ctx context.Context) (*store.Made, error) {
			return makePages(ctx, specs, view, key)
		})
	}
}

func makePages(ctx context.Context, specs *spec.Service, view *store.View, key string) (*store.Made, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, err
	}
	space := view.Revision().Space
	expansion, err := specs.Expand(ctx, space, tree)
	if err != nil || len(expansion.Pages) == 0 {
		return &store.Made{}, err
	}
	made := &store.Made{Key: key, Pages: make(map[string]*store.MadePage, len(expansion.Pages))}
	for id, computed := range expansion.Pages {
		node := expansion.Tree.ByID[id]
		if node.Entry.Type != entity.PageDocument {
			continue // it has no body
		}
		entry := *node.Entry
		entry.Body = "made/" + computed.Version + "/" + id
		document := computed.Document.Clone()
		doc.Finish(document)
		made.Pages[id] = &store.MadePage{
			Entry: &entry, Path: node.Path, Place: node.Place(), Document: document,
			Shown: func(ctx context.Context) (*doc.Document, error) {
				describe, err := specs.DescribeInSpace(ctx, space, nil)
				if err != nil {
					return nil, err
				}
				return page.Computed(ctx, document, describe)
			},
		}
	}
	return made, nil
}
