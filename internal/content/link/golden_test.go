package link

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// nothing is a source without nodes.
type nothing struct{}

// Node implements trie.Source.
func (nothing) Node(context.Context, trie.Hash) ([]byte, error) {
	return nil, errors.New("no such node")
}

// TestIndexIsStable pins the bytes, the names and the placement of what an index holds: other ones would part the index
// of a new revision from those that it is derived from.
func TestIndexIsStable(t *testing.T) {
	full := stored{
		Role: Role("role"), Relation: "relation", Include: true, Written: "../a<b>.md#c", Reason: "reason", Order: 3,
		Places: 2, Keys: []string{"k1", "k2"}, Path: true, Looked: []string{"h1"},
		Target: doc.Ref{
			Kind: doc.RefAnchor, URL: "u", File: "f", Page: "p", Anchor: "a", User: "us", Collection: "c", Space: "s",
			ReusableContent: "r", Tag: "t", Spec: "sp",
		},
	}
	encoded, err := full.encode()
	if err != nil {
		t.Fatal(err)
	}
	const wantBytes = `{"l":"role","r":"relation","i":true,"w":"../a<b>.md#c","t":{"kind":"anchor","url":"u",` +
		`"file":"f","page":"p","anchor":"a","user":"us","collection":"c","space":"s","reusableContent":"r","tag":"t",` +
		`"spec":"sp"},"y":"reason","o":3,"n":2,"k":["k1","k2"],"p":true,"a":["h1"]}`
	if string(encoded) != wantBytes {
		t.Errorf("a link is %s, want %s", encoded, wantBytes)
	}
	name := reference{role: "role", relation: "relation", include: true, written: "../a.md"}.name()
	if want := "ns25pvloajv44gnspll9jeva"; name != want {
		t.Errorf("its name is %s, want %s", name, want)
	}
	items := map[string][]byte{}
	for i := range 100 {
		items[key(broken, "page_"+strconv.Itoa(i%9), fmt.Sprint(i))] = encoded
		items[key(inApp, "page_"+strconv.Itoa(i%5), fmt.Sprint(i))] = encoded
	}
	root, _, err := trie.New(nothing{}, place).Apply(t.Context(), trie.Hash{}, items)
	if err != nil {
		t.Fatal(err)
	}
	if want := "4145039838f7cd991b3ca7205340edbd3b83ba3955667719f1a437f61b78f689"; root.String() != want {
		t.Errorf("the root of 200 links is %s, want %s", root, want)
	}
}
