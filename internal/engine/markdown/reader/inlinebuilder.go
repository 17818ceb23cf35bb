package reader

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// inlineBuilder makes texts and inlines of tokens.
type inlineBuilder struct {
	converter *converter
	tokens    []token
	nodes     []*doc.Node
	drawing   *doc.Node // the block, when the tokens are one drawing and nothing else
	marks     [8]int    // how often each mark is open
	colors    []doc.Mark
	inLink    bool

	// pending is the leaf that is being read; it joins nodes when its marks change or an inline follows.
	pending      strings.Builder
	pendingMarks []doc.Mark
}

func markIndex(t doc.MarkType) int {
	for i, m := range dialect.MarkTypes {
		if m == t {
			return i
		}
	}
	return len(dialect.MarkTypes)
}

// run emits the tokens from one index up to another.
func (b *inlineBuilder) run(from, to int) {
	defer b.flush()
	for i := from; i < to; i++ {
		t := &b.tokens[i]
		switch t.kind {
		case textToken:
			b.text(t.text)
		case breakToken:
			b.text("\n")
		case rawToken:
			b.raw(t.text)
		case markToken:
			b.marks[markIndex(t.mark)]++
		case markEndToken:
			b.marks[markIndex(t.mark)]--
		case nodeToken:
			b.add(t.node)
			if t.image {
				b.noteDrawing(t)
			}
		case footnoteToken:
			b.footnote(t.text)
		case linkToken:
			if b.inLink {
				continue // only its words: links do not nest
			}
			t.node.Nodes = b.inside(i+1, t.pair, true)
			b.add(t.node)
			i = t.pair
		case startToken:
			i = b.element(i)
		case endToken:
			b.endElement(t)
		}
	}
}

// inside returns the nodes that the tokens of a range make, with the marks that are open now.
func (b *inlineBuilder) inside(from, to int, link bool) []*doc.Node {
	inner := &inlineBuilder{
		converter: b.converter, tokens: b.tokens, marks: b.marks, colors: append([]doc.Mark(nil), b.colors...),
		inLink: b.inLink || link,
	}
	inner.run(from, to)
	// A mark may start inside and end outside.
	b.marks, b.colors = inner.marks, inner.colors
	return inner.nodes
}

// element emits an element and returns the index of the last token that belongs to it.
func (b *inlineBuilder) element(i int) int {
	t := &b.tokens[i]
	kind := elementRole(t)
	if t.pair == 0 || b.inLink && kind == linkRole {
		if t.pair != 0 {
			b.tokens[t.pair].pair = 0
		}
		b.raw(t.text)
		return i
	}
	content := func() string { return b.plain(i+1, t.pair) }
	switch kind {
	case markRole:
		b.marks[markIndex(markOf(t.name))]++
		return i
	case colorRole:
		text, background, _ := colors(t.attrs)
		b.colors = append(b.colors, doc.Mark{Type: doc.Color, Text: text, Background: background})
		return i
	case linkRole:
		data := &doc.ContentRefData{Ref: doc.URL(attribute(t.attrs, "href")),
			Title: dialect.LinkTitle(attribute(t.attrs, "title"))}
		b.add(doc.NewInline(doc.Link, data, b.inside(i+1, t.pair, true)...))
	case mentionRole:
		b.add(doc.NewInline(doc.Mention, &doc.ContentRefData{Ref: doc.URL(attribute(t.attrs, "href"))}))
	case annotationRole:
		return b.annotation(i)
	case buttonRole:
		b.add(button(t, content()))
	case iconRole:
		data := &doc.IconData{Icon: iconName(t.attrs)}
		if color := styles(t.attrs)["color"]; dialect.IsPlainName(color) {
			data.Color = color
		}
		b.add(doc.NewInline(doc.Icon, data))
	case emojiRole:
		code := strings.ToLower(attribute(t.attrs, "data-code"))
		if doc.EmojiCharacters(code) == "" {
			code = doc.EmojiCode(content())
		}
		if doc.EmojiCharacters(code) == "" {
			b.tokens[t.pair].pair = 0
			b.raw(t.text)
			return i
		}
		b.add(doc.NewInline(doc.Emoji, &doc.EmojiData{Code: code}))
	case mathRole:
		b.add(doc.NewInline(doc.InlineMath, &doc.FormulaData{Formula: attribute(t.attrs, "data-formula")}))
	case expressionRole:
		b.add(doc.NewInline(doc.Expression, &doc.ExpressionData{Expression: dialect.ExpressionText(content())}))
	case pictureRole:
		return b.picture(i)
	default: // an anchor that does not end a heading
		b.tokens[t.pair].pair = 0
		b.raw(t.text)
		return i
	}
	return t.pair
}

