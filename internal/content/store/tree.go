package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// Tree is all pages of a revision in their order. It is shared and must not be changed.
type Tree struct {
	// Roots are the pages without a parent, in order.
	Roots []*TreeNode
	// ByID holds every page.
	ByID map[string]*TreeNode
	// Ordered is every page in the order of reading: a page before its children, siblings by position.
	Ordered []*TreeNode
	// Landing is the first document in that order; nil when there is none. Its canonical path is "".
	Landing *TreeNode
}

// TreeNode is one page in a Tree.
type TreeNode struct {
	Entry *entity.Entry
	// Path is the page's own path: the slugs from the root to it.
	Path string
	// Parent is nil at the root.
	Parent   *TreeNode
	Children []*TreeNode
}

// Flags returns the flags that are on for the page or for one above it.
func (n *TreeNode) Flags() entity.Flags {
	var flags entity.Flags
	for up := n; up != nil; up = up.Parent {
		flags = flags.Or(up.Entry.Flags)
	}
	return flags
}

// snapshot is all entries of a revision, decoded.
type snapshot struct {
	byID      map[string]*entity.Entry
	tree      *Tree
	files     []*entity.Entry // by name
	reusables []*entity.Entry // by title
	redirects []*entity.Entry // by parent and path
}

// size is what a snapshot weighs in the cache, about 1 KiB each.
func (s *snapshot) size() int { return len(s.byID) + 1 }

// maxDerived is the most changes for which a snapshot is made from an earlier one instead of read anew: a share of the
// entries, and a few in any case.
func maxDerived(entries int) int { return entries/8 + 64 }

// Pages returns the tree of all pages. It is built once per content and kept; after an edit it is derived from the
// tree before it by the diff.
func (v *View) Pages(ctx context.Context) (*Tree, error) {
	all, err := v.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return all.tree, nil
}

// Files returns all files, ordered by name, then id.
func (v *View) Files(ctx context.Context) ([]*entity.Entry, error) {
	all, err := v.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return all.files, nil
}

// ReusableContents returns all reusable contents, ordered by title, then id.
func (v *View) ReusableContents(ctx context.Context) ([]*entity.Entry, error) {
	all, err := v.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return all.reusables, nil
}

// Redirects returns all redirects, explicit and automatic, ordered by parent and path.
func (v *View) Redirects(ctx context.Context) ([]*entity.Entry, error) {
	all, err := v.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return all.redirects, nil
}

// snapshot returns the decoded entries of the revision, from the cache when they are there. Callers at one time share
// the work.
func (v *View) snapshot(ctx context.Context) (*snapshot, error) {
	key := v.revision.Root.String()
	for {
		if kept, ok := v.service.snapshots.Get(key); ok {
			return kept, nil
		}
		made, err, shared := v.service.building.Do(key, func() (any, error) { return v.makeSnapshot(ctx) })
		if err == nil {
			return made.(*snapshot), nil
		}
		// The work was done under the context of one caller; the others do not end with it.
		abandoned := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		if !shared || !abandoned || ctx.Err() != nil {
			return nil, err
		}
	}
}

func (v *View) makeSnapshot(ctx context.Context) (*snapshot, error) {
	byID, err := v.deriveEntries(ctx)
	if err != nil {
		return nil, err
	}
	if byID == nil {
		if byID, err = v.readEntries(ctx); err != nil {
			return nil, err
		}
	}
	made, err := arrange(byID)
	if err != nil {
		return nil, fmt.Errorf("read revision %s: %w", v.revision.ID, err)
	}
	v.service.snapshots.Set(v.revision.Root.String(), made)
	v.service.newest.Set(string(v.revision.Space), v.revision.Root)
	return made, nil
}

// readEntries decodes all entries.
func (v *View) readEntries(ctx context.Context) (map[string]*entity.Entry, error) {
	count, err := v.Len(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*entity.Entry, count)
	for item, err := range v.entries().All(ctx, v.revision.Root) {
		if err != nil {
			return nil, err
		}
		if byID[item.Key], err = entity.Decode(item.Key, item.Value); err != nil {
			return nil, err
		}
	}
	return byID, nil
}

// deriveEntries makes the entries from those of the last snapshot of the space; nil when that is gone or too
// different.
func (v *View) deriveEntries(ctx context.Context) (map[string]*entity.Entry, error) {
	root, ok := v.service.newest.Get(string(v.revision.Space))
	if !ok {
		return nil, nil
	}
	from, ok := v.service.snapshots.Get(root.String())
	if !ok {
		return nil, nil
	}
	byID := maps.Clone(from.byID)
	changes := 0
	for difference, err := range v.entries().Diff(ctx, root, v.revision.Root) {
		if err != nil {
			return nil, err
		}
		if changes++; changes > maxDerived(len(from.byID)) {
			return nil, nil
		}
		if difference.After == nil {
			delete(byID, difference.Key)
			continue
		}
		if byID[difference.Key], err = entity.Decode(difference.Key, difference.After); err != nil {
			return nil, err
		}
	}
	return byID, nil
}

// arrange sorts entries by kind and builds the tree.
func arrange(byID map[string]*entity.Entry) (*snapshot, error) {
	all := &snapshot{byID: byID}
	children := map[string][]*entity.Entry{}
	pages := 0
	for _, e := range byID {
		switch e.Kind {
		case entity.KindPage:
			children[e.Parent] = append(children[e.Parent], e)
			pages++
		case entity.KindFile:
			all.files = append(all.files, e)
		case entity.KindReusable:
			all.reusables = append(all.reusables, e)
		case entity.KindRedirect:
			all.redirects = append(all.redirects, e)
		}
	}
	byText := func(text func(*entity.Entry) string) func(a, b *entity.Entry) int {
		return func(a, b *entity.Entry) int {
			if order := strings.Compare(text(a), text(b)); order != 0 {
				return order
			}
			return strings.Compare(a.ID, b.ID)
		}
	}
	slices.SortFunc(all.files, byText(func(e *entity.Entry) string { return e.Name }))
	slices.SortFunc(all.reusables, byText(func(e *entity.Entry) string { return e.Title }))
	slices.SortFunc(all.redirects, byText(func(e *entity.Entry) string { return e.Parent + "\x00" + e.Path }))

	tree := &Tree{ByID: make(map[string]*TreeNode, pages), Ordered: make([]*TreeNode, 0, pages)}
	nodes := make([]TreeNode, 0, pages) // never grows: pointers into it stay good
	var grow func(parent *TreeNode, id string) []*TreeNode
	grow = func(parent *TreeNode, id string) []*TreeNode {
		siblings := children[id]
		slices.SortFunc(siblings, entity.Compare)
		grown := make([]*TreeNode, 0, len(siblings))
		for _, e := range siblings {
			nodes = append(nodes, TreeNode{Entry: e, Parent: parent, Path: e.Slug})
			node := &nodes[len(nodes)-1]
			if parent != nil {
				node.Path = parent.Path + "/" + e.Slug
			}
			tree.ByID[e.ID] = node
			tree.Ordered = append(tree.Ordered, node)
			if tree.Landing == nil && e.Type == entity.PageDocument {
				tree.Landing = node
			}
			if len(children[e.ID]) > 0 {
				node.Children = grow(node, e.ID)
			}
			grown = append(grown, node)
		}
		return grown
	}
	tree.Roots = grow(nil, "")
	if len(tree.Ordered) != pages {
		return nil, fmt.Errorf("%d of %d pages cannot be reached from the root", pages-len(tree.Ordered), pages)
	}
	all.tree = tree
	return all, nil
}
