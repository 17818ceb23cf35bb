package searches

import (
	"context"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Bounds of what is shown to who has not typed a word yet: how many pages, and how many of those that were read are
// looked up for them.
const (
	popularShown  = 5
	popularLooked = 40
)

// SearchNotes are what is said of the pages found together.
type SearchNotes struct {
	Closest    bool   `json:"closest" doc:"Whether no page has all that was asked for: these come closest."`
	Suggestion string `json:"suggestion,omitempty" doc:"The query with other words in the place of those that no page has; only words of pages that may be found."`
	Incomplete bool   `json:"incomplete" doc:"Whether pages are still being read for the first time: more may be found in a moment."`
	Popular    bool   `json:"popular" doc:"Whether there was no word to find: these pages are read most."`
}

// FoundPages is a list of pages that were found, best first.
type FoundPages struct {
	wire.List[SearchPage]
	SearchNotes
}

// FoundSpaces is a list of spaces with the pages that were found in them.
type FoundSpaces struct {
	wire.List[SearchSpace]
	SearchNotes
}

// shows says whether a page of a space may be shown to who asks.
type shows func(space id.Space, node *store.TreeNode) bool

// anyPage is for those who may read all of a space.
func anyPage(id.Space, *store.TreeNode) bool { return true }

// mostRead answers a query without words: the pages of some spaces that were read most, of those that may be shown.
// For one space the first ones of its tree follow.
func (h *Handlers) mostRead(ctx context.Context, spaces []id.Space, may shows) (pages paging.Page[found], err error) {
	heads, err := h.Content.Heads(ctx, spaces)
	if err != nil {
		return paging.Page[found]{}, err
	}
	trees := map[id.Space]*store.Tree{}
	add := func(space id.Space, page string) error {
		tree := trees[space]
		if tree == nil {
			if heads[space] == "" {
				return nil
			}
			view, err := h.Content.View(ctx, heads[space])
			if errs.Is(err, errs.NotFound) {
				return nil // the space has just gone
			}
			if err != nil {
				return err
			}
			if tree, err = view.Pages(ctx); err != nil {
				return err
			}
			trees[space] = tree
		}
		node := tree.ByID[page]
		if node == nil || node.Entry.Type != entity.PageDocument || !may(space, node) ||
			slices.ContainsFunc(pages.Items, func(f found) bool { return f.Space == space && f.ID == page }) {
			return nil
		}
		hit := search.PageHit{Space: space, ID: page, Title: node.Entry.Title, Description: node.Entry.Description,
			Path: node.Path}
		for up := node.Parent; up != nil; up = up.Parent {
			hit.Ancestors = append(hit.Ancestors, up.Entry.Title)
		}
		slices.Reverse(hit.Ancestors)
		pages.Items = append(pages.Items, found{PageHit: hit, rank: len(pages.Items) + 1})
		return nil
	}
	for _, each := range h.Search.MostRead(id.Texts(spaces), popularLooked) {
		if len(pages.Items) == popularShown {
			break
		}
		if err := add(id.Space(each.Place), each.Page); err != nil {
			return paging.Page[found]{}, err
		}
	}
	if len(spaces) == 1 && len(pages.Items) < popularShown {
		if err := add(spaces[0], ""); err != nil { // reads the tree
			return paging.Page[found]{}, err
		}
		if tree := trees[spaces[0]]; tree != nil {
			for _, node := range tree.Ordered[:min(len(tree.Ordered), popularLooked)] {
				if len(pages.Items) == popularShown {
					break
				}
				if err := add(spaces[0], node.Entry.ID); err != nil {
					return paging.Page[found]{}, err
				}
			}
		}
	}
	pages.Count = len(pages.Items)
	return pages, nil
}

// wordless reports whether a query has nothing to find.
func wordless(text string) bool { return strings.TrimSpace(text) == "" }
