package search

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/endpoint"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Computed knows the pages that computed pages stand for.
	Computed ComputedSource
	// Public reports whether everybody may read a space on a published site.
	Public func(ctx context.Context, space id.Space) (bool, error)
}

// ComputedSource knows the pages that computed pages of a space stand for.
type ComputedSource struct {
	// State identifies what the pages of a space are made from: they are the same while it is.
	State func(ctx context.Context, space id.Space) (string, error)
	// Pages returns the pages that stand in a revision in the place of computed ones.
	Pages func(ctx context.Context, view *store.View) ([]ComputedPage, error)
}

// ComputedPage is a page that was made from something else.
type ComputedPage struct {
	ID, Title, Path, Description string
	// Flags are those that are on for it or for a page above it.
	Flags entity.Flags
	// Version changes when what the page holds may have changed.
	Version string
	// Document makes the body.
	Document func(ctx context.Context) (*doc.Document, error)
}

// computedKey is where an index remembers which computed pages it holds.
var computedKey = []byte("computed")

// heldComputed is what an index remembers.
type heldComputed struct {
	Revision id.Revision `json:"revision"`
	// None says that the revision has no computed pages, so that nothing has to be asked while it stays.
	None  bool   `json:"none,omitempty"`
	State string `json:"state,omitempty"`
	// Pages are those in the index, with what they were made from.
	Pages map[string]string `json:"pages,omitempty"`
}

// computed returns what the index remembers of computed pages.
func (i *spaceIndex) computed() (heldComputed, error) {
	var held heldComputed
	value, err := i.bleve.GetInternal(computedKey)
	if err != nil || len(value) == 0 {
		return held, err
	}
	if err := json.Unmarshal(value, &held); err != nil {
		return held, fmt.Errorf("read the computed pages of index %s: %w", i.space, err)
	}
	return held, nil
}

// computedIsFresh reports whether the index holds the computed pages of a revision as they are now, and the state that
// they are made from.
func (s *Service) computedIsFresh(ctx context.Context, index *spaceIndex,
	revision id.Revision) (fresh bool, state string, err error) {
	held, err := index.computed()
	if err != nil {
		return false, "", err
	}
	if held.Revision == revision && held.None {
		return true, "", nil
	}
	if state, err = s.hooks.Get().Computed.State(ctx, index.space); err != nil {
		return false, "", fmt.Errorf("ask what computed pages are made from: %w", err)
	}
	return held.Revision == revision && held.State == state, state, nil
}

// bringComputed makes the index hold the computed pages of a revision. The caller holds index.refresh, and the index
// holds the other pages of the revision.
func (s *Service) bringComputed(ctx context.Context, index *spaceIndex, view *store.View) error {
	revision := view.Revision().ID
	fresh, state, err := s.computedIsFresh(ctx, index, revision)
	if err != nil || fresh {
		return err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return fmt.Errorf("read the pages: %w", err)
	}
	held, err := index.computed()
	if err != nil {
		return err
	}
	next := heldComputed{Revision: revision, State: state, Pages: map[string]string{}}
	next.None = !slices.ContainsFunc(tree.Ordered, func(node *store.TreeNode) bool {
		return node.Entry.Type == entity.PageComputed
	})
	var pages []ComputedPage
	if !next.None {
		if pages, err = s.hooks.Get().Computed.Pages(ctx, view); err != nil {
			return fmt.Errorf("make the computed pages: %w", err)
		}
	}
	batch := &pageBatch{index: index, view: view, tree: tree}
	for _, page := range pages {
		mark := fmt.Sprintf("%s %v %s\x00%s", page.Version, page.Flags, page.Title, page.Description)
		next.Pages[page.ID] = mark
		if held.Pages[page.ID] == mark {
			continue
		}
		if err := batch.addComputed(ctx, page); err != nil {
			return err
		}
	}
	for id := range held.Pages {
		node := tree.ByID[id]
		// A page that is a document of its own by now is in the index as that.
		if _, stays := next.Pages[id]; !stays && (node == nil || node.Entry.Type != entity.PageDocument) {
			if err := batch.delete(id); err != nil {
				return err
			}
		}
	}
	encoded, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("encode the computed pages: %w", err)
	}
	batch.current().SetInternal(computedKey, encoded)
	return batch.write()
}

// addComputed indexes a computed page.
func (b *pageBatch) addComputed(ctx context.Context, page ComputedPage) error {
	document, err := page.Document(ctx)
	if err != nil {
		return fmt.Errorf("make computed page %s: %w", page.ID, err)
	}
	text, err := documentOf(page.Title, path.Base(page.Path), page.Description, render.Sections(document))
	text.setFlags(page.Flags)
	text.Operations = endpoint.In(document)
	if err != nil {
		return err
	}
	return b.put(page.ID, text)
}

// computedPages finds computed pages of the revisions of a query, which are made once for each.
type computedPages struct {
	source ComputedSource
	made   map[id.Space]map[string]ComputedPage // by space, then by id
}

// page returns a computed page of a revision by its id.
func (c *computedPages) page(ctx context.Context, view *store.View, id string) (ComputedPage, bool, error) {
	space := view.Revision().Space
	byID, known := c.made[space]
	if !known {
		pages, err := c.source.Pages(ctx, view)
		if err != nil {
			return ComputedPage{}, false, fmt.Errorf("make the computed pages: %w", err)
		}
		byID = make(map[string]ComputedPage, len(pages))
		for _, page := range pages {
			byID[page.ID] = page
		}
		c.made[space] = byID
	}
	page, ok := byID[id]
	return page, ok, nil
}
