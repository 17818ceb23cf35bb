package trie

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Across returns the value of a key in each of several tries, nil where there is none. A node that several of them
// share is read once, and all that are needed on one level are read in one round trip if the source can.
func (t Trie) Across(ctx context.Context, roots []Hash, key string) ([][]byte, error) {
	placed := t.place(key)
	values := make([][]byte, len(roots))
	// descent is where the search of one trie has come to.
	type descent struct {
		at    int // in roots
		ref   *child
		depth int
	}
	var level []descent
	for i, root := range roots {
		if !root.IsZero() {
			level = append(level, descent{at: i, ref: &child{hash: root}})
		}
	}
	for len(level) > 0 {
		known := map[Hash]int{}
		var refs []*child
		for _, d := range level {
			if _, there := known[d.ref.hash]; !there {
				known[d.ref.hash] = len(refs)
				refs = append(refs, d.ref)
			}
		}
		nodes := make([]*node, len(refs))
		if err := t.loadAll(ctx, refs, nodes); err != nil {
			return nil, err
		}
		var below []descent
		for _, d := range level {
			n := nodes[known[d.ref.hash]]
			if err := d.ref.agrees(n); err != nil {
				return nil, err
			}
			if n.leaf() {
				values[d.at] = n.value(key)
				continue
			}
			c, err := n.toward(placed, d.depth)
			if err != nil {
				return nil, fmt.Errorf("read trie node %s: %w", d.ref.hash, err)
			}
			if c != nil {
				below = append(below, descent{at: d.at, ref: c, depth: d.depth + len(n.skip) + 1})
			}
		}
		level = below
	}
	return values, nil
}

// value returns the value that a leaf has for a key, nil for none.
func (n *node) value(key string) []byte {
	i, found := slices.BinarySearchFunc(n.items, key, func(it Item, key string) int {
		return strings.Compare(it.Key, key)
	})
	if !found {
		return nil
	}
	return n.items[i].Value
}

// toward returns the child of a branch, depth nibbles down, below which an entry would be; nil when there is none.
func (n *node) toward(placed [32]byte, depth int) (*child, error) {
	if depth+len(n.skip) >= placementNibbles {
		return nil, fmt.Errorf("branch below the last nibble: %w", ErrCorrupt)
	}
	for i, want := range n.skip {
		if nibble(placed, depth+i) != want {
			return nil, nil
		}
	}
	return n.child(nibble(placed, depth+len(n.skip))), nil
}
