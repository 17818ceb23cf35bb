package markdown

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

func TestRewrite(t *testing.T) {
	paragraph := func(text string) *doc.Node { return doc.NewParagraph(doc.NewText(text)) }
	tests := []struct {
		name, original string
		change         func(d *doc.Document)
		want           string
	}{
		{"nothing", "# a\n\n\n*b*  \nc\n\n- d\n", func(*doc.Document) {}, "# a\n\n\n*b*  \nc\n\n- d\n"},
		{"one block", "__a__\n\n\nb\n\n+ c\n+ d\n", func(d *doc.Document) { d.Nodes[1] = paragraph("new") },
			"__a__\n\nnew\n\n+ c\n+ d\n"},
		{"insert", "__a__\nb\n***\n+ c", func(d *doc.Document) {
			d.Nodes = append(d.Nodes[:1:1], append([]*doc.Node{paragraph("new")}, d.Nodes[1:]...)...)
		}, "__a__\nb\n\nnew\n\n***\n+ c"},
		{"append", "__a__", func(d *doc.Document) { d.Nodes = append(d.Nodes, paragraph("new")) }, "__a__\n\nnew\n"},
		{"delete", "__a__\n\n\nb\n\n\n__c__\n\n", func(d *doc.Document) { d.Nodes = append(d.Nodes[:1], d.Nodes[2]) },
			"__a__\n\n__c__\n\n"},
		{"delete all", "__a__\n", func(d *doc.Document) { d.Nodes = nil }, ""},
		{"move", "__a__\n\n__b__\n\n__c__\n", func(d *doc.Document) { d.Nodes[0], d.Nodes[2] = d.Nodes[2], d.Nodes[0] },
			"__c__\n\n__b__\n\n__a__\n"},
		{"windows line ends", "__a__\r\n\r\nb\r\n\r\n* c\r\n", func(d *doc.Document) {
			d.Nodes[1] = doc.NewBlock(doc.Blockquote, nil, paragraph("x"), paragraph("y"))
		}, "__a__\r\n\r\n> x\r\n>\r\n> y\r\n\r\n* c\r\n"},
		{"link definition stays", "__a__ [b]\n\n[b]: /u 'v'\n\nc\n", func(d *doc.Document) {
			d.Nodes[1] = paragraph("new")
		}, "__a__ [b]\n\n[b]: /u 'v'\n\nnew\n"},
		{"link definition in front", "[b]: /u\n__a__ [b]\n\nc\n", func(d *doc.Document) {
			d.Nodes[0] = paragraph("new")
		}, "[b]: /u\n\nnew\n\nc\n"},
		{"footnote goes with its reference", "a[^1] b\n\nc[^x]\n\n[^1]: one\n[^x]: two\n", func(d *doc.Document) {
			d.Nodes[0] = paragraph("new")
		}, "new\n\nc[^x]\n\n[^x]: two\n"},
		{"new footnote", "a[^1] b\n\n[^1]: one\n", func(d *doc.Document) {
			note := doc.NewInline(doc.Annotation, nil, doc.NewText("z"))
			note.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, paragraph("two"))}
			d.Nodes = append(d.Nodes, doc.NewParagraph(note))
		}, "a[^1] b\n\nz[^2]\n\n[^1]: one\n\n[^2]: two\n"},
		{"list beside a list", "* a\n* b\n\nc\n", func(d *doc.Document) {
			d.Nodes[1] = doc.NewBlock(doc.ListUnordered, nil, doc.NewBlock(doc.ListItem, nil, paragraph("x")))
		}, "* a\n* b\n\n- x\n"},
		{"text before a table", "__a__\n| # |\n|--|\n| b |\n", func(d *doc.Document) { d.Nodes[0] = paragraph("new") },
			"new\n\n| # |\n|--|\n| b |\n"},
		{"table behind a text", "__a__\n| # |\n|--|\n| b |\n", func(d *doc.Document) { d.Nodes[1] = paragraph("new") },
			"__a__\n\nnew\n"},
		{"unknown tags", "{% foo %}\na\n{% endfoo %}\n<u>\nx\n</u>\n\nb\n", func(d *doc.Document) {
			d.Nodes[len(d.Nodes)-1] = paragraph("new")
		},
			"{% foo %}\na\n{% endfoo %}\n<u>\nx\n</u>\n\nnew\n"},
		{"open end", "```\ncode", func(d *doc.Document) { d.Nodes = append(d.Nodes, paragraph("new")) },
			"```\ncode\n```\n\nnew\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := Parse([]byte(test.original))
			if err != nil {
				t.Fatal(err)
			}
			test.change(d)
			if diff := cmp.Diff(test.want, string(Rewrite([]byte(test.original), d))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// throughJSON returns a document after it went through its JSON, and holds that it still is the text that it is of.
func throughJSON(t *testing.T, original string) *doc.Document {
	t.Helper()
	d, err := Parse([]byte(original))
	if err != nil {
		t.Fatal(err)
	}
	source, err := d.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	decoded := new(doc.Document)
	if err := decoded.UnmarshalJSON(source); err != nil {
		t.Fatal(err)
	}
	if got := string(Rewrite([]byte(original), decoded)); got != original {
		t.Errorf("an unchanged document became %q", got)
	}
	return decoded
}

// TestRewriteKeepsWhatJSONLoses edits a document that went through its JSON, which has no link titles.
func TestRewriteKeepsWhatJSONLoses(t *testing.T) {
	original := "[a](b \"title\") __x__\n\n``` go {1,2}\nx\n```\n\nlast\n"
	decoded := throughJSON(t, original)
	decoded.Nodes[2] = doc.NewParagraph(doc.NewText("new"))
	want := strings.Replace(original, "last", "new", 1)
	if got := string(Rewrite([]byte(original), decoded)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRewriteKeepsTitlesBesideSelects has the title of a link, which JSON loses, in the block of a column of choices,
// whose setting for several JSON writes out.
func TestRewriteKeepsTitlesBesideSelects(t *testing.T) {
	original := "> [a](b 'title')\n>\n> <table><thead><tr><th>x<select><option value=\"1\" label=\"l\" color=\"red\">" +
		"</option></select></th></tr></thead><tbody></tbody></table>\n"
	throughJSON(t, original)
}

func TestRewriteOfRefusedOriginal(t *testing.T) {
	d := &doc.Document{Nodes: []*doc.Node{doc.NewParagraph(doc.NewText("x"))}}
	for _, original := range []string{"\xff", strings.Repeat("> ", 1000)} {
		if got := string(Rewrite([]byte(original), d)); got != "x\n" {
			t.Errorf("Rewrite(%.10q) = %q", original, got)
		}
	}
}

// TestRewriteOneBlock changes one top-level block of random bodies: the bytes before and after it stay, and the result
// parses to the new document.
func TestRewriteOneBlock(t *testing.T) {
	checked := 0
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		body := []byte(doctest.RandomBody(r))
		p, err := parse(body)
		if err != nil || len(p.Document.Nodes) < 2 {
			continue
		}
		at := r.IntN(len(p.Document.Nodes))
		d := &doc.Document{Nodes: append([]*doc.Node(nil), p.Document.Nodes...)}
		d.Nodes[at] = doc.NewParagraph(doc.NewText("A new paragraph"))
		got := Rewrite(body, d)
		read, err := Parse(got)
		if err != nil {
			t.Fatalf("seed %d: %v\nbody %q\ngot %q", seed, err, body, got)
		}
		if want := Normalize(d); !doc.Equal(want, read) {
			t.Fatalf("seed %d: the result says something else\nbody %q\ngot  %q\n%s", seed, body, got,
				cmp.Diff(want.Nodes, read.Nodes))
		}
		checked++
		if openEnded(body, p.Pieces) {
			continue
		}
		for i, node := range p.Document.Nodes {
			if i == at {
				continue
			}
			piece := body[node.Source.Start:node.Source.End]
			if !bytes.Contains(got, piece) {
				t.Fatalf("seed %d: block %d lost its bytes\nbody %q\ngot  %q\nlost %q", seed, i, body, got, piece)
			}
		}
	}
	if checked < 1000 {
		t.Fatalf("only %d bodies were checked", checked)
	}
}

// openEnded reports bodies in which a block's meaning depends on its neighbours, so that it may have to be written
// anew: fences and HTML without an end, lists beside lists, tags that pair across blocks.
func openEnded(body []byte, pieces []reader.Piece) bool {
	for i, p := range pieces {
		alone, err := parse(body[p.Start:p.End])
		if p.Node == nil || err != nil || len(alone.Document.Nodes) != 1 || !doc.EqualNodes(alone.Document.Nodes[0],
			p.Node) {
			return true
		}
		after, err := parse(append(append([]byte(nil), body[p.Start:p.End]...), "\n\nA new paragraph\n"...))
		if err != nil || len(after.Document.Nodes) != 2 || !doc.EqualNodes(after.Document.Nodes[0], p.Node) {
			return true
		}
		if i > 0 && pieces[i-1].End > p.Start {
			return true
		}
	}
	return false
}
