package trie_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/engine/trie"
)

func cases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

// crowded places most keys below one long prefix and few beside it, at all depths, so that the skips of branches are
// cut and joined all the time.
func crowded(key string) [32]byte {
	placed := sha256.Sum256([]byte(key))
	fork := 9 + int(placed[30]%3)
	if placed[31]%32 == 0 {
		fork = int(placed[30] % 9)
	}
	for i := range fork {
		setNibble(&placed, i, 7)
	}
	setNibble(&placed, fork, placed[29]%7)
	return placed
}

func setNibble(placed *[32]byte, i int, value byte) {
	if i%2 == 0 {
		placed[i/2] = placed[i/2]&0x0f | value<<4
	} else {
		placed[i/2] = placed[i/2]&0xf0 | value
	}
}

var placements = map[string]trie.Placement{"id": trie.ByID, "parent": trie.ByParent, "crowded": crowded}

// build returns the root of a trie of entries, made in one batch on an empty trie.
func build(t testing.TB, tr trie.Trie, source *trie.MemorySource, entries map[string][]byte) trie.Hash {
	t.Helper()
	root, nodes, err := tr.Apply(t.Context(), trie.Hash{}, entries)
	if err != nil {
		t.Fatal(err)
	}
	source.Add(nodes)
	return root
}

func randomKey(r *rand.Rand, space int) string {
	n := r.IntN(space)
	if n%3 == 0 {
		return trie.ChildKey("page_"+strconv.Itoa(n%4), strconv.Itoa(n))
	}
	return "key" + strconv.Itoa(n)
}

// collect returns the entries of a trie.
func collect(t testing.TB, tr trie.Trie, root trie.Hash) map[string][]byte {
	t.Helper()
	entries := map[string][]byte{}
	for item, err := range tr.All(t.Context(), root) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := entries[item.Key]; twice {
			t.Fatalf("All yields %q twice", item.Key)
		}
		entries[item.Key] = item.Value
	}
	return entries
}

// TestFormDependsOnSet drives tries through random batches of insertions, updates and deletions, beside a map, and
// holds that every step has the root of a trie that is built from the map at once, makes only nodes that this trie
// has, and reports the batch as its diff.
func TestFormDependsOnSet(t *testing.T) {
	for name, place := range placements {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for done := 0; done <= cases(t)/len(placements); {
				space := 1 + r.IntN(120)
				switch {
				case name == "crowded":
					space = 50 + r.IntN(250)
				case r.IntN(8) == 0:
					space = 1 + r.IntN(1000)
				}
				done += walkTrie(t, r, place, space)
			}
		})
	}
}

// walkTrie is one walk of TestFormDependsOnSet over keys from a space of the given size. It returns the number of
// steps, each of which is one case.
func walkTrie(t *testing.T, r *rand.Rand, place trie.Placement, space int) int {
	t.Helper()
	ctx := t.Context()
	source := &trie.MemorySource{}
	tr := trie.New(source, place)
	kept := newKeepingSource(source)
	if r.IntN(2) == 0 {
		tr = trie.New(kept, place)
	}
	model := map[string][]byte{}
	var root trie.Hash
	steps := 1 + r.IntN(12)
	for range steps {
		changes := map[string][]byte{}
		size := 1 + r.IntN(4)
		if r.IntN(3) == 0 {
			size = 1 + r.IntN(space)
		}
		deleting := r.IntN(3) == 0
		for range size {
			key := randomKey(r, space)
			if deleting || r.IntN(4) == 0 {
				changes[key] = nil
			} else {
				changes[key] = []byte(strconv.Itoa(r.IntN(3)))
			}
		}
		if r.IntN(4) == 0 {
			// What is left, or goes, is what shares the beginning of one place.
			from, nibbles, inside := place(randomKey(r, space)), r.IntN(12), r.IntN(2) == 0
			for key := range model {
				if sameNibbles(place(key), from, nibbles) == inside {
					changes[key] = nil
				}
			}
		}
		before := maps.Clone(model)
		for key, value := range changes {
			if value == nil {
				delete(model, key)
			} else {
				model[key] = value
			}
		}
		next, nodes, err := tr.Apply(ctx, root, changes)
		if err != nil {
			t.Fatal(err)
		}
		whole, wholeNodes, err := tr.Apply(ctx, trie.Hash{}, model)
		if err != nil {
			t.Fatal(err)
		}
		if next != whole {
			t.Fatalf("after %d changes of %d entries the root is not that of the set", len(changes), len(before))
		}
		for hash, encoded := range nodes {
			if !bytes.Equal(wholeNodes[hash], encoded) {
				t.Fatalf("Apply made a node that the trie does not have")
			}
		}
		if next == root && len(nodes) > 0 {
			t.Fatalf("Apply made %d nodes for changes that change nothing", len(nodes))
		}
		source.Add(nodes)
		checkAgainst(t, tr, next, model, r, space)
		checkDiff(t, tr, root, next, before, model)
		root = next
	}
	kept.checkIntact(t)
	return steps
}