// endElement closes a mark; other elements were taken as a whole.
func (b *inlineBuilder) endElement(t *token) {
	if t.pair == 0 {
		b.raw(t.text)
		return
	}
	start := &b.tokens[t.pair]
	if start.name == "mark" {
		if n := len(b.colors); n > 0 {
			b.colors = b.colors[:n-1]
		}
		return
	}
	b.marks[markIndex(markOf(start.name))]--
}

// annotation emits <a data-footnote-ref href="#user-content-fn-label">words</a>.
func (b *inlineBuilder) annotation(i int) int {
	t := &b.tokens[i]
	label, ok := strings.CutPrefix(attribute(t.attrs, "href"), dialect.FootnoteHref)
	if !ok || !b.converter.canAnnotate(label) {
		b.tokens[t.pair].pair = 0
		b.raw(t.text)
		return i
	}
	b.converter.defining = true // its words hold no other annotation
	words := b.inside(i+1, t.pair, true)
	b.converter.defining = false
	b.add(b.converter.annotation(label, words))
	return t.pair
}

// plain returns the text of a range of tokens without markup.
func (b *inlineBuilder) plain(from, to int) string {
	var text strings.Builder
	for i := from; i < to; i++ {
		switch t := &b.tokens[i]; t.kind {
		case textToken:
			text.WriteString(t.text)
		case breakToken:
			text.WriteByte('\n')
		case nodeToken:
			text.WriteString(t.node.PlainText())
		}
	}
	return text.String()
}

// button makes a button of <a class="button …"> or <button class="button …">.
func button(t *token, label string) *doc.Node {
	data := &doc.ButtonData{Label: dialect.SingleSpaced(label), Kind: "secondary",
		Icon: attribute(t.attrs, "data-icon")}
	for field := range strings.FieldsSeq(attribute(t.attrs, "class")) {
		switch field {
		case "primary", "secondary":
			data.Kind = field
		case "small", "medium", "large":
			data.Size = field
		}
	}
	if t.name == "button" {
		if action := attribute(t.attrs, "data-action"); action != "" {
			data.Action = &doc.ButtonAction{
				Action: action, Query: attribute(t.attrs, "data-query"), Slug: attribute(t.attrs, "data-slug"),
			}
		}
	} else if hasAttribute(t.attrs, "href") {
		ref := doc.URL(attribute(t.attrs, "href"))
		data.Ref = &ref
	}
	return doc.NewInline(doc.Button, data)
}

// text appends characters with the marks that are open.
func (b *inlineBuilder) text(s string) {
	s = dialect.CleanText(s)
	if s == "" {
		return
	}
	var marks []doc.Mark
	for i, t := range dialect.MarkTypes {
		if b.marks[i] > 0 {
			marks = append(marks, doc.Mark{Type: t})
		}
	}
	if n := len(b.colors); n > 0 {
		marks = append(marks, b.colors[n-1])
	}
	if b.pending.Len() > 0 && !slices.Equal(marks, b.pendingMarks) {
		b.flush()
	}
	b.pendingMarks = marks
	b.pending.WriteString(s)
}

// flush turns the pending leaf into a node.
func (b *inlineBuilder) flush() {
	if b.pending.Len() > 0 {
		b.nodes = doc.AppendText(b.nodes, b.pending.String(), b.pendingMarks)
		b.pending.Reset()
	}
}

func (b *inlineBuilder) raw(source string) {
	b.add(doc.NewInline(doc.RawInline, &doc.RawData{Source: source, Syntax: "html"}))
}

func (b *inlineBuilder) add(node *doc.Node) {
	b.flush()
	b.nodes = append(b.nodes, node)
}
