package trie

import (
	"bytes"
	"context"
	"iter"
	"strings"
)

// Change is a key whose value differs between two tries. Before is nil for a key that was added, After for one that
// was removed; a present value is never nil. Both alias nodes and must not be changed.
type Change struct {
	Key           string
	Before, After []byte
}

// Diff iterates over the keys that differ between two tries, in an order that depends only on the two. It reads
// only nodes that are in one trie and not at the same place in the other, at most O(changes × log n). An error ends
// the iteration.
func (t Trie) Diff(ctx context.Context, a, b Hash) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		d := differ{trie: t, yield: yield}
		_ = d.diff(ctx, side{ref: &child{hash: a}}, side{ref: &child{hash: b}}, 0)
	}
}

// side is one of the two subtrees that are compared: none (no node and no hash), a stored node (a hash) or one that
// has been read, of whose skip the first skipped nibbles have been walked.
type side struct {
	ref     *child // nil, or a part of the node above
	n       *node
	skipped int
}

// unread reports whether the side is a stored node that has not been read.
func (s *side) unread() bool { return s.n == nil && s.ref != nil && !s.ref.hash.IsZero() }

func (s *side) empty() bool { return s.n == nil && !s.unread() }

// same reports whether two sides are equal for being the same stored node: one that has not been read begins at the
// very place at which it is compared.
func same(a, b *side) bool { return a.unread() && b.unread() && a.ref.hash == b.ref.hash }

// differ carries what one call of Diff needs.
type differ struct {
	trie  Trie
	yield func(Change, error) bool
}

// diff compares two subtrees at one place, depth nibbles down. It reports whether to go on.
func (d differ) diff(ctx context.Context, a, b side, depth int) bool {
	if same(&a, &b) {
		return true
	}
	if a.unread() || b.unread() {
		pair := [2]side{a, b}
		if !d.read(ctx, pair[:1], pair[1:]) {
			return false
		}
		a, b = pair[0], pair[1]
	}
	switch {
	case a.empty() && b.empty():
		return true
	case a.empty():
		return d.whole(ctx, b, func(it Item) Change { return Change{Key: it.Key, After: it.Value} })
	case b.empty():
		return d.whole(ctx, a, func(it Item) Change { return Change{Key: it.Key, Before: it.Value} })
	case a.n.leaf() && b.n.leaf():
		return d.leaves(a.n.items, b.n.items)
	case a.n.leaf():
		return d.spread(ctx, a, b, depth, false)
	case b.n.leaf():
		return d.spread(ctx, b, a, depth, true)
	}
	skipA, skipB := a.n.skip[a.skipped:], b.n.skip[b.skipped:]
	shared := 0
	for shared < len(skipA) && shared < len(skipB) && skipA[shared] == skipB[shared] {
		shared++
	}
	depth += shared
	a.skipped += shared
	b.skipped += shared
	if depth >= placementNibbles {
		d.yield(Change{}, corrupt("branch below the last nibble"))
		return false
	}
	return d.children(ctx, a.slots(), b.slots(), depth)
}

// slots returns the subtrees of a branch by their next nibble: its children, or itself in one slot when a part of its
// skip is still to be walked.
func (s *side) slots() (slots [16]side) {
	if s.skipped < len(s.n.skip) {
		slots[s.n.skip[s.skipped]] = side{n: s.n, skipped: s.skipped + 1}
		return slots
	}
	for i := range s.n.children {
		c := &s.n.children[i]
		slots[c.slot].ref = c
	}
	return slots
}

// children compares two nodes slot by slot; all nodes that are needed for it are read at once.
func (d differ) children(ctx context.Context, a, b [16]side, depth int) bool {
	for slot := range a {
		if same(&a[slot], &b[slot]) {
			a[slot], b[slot] = side{}, side{}
		}
	}
	if !d.read(ctx, a[:], b[:]) {
		return false
	}
	for slot := range a {
		if a[slot].empty() && b[slot].empty() {
			continue
		}
		if !d.diff(ctx, a[slot], b[slot], depth+1) {
			return false
		}
	}
	return true
}

// read reads the nodes of those sides that are unread, at most 16 in a and in b.
func (d differ) read(ctx context.Context, a, b []side) bool {
	var refs [32]*child
	var nodes [32]*node
	count := 0
	for _, sides := range [2][]side{a, b} {
		for i := range sides {
			if sides[i].unread() {
				refs[count] = sides[i].ref
				count++
			}
		}
	}
	if count == 0 {
		return true
	}
	if err := d.trie.loadAll(ctx, refs[:count], nodes[:count]); err != nil {
		d.yield(Change{}, err)
		return false
	}
	count = 0
	for _, sides := range [2][]side{a, b} {
		for i := range sides {
			if sides[i].unread() {
				sides[i].n = nodes[count]
				count++
			}
		}
	}
	return true
}

// whole yields every entry of a subtree that the other trie does not have.
func (d differ) whole(ctx context.Context, s side, change func(Item) Change) bool {
	return d.trie.under(ctx, s.n, 0, [32]byte{}, 0, func(it Item, err error) bool {
		if err != nil {
			return d.yield(Change{}, err)
		}
		return d.yield(change(it), nil)
	})
}

// leaves compares two sorted lists of entries.
func (d differ) leaves(a, b []Item) bool {
	for len(a) > 0 || len(b) > 0 {
		var c Change
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = strings.Compare(a[0].Key, b[0].Key)
		}
		if order <= 0 {
			c.Key, c.Before, a = a[0].Key, a[0].Value, a[1:]
		}
		if order >= 0 {
			c.Key, c.After, b = b[0].Key, b[0].Value, b[1:]
		}
		if order == 0 && bytes.Equal(c.Before, c.After) {
			continue
		}
		if !d.yield(c, nil) {
			return false
		}
	}
	return true
}

// spread compares a leaf with a branch: it cuts the leaf into one leaf for each slot of the branch. With swapped,
// the branch is the trie before.
func (d differ) spread(ctx context.Context, leaf, branch side, depth int, swapped bool) bool {
	if depth >= placementNibbles {
		d.yield(Change{}, corrupt("branch below the last nibble"))
		return false
	}
	var cut [16]side
	for _, it := range leaf.n.items {
		slot := nibble(d.trie.place(it.Key), depth)
		if cut[slot].n == nil {
			cut[slot].n = &node{}
		}
		cut[slot].n.items = append(cut[slot].n.items, it)
	}
	if swapped {
		return d.children(ctx, branch.slots(), cut, depth)
	}
	return d.children(ctx, cut, branch.slots(), depth)
}
