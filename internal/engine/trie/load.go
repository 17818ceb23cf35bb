package trie

import (
	"context"
	"crypto/sha256"
	"fmt"
	"unsafe"
)

// Source reads the encodings of nodes. A Trie calls it from one goroutine per call of its methods.
type Source interface {
	// Node returns the encoding of a node; nobody changes it afterwards. A node that is not there is an error.
	Node(ctx context.Context, h Hash) ([]byte, error)
}

// BatchSource is a Source that reads several nodes in one round trip. The walks (All, Under, Diff, Reachable) use
// it when the source offers it: they ask for the children of one branch, at most 32 nodes, at a time.
type BatchSource interface {
	Source
	// Nodes returns the encodings of all the given nodes. One that is not there is an error or absent.
	Nodes(ctx context.Context, hashes []Hash) (map[Hash][]byte, error)
}

// DecodedSource is a Source with a cache of nodes that have been checked and decoded. A Trie asks it before it reads
// a node, and gives it every node that it has read and found good.
type DecodedSource interface {
	Source
	// Decoded returns what Keep or Decode has made of the node with this hash, if it is still there.
	Decoded(h Hash) (Decoded, bool)
	// Keep may remember a node for Decoded, under its hash and no other.
	Keep(h Hash, d Decoded)
}

// Decoded is a node whose bytes have been found to belong to its hash and to be canonical. It is immutable and may be
// used by many goroutines and tries at once. The zero Decoded is no node.
type Decoded struct{ node *node }

// Decode checks and decodes the encoding of the node with a hash, for a DecodedSource that gets nodes before they are
// read. The result refers to encoded, which nobody may change from then on. The error wraps ErrCorrupt.
func Decode(h Hash, encoded []byte) (Decoded, error) {
	if sha256.Sum256(encoded) != h {
		return Decoded{}, fmt.Errorf("read trie node %s: its bytes have another hash: %w", h, ErrCorrupt)
	}
	n, err := decode(encoded)
	if err != nil {
		return Decoded{}, fmt.Errorf("read trie node %s: %w", h, err)
	}
	n.size = len(encoded)
	return Decoded{n}, nil
}

// Size returns about how much memory the node takes, in bytes, the encoding that a leaf's values are in included.
func (d Decoded) Size() int {
	if d.node == nil {
		return 0
	}
	size := int(unsafe.Sizeof(*d.node)) + cap(d.node.skip) + cap(d.node.children)*int(unsafe.Sizeof(child{}))
	if !d.node.leaf() {
		return size
	}
	size += d.node.size + cap(d.node.items)*int(unsafe.Sizeof(Item{}))
	for _, it := range d.node.items {
		size += len(it.Key)
	}
	return size
}

// load returns one checked node.
func (t Trie) load(ctx context.Context, ref *child) (*node, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n, err := t.cached(ref); n != nil || err != nil {
		return n, err
	}
	return t.read(ctx, ref)
}

// loadAll puts the checked nodes for refs into nodes, which has as many places. Those that the source has not kept are
// read in one round trip if it can.
func (t Trie) loadAll(ctx context.Context, refs []*child, nodes []*node) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var missing []int
	for i, ref := range refs {
		n, err := t.cached(ref)
		if err != nil {
			return err
		}
		if nodes[i] = n; n == nil {
			missing = append(missing, i)
		}
	}
	if t.batch != nil && len(missing) > 1 {
		return t.readBatch(ctx, refs, nodes, missing)
	}
	for _, i := range missing {
		n, err := t.read(ctx, refs[i])
		if err != nil {
			return err
		}
		nodes[i] = n
	}
	return nil
}

// read reads and checks one node that is not cached.
func (t Trie) read(ctx context.Context, ref *child) (*node, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	encoded, err := t.source.Node(ctx, ref.hash)
	if err != nil {
		return nil, fmt.Errorf("read trie node %s: %w", ref.hash, err)
	}
	return t.check(ref, encoded)
}

// readBatch reads and checks those of refs whose indexes are in missing.
func (t Trie) readBatch(ctx context.Context, refs []*child, nodes []*node, missing []int) error {
	hashes := make([]Hash, len(missing))
	for at, i := range missing {
		hashes[at] = refs[i].hash
	}
	found, err := t.batch.Nodes(ctx, hashes)
	if err != nil {
		return fmt.Errorf("read %d trie nodes: %w", len(hashes), err)
	}
	for _, i := range missing {
		encoded, ok := found[refs[i].hash]
		if !ok {
			return fmt.Errorf("read trie node %s: the source does not have it", refs[i].hash)
		}
		if nodes[i], err = t.check(refs[i], encoded); err != nil {
			return err
		}
	}
	return nil
}

// cached returns a node that the source has kept; nil when there is none.
func (t Trie) cached(ref *child) (*node, error) {
	if t.kept == nil {
		return nil, nil
	}
	d, found := t.kept.Decoded(ref.hash)
	if !found {
		return nil, nil
	}
	return d.node, ref.agrees(d.node)
}

// check decodes the bytes of a node, and offers it to the source.
func (t Trie) check(ref *child, encoded []byte) (*node, error) {
	d, err := Decode(ref.hash, encoded)
	if err != nil {
		return nil, err
	}
	if t.kept != nil {
		t.kept.Keep(ref.hash, d)
	}
	return d.node, ref.agrees(d.node)
}

// agrees returns an error unless the node has the number of entries that its parent says it has. That is not a
// property of the node, so it is compared each time. A count of zero in the reference means that it is not known (the
// root's).
func (c *child) agrees(n *node) error {
	if c.count != 0 && n.count() != c.count {
		return fmt.Errorf("read trie node %s: it has %d entries and its parent says %d: %w",
			c.hash, n.count(), c.count, ErrCorrupt)
	}
	return nil
}
