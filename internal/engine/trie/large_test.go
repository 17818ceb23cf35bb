package trie_test

import (
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// large returns n entries of about the size of a page's.
func large(n int) map[string][]byte {
	entries := make(map[string][]byte, n)
	for i := range n {
		entries[largeKey(i)] = fmt.Appendf(nil, `{"kind":"page","title":"Page %d","body":"%064d","slug":"page-%d"}`, i,
			i, i)
	}
	return entries
}

func largeKey(i int) string { return fmt.Sprintf("page_01jd%022d", i) }

// depth returns the number of nodes from the root to the deepest leaf.
func depth(t testing.TB, tr trie.Trie, root trie.Hash, source *trie.MemorySource, n int) int {
	t.Helper()
	deepest := 0
	for i := range n {
		source.ResetReads()
		if _, found, err := tr.Get(t.Context(), root, largeKey(i)); err != nil || !found {
			t.Fatalf("Get(%q) is %v, %v", largeKey(i), found, err)
		}
		deepest = max(deepest, source.Reads())
	}
	return deepest
}

// TestLarge counts the nodes that operations on a trie of 100,000 entries touch.
func TestLarge(t *testing.T) {
	const n = 100_000
	source := &trie.MemorySource{}
	tr := trie.New(source, trie.ByID)
	root := build(t, tr, source, large(n))
	levels := depth(t, tr, root, source, n)
	// 16 to the power of 3 leaves hold 100,000 entries, few enough in each: three branches and a leaf.
	if levels > 4 {
		t.Errorf("a trie of %d entries has %d levels, want at most 4", n, levels)
	}
	source.ResetReads()
	next, nodes, err := tr.Apply(t.Context(), root, map[string][]byte{largeKey(77): []byte("edited")})
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) > levels || source.Reads() > levels {
		t.Errorf("one edit made %d nodes and read %d, want at most %d", len(nodes), source.Reads(), levels)
	}
	source.Add(nodes)
	source.ResetReads()
	changes, err := tr.Changes(t.Context(), root, next)
	if err != nil || len(changes) != 1 || changes[0].Key != largeKey(77) {
		t.Errorf("Changes is %v, %v", changes, err)
	}
	if source.Reads() > 2*levels {
		t.Errorf("the diff of one edit read %d nodes, want at most %d", source.Reads(), 2*levels)
	}
	source.ResetReads()
	if got, err := tr.Len(t.Context(), root); err != nil || got != n || source.Reads() != 1 {
		t.Errorf("Len is %d, %v after %d reads; want %d after 1", got, err, source.Reads(), n)
	}
}

// TestLargeFamily counts the nodes that listing the children of one parent touches, when other parents have many.
func TestLargeFamily(t *testing.T) {
	entries := map[string][]byte{}
	for i := range 50_000 {
		entries[trie.ChildKey(fmt.Sprintf("page_%d", i%1000), fmt.Sprint(i))] = []byte("x")
	}
	for i := range 50_000 {
		entries[trie.ChildKey("page_crowd", fmt.Sprint(i))] = []byte("x")
	}
	source := &trie.MemorySource{}
	tr := trie.New(source, trie.ByParent)
	root := build(t, tr, source, entries)
	for _, parent := range []struct {
		id              string
		children, reads int
	}{{"page_7", 50, 6}, {"page_nobody", 0, 6}, {"page_crowd", 50_000, 50_000 / 8}} {
		source.ResetReads()
		children := 0
		for item, err := range tr.Under(t.Context(), root, trie.ParentPrefix(parent.id), trie.ParentNibbles) {
			if err != nil {
				t.Fatal(err)
			}
			if len(item.Key) > len(parent.id) && item.Key[:len(parent.id)+1] == parent.id+"\x00" {
				children++
			}
		}
		if children != parent.children || source.Reads() > parent.reads {
			t.Errorf("%s has %d children after %d reads, want %d after at most %d",
				parent.id, children, source.Reads(), parent.children, parent.reads)
		}
	}
}

