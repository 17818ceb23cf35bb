package trie

import (
	"bytes"
	"context"
	"iter"
	"slices"
)

// All iterates over the entries, in an order that depends only on the set of them and has no other meaning. An
// error ends the iteration.
func (t Trie) All(ctx context.Context, root Hash) iter.Seq2[Item, error] {
	return t.Under(ctx, root, nil, 0)
}

// Under iterates over the entries whose placement begins with the first nibbles (at most 64) of prefix; it reads
// only nodes on the way there and below. With ByParent, ParentPrefix and ParentNibbles they are the children of a
// parent, and rarely those of another. An error ends the iteration.
func (t Trie) Under(ctx context.Context, root Hash, prefix []byte, nibbles int) iter.Seq2[Item, error] {
	var wanted [32]byte
	copy(wanted[:], prefix)
	nibbles = max(0, min(nibbles, placementNibbles, 2*len(prefix)))
	return func(yield func(Item, error) bool) {
		if root.IsZero() {
			return
		}
		n, err := t.load(ctx, &child{hash: root})
		if err != nil {
			yield(Item{}, err)
			return
		}
		t.under(ctx, n, 0, wanted, nibbles, yield)
	}
}

// under walks one node whose first depth nibbles are as wanted. It reports whether to go on.
func (t Trie) under(
	ctx context.Context, n *node, depth int, wanted [32]byte, nibbles int, yield func(Item, error) bool,
) bool {
	if n.leaf() {
		for _, it := range n.items {
			if depth < nibbles && sharedNibbles(t.place(it.Key), wanted, nibbles) < nibbles {
				continue
			}
			if !yield(it, nil) {
				return false
			}
		}
		return true
	}
	for _, want := range n.skip {
		if depth < nibbles && nibble(wanted, depth) != want {
			return true
		}
		depth++
	}
	var into [16]*child
	refs := into[:0]
	if depth < nibbles {
		c := n.child(nibble(wanted, depth))
		if c == nil {
			return true
		}
		refs = append(refs, c)
	} else {
		for i := range n.children {
			refs = append(refs, &n.children[i])
		}
	}
	var nodes [16]*node
	if err := t.loadAll(ctx, refs, nodes[:len(refs)]); err != nil {
		yield(Item{}, err)
		return false
	}
	for _, below := range nodes[:len(refs)] {
		if depth+1 > placementNibbles {
			yield(Item{}, corrupt("branch below the last nibble"))
			return false
		}
		if !t.under(ctx, below, depth+1, wanted, nibbles, yield) {
			return false
		}
	}
	return true
}

// sharedNibbles returns how many of the first limit nibbles two placements share.
func sharedNibbles(a, b [32]byte, limit int) int {
	if bytes.Equal(a[:limit/2], b[:limit/2]) && (limit%2 == 0 || nibble(a, limit-1) == nibble(b, limit-1)) {
		return limit
	}
	for i := range limit {
		if nibble(a, i) != nibble(b, i) {
			return i
		}
	}
	return limit
}

// Node is a stored node as Reachable meets it.
type Node struct {
	Hash Hash
	// Size is the size of the encoding in bytes.
	Size int
	// Items are the entries of a leaf in the order of keys; nil for a branch. They must not be changed.
	Items []Item
}

// Reachable iterates over the nodes of a trie, parents first, for garbage collection and statistics. Before it
// reads a node it asks seen; when that says true it leaves out the node and everything below it. A caller that
// records every hash in seen meets each node once, however many roots it walks. An error ends the iteration.
func (t Trie) Reachable(ctx context.Context, root Hash, seen func(Hash) bool) iter.Seq2[Node, error] {
	return func(yield func(Node, error) bool) {
		if root.IsZero() || seen(root) {
			return
		}
		level := []child{{hash: root}}
		for len(level) > 0 {
			// Few at a time from the end, so that what is pending stays small.
			batch := slices.Clone(level[max(0, len(level)-16):])
			level = level[:len(level)-len(batch)]
			refs, nodes := make([]*child, len(batch)), make([]*node, len(batch))
			for i := range batch {
				refs[i] = &batch[i]
			}
			if err := t.loadAll(ctx, refs, nodes); err != nil {
				yield(Node{}, err)
				return
			}
			for i, n := range nodes {
				if !yield(Node{Hash: batch[i].hash, Size: n.size, Items: n.items}, nil) {
					return
				}
				for _, c := range n.children {
					if !seen(c.hash) {
						level = append(level, c)
					}
				}
			}
		}
	}
}
