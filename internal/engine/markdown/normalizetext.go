package markdown

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// inlines normalises the texts and inlines of one block.
func (n normalizer) inlines(nodes []*doc.Node) []*doc.Node { return n.inlinesIn(nodes, false) }

func (n normalizer) inlinesIn(nodes []*doc.Node, link bool) []*doc.Node {
	b := inlineJoiner{}
	for _, node := range nodes {
		n.addInline(&b, node, link)
	}
	return b.finish()
}

func (n normalizer) addInline(b *inlineJoiner, node *doc.Node, link bool) {
	if node == nil {
		return
	}
	switch node.Object {
	case doc.ObjectText:
		for _, leaf := range node.Leaves {
			b.text(dialect.CleanText(leaf.Text), normalMarks(leaf.Marks))
		}
		return
	case doc.ObjectInline:
	default:
		b.text(dialect.CleanText(node.PlainText()), nil)
		return
	}
	switch d := node.Data.(type) {
	case *doc.ContentRefData:
		n.addReference(b, node, d, link)
	case *doc.EmptyData:
		n.addAnnotation(b, node, link)
	case *doc.EmojiData:
		code := strings.ToLower(d.Code)
		if characters := doc.EmojiCharacters(code); characters != "" {
			b.add(doc.NewInline(doc.Emoji, &doc.EmojiData{Code: doc.EmojiCode(characters)}))
		}
	case *doc.IconData:
		b.add(doc.NewInline(doc.Icon, &doc.IconData{Icon: plainName(d.Icon), Color: plainColor(d.Color)}))
	case *doc.ExpressionData:
		b.add(doc.NewInline(doc.Expression, &doc.ExpressionData{Expression: dialect.ExpressionText(d.Expression)}))
	case *doc.FormulaData:
		b.add(doc.NewInline(doc.InlineMath, &doc.FormulaData{Formula: dialect.CleanText(d.Formula)}))
	case *doc.InlineImageData:
		b.add(doc.NewInline(doc.InlineImage, &doc.InlineImageData{
			Ref: destination(d.Ref), RefDark: optionalDestination(d.RefDark),
			Caption: dialect.SingleSpaced(d.Caption), Alt: dialect.CleanText(d.Alt), Size: dialect.OneOf(d.Size, "line",
				"original"),
		}))
	case *doc.ButtonData:
		b.add(normalButton(d))
	case *doc.RawData:
		if source, ok := reader.RawInline(d.Source); ok && (reader.IsOneTag(source) || isMarkdownTag(source)) {
			b.add(doc.NewInline(doc.RawInline, &doc.RawData{Source: source, Syntax: "html"}))
			return
		}
		b.text(dialect.CleanText(d.Source), nil)
	}
}

func (n normalizer) addReference(b *inlineJoiner, node *doc.Node, d *doc.ContentRefData, link bool) {
	data := &doc.ContentRefData{Ref: destination(d.Ref)}
	if node.Type == doc.Mention {
		data.Title = dialect.SingleSpaced(d.Title)
		b.add(doc.NewInline(doc.Mention, data))
		return
	}
	children := n.inlinesIn(node.Nodes, true)
	if link {
		for _, child := range children {
			b.join(child)
		}
		return
	}
	data.Title = dialect.LinkTitle(d.Title)
	b.add(doc.NewInline(doc.Link, data, children...))
}

func (n normalizer) addAnnotation(b *inlineJoiner, node *doc.Node, link bool) {
	words := n.inlinesIn(node.Nodes, true)
	if n.annotation {
		for _, word := range words {
			b.join(word)
		}
		return
	}
	inner := normalizer{annotation: true, list: true}
	var body []*doc.Node
	for _, fragment := range node.Fragments {
		body = append(body, inner.blocks(fragment.Nodes)...)
	}
	var plain []*doc.Node
	for _, word := range words {
		if word.Type != doc.Annotation {
			plain = append(plain, word)
			continue
		}
		plain = append(plain, word.Nodes...)
	}
	annotation := doc.NewInline(doc.Annotation, nil, n.inlinesIn(plain, true)...)
	annotation.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, dialect.AtLeastParagraph(body)...)}
	b.add(annotation)
}

