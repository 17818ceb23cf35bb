package markdown

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// TestDocumentsRandom holds that any document can be written: what Write gives parses to the normalised document, and
// writing that again gives the same bytes.
func TestDocumentsRandom(t *testing.T) {
	from, count := caseRange(1500)
	for seed := from; seed < from+count; seed++ {
		d := doctest.Random(rand.New(rand.NewPCG(uint64(seed), 22)), 25)
		normal := Normalize(d)
		written := Write(d)
		read, err := Parse(written)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, written)
		}
		if !doc.Equal(normal, read) {
			bare := &doc.Document{Nodes: read.Nodes}
			bare.Walk(func(n *doc.Node) bool { n.Key, n.ID, n.Source = "", "", doc.Span{}; return true })
			t.Fatalf("seed %d: Parse(Write(d)) is not Normalize(d)\nwritten:\n%s\n%s", seed, written,
				cmp.Diff(normal, bare))
		}
		if twice := Write(read); string(twice) != string(written) {
			t.Fatalf("seed %d: Write is no fixpoint\n%s", seed, cmp.Diff(string(written), string(twice)))
		}
		if again := Normalize(normal); !doc.Equal(again, normal) {
			t.Fatalf("seed %d: Normalize is no fixpoint\n%s", seed, cmp.Diff(normal, again))
		}
	}
}

// TestDeepDocuments holds that what decoding accepts as deepest can be written and read.
func TestDeepDocuments(t *testing.T) {
	wraps := map[string]func(inner *doc.Node, level int) (*doc.Node, int){
		"lists": func(inner *doc.Node, level int) (*doc.Node, int) {
			return doc.NewBlock(doc.ListUnordered, nil, doc.NewBlock(doc.ListItem, nil, inner)), level - 2
		},
		"quotes": func(inner *doc.Node, level int) (*doc.Node, int) {
			return doc.NewBlock(doc.Blockquote, nil, inner), level - 1
		},
		"hints": func(inner *doc.Node, level int) (*doc.Node, int) {
			return doc.NewBlock(doc.Hint, &doc.HintData{Style: "info"}, inner), level - 1
		},
		"expandables": func(inner *doc.Node, level int) (*doc.Node, int) {
			n := doc.NewBlock(doc.Expandable, &doc.ExpandableData{})
			n.Fragments = []*doc.Node{
				doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph()),
				doc.NewFragment(doc.FragmentExpandableBody, inner),
			}
			return n, level - 2
		},
		"lists in a cell": func(inner *doc.Node, level int) (*doc.Node, int) {
			if level > 4 {
				return doc.NewBlock(doc.ListOrdered, nil, doc.NewBlock(doc.ListItem, nil, inner)), level - 2
			}
			table := dialect.NewTableBuilder()
			table.AddColumn("a")
			table.AddRecord()
			table.SetText(0, []*doc.Node{inner})
			return table.Node(), 1
		},
	}
	for name, wrap := range wraps {
		t.Run(name, func(t *testing.T) {
			node, level := doc.NewParagraph(doc.NewText("deep")), doc.MaxBlockDepth
			for level > 2 {
				node, level = wrap(node, level)
			}
			d := &doc.Document{Nodes: []*doc.Node{node}}
			source, err := d.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var decoded doc.Document
			if err := decoded.UnmarshalJSON(source); err != nil {
				t.Fatal(err)
			}
			read, err := Parse(Write(&decoded))
			if err != nil {
				t.Fatal(err)
			}
			if !doc.Equal(Normalize(d), read) {
				t.Errorf("it reads differently: %.200s", sketch(read))
			}
		})
	}
}
