package trie_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// nodesOf returns the nodes of a trie of n small entries.
func nodesOf(t testing.TB, n int) map[trie.Hash][]byte {
	t.Helper()
	entries := map[string][]byte{}
	for i := range n {
		entries["key"+strconv.Itoa(i)] = []byte(strconv.Itoa(i * i))
	}
	_, nodes, err := trie.New(&trie.MemorySource{}, crowded).Apply(t.Context(), trie.Hash{}, entries)
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// TestEncodingIsStable pins the format: other bytes would be other hashes for content that is stored already.
func TestEncodingIsStable(t *testing.T) {
	tr := trie.New(&trie.MemorySource{}, trie.ByID)
	root, nodes, err := tr.Apply(t.Context(), trie.Hash{}, map[string][]byte{"ab": []byte("1"), "ac": []byte("22"),
		"b": {}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "\x11\x03" + "\x00\x02ab\x011" + "\x01\x01c\x0222" + "\x00\x01b\x00"
	if got := string(nodes[root]); got != want {
		t.Errorf("a leaf is %q, want %q", got, want)
	}
	if root != sha256.Sum256([]byte(want)) {
		t.Errorf("the root is %s, not the hash of its encoding", root)
	}

	entries := map[string][]byte{}
	for i := range 200 {
		entries[strconv.Itoa(i)] = []byte{byte(i)}
	}
	root, nodes, err = tr.Apply(t.Context(), trie.Hash{}, entries)
	if err != nil {
		t.Fatal(err)
	}
	const wantRoot = "e36575a227c33a561af09190242da7a4179deec399b0484f62bbb36b2601980a"
	if root.String() != wantRoot {
		t.Errorf("the root of 200 entries is %s, want %s", root, wantRoot)
	}
	if head := string(nodes[root][:4]); head != "\x12\x00\xff\xff" {
		t.Errorf("a branch begins with %q", head)
	}

	families := map[string][]byte{"alone": []byte("x")}
	for i := range 300 {
		families[trie.ChildKey(strconv.Itoa(i%7), strconv.Itoa(i))] = []byte(strconv.Itoa(i * i))
	}
	root, _, err = trie.New(&trie.MemorySource{}, trie.ByParent).Apply(t.Context(), trie.Hash{}, families)
	if err != nil {
		t.Fatal(err)
	}
	const wantFamilies = "e7b1af2c9f5b609935cc7fe9750f7d40ab7069acf3a323b799e7202c2db8f046"
	if root.String() != wantFamilies {
		t.Errorf("the root of 7 families is %s, want %s", root, wantFamilies)
	}
}

func TestDecoderRefuses(t *testing.T) {
	hash := strings.Repeat("h", 32)
	many := func(n int) string {
		var s strings.Builder
		for i := range n {
			s.WriteString("\x00\x02" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\x00")
		}
		return s.String()
	}
	for name, encoded := range map[string]string{
		"nothing":                  "",
		"unknown form":             "\x21\x01\x00\x01a\x00",
		"empty leaf":               "\x11\x00",
		"too many entries":         "\x11\x41" + many(65),
		"claims more than it has":  "\x11\x40\x00\x01a\x00",
		"empty key":                "\x11\x01\x00\x00\x00",
		"keys out of order":        "\x11\x02\x00\x01b\x00\x00\x01a\x00",
		"key twice":                "\x11\x02\x00\x01a\x00\x01\x00\x00",
		"shared prefix too short":  "\x11\x02\x00\x02aa\x00\x00\x02ab\x00",
		"shared prefix too long":   "\x11\x02\x00\x01a\x00\x02\x01b\x00",
		"shorter key after longer": "\x11\x02\x00\x02ab\x00\x01\x00\x00",
		"long number":              "\x11\x81\x00\x00\x01a\x00",
		"huge number":              "\x11\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"huge key":                 "\x11\x01\x00\xff\xff\xff\x7fa\x00",
		"huge value":               "\x11\x01\x00\x01a\xff\xff\xff\xff\x0f",
		"truncated value":          "\x11\x01\x00\x01a\x05abc",
		"bytes at the end":         "\x11\x01\x00\x01a\x00x",
		"branch of one child":      "\x12\x00\x00\x01" + hash + "\x7f",
		"branch of few entries":    "\x12\x00\x00\x03" + hash + "\x01" + hash + "\x01",
		"branch with empty child":  "\x12\x00\x00\x03" + hash + "\x7f" + hash + "\x00",
		"branch with zero hash":    "\x12\x00\x00\x03" + hash + "\x7f" + strings.Repeat("\x00", 32) + "\x7f",
		"branch with overflow":     "\x12\x00\x00\x03" + hash + "\xff\xff\xff\xff\x07" + hash + "\xff\xff\xff\xff\x07",
		"skip too long": "\x12\x40" + strings.Repeat("\x00", 32) + "\x00\x03" + hash + "\x7f" + hash +
			"\x7f",
		"padding of skip":  "\x12\x01\x11\x00\x03" + hash + "\x7f" + hash + "\x7f",
		"truncated branch": "\x12\x00\x00\x03" + hash + "\x7f" + hash,
	} {
		t.Run(name, func(t *testing.T) {
			if err := trie.Canonical([]byte(encoded)); !errors.Is(err, trie.ErrCorrupt) {
				t.Errorf("Canonical returns %v, want ErrCorrupt", err)
			}
			source := &trie.MemorySource{}
			root := trie.Hash(sha256.Sum256([]byte(encoded)))
			source.Add(map[trie.Hash][]byte{root: []byte(encoded)})
			if _, _, err := trie.New(source, trie.ByID).Get(t.Context(), root, "a"); !errors.Is(err, trie.ErrCorrupt) {
				t.Errorf("Get returns %v, want ErrCorrupt", err)
			}
		})
	}
	if err := trie.Canonical([]byte("\x12\x01\x10\x00\x03" + hash + "\x7f" + hash + "\x7f")); err != nil {
		t.Errorf("a good branch is refused: %v", err)
	}
}

// TestDamage holds that bytes of another node, or a child with another number of entries, are noticed.
func TestDamage(t *testing.T) {
	source := &trie.MemorySource{}
	tr := trie.New(source, trie.ByID)
	root := build(t, tr, source, large(1000))
	var other trie.Hash
	for node, err := range tr.Reachable(t.Context(), root, func(trie.Hash) bool { return false }) {
		if err != nil {
			t.Fatal(err)
		}
		other = node.Hash
	}
	swapped, err := source.Node(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	source.Add(map[trie.Hash][]byte{root: swapped})
	if _, err := tr.Len(t.Context(), root); !errors.Is(err, trie.ErrCorrupt) {
		t.Errorf("Len of a swapped root returns %v, want ErrCorrupt", err)
	}

	// A branch that lies about the number of entries below: change the last count of an honest one.
	small := nodesOf(t, 100)
	for _, encoded := range small {
		if encoded[0] != 0x12 {
			continue
		}
		lie := slices.Clone(encoded)
		lie[len(lie)-1]++
		forged := &trie.MemorySource{}
		forged.Add(small)
		lieRoot := trie.Hash(sha256.Sum256(lie))
		forged.Add(map[trie.Hash][]byte{lieRoot: lie})
		err := drain(trie.New(forged, crowded).All(t.Context(), lieRoot))
		if !errors.Is(err, trie.ErrCorrupt) {
			t.Errorf("All over a branch with a wrong count returns %v, want ErrCorrupt", err)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	tr := trie.New(&trie.MemorySource{}, trie.ByID)
	collisions := map[string][]byte{}
	for i := range 65 {
		collisions[strconv.Itoa(i)] = []byte("x")
	}
	for name, refused := range map[string]struct {
		trie    trie.Trie
		changes map[string][]byte
	}{
		"empty key":   {tr, map[string][]byte{"": []byte("x")}},
		"long key":    {tr, map[string][]byte{strings.Repeat("k", trie.MaxKeySize+1): []byte("x")}},
		"long value":  {tr, map[string][]byte{"k": make([]byte, trie.MaxValueSize+1)}},
		"one placing": {trie.New(&trie.MemorySource{}, func(string) [32]byte { return [32]byte{} }), collisions},
	} {
		if _, _, err := refused.trie.Apply(t.Context(), trie.Hash{}, refused.changes); err == nil {
			t.Errorf("%s: Apply accepts it", name)
		}
	}
	limits := map[string][]byte{strings.Repeat("k", trie.MaxKeySize): make([]byte, trie.MaxValueSize)}
	root, nodes, err := tr.Apply(t.Context(), trie.Hash{}, limits)
	if err != nil || trie.Canonical(nodes[root]) != nil {
		t.Errorf("an entry at the limits is refused: %v", err)
	}
}