func normalButton(d *doc.ButtonData) *doc.Node {
	data := &doc.ButtonData{
		Label: dialect.SingleSpaced(d.Label), Kind: "secondary", Size: dialect.OneOf(d.Size, "small", "medium",
			"large"),
		Icon: dialect.CleanText(d.Icon), Ref: optionalDestination(d.Ref),
	}
	if d.Kind == "primary" {
		data.Kind = "primary"
	}
	if data.Ref == nil && d.Action != nil && d.Action.Action != "" {
		data.Action = &doc.ButtonAction{
			Action: dialect.CleanText(d.Action.Action), Query: dialect.CleanText(d.Action.Query),
			Slug: dialect.CleanText(d.Action.Slug),
		}
	}
	return doc.NewInline(doc.Button, data)
}

// plainName replaces what the name of an icon cannot hold.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if dialect.IsPlainName(string(r)) {
			return r
		}
		return '-'
	}, name)
	if name == "" {
		return "-"
	}
	return name
}

func plainColor(color string) string {
	if dialect.IsPlainName(color) {
		return color
	}
	return ""
}

// isMarkdownTag reports whether Markdown reads a text as one raw inline.
func isMarkdownTag(source string) bool {
	p, err := parse([]byte("x " + source + " x"))
	if err != nil || len(p.Document.Nodes) != 1 || len(p.Document.Nodes[0].Nodes) != 3 {
		return false
	}
	data, ok := p.Document.Nodes[0].Nodes[1].Data.(*doc.RawData)
	return ok && data.Source == source
}

// normalMarks returns the marks that a leaf can have, each once, in the order of MarkTypes.
func normalMarks(marks []doc.Mark) []doc.Mark {
	var normal []doc.Mark
	for _, t := range dialect.MarkTypes {
		if slices.ContainsFunc(marks, func(m doc.Mark) bool { return m.Type == t }) {
			normal = append(normal, doc.Mark{Type: t})
		}
	}
	for i := len(marks) - 1; i >= 0; i-- {
		m := marks[i]
		if m.Type != doc.Color {
			continue
		}
		text, background := colorOrDefault(m.Text), colorOrDefault(m.Background)
		normal = append(normal, doc.Mark{Type: doc.Color, Text: text, Background: background})
		break
	}
	return normal
}

func colorOrDefault(color string) string {
	if dialect.IsPlainName(color) {
		return color
	}
	return "default"
}

// inlineJoiner collects texts and inlines and joins what belongs together.
type inlineJoiner struct {
	nodes   []*doc.Node
	pending strings.Builder
	marks   []doc.Mark
}

func (b *inlineJoiner) text(s string, marks []doc.Mark) {
	if s == "" {
		return
	}
	if b.pending.Len() > 0 && !slices.Equal(b.marks, marks) {
		b.flush()
	}
	b.marks = marks
	b.pending.WriteString(s)
}

func (b *inlineJoiner) add(node *doc.Node) {
	b.flush()
	b.nodes = append(b.nodes, node)
}

// join adds a node that is normal already.
func (b *inlineJoiner) join(node *doc.Node) {
	if node.Object != doc.ObjectText {
		b.add(node)
		return
	}
	for _, leaf := range node.Leaves {
		b.text(leaf.Text, leaf.Marks)
	}
}

func (b *inlineJoiner) flush() {
	if b.pending.Len() > 0 {
		b.nodes = doc.AppendText(b.nodes, b.pending.String(), b.marks)
		b.pending.Reset()
	}
}

func (b *inlineJoiner) finish() []*doc.Node {
	b.flush()
	return b.nodes
}
