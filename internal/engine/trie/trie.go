// Package trie owns the canonical Merkle trie that a revision's content is stored in: an immutable map from string
// keys to byte values whose root hash depends only on the set of entries.
//
// # Form
//
// A trie of no entries is the zero Hash. Entries are placed by a Placement, a 256-bit string read as 64 nibbles.
// The node for a set of entries that share their first d nibbles is
//
//   - a leaf, when there are at most LeafSize of them: the entries sorted by key;
//   - else a branch: the nibbles after the first d that all of them share (the skip), and behind it one child for
//     each value of the next nibble that occurs, every child a node for its share of the entries. A branch records
//     the number of entries below each child.
//
// A branch therefore has at least two children and more than LeafSize entries. Because the form is a function of
// the set, equal content has an equal hash whatever edits led to it, and two versions share every subtree in which
// they do not differ. The idea is that of Merkle trees (R. Merkle, 1979) over Patricia tries (D. Morrison, 1968),
// as in the Merkle Patricia tries of content-addressed stores; leaves hold many entries to keep the trie shallow.
//
// # Cost
//
// With n entries, Get reads at most one node per level, about log16(n/LeafSize)+2 of them. Apply of c changes reads
// and makes O(c log n) nodes, Diff reads only nodes that differ, Len reads one node.
//
// # Trust
//
// The bytes of a node are checked against its hash and for canonical form each time they are read from storage, so
// damaged or forged storage is an error (ErrCorrupt), never a wrong answer. A node that has passed is a Decoded; a
// DecodedSource may keep it, and then neither its bytes nor their hash are looked at again.
package trie

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Limits of a trie. Apply refuses what is larger, and so does the decoder.
const (
	// LeafSize is the largest number of entries in a leaf.
	LeafSize = 64
	// MaxKeySize is the largest size of a key in bytes; a key has at least one byte.
	MaxKeySize = 4 << 10
	// MaxValueSize is the largest size of a value in bytes.
	MaxValueSize = 256 << 10

	placementNibbles = 64
)

// ErrCorrupt is in the chain of every error about node bytes that do not belong to their hash or are not canonical.
var ErrCorrupt = errors.New("trie node is corrupt")

// Hash names a node: the SHA-256 of its encoding. The zero Hash is the empty trie.
type Hash [sha256.Size]byte

// String returns the hash as 64 lower-case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h is the empty trie.
func (h Hash) IsZero() bool { return h == Hash{} }

// Item is one entry. Value aliases the node that it was read from and must not be changed.
type Item struct {
	Key   string
	Value []byte
}

// Trie reads and derives tries of one Source and one Placement. It is a small value without state: roots are
// passed to its methods, and it may be used concurrently if its Source may.
type Trie struct {
	source Source
	batch  BatchSource   // the source, if it is one; else nil
	kept   DecodedSource // the same
	place  Placement
}

// New returns a Trie. Every root that is passed to its methods must have been made with the same placement.
func New(source Source, place Placement) Trie {
	t := Trie{source: source, place: place}
	t.batch, _ = source.(BatchSource)
	t.kept, _ = source.(DecodedSource)
	return t
}

// Get returns the value of a key and whether there is one. It reads one node per level at most.
func (t Trie) Get(ctx context.Context, root Hash, key string) ([]byte, bool, error) {
	if root.IsZero() {
		return nil, false, nil
	}
	placed := t.place(key)
	next, depth := &child{hash: root}, 0
	for {
		n, err := t.load(ctx, next)
		if err != nil {
			return nil, false, err
		}
		if n.leaf() {
			value := n.value(key)
			return value, value != nil, nil
		}
		c, err := n.toward(placed, depth)
		if err != nil {
			return nil, false, fmt.Errorf("read trie node %s: %w", next.hash, err)
		}
		if c == nil {
			return nil, false, nil
		}
		next, depth = c, depth+len(n.skip)+1
	}
}

// Len returns the number of entries. It reads the root only.
func (t Trie) Len(ctx context.Context, root Hash) (int, error) {
	if root.IsZero() {
		return 0, nil
	}
	n, err := t.load(ctx, &child{hash: root})
	if err != nil {
		return 0, err
	}
	return n.count(), nil
}
