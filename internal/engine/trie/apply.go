package trie

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// Apply returns the root of a trie with the given changes, and the encodings of those of its nodes that the trie at
// root does not have on the changed paths; the caller stores them before it publishes the new root. A nil value
// deletes its key; deleting what is not there and setting what is already so change nothing. An empty value that is
// not nil is a value.
//
// Apply of c changes reads and makes O(c log n) nodes, each encoded once. On the zero root it builds a trie. The
// values are copied. Keys and values over the limits of this package are refused.
func (t Trie) Apply(ctx context.Context, root Hash, changes map[string][]byte) (Hash, map[Hash][]byte, error) {
	edits := make([]edit, 0, len(changes))
	for key, value := range changes {
		if key == "" || len(key) > MaxKeySize {
			return Hash{}, nil, fmt.Errorf("apply to trie: key %.80q has %d bytes, from 1 to %d are allowed",
				key, len(key), MaxKeySize)
		}
		if len(value) > MaxValueSize {
			return Hash{}, nil, fmt.Errorf("apply to trie: the value of %.80q has %d bytes, at most %d are allowed",
				key, len(value), MaxValueSize)
		}
		edits = append(edits, edit{Item: Item{Key: key, Value: value}, placed: t.place(key)})
	}
	slices.SortFunc(edits, compareEdits)

	var before *draft
	if !root.IsZero() {
		before = &draft{stored: child{hash: root}}
	}
	after, err := t.apply(ctx, before, 0, edits)
	if err != nil {
		return Hash{}, nil, err
	}
	fresh := map[Hash][]byte{}
	if after == nil {
		return Hash{}, fresh, nil
	}
	return after.write(fresh).hash, fresh, nil
}

// edit is one change with its place.
type edit struct {
	Item
	placed [32]byte
}

func compareEdits(a, b edit) int {
	if c := bytes.Compare(a.placed[:], b.placed[:]); c != 0 {
		return c
	}
	return strings.Compare(a.Key, b.Key)
}

// draft is a node of the trie that Apply works on: one that is stored as it is, or one whose content is known and
// that has not been encoded. The draft of an empty trie is nil.
type draft struct {
	stored   child // set on a stored node; its slot means nothing, its count is 0 when it is not known
	content  bool  // the fields below are set
	items    []Item
	skip     []byte
	children [16]*draft
	branch   bool
}

// open makes the content of a draft known.
func (t Trie) open(ctx context.Context, d *draft) error {
	if d.content {
		return nil
	}
	n, err := t.load(ctx, &d.stored)
	if err != nil {
		return err
	}
	d.content = true
	d.stored.count = n.count()
	d.items, d.skip, d.branch = n.items, n.skip, !n.leaf()
	for _, c := range n.children {
		d.children[c.slot] = &draft{stored: c}
	}
	return nil
}

// count returns the number of entries of a draft that is stored below a branch, or opened, or new.
func (d *draft) count() int {
	if d == nil {
		return 0
	}
	if !d.stored.hash.IsZero() {
		return d.stored.count
	}
	if !d.branch {
		return len(d.items)
	}
	total := 0
	for _, c := range d.children {
		total += c.count()
	}
	return total
}

// apply returns the draft with the edits, which are sorted by place and share the draft's first depth nibbles. It
// returns d itself when nothing changes.
func (t Trie) apply(ctx context.Context, d *draft, depth int, edits []edit) (*draft, error) {
	if len(edits) == 0 {
		return d, nil
	}
	if d == nil {
		return build(depth, slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.Value == nil }))
	}
	if err := t.open(ctx, d); err != nil {
		return nil, err
	}
	if !d.branch {
		return t.applyLeaf(d, depth, edits)
	}
	if depth+len(d.skip) >= placementNibbles {
		return nil, corrupt("branch below the last nibble")
	}
	shared := len(d.skip)
	for _, e := range edits {
		// A deletion outside the branch is of a key that is not there.
		if e.Value != nil {
			shared = min(shared, sharedSkip(e.placed, depth, d.skip))
		}
	}
	if shared < len(d.skip) {
		upper := &draft{content: true, branch: true, skip: d.skip[:shared]}
		upper.children[d.skip[shared]] = &draft{
			content: true, branch: true, skip: d.skip[shared+1:], children: d.children,
		}
		// The upper branch has one child until the edits that made it necessary are in.
		return t.applyBranch(ctx, upper, depth, edits)
	}
	return t.applyBranch(ctx, d, depth, edits)
}

// applyLeaf merges the edits into an opened leaf.
func (t Trie) applyLeaf(d *draft, depth int, edits []edit) (*draft, error) {
	items := make(map[string][]byte, len(d.items)+len(edits))
	for _, it := range d.items {
		items[it.Key] = it.Value
	}
	changed := false
	for _, e := range edits {
		before, found := items[e.Key]
		switch {
		case e.Value == nil && found:
			delete(items, e.Key)
		case e.Value != nil && !(found && bytes.Equal(before, e.Value)):
			items[e.Key] = e.Value
		default:
			continue
		}
		changed = true
	}
	if !changed {
		return d, nil
	}
	if len(items) <= LeafSize {
		if len(items) == 0 {
			return nil, nil
		}
		leaf := &draft{content: true, items: make([]Item, 0, len(items))}
		for key, value := range items {
			leaf.items = append(leaf.items, Item{Key: key, Value: value})
		}
		slices.SortFunc(leaf.items, compareItems)
		return leaf, nil
	}
	all := make([]edit, 0, len(items))
	for key, value := range items {
		all = append(all, edit{Item: Item{Key: key, Value: value}, placed: t.place(key)})
	}
	slices.SortFunc(all, compareEdits)
	return build(depth, all)
}

