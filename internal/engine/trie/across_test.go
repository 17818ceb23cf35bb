package trie_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// rounds counts the round trips to a source.
type rounds struct {
	trie.BatchSource
	trips, nodes int
}

func (r *rounds) Node(ctx context.Context, h trie.Hash) ([]byte, error) {
	r.trips, r.nodes = r.trips+1, r.nodes+1
	return r.BatchSource.Node(ctx, h)
}

func (r *rounds) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	r.trips, r.nodes = r.trips+1, r.nodes+len(hashes)
	return r.BatchSource.Nodes(ctx, hashes)
}

// TestAcross looks a key up in many versions of a trie, and holds that it is what Get finds in each, in a round trip
// for each level, and that what the versions share is read once.
func TestAcross(t *testing.T) {
	for name, place := range placements {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, uint64(len(name))))
			source := &trie.MemorySource{}
			tr := trie.New(source, place)
			entries := map[string][]byte{}
			for i := range 3000 {
				entries[randomKey(r, 6000)] = []byte(strconv.Itoa(i))
			}
			roots := []trie.Hash{{}, build(t, tr, source, entries)}
			for i := range 200 {
				key := randomKey(r, 6000)
				var value []byte
				if r.IntN(3) > 0 {
					value = []byte("version " + strconv.Itoa(i))
				}
				root, nodes, err := tr.Apply(t.Context(), roots[len(roots)-1], map[string][]byte{key: value})
				if err != nil {
					t.Fatal(err)
				}
				source.Add(nodes)
				roots = append(roots, root)
			}
			for range 100 {
				key := randomKey(r, 6000)
				counted := &rounds{BatchSource: batched{source}}
				got, err := trie.New(counted, place).Across(t.Context(), roots, key)
				if err != nil {
					t.Fatal(err)
				}
				for i, root := range roots {
					want, there, err := tr.Get(t.Context(), root, key)
					if err != nil {
						t.Fatal(err)
					}
					if string(got[i]) != string(want) || (got[i] != nil) != there {
						t.Fatalf("%q in version %d is %q, want %q", key, i, got[i], want)
					}
				}
				// Keys that crowd below one prefix lie deep.
				if counted.trips > 16 || name != "crowded" && counted.nodes > 2*len(roots) {
					t.Errorf("%d trips for %d nodes, for %d versions", counted.trips, counted.nodes, len(roots))
				}
			}
		})
	}
}

// batched gives a source whose nodes are read one by one a way to read several.
type batched struct{ trie.Source }

func (b batched) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	found := map[trie.Hash][]byte{}
	for _, hash := range hashes {
		encoded, err := b.Node(ctx, hash)
		if err != nil {
			return nil, err
		}
		found[hash] = encoded
	}
	return found, nil
}
