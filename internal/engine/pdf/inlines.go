package pdf

import (
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

// dataOf returns the attributes of a node, empty ones when it has none of that type.
func dataOf[T any](n *doc.Node) *T {
	if data, ok := n.Data.(*T); ok && data != nil {
		return data
	}
	return new(T)
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// spans turns texts and inlines into spans. Width is that of the column, for pictures.
func (b *builder) spans(nodes []*doc.Node, l look, width float64) []span {
	var out []span
	for _, n := range nodes {
		out = append(out, b.inline(n, l, width)...)
	}
	return out
}

func (b *builder) inline(n *doc.Node, l look, width float64) []span {
	switch {
	case n.Object == doc.ObjectText:
		out := make([]span, 0, len(n.Leaves))
		for _, leaf := range n.Leaves {
			out = append(out, span{text: leaf.Text, look: marked(l, leaf.Marks)})
		}
		return out
	case n.Object == doc.ObjectBlock:
		return []span{{text: n.PlainText(), look: l}}
	}
	switch n.Type {
	case doc.Link:
		to, found := b.resolve(dataOf[doc.ContentRefData](n).Ref)
		out := b.spans(n.Nodes, linked(l, to), width)
		if len(out) == 0 {
			out = []span{{text: found.Title, look: linked(l, to)}}
		}
		return out
	case doc.Mention:
		to, found := b.resolve(dataOf[doc.ContentRefData](n).Ref)
		name := firstText(found.Title, found.URL, render.Name(dataOf[doc.ContentRefData](n).Ref), render.NotAvailable)
		return []span{{text: name, look: linked(l, to)}}
	case doc.Button:
		return b.button(dataOf[doc.ButtonData](n), l)
	case doc.Emoji:
		return []span{{text: doc.EmojiCharacters(dataOf[doc.EmojiData](n).Code), look: l}}
	case doc.Expression:
		return []span{{text: "{{" + dataOf[doc.ExpressionData](n).Expression + "}}", look: code(l)}}
	case doc.InlineMath:
		return []span{{text: dataOf[doc.FormulaData](n).Formula, look: code(l)}}
	case doc.InlineImage:
		return b.inlineImage(n, l, width)
	case doc.Annotation:
		return b.annotation(n, l, width)
	case doc.Icon:
		return nil
	case doc.RawInline:
		if source := strings.ToLower(dataOf[doc.RawData](n).Source); strings.HasPrefix(source, "<br") {
			return []span{{text: "\n", look: l}}
		}
		for _, part := range readRaw(n) {
			if part.tag != "" {
				l.mono = true
				return []span{{text: part.tag, look: l}}
			}
			if part.image != "" {
				data := &doc.InlineImageData{Ref: doc.URL(part.image), Alt: part.text}
				return b.inlineImage(doc.NewInline(doc.InlineImage, data), l, width)
			}
		}
		return nil
	}
	return b.spans(n.Nodes, l, width)
}

func (b *builder) button(data *doc.ButtonData, l look) []span {
	l.bold = true
	if data.Ref != nil {
		to, _ := b.resolve(*data.Ref)
		l = linked(l, to)
	}
	l.background = markFill
	return []span{{text: " " + firstText(data.Label, "Open") + " ", look: l}}
}

func (b *builder) inlineImage(n *doc.Node, l look, width float64) []span {
	data := dataOf[doc.InlineImageData](n)
	p := b.picture(data.Ref)
	if p.missing {
		l.italic, l.colour = true, muted
		return []span{{text: "[" + firstText(data.Alt, data.Caption, p.name) + "]", look: l}}
	}
	shownWidth, height := p.fit(width, textHeight*0.8, nil)
	if line := l.size * 1.2; data.Size == "line" && height > line {
		shownWidth, height = shownWidth*line/height, line
	}
	return []span{{look: l, picture: &placedPicture{p.image, shownWidth, height}}}
}

// annotation marks a text with the number of a note, which follows at the end of the page.
func (b *builder) annotation(n *doc.Node, l look, width float64) []span {
	out := b.spans(n.Nodes, l, width)
	body := n.FragmentNamed(doc.FragmentAnnotationBody)
	if body == nil {
		return out
	}
	b.notes = append(b.notes, body)
	mark := l
	mark.size, mark.rise, mark.colour = l.size*0.7, l.size*0.35, linkInk
	mark.link = &target{place: anchorPlace(b.page.ID, "note "+strconv.Itoa(len(b.notes)))}
	return append(out, span{text: strconv.Itoa(len(b.notes)), look: mark})
}

// resolve says where a reference leads. The target is nil when that is nowhere.
func (b *builder) resolve(ref doc.Ref) (*target, Target) {
	found := b.source.Resolve(b.ctx, b.page.ID, ref)
	switch {
	case found.Page != "" && b.shown[found.Page]:
		to := &target{place: pagePlace(found.Page)}
		if found.Anchor != "" {
			to = &target{place: anchorPlace(found.Page, found.Anchor), otherwise: to.place}
		}
		return to, found
	case webAddress(found.URL):
		return &target{url: found.URL}, found
	}
	return nil, found
}

func linked(l look, to *target) look {
	if to != nil {
		l.link, l.colour = to, linkInk
	}
	return l
}

func code(l look) look {
	l.mono, l.background = true, markFill
	l.size *= 0.88
	return l
}

// named returns the colour of one of the dialect's names.
func named(name string) (colour, bool) {
	switch strings.TrimPrefix(name, "$") {
	case "green", "success":
		return 0x1a7f37, true
	case "blue", "info":
		return 0x0969da, true
	case "red", "danger":
		return 0xcf222e, true
	case "orange":
		return 0xbc4c00, true
	case "yellow", "warning":
		return 0x9a6700, true
	case "purple":
		return 0x8250df, true
	case "pink":
		return 0xbf3989, true
	case "violet":
		return 0x6e40c9, true
	case "cyan":
		return 0x1b7c83, true
	case "primary", "tint":
		return accent, true
	}
	return none, false
}

// lighten mixes a colour with white, for backgrounds of text, and pale with more, for those of blocks.
func lighten(c colour) colour { return mixed(c, 82) }
func pale(c colour) colour    { return mixed(c, 93) }

func mixed(c colour, percent colour) colour {
	mix := func(part colour) colour { return part + (255-part)*percent/100 }
	return mix(c>>16&0xFF)<<16 | mix(c>>8&0xFF)<<8 | mix(c&0xFF)
}

func marked(l look, marks []doc.Mark) look {
	for _, mark := range marks {
		switch mark.Type {
		case doc.Bold:
			l.bold = true
		case doc.Italic:
			l.italic = true
		case doc.CodeMark, doc.Keyboard:
			l = code(l)
		case doc.Strikethrough:
			l.strike = true
		case doc.Superscript:
			l.rise += l.size * 0.35
			l.size *= 0.7
		case doc.Subscript:
			l.rise -= l.size * 0.15
			l.size *= 0.7
		case doc.Color:
			if c, ok := named(mark.Text); ok {
				l.colour = c
			}
			if c, ok := named(mark.Background); ok {
				l.background = lighten(c)
			}
		}
	}
	return l
}
