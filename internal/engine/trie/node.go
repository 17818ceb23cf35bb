package trie

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// The first byte of an encoding: the version of the format in the high nibble, the kind of node in the low one.
const (
	formLeaf   = 0x11
	formBranch = 0x12
)

// node is a decoded node: a leaf has items, a branch has children. One that was read is shared and never changes.
type node struct {
	items    []Item  // sorted by key
	skip     []byte  // one nibble per byte
	children []child // sorted by slot
	size     int     // of the encoding in bytes, on nodes that were read
}

// child is a branch's reference to a node.
type child struct {
	slot  byte // the nibble
	hash  Hash
	count int // entries below
}

func (n *node) leaf() bool { return n.children == nil }

// count returns the number of entries at and below the node.
func (n *node) count() int {
	total := len(n.items)
	for i := range n.children {
		total += n.children[i].count
	}
	return total
}

// child returns the reference at a slot, nil when there is none. It is a part of the node.
func (n *node) child(slot byte) *child {
	for i := range n.children {
		if n.children[i].slot == slot {
			return &n.children[i]
		}
	}
	return nil
}

// encode returns the canonical bytes of a node.
//
// A leaf is formLeaf, the number of items, and per item in the order of keys: the length of the prefix that its key
// shares with the key before it, the length of the rest, the rest, the length of the value, the value. A branch is
// formBranch, the number of skipped nibbles, these nibbles two to a byte with a zero nibble at the end when they are
// odd, a big-endian 16-bit set of the slots in use (bit i is slot i), and per child in the order of slots: the hash,
// the number of entries. Numbers are unsigned varints of the shortest form.
func (n *node) encode() []byte {
	if n.leaf() {
		return n.encodeLeaf()
	}
	out := make([]byte, 0, 8+len(n.skip)+len(n.children)*(len(Hash{})+4))
	out = append(out, formBranch)
	out = binary.AppendUvarint(out, uint64(len(n.skip)))
	for i := 0; i < len(n.skip); i += 2 {
		packed := n.skip[i] << 4
		if i+1 < len(n.skip) {
			packed |= n.skip[i+1]
		}
		out = append(out, packed)
	}
	var slots uint16
	for _, c := range n.children {
		slots |= 1 << c.slot
	}
	out = binary.BigEndian.AppendUint16(out, slots)
	for _, c := range n.children {
		out = append(out, c.hash[:]...)
		out = binary.AppendUvarint(out, uint64(c.count))
	}
	return out
}

func (n *node) encodeLeaf() []byte {
	size := 8
	for _, it := range n.items {
		size += len(it.Key) + len(it.Value) + 8
	}
	out := make([]byte, 0, size)
	out = append(out, formLeaf)
	out = binary.AppendUvarint(out, uint64(len(n.items)))
	previous := ""
	for _, it := range n.items {
		shared := sharedPrefix(previous, it.Key)
		out = binary.AppendUvarint(out, uint64(shared))
		out = binary.AppendUvarint(out, uint64(len(it.Key)-shared))
		out = append(out, it.Key[shared:]...)
		out = binary.AppendUvarint(out, uint64(len(it.Value)))
		out = append(out, it.Value...)
		previous = it.Key
	}
	return out
}

func sharedPrefix(a, b string) int {
	limit := min(len(a), len(b))
	for i := range limit {
		if a[i] != b[i] {
			return i
		}
	}
	return limit
}

// decode reads what encode wrote and refuses everything else: whatever it accepts, encode gives back byte for byte.
// It allocates in proportion to the bytes it was given.
func decode(encoded []byte) (*node, error) {
	r := reader{rest: encoded}
	form, err := r.byte()
	if err != nil {
		return nil, err
	}
	var n *node
	switch form {
	case formLeaf:
		n, err = r.leaf()
	case formBranch:
		n, err = r.branch()
	default:
		return nil, corrupt("form 0x%02x is not known", form)
	}
	if err != nil {
		return nil, err
	}
	if len(r.rest) != 0 {
		return nil, corrupt("%d bytes too many", len(r.rest))
	}
	return n, nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, ErrCorrupt)...)
}

