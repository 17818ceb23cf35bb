package doctest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestDocumentsAreStable pins the document JSON of every type of node with every attribute, and of a reference of each
// kind, by its hash: the JSON itself takes megabytes. The golden files of package markdown have what people write
// whole.
func TestDocumentsAreStable(t *testing.T) {
	var got bytes.Buffer
	say := func(name string, value any) {
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sum := sha256.Sum256(encoded)
		fmt.Fprintf(&got, "%s %d bytes %s\n", hex.EncodeToString(sum[:]), len(encoded), name)
	}
	refs := []doc.Ref{
		{Kind: doc.RefURL, URL: "https://example.org/?a=1&b=<2>"}, {Kind: doc.RefFile, File: "file_1",
			Space: "space_1"},
		{Kind: doc.RefPage, Page: "page_1", Space: "space_1"},
		{Kind: doc.RefAnchor, Page: "page_1", Anchor: "part", Space: "space_1"}, {Kind: doc.RefUser, User: "user_1"},
		{Kind: doc.RefCollection, Collection: "collection_1"}, {Kind: doc.RefSpace, Space: "space_1"},
		{Kind: doc.RefReusableContent, ReusableContent: "reusable_1", Space: "space_1"},
		{Kind: doc.RefTag, Tag: "tag_1", Space: "space_1"}, {Kind: doc.RefOpenAPI, Spec: "petstore"},
	}
	for _, ref := range refs {
		say("reference "+ref.Destination(), ref)
	}
	for _, sample := range Samples(Targets{Links: refs, Files: refs[:2], Reusable: refs[7]}) {
		doc.Finish(sample.Document)
		say(sample.Name, sample.Document)
	}
	const golden = "testdata/documents.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the document JSON moved (-update writes the file anew):\n%s", diff)
	}
}