// checkAgainst compares Len, Get and All with the model.
func checkAgainst(t *testing.T, tr trie.Trie, root trie.Hash, model map[string][]byte, r *rand.Rand, space int) {
	t.Helper()
	n, err := tr.Len(t.Context(), root)
	if err != nil || n != len(model) {
		t.Fatalf("Len is %d, %v; want %d", n, err, len(model))
	}
	if got := collect(t, tr, root); !maps.EqualFunc(got, model, bytes.Equal) {
		t.Fatalf("All differs from the model: %s", cmp.Diff(model, got))
	}
	for range 3 {
		key := randomKey(r, space)
		got, found, err := tr.Get(t.Context(), root, key)
		want, has := model[key]
		if err != nil || found != has || !bytes.Equal(got, want) {
			t.Fatalf("Get(%q) is %q, %v, %v; want %q, %v", key, got, found, err, want, has)
		}
	}
}

// checkDiff compares Diff in both directions with the difference of two models.
func checkDiff(t *testing.T, tr trie.Trie, a, b trie.Hash, before, after map[string][]byte) {
	t.Helper()
	got := map[string]trie.Change{}
	for c, err := range tr.Diff(t.Context(), a, b) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := got[c.Key]; twice {
			t.Fatalf("Diff yields %q twice", c.Key)
		}
		got[c.Key] = c
	}
	want := 0
	for key := range unionOf(before, after) {
		if bytes.Equal(before[key], after[key]) {
			continue
		}
		want++
		c, found := got[key]
		if !found || !bytes.Equal(c.Before, before[key]) || !bytes.Equal(c.After, after[key]) ||
			(c.Before == nil) != (before[key] == nil) || (c.After == nil) != (after[key] == nil) {
			t.Fatalf("Diff of %q is %+v, want %q to %q", key, c, before[key], after[key])
		}
	}
	if len(got) != want {
		t.Fatalf("Diff has %d changes, want %d", len(got), want)
	}
	mirrored := 0
	for c, err := range tr.Diff(t.Context(), b, a) {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got[c.Key].Before, c.After) || !bytes.Equal(got[c.Key].After, c.Before) {
			t.Fatalf("the mirrored Diff of %q is %+v, want the opposite of %+v", c.Key, c, got[c.Key])
		}
		mirrored++
	}
	if mirrored != want {
		t.Fatalf("the mirrored Diff has %d changes, want %d", mirrored, want)
	}
}

func unionOf(a, b map[string][]byte) map[string]bool {
	keys := map[string]bool{}
	for key := range a {
		keys[key] = true
	}
	for key := range b {
		keys[key] = true
	}
	return keys
}

// TestInsertionOrder inserts the same entries one by one in several orders, with detours.
func TestInsertionOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range max(1, cases(t)/2000) {
		entries := map[string][]byte{}
		for range 300 {
			entries[randomKey(r, 2000)] = []byte{byte(r.IntN(256))}
		}
		for name, place := range placements {
			source := &trie.MemorySource{}
			tr := trie.New(source, place)
			want := build(t, tr, source, entries)
			for range 2 {
				keys := slices.Collect(maps.Keys(entries))
				r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
				var root trie.Hash
				step := func(changes map[string][]byte) {
					next, nodes, err := tr.Apply(t.Context(), root, changes)
					if err != nil {
						t.Fatal(err)
					}
					source.Add(nodes)
					root = next
				}
				for _, key := range keys {
					step(map[string][]byte{key: entries[key], "detour" + key: []byte("x")})
				}
				for _, key := range keys {
					step(map[string][]byte{"detour" + key: nil})
				}
				if root != want {
					t.Fatalf("%s: the root depends on the order of insertion", name)
				}
			}
		}
	}
}

