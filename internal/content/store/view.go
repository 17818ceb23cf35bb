package store

import (
	"context"
	"iter"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// View reads one revision. It is safe for use by many goroutines and stays valid as long as its space is not deleted
// for good. Entries, trees and bodies that it returns are shared: callers must not change them.
type View struct {
	service  *Service
	q        db.Querier
	revision Revision
}

// Revision returns the revision that the view reads.
func (v *View) Revision() Revision { return v.revision }

// Empty returns a view of the same space with nothing in it, as it was before its first revision: what that one is
// compared with.
func (v *View) Empty() *View {
	return &View{service: v.service, q: v.q, revision: Revision{Space: v.revision.Space}}
}

// source reads trie nodes as the view does.
func (v *View) source() trie.Source { return nodeSource{v.service, v.q} }

// entries is the trie of entries, paths the path index.
func (v *View) entries() trie.Trie { return trie.New(v.source(), trie.ByID) }
func (v *View) paths() trie.Trie   { return trie.New(v.source(), trie.ByParent) }

// Entry returns the entry with an id; an errs.NotFound error when the revision has none. It reads O(log n) nodes.
func (v *View) Entry(ctx context.Context, id string) (*entity.Entry, error) {
	e, err := v.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, errs.NotFoundf("There is nothing with the id %q in revision %s.", id, v.revision.ID)
	}
	return e, nil
}

// Children returns the pages below a page in their order; those at the root when parentID is "". It reads the nodes
// of the path index for that parent and O(log n) nodes for each child.
func (v *View) Children(ctx context.Context, parentID string) ([]*entity.Entry, error) {
	children, _, err := v.list(ctx, parentID)
	if err != nil {
		return nil, err
	}
	entries := make([]*entity.Entry, len(children))
	for i, c := range children {
		if entries[i], err = v.Entry(ctx, c.ID); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Place is where a page stands among its siblings.
type Place struct {
	ID             string
	Slug, Position string
}

// Places returns where the pages below a page stand, in their order; those at the root when parentID is "". It reads
// the nodes of the path index for that parent and no entries.
func (v *View) Places(ctx context.Context, parentID string) ([]Place, error) {
	children, _, err := v.list(ctx, parentID)
	if err != nil {
		return nil, err
	}
	places := make([]Place, len(children))
	for i, c := range children {
		places[i] = Place{ID: c.ID, Slug: c.Slug, Position: c.Position}
	}
	return places, nil
}

// Variables returns the variables of the space; nil when it has none.
func (v *View) Variables(ctx context.Context) (map[string]any, error) {
	e, err := v.find(ctx, entity.VariablesID)
	if err != nil || e == nil {
		return nil, err
	}
	return e.Variables, nil
}

// Len returns the number of entries of all kinds, redirects too. It reads one node.
func (v *View) Len(ctx context.Context) (int, error) { return v.entries().Len(ctx, v.revision.Root) }

// Body returns the Markdown body of a page or reusable content; nil when it is empty.
func (v *View) Body(ctx context.Context, e *entity.Entry) ([]byte, error) {
	if e.Body == "" {
		return nil, nil
	}
	return v.service.body(ctx, v.q, e.Body)
}

// Change is an entry that differs between two revisions. Before is nil when it was added, After when it was deleted.
type Change struct {
	ID            string
	Before, After *entity.Entry
}

// Diff yields the entries that differ, Before from v and After from other, in no useful order. It reads O(changes ×
// log n) nodes, none when the content is the same. An error ends it.
func (v *View) Diff(ctx context.Context, other *View) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for difference, err := range other.entries().Diff(ctx, v.revision.Root, other.revision.Root) {
			if err != nil {
				yield(Change{}, err)
				return
			}
			change, err := decodeChange(difference)
			if !yield(change, err) || err != nil {
				return
			}
		}
	}
}

func decodeChange(difference trie.Change) (Change, error) {
	change := Change{ID: difference.Key}
	var err error
	if difference.Before != nil {
		if change.Before, err = entity.Decode(difference.Key, difference.Before); err != nil {
			return Change{}, err
		}
	}
	if difference.After != nil {
		if change.After, err = entity.Decode(difference.Key, difference.After); err != nil {
			return Change{}, err
		}
	}
	return change, nil
}
