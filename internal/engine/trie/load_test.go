package trie_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// keepingSource is a DecodedSource that forgets nothing.
type keepingSource struct {
	*trie.MemorySource
	mu   sync.Mutex
	kept map[trie.Hash]trie.Decoded
}

func newKeepingSource(source *trie.MemorySource) *keepingSource {
	return &keepingSource{MemorySource: source, kept: map[trie.Hash]trie.Decoded{}}
}

func (k *keepingSource) Decoded(h trie.Hash) (trie.Decoded, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d, found := k.kept[h]
	return d, found
}

func (k *keepingSource) Keep(h trie.Hash, d trie.Decoded) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[h] = d
}

// checkIntact holds that every kept node is still the one that its hash names.
func (k *keepingSource) checkIntact(t testing.TB) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for h, d := range k.kept {
		if sha256.Sum256(d.Encode()) != h {
			t.Fatalf("the kept node %s has been changed", h)
		}
	}
}

// TestKeptNodesAreReadOnce counts what is read from the storage of a source that keeps nodes.
func TestKeptNodesAreReadOnce(t *testing.T) {
	source := &trie.MemorySource{}
	kept := newKeepingSource(source)
	tr := trie.New(kept, trie.ByID)
	entries := large(5000)
	root := build(t, tr, source, entries)
	for range 2 {
		if got := collect(t, tr, root); len(got) != len(entries) {
			t.Fatalf("%d entries, want %d", len(got), len(entries))
		}
	}
	if source.Reads() != source.Len() {
		t.Errorf("two walks read %d nodes of %d", source.Reads(), source.Len())
	}
	next, nodes, err := tr.Apply(t.Context(), root, map[string][]byte{largeKey(5): []byte("edited")})
	if err != nil {
		t.Fatal(err)
	}
	source.Add(nodes)
	source.ResetReads()
	for range 2 {
		changes, err := tr.Changes(t.Context(), root, next)
		if err != nil || len(changes) != 1 || changes[0].Key != largeKey(5) {
			t.Fatalf("Changes is %v, %v", changes, err)
		}
		if value, found, err := tr.Get(t.Context(), next, largeKey(5)); err != nil || !found ||
			string(value) != "edited" {
			t.Fatalf("Get is %q, %v, %v", value, found, err)
		}
	}
	if source.Reads() != len(nodes) {
		t.Errorf("%d nodes were read, want the %d new ones", source.Reads(), len(nodes))
	}
	for h, encoded := range nodes {
		d, err := trie.Decode(h, encoded)
		if err != nil {
			t.Fatal(err)
		}
		if encoded[0] == 0x11 && d.Size() < len(encoded) {
			t.Errorf("a leaf of %d bytes has a size of %d", len(encoded), d.Size())
		}
		if d.Size() <= 0 {
			t.Errorf("a node has a size of %d", d.Size())
		}
	}
	kept.checkIntact(t)
}

// TestKeptNodesAreShared has many goroutines read and derive over the same kept nodes.
func TestKeptNodesAreShared(t *testing.T) {
	source := &trie.MemorySource{}
	kept := newKeepingSource(source)
	tr := trie.New(kept, crowded)
	entries := large(1500)
	root := build(t, tr, source, entries)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			at := root
			for step := range 20 {
				changes := map[string][]byte{largeKey(step * 70): []byte(strconv.Itoa(worker))}
				for i := range step * 30 {
					changes[largeKey(i)] = nil
				}
				next, nodes, err := tr.Apply(t.Context(), at, changes)
				if err != nil {
					t.Error(err)
					return
				}
				source.Add(nodes)
				if _, err := tr.Changes(t.Context(), root, next); err != nil {
					t.Error(err)
				}
				at = next
			}
		})
	}
	wg.Wait()
	if got := collect(t, tr, root); !maps.EqualFunc(got, entries, slices.Equal) {
		t.Error("the first trie has changed")
	}
	kept.checkIntact(t)
}

// TestDamageIsNotKept holds that bad bytes are refused each time, and that a good node does not make a parent true
// that lies about it.
func TestDamageIsNotKept(t *testing.T) {
	source := &trie.MemorySource{}
	kept := newKeepingSource(source)
	tr := trie.New(kept, crowded)
	entries := large(100)
	root, small, err := tr.Apply(t.Context(), trie.Hash{}, entries)
	if err != nil {
		t.Fatal(err)
	}
	source.Add(map[trie.Hash][]byte{root: []byte("damaged")})
	for range 2 {
		if _, err := tr.Len(t.Context(), root); !errors.Is(err, trie.ErrCorrupt) {
			t.Errorf("Len of a damaged root returns %v, want ErrCorrupt", err)
		}
	}
	if _, err := trie.Decode(root, []byte("damaged")); !errors.Is(err, trie.ErrCorrupt) {
		t.Errorf("Decode returns %v, want ErrCorrupt", err)
	}
	source.Add(small)
	if got := collect(t, tr, root); !maps.EqualFunc(got, entries, slices.Equal) {
		t.Errorf("%d entries after the damage is mended, want %d", len(got), len(entries))
	}
	lie := slices.Clone(small[root])
	lie[len(lie)-1]++
	lieRoot := trie.Hash(sha256.Sum256(lie))
	source.Add(map[trie.Hash][]byte{lieRoot: lie})
	for range 2 {
		if err := drain(tr.All(t.Context(), lieRoot)); !errors.Is(err, trie.ErrCorrupt) {
			t.Errorf("All over kept nodes below a branch with a wrong count returns %v, want ErrCorrupt", err)
		}
	}
}

// TestKeptNodesObeyTheContext holds that nothing is answered from kept nodes for a caller that has gone.
func TestKeptNodesObeyTheContext(t *testing.T) {
	source := &trie.MemorySource{}
	tr := trie.New(newKeepingSource(source), trie.ByID)
	root := build(t, tr, source, large(1000))
	collect(t, tr, root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := tr.Get(ctx, root, largeKey(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Get returns %v", err)
	}
	if err := drain(tr.All(ctx, root)); !errors.Is(err, context.Canceled) {
		t.Errorf("All ends with %v", err)
	}
	if err := drain(tr.Diff(ctx, trie.Hash{}, root)); !errors.Is(err, context.Canceled) {
		t.Errorf("Diff ends with %v", err)
	}
}