// TestUnder compares Under with a filter over the placements.
func TestUnder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range max(1, cases(t)/20) {
		entries := map[string][]byte{}
		for range r.IntN(400) {
			entries[randomKey(r, 600)] = []byte("v")
		}
		for name, place := range placements {
			source := &trie.MemorySource{}
			tr := trie.New(source, place)
			root := build(t, tr, source, entries)
			prefix := place(randomKey(r, 600))
			nibbles := r.IntN(12)
			want := map[string][]byte{}
			for key, value := range entries {
				if at := place(key); sameNibbles(at, prefix, nibbles) {
					want[key] = value
				}
			}
			got := map[string][]byte{}
			for item, err := range tr.Under(t.Context(), root, prefix[:], nibbles) {
				if err != nil {
					t.Fatal(err)
				}
				got[item.Key] = item.Value
			}
			if !maps.EqualFunc(want, got, bytes.Equal) {
				t.Fatalf("%s: Under %x/%d (-want +got):\n%s", name, prefix[:6], nibbles, cmp.Diff(want, got))
			}
		}
	}
}

func sameNibbles(a, b [32]byte, n int) bool {
	for i := range n {
		if (a[i/2]^b[i/2])>>(4-4*(i%2))&0x0f != 0 {
			return false
		}
	}
	return true
}

// batchSource reads several nodes at once and counts the round trips.
type batchSource struct {
	*trie.MemorySource
	trips int
}

func (b *batchSource) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	b.trips++
	found := map[trie.Hash][]byte{}
	for _, h := range hashes {
		encoded, err := b.Node(ctx, h)
		if err != nil {
			return nil, err
		}
		found[h] = encoded
	}
	return found, nil
}

func TestBatchSource(t *testing.T) {
	entries := map[string][]byte{}
	for i := range 20_000 {
		entries[strconv.Itoa(i)] = []byte("value")
	}
	source := &batchSource{MemorySource: &trie.MemorySource{}}
	tr := trie.New(source, trie.ByID)
	root := build(t, tr, source.MemorySource, entries)
	if got := collect(t, tr, root); !maps.EqualFunc(got, entries, bytes.Equal) {
		t.Error("All by batches differs from the entries")
	}
	if source.trips > source.Len()/10 {
		t.Errorf("All took %d round trips for %d nodes", source.trips, source.Len())
	}
	changed := maps.Clone(entries)
	changed["7"] = []byte("other")
	delete(changed, "9")
	next := build(t, tr, source.MemorySource, changed)
	checkDiff(t, tr, root, next, entries, changed)
}

// TestSourceErrors holds that a failing source fails every method with its error.
func TestSourceErrors(t *testing.T) {
	entries := map[string][]byte{}
	for i := range 5000 {
		entries[strconv.Itoa(i)] = []byte("value")
	}
	full := &trie.MemorySource{}
	root := build(t, trie.New(full, trie.ByID), full, entries)
	for budget := range 4 {
		source := &failingSource{Source: full, left: budget}
		tr := trie.New(source, trie.ByID)
		checks := map[string]func() error{
			"Apply": func() error {
				_, _, err := tr.Apply(t.Context(), root, map[string][]byte{"new": []byte("x")})
				return err
			},
			"All":  func() error { return drain(tr.All(t.Context(), root)) },
			"Diff": func() error { return drain(tr.Diff(t.Context(), trie.Hash{}, root)) },
			"Reachable": func() error {
				return drain(tr.Reachable(t.Context(), root, func(trie.Hash) bool { return false }))
			},
		}
		if budget == 0 {
			checks["Get"] = func() error { _, _, err := tr.Get(t.Context(), root, "1"); return err }
			checks["Len"] = func() error { _, err := tr.Len(t.Context(), root); return err }
		}
		for name, check := range checks {
			source.left = budget
			if budget == 3 && name == "Apply" {
				continue // it needs no more than three nodes
			}
			if err := check(); !errors.Is(err, errBroken) {
				t.Errorf("%s with a source that breaks after %d nodes returns %v", name, budget, err)
			}
		}
	}
}

var errBroken = errors.New("broken")

type failingSource struct {
	trie.Source
	left int
}

func (f *failingSource) Node(ctx context.Context, h trie.Hash) ([]byte, error) {
	if f.left == 0 {
		return nil, errBroken
	}
	f.left--
	return f.Source.Node(ctx, h)
}

// drain walks an iterator to its end or error; it fails when anything follows an error.
func drain[T any](walk func(func(T, error) bool)) error {
	var failed error
	for _, err := range walk {
		if failed != nil {
			return errors.New("values follow an error")
		}
		failed = err
	}
	return failed
}
