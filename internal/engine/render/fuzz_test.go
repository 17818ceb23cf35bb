package render

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// builder makes a document out of any bytes: each byte chooses, the text that follows fills.
type builder struct {
	data  []byte
	nodes int
}

func (b *builder) next() byte {
	if len(b.data) == 0 {
		return 0
	}
	c := b.data[0]
	b.data = b.data[1:]
	return c
}

func (b *builder) string() string {
	length := min(int(b.next())%40, len(b.data))
	s := string(b.data[:length])
	b.data = b.data[length:]
	return s
}

func (b *builder) node(depth int) *doc.Node {
	b.nodes++
	types := everyType()
	kind := types[int(b.next())%len(types)]
	n := &doc.Node{Object: []doc.Object{doc.ObjectBlock, doc.ObjectInline, doc.ObjectText,
		doc.ObjectFragment}[b.next()%4], Type: kind, ID: b.string(), Key: b.string()}
	if doc.IsInline(kind) && n.Object == doc.ObjectBlock {
		n.Object = doc.ObjectInline
	}
	n.Data = doc.DataFor(kind)
	b.fill(n)
	if n.Object == doc.ObjectText {
		n.Leaves = []doc.Leaf{{Text: b.string(), Marks: []doc.Mark{{Type: markOrder[int(b.next())%len(markOrder)],
			Text: b.string(), Background: "red"}}}}
	}
	for range b.next() % 4 {
		if depth < 12 && b.nodes < 300 && len(b.data) > 0 {
			n.Nodes = append(n.Nodes, b.node(depth+1))
		}
	}
	for _, name := range []string{doc.FragmentCaption, doc.FragmentExpandableTitle, doc.FragmentExpandableBody,
		doc.FragmentAnnotationBody, "cell"} {
		if b.next()%3 == 1 && depth < 12 && b.nodes < 300 && len(b.data) > 0 {
			n.Fragments = append(n.Fragments, doc.NewFragment(name, b.node(depth+1)))
		}
	}
	return n
}

// fill gives the attributes that take text or an address a piece of the input.
func (b *builder) fill(n *doc.Node) {
	s := b.string()
	ref := doc.URL(s)
	switch data := n.Data.(type) {
	case *doc.HeadingData:
		data.ID, data.Align = s, b.string()
	case *doc.HintData:
		data.Style, data.Icon = s, b.string()
	case *doc.CodeData:
		data.Syntax, data.Title = s, b.string()
	case *doc.FormulaData:
		data.Formula = s
	case *doc.ImageData:
		data.Ref, data.RefDark, data.Alt = ref, &ref, b.string()
	case *doc.FileData:
		data.Ref = ref
	case *doc.EmbedData:
		data.URL = s
	case *doc.TabsItemData:
		data.Title, data.Icon, data.Slug = s, b.string(), b.string()
	case *doc.UpdateData:
		data.Date, data.Tags = s, []doc.Ref{ref}
	case *doc.PromptData:
		data.Description, data.DefaultExpanded = s, "partial"
	case *doc.ExpressionData:
		data.Expression = s
	case *doc.ContentRefData:
		data.Ref = ref
	case *doc.IntegrationData:
		data.Integration, data.URL, data.Props = s, b.string(), map[string]any{"content": b.string()}
	case *doc.OpenAPIData:
		data.Ref, data.Path, data.Method = ref, b.string(), b.string()
	case *doc.RawData:
		data.Source, data.Syntax = s, []string{"html", "tag"}[b.next()%2]
	case *doc.EmojiData:
		data.Code = s
	case *doc.IconData:
		data.Icon, data.Color = s, "$primary"
	case *doc.InlineImageData:
		data.Ref, data.Alt = ref, b.string()
	case *doc.ButtonData:
		data.Label, data.Ref = s, &ref
	case *doc.TableData:
		poisonTable(data, s, b.next()%2 == 0)
		data.Records[s].Values["text"] = "cell"
	}
}

func checkFuzzed(t *testing.T, d *doc.Document) {
	t.Helper()
	var out, again bytes.Buffer
	options := Options{Limits: Limits{CodeBlock: 2000, CodeTime: time.Minute}}
	if err := HTML(t.Context(), &out, d, options); err != nil {
		if kind := errs.KindOf(err); kind != errs.TooLarge && kind != errs.Invalid {
			t.Fatalf("error %v of kind %d", err, kind)
		}
		return
	}
	for _, problem := range problems(out.String()) {
		t.Errorf("%s in %s", problem, out.String())
	}
	if err := HTML(t.Context(), &again, d, options); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("a second rendering differs: %v", err)
	}
	Text(d)
	Sections(d)
	Outline(d, nil)
	Links(d)
}

// FuzzDocument renders documents that no parser made.
func FuzzDocument(f *testing.F) {
	for i, vector := range vectors() {
		f.Add(append([]byte{byte(i), byte(i >> 1), 3, 'a', 'b', 'c', byte(len(vector))}, vector...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := builder{data: data}
		d := &doc.Document{}
		for len(b.data) > 0 && len(d.Nodes) < 20 {
			d.Nodes = append(d.Nodes, b.node(0))
		}
		checkFuzzed(t, d)
	})
}

// FuzzMarkdown renders pages.
func FuzzMarkdown(f *testing.F) {
	sources, err := filepath.Glob("testdata/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, source := range sources {
		body, err := os.ReadFile(source)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	for _, vector := range vectors() {
		f.Add([]byte("a " + vector + "\n\n" + vector + "\n\n[a](" + vector + ") `" + vector + "`\n"))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 8<<10 {
			return
		}
		d, err := markdown.Parse(body)
		if err != nil {
			return
		}
		checkFuzzed(t, d)
	})
}