// TestReachable holds that the walk meets every node once, and stops at those that it has seen.
func TestReachable(t *testing.T) {
	source := &trie.MemorySource{}
	tr := trie.New(source, trie.ByID)
	entries := large(10_000)
	root := build(t, tr, source, entries)
	before := source.Len()
	entries[largeKey(3)] = []byte("edited")
	next := build(t, tr, source, entries)

	seen := map[trie.Hash]bool{}
	mark := func(h trie.Hash) bool {
		if seen[h] {
			return true
		}
		seen[h] = true
		return false
	}
	walk := func(root trie.Hash) (nodes, items int) {
		for node, err := range tr.Reachable(t.Context(), root, mark) {
			if err != nil {
				t.Fatal(err)
			}
			if node.Size == 0 {
				t.Errorf("node %s has no size", node.Hash)
			}
			nodes++
			items += len(node.Items)
		}
		return nodes, items
	}
	if nodes, items := walk(root); nodes != before || items != 10_000 {
		t.Errorf("the first walk meets %d nodes and %d items, want %d and 10000", nodes, items, before)
	}
	source.ResetReads()
	if nodes, _ := walk(next); nodes != source.Len()-before || source.Reads() != nodes {
		t.Errorf("the second walk meets %d nodes and reads %d, want the %d new ones", nodes, source.Reads(),
			source.Len()-before)
	}
	if nodes, _ := walk(root); nodes != 0 {
		t.Errorf("a walk of what was seen meets %d nodes", nodes)
	}
}

var sizes = []int{100, 1000, 10_000, 100_000}

// benchmarkSources runs a benchmark at all sizes, on nodes that are read each time and on kept ones.
func benchmarkSources(b *testing.B, run func(b *testing.B, tr trie.Trie, source *trie.MemorySource, n int)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			source := &trie.MemorySource{}
			run(b, trie.New(source, trie.ByID), source, n)
		})
		b.Run(fmt.Sprintf("kept/%d", n), func(b *testing.B) {
			source := &trie.MemorySource{}
			run(b, trie.New(newKeepingSource(source), trie.ByID), source, n)
		})
	}
}

func BenchmarkGet(b *testing.B) {
	benchmarkSources(b, func(b *testing.B, tr trie.Trie, source *trie.MemorySource, n int) {
		root := build(b, tr, source, large(n))
		i := 0
		for b.Loop() {
			i = (i + 7919) % n
			if _, found, err := tr.Get(b.Context(), root, largeKey(i)); err != nil || !found {
				b.Fatal(found, err)
			}
		}
	})
}

func BenchmarkEdit(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			source := &trie.MemorySource{}
			tr := trie.New(source, trie.ByID)
			root := build(b, tr, source, large(n))
			i, made := 0, 0
			for b.Loop() {
				i = (i + 7919) % n
				_, nodes, err := tr.Apply(b.Context(), root, map[string][]byte{largeKey(i): fmt.Append(nil, i)})
				if err != nil {
					b.Fatal(err)
				}
				made += len(nodes)
			}
			b.ReportMetric(float64(made)/float64(b.N), "nodes/op")
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	benchmarkSources(b, func(b *testing.B, tr trie.Trie, source *trie.MemorySource, n int) {
		root := build(b, tr, source, large(n))
		next, nodes, err := tr.Apply(b.Context(), root, map[string][]byte{largeKey(n / 2): []byte("edited")})
		if err != nil {
			b.Fatal(err)
		}
		source.Add(nodes)
		for b.Loop() {
			changes, err := tr.Changes(b.Context(), root, next)
			if err != nil || len(changes) != 1 {
				b.Fatal(changes, err)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tr := trie.New(&trie.MemorySource{}, trie.ByID)
			entries := large(n)
			for b.Loop() {
				if _, _, err := tr.Apply(b.Context(), trie.Hash{}, entries); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