// reader takes an encoding apart from the front.
type reader struct{ rest []byte }

func (r *reader) byte() (byte, error) {
	b, err := r.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (r *reader) take(n int) ([]byte, error) {
	if n > len(r.rest) {
		return nil, corrupt("truncated: %d bytes wanted, %d left", n, len(r.rest))
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken, nil
}

// number reads a varint of the shortest form that is at most limit.
func (r *reader) number(limit int) (int, error) {
	v, size := binary.Uvarint(r.rest)
	if size <= 0 {
		return 0, corrupt("truncated or oversize number")
	}
	if size > 1 && r.rest[size-1] == 0 {
		return 0, corrupt("number %d is not in its shortest form", v)
	}
	if v > uint64(limit) {
		return 0, corrupt("number %d is over the limit of %d", v, limit)
	}
	r.rest = r.rest[size:]
	return int(v), nil
}

func (r *reader) leaf() (*node, error) {
	count, err := r.number(LeafSize)
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, corrupt("leaf without entries")
	}
	n := &node{items: make([]Item, 0, min(count, len(r.rest)/4))}
	var key []byte
	for i := range count {
		shared, err := r.number(len(key))
		if err != nil {
			return nil, err
		}
		added, err := r.number(MaxKeySize - shared)
		if err != nil {
			return nil, err
		}
		tail, err := r.take(added)
		if err != nil {
			return nil, err
		}
		// The tail must begin above what it replaces: then the key is after the one before it, and the shared
		// prefix is as long as it can be.
		switch {
		case shared < len(key) && (added == 0 || tail[0] <= key[shared]):
			return nil, corrupt("keys are not in order")
		case shared == len(key) && added == 0:
			return nil, corrupt("key %d is empty or a repetition", i)
		}
		key = append(key[:shared], tail...)
		size, err := r.number(MaxValueSize)
		if err != nil {
			return nil, err
		}
		value, err := r.take(size)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, Item{Key: string(key), Value: value})
	}
	return n, nil
}

func (r *reader) branch() (*node, error) {
	skipped, err := r.number(placementNibbles - 1)
	if err != nil {
		return nil, err
	}
	packed, err := r.take((skipped + 1) / 2)
	if err != nil {
		return nil, err
	}
	n := &node{skip: make([]byte, skipped)}
	for i := range n.skip {
		n.skip[i] = packed[i/2] >> 4
		if i%2 == 1 {
			n.skip[i] = packed[i/2] & 0x0f
		}
	}
	if skipped%2 == 1 && packed[len(packed)-1]&0x0f != 0 {
		return nil, corrupt("padding of the skipped nibbles is not zero")
	}
	set, err := r.take(2)
	if err != nil {
		return nil, err
	}
	slots := binary.BigEndian.Uint16(set)
	if bits.OnesCount16(slots) < 2 {
		return nil, corrupt("branch with fewer than two children")
	}
	n.children = make([]child, 0, bits.OnesCount16(slots))
	total := 0
	for slot := range byte(16) {
		if slots&(1<<slot) == 0 {
			continue
		}
		hash, err := r.take(len(Hash{}))
		if err != nil {
			return nil, err
		}
		count, err := r.number(math.MaxInt32 - total)
		if err != nil {
			return nil, err
		}
		if count == 0 || Hash(hash).IsZero() {
			return nil, corrupt("branch with an empty child")
		}
		total += count
		n.children = append(n.children, child{slot: slot, hash: Hash(hash), count: count})
	}
	if total <= LeafSize {
		return nil, corrupt("branch with %d entries, which fit in a leaf", total)
	}
	return n, nil
}

// Canonical returns an error that wraps ErrCorrupt unless encoded is exactly what this package writes for some node.
// It does not look at the node's children.
func Canonical(encoded []byte) error {
	_, err := decode(encoded)
	return err
}

// compareItems orders items as a leaf does.
func compareItems(a, b Item) int { return strings.Compare(a.Key, b.Key) }
