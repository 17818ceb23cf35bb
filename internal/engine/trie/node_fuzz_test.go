package trie

import (
	"bytes"
	"errors"
	"strconv"
	"testing"
)

// FuzzNode holds that the decoder never panics, and that what it accepts is what the encoder writes.
func FuzzNode(f *testing.F) {
	entries := map[string][]byte{}
	for i := range 300 {
		entries["key"+strconv.Itoa(i)] = []byte(strconv.Itoa(i * i))
	}
	for _, place := range []Placement{ByID, ByParent} {
		_, nodes, err := New(&MemorySource{}, place).Apply(f.Context(), Hash{}, entries)
		if err != nil {
			f.Fatal(err)
		}
		for _, encoded := range nodes {
			f.Add(encoded)
		}
	}
	f.Add([]byte("\x11\x02\x00\x01b\x00\x00\x01a\x00"))
	f.Add([]byte("\x12\x00\x00\x03"))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		n, err := decode(encoded)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("decode returns %v, which is not ErrCorrupt", err)
			}
			return
		}
		if again := n.encode(); !bytes.Equal(again, encoded) {
			t.Errorf("decode accepts %x, and encode writes %x", encoded, again)
		}
	})
}
