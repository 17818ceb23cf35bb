package contentkit

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Document returns what an output says as blocks of a document, for Markdown, search and print: its texts, links,
// pictures, code and Markdown. What is there to be pressed or filled in is left out, but for buttons that open an
// address. A web frame is the link to the address that the block was made of, its property url, or to what it shows.
// The result shares nothing with the output.
func Document(out *Output) *doc.Document {
	return &doc.Document{Nodes: out.written(false)}
}

// Wordless reports whether an output says nothing but by web frames and by pictures that it holds itself.
func (o *Output) Wordless() bool { return len(o.written(true)) == 0 }

// written returns the blocks of the document, perhaps without web frames.
func (o *Output) written(frameless bool) []*doc.Node {
	if o.Element == nil {
		return nil
	}
	w := writer{state: stateOf(o), source: SafeURL(text(o.Props["url"])), frameless: frameless}
	w.element(o.Element)
	w.end()
	return w.blocks
}

// writer collects blocks, and what belongs to the paragraph that is written.
type writer struct {
	state  map[string]any
	blocks []*doc.Node
	line   []*doc.Node
	// inline says that what is written stands in a line of text.
	inline bool
	// source is the address that the block was made of, "" for none. frameless leaves web frames out.
	source    string
	frameless bool
}

// end ends the paragraph.
func (w *writer) end() {
	for _, n := range w.line {
		if strings.TrimSpace(n.PlainText()) != "" || n.Type == doc.InlineImage {
			w.blocks = append(w.blocks, doc.NewParagraph(w.line...))
			break
		}
	}
	w.line = nil
}

// alone writes a text as a paragraph.
func (w *writer) alone(text string, marks ...doc.Mark) {
	w.end()
	if text = strings.TrimSpace(clean(text)); text != "" {
		w.line = []*doc.Node{doc.NewText(text, marks...)}
	}
	w.end()
}

// clean takes out what a text of a document cannot hold.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

func (w *writer) link(address, text string) {
	if address == "" || strings.TrimSpace(text) == "" {
		w.line = append(w.line, doc.NewText(clean(text)))
		return
	}
	w.line = append(w.line, doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.URL(address)},
		doc.NewText(clean(text))))
}

func (w *writer) all(list []Element) {
	for i := range list {
		w.element(&list[i])
	}
}

// inLine writes elements that stand in a line of text.
func (w *writer) inLine(list []Element) {
	before := w.inline
	w.inline = true
	w.all(list)
	w.inline = before
}

// below writes elements of which each stands below the one before, but for pieces of one text.
func (w *writer) below(list []Element) {
	for i := range list {
		w.element(&list[i])
		if i+1 == len(list) || list[i].Type != Words || list[i+1].Type != Words {
			w.end()
		}
	}
}

func (w *writer) element(e *Element) {
	switch e.Type {
	case Words:
		w.line = append(w.line, doc.NewText(clean(e.Words)))
	case Text:
		w.styled(e)
	case Link:
		w.link(e.URL.In(w.state), wordsOf(e.Children))
	case Image:
		address := e.URL.pictureURL(w.state)
		switch {
		case address == "" || strings.HasPrefix(address, "data:"):
		case w.inline:
			w.line = append(w.line, doc.NewInline(doc.InlineImage,
				&doc.InlineImageData{Ref: doc.URL(address), Size: "line"}))
		default:
			w.end()
			w.blocks = append(w.blocks, doc.NewBlock(doc.Images, nil,
				doc.NewBlock(doc.Image, &doc.ImageData{Ref: doc.URL(address)})))
		}
	case CodeBlock:
		w.end()
		w.all(e.Header)
		w.end()
		if content := strings.TrimSuffix(clean(e.Content.In(w.state)), "\n"); content != "" {
			w.blocks = append(w.blocks, doc.NewCode(&doc.CodeData{Syntax: e.Syntax}, strings.Split(content, "\n")...))
		}
		w.all(e.Footer)
		w.end()
	case Markdown:
		w.end()
		content := e.Content.In(w.state)
		document, err := markdown.Parse([]byte(content))
		if err != nil {
			w.alone(content)
			return
		}
		document.MapRefs(func(ref doc.Ref) doc.Ref {
			if SafeURL(ref.URL) == "" && !strings.HasPrefix(ref.URL, "#") {
				return doc.URL("#") // a path leads elsewhere from where the block stands
			}
			return ref
		})
		w.blocks = append(w.blocks, document.Nodes...)
	default:
		w.container(e)
	}
}

func (w *writer) container(e *Element) {
	switch e.Type {
	case Card:
		w.end()
		if e.Press.URL != "" {
			w.link(e.Press.URL, e.Title)
		} else {
			w.alone(e.Title, doc.Mark{Type: doc.Bold})
		}
		w.end()
		w.inLine(e.Hint)
		w.end()
		w.below(e.Children)
		w.all(e.Buttons)
		w.end()
	case Button:
		if e.Press.URL != "" {
			w.end()
			w.link(e.Press.URL, firstOf(e.Label, e.Tooltip, e.Press.URL))
			w.end()
		}
	case WebFrame:
		w.end()
		if address := e.URL.In(w.state); originOf(address) != "" && !w.frameless {
			address = firstOf(w.source, address)
			w.link(address, address)
		}
		w.end()
	case Divider:
		w.end()
		if len(w.blocks) > 0 {
			w.blocks = append(w.blocks, doc.NewBlock(doc.Divider, nil))
		}
	case Stepper:
		for i := range e.Children {
			w.alone(e.Children[i].Title, doc.Mark{Type: doc.Bold})
			w.element(&e.Children[i])
		}
	case Hint:
		w.end()
		w.inLine(e.Children)
		w.end()
	case Block, Modal, Configuration, VStack:
		w.end()
		w.below(e.Children)
	case Box, HStack, Step:
		w.end()
		for i := range e.Children {
			if e.Type == HStack && len(w.line) > 0 {
				w.line = append(w.line, doc.NewText(" "))
			}
			w.element(&e.Children[i])
			if !e.Children[i].inline() {
				w.end()
			}
		}
		w.end()
	}
}

var textMarks = map[string]doc.MarkType{"bold": doc.Bold, "italic": doc.Italic, "code": doc.CodeMark,
	"strikethrough": doc.Strikethrough}

// styled writes a text. Its style holds for the words that it has itself.
func (w *writer) styled(e *Element) {
	for i := range e.Children {
		child := &e.Children[i]
		mark, ok := textMarks[e.Style]
		if child.Type != Words || !ok {
			w.inLine(e.Children[i : i+1])
			continue
		}
		w.line = append(w.line, doc.NewText(clean(child.Words), doc.Mark{Type: mark}))
	}
}

// wordsOf is the text of inline elements.
func wordsOf(list []Element) string {
	var b strings.Builder
	for i := range list {
		list[i].walk(func(e *Element) { b.WriteString(e.Words) })
	}
	return b.String()
}