// applyBranch spreads the edits over the children of a branch, then brings it into its canonical form.
func (t Trie) applyBranch(ctx context.Context, d *draft, depth int, edits []edit) (*draft, error) {
	after := &draft{content: true, branch: true, skip: d.skip, children: d.children}
	changed := false
	for len(edits) > 0 {
		if sharedSkip(edits[0].placed, depth, d.skip) < len(d.skip) {
			edits = edits[1:]
			continue
		}
		at := depth + len(d.skip)
		slot := nibble(edits[0].placed, at)
		end := 1
		for end < len(edits) && nibble(edits[end].placed, at) == slot &&
			sharedSkip(edits[end].placed, depth, d.skip) == len(d.skip) {
			end++
		}
		c, err := t.apply(ctx, d.children[slot], at+1, edits[:end])
		if err != nil {
			return nil, err
		}
		changed = changed || c != d.children[slot]
		after.children[slot] = c
		edits = edits[end:]
	}
	if !changed {
		return d, nil
	}
	return t.settle(ctx, after)
}

// settle brings a branch whose children are canonical into its canonical form: nothing, a leaf, its only child with
// a longer skip, or itself.
func (t Trie) settle(ctx context.Context, d *draft) (*draft, error) {
	total := d.count()
	if total == 0 {
		return nil, nil
	}
	if total <= LeafSize {
		leaf := &draft{content: true, items: make([]Item, 0, total)}
		for _, c := range d.children {
			if c == nil {
				continue
			}
			if err := t.open(ctx, c); err != nil {
				return nil, err
			}
			if c.branch {
				return nil, corrupt("branch with %d entries", c.count())
			}
			leaf.items = append(leaf.items, c.items...)
		}
		slices.SortFunc(leaf.items, compareItems)
		return leaf, nil
	}
	only, slot := (*draft)(nil), 0
	for i, c := range d.children {
		if c == nil {
			continue
		}
		if only != nil {
			return d, nil
		}
		only, slot = c, i
	}
	if err := t.open(ctx, only); err != nil {
		return nil, err
	}
	if !only.branch {
		return nil, corrupt("leaf with %d entries", total)
	}
	skip := slices.Concat(d.skip, []byte{byte(slot)}, only.skip)
	return &draft{content: true, branch: true, skip: skip, children: only.children}, nil
}

// build makes the draft of a set of entries, sorted by place, that share their first depth nibbles.
func build(depth int, entries []edit) (*draft, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	if len(entries) <= LeafSize {
		leaf := &draft{content: true, items: make([]Item, 0, len(entries))}
		for _, e := range entries {
			leaf.items = append(leaf.items, e.Item)
		}
		slices.SortFunc(leaf.items, compareItems)
		return leaf, nil
	}
	// They are sorted: what the first and the last share, all share.
	first, last := entries[0].placed, entries[len(entries)-1].placed
	at := depth
	for at < placementNibbles && nibble(first, at) == nibble(last, at) {
		at++
	}
	if at == placementNibbles {
		return nil, fmt.Errorf("apply to trie: %d keys have one placement", len(entries))
	}
	d := &draft{content: true, branch: true, skip: make([]byte, 0, at-depth)}
	for i := depth; i < at; i++ {
		d.skip = append(d.skip, nibble(first, i))
	}
	for len(entries) > 0 {
		slot := nibble(entries[0].placed, at)
		end := 1
		for end < len(entries) && nibble(entries[end].placed, at) == slot {
			end++
		}
		c, err := build(at+1, entries[:end])
		if err != nil {
			return nil, err
		}
		d.children[slot] = c
		entries = entries[end:]
	}
	return d, nil
}

// write encodes a draft and what is new below it into fresh, and returns the reference to it.
func (d *draft) write(fresh map[Hash][]byte) child {
	if !d.stored.hash.IsZero() {
		return d.stored
	}
	n := node{items: d.items}
	if d.branch {
		n.skip = d.skip
		for slot, c := range d.children {
			if c != nil {
				ref := c.write(fresh)
				ref.slot = byte(slot)
				n.children = append(n.children, ref)
			}
		}
	}
	encoded := n.encode()
	ref := child{hash: sha256.Sum256(encoded), count: n.count()}
	fresh[ref.hash] = encoded
	// The encoding holds copies: a large change need not have its values in memory twice.
	d.items = nil
	return ref
}

// sharedSkip returns how many nibbles of skip the placement has from depth on.
func sharedSkip(placed [32]byte, depth int, skip []byte) int {
	for i, want := range skip {
		if nibble(placed, depth+i) != want {
			return i
		}
	}
	return len(skip)
}
