package compare

import (
	"crypto/sha256"
	"encoding/json"
	"hash"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// sum returns a hash of what a node says: it is the same for nodes that doc.EqualNodes calls equal.
func (c *comparer) sum(n *doc.Node) string {
	if known, ok := c.sums[n]; ok {
		return known
	}
	h := sha256.New()
	put(h, string(n.Object), string(n.Type), n.Fragment, source(n))
	for _, leaf := range n.Leaves {
		put(h, "leaf", leaf.Text, marks(leaf))
	}
	for _, child := range n.Nodes {
		put(h, "node", c.sum(child))
	}
	for _, fragment := range n.Fragments {
		put(h, "fragment", c.sum(fragment))
	}
	sum := string(h.Sum(nil)[:16])
	c.sums[n] = sum
	return sum
}

func (c *comparer) sumsOf(nodes []*doc.Node) []string {
	sums := make([]string, len(nodes))
	for i, n := range nodes {
		sums[i] = c.sum(n)
	}
	return sums
}

func (c *comparer) joined(nodes []*doc.Node) string { return strings.Join(c.sumsOf(nodes), "") }

// put writes texts so that no two lists of them are written alike.
func put(h hash.Hash, texts ...string) {
	for _, text := range texts {
		var length [8]byte
		for i, n := 0, len(text); i < len(length); i, n = i+1, n>>8 {
			length[i] = byte(n)
		}
		h.Write(length[:])
		h.Write([]byte(text))
	}
}

// source is the attributes of a node as text, with those that its JSON leaves out.
func source(n *doc.Node) string {
	if n.Data == nil {
		return ""
	}
	// The types of attributes are made of what encodes.
	encoded, err := json.Marshal(n.Data)
	if err != nil {
		return err.Error()
	}
	switch data := n.Data.(type) {
	case *doc.CodeData:
		return string(encoded) + data.Meta
	case *doc.ContentRefData:
		return string(encoded) + data.Title
	}
	return string(encoded)
}

func marks(leaf doc.Leaf) string {
	var b strings.Builder
	for _, mark := range leaf.Marks {
		b.WriteString(string(mark.Type) + "\x00" + mark.Text + "\x00" + mark.Background + "\x00")
	}
	return b.String()
}

// sketch is the smallest hashes of the words of a block, without repeats: two blocks are as alike as their sketches,
// at a cost that does not grow with them (A. Broder, "On the resemblance and containment of documents", 1997).
type sketch struct {
	hashes []uint64
	words  int
}

const sketchSize = 64

// sketchOf returns the sketch of a block.
func (c *comparer) sketchOf(n *doc.Node) sketch {
	if known, ok := c.sketches[n]; ok {
		return known
	}
	var all []uint64
	words := 0
	n.Walk(func(n *doc.Node) bool {
		for _, leaf := range n.Leaves {
			for word := range strings.FieldsFuncSeq(leaf.Text, divides) {
				all, words = append(all, hashOf(strings.ToLower(word))), words+1
			}
		}
		if n.Object != doc.ObjectText && doc.IsVoid(n.Type) && n.Type != doc.Table {
			for word := range strings.FieldsFuncSeq(source(n), divides) {
				all = append(all, hashOf(word))
			}
			words++
		}
		return true
	})
	s := newSketch(all, words)
	c.sketches[n] = s
	return s
}

func newSketch(all []uint64, words int) sketch {
	slices.Sort(all)
	all = slices.Compact(all)
	return sketch{slices.Clip(slices.Clone(all[:min(len(all), sketchSize)])), words}
}

func hashOf(word string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(word))
	// FNV of short words is not spread evenly, which the smallest of them must be.
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}

// likeness returns how much two blocks have in common, from 0 to 1: the share of their words that are in both. Of
// blocks that hold blocks, it is the share of the smaller one, since such a block stays what it is when others move
// into it or out.
func (c *comparer) likeness(a, b *doc.Node) float64 {
	older, newer := c.sketchOf(a), c.sketchOf(b)
	both, all := older.common(newer)
	if all == 0 {
		return 0
	}
	least := min(len(older.hashes), len(newer.hashes))
	if holdsBlocks(a) && holdsBlocks(b) && all < sketchSize && least > 0 {
		return float64(both) / float64(least)
	}
	return float64(both) / float64(all)
}

func holdsBlocks(n *doc.Node) bool {
	return slices.ContainsFunc(n.Nodes, func(child *doc.Node) bool { return child.Object == doc.ObjectBlock })
}

// common returns how many of the smallest hashes of two sketches, taken together, there are, and how many of them are
// in both.
func (s sketch) common(other sketch) (both, all int) {
	i, j := 0, 0
	for all < sketchSize && (i < len(s.hashes) || j < len(other.hashes)) {
		switch {
		case j == len(other.hashes), i < len(s.hashes) && s.hashes[i] < other.hashes[j]:
			i++
		case i == len(s.hashes), s.hashes[i] > other.hashes[j]:
			j++
		default:
			i, j, both = i+1, j+1, both+1
		}
		all++
	}
	return both, all
}
