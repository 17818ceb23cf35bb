package pdf

import (
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

const codeSize = 8.2

// code lays out a code block, line by line; it goes on over sheets. Lines that are too wide go on below.
func (b *builder) code(c *column, n *doc.Node) {
	data := dataOf[doc.CodeData](n)
	numbered := data.LineNumbers != nil && *data.LineNumbers
	read := b.coder.Read(n)
	if b.text.rightToLeft {
		c = c.leftToRight()
	}
	gutter := 0.0
	if numbered {
		gutter = 8 + codeSize*0.6*float64(len(strconv.Itoa(len(read))))
	}
	box := c.backed(c.x, c.width, codeFill)
	inner := box.inset(10+gutter, 9)
	if data.Title != "" {
		l := look{size: 8.5, bold: true, colour: muted, background: none}
		box.backed(c.x, c.width, headFill).inset(9, 9).text(b, []span{{text: data.Title, look: l}}, l, true, nil)
	}
	inner.lead(5)
	for i, line := range read {
		number := ""
		if numbered {
			number = strconv.Itoa(i + 1)
		}
		b.codeLine(c, inner, line, number, i == 0 && len(read) > 1 || i == len(read)-2)
	}
	inner.tail(6)
}

func (b *builder) codeLine(c, inner *column, line render.CodeLine, number string, keep bool) {
	base := look{size: codeSize, mono: true, colour: ink, background: none}
	spans := make([]span, 0, len(line.Tokens))
	for _, token := range line.Tokens {
		l := base
		l.colour, l.italic = tokenColour(token.Class)
		spans = append(spans, span{text: strings.ReplaceAll(token.Text, "\t", "    "), look: l})
	}
	out := inner
	switch {
	case line.Added:
		out = inner.backed(c.x, c.width, addedFill)
	case line.Removed:
		out = inner.backed(c.x, c.width, goneFill)
	case line.Highlighted:
		out = inner.backed(c.x, c.width, brightFill)
	}
	dim := base
	dim.colour = muted
	text := &typesetter{shaper: b.text.shaper} // code runs from left to right everywhere
	broken := text.lines(text.atoms(spans), inner.width, base)
	for i, l := range broken {
		label, away := number, 7.0
		if i > 0 {
			label, away = "↪", 3
		}
		together := keep || i == 0 && len(broken) > 1
		out.add(piece{height: codeSize * 1.42, keep: together, draw: func(s *sheet, y float64) {
			if label != "" {
				words := text.shape(label, dim)
				s.text(inner.x-away-words.width, y+l.ascent, words, dim)
			}
			s.line(inner.x, y, l)
		}})
	}
}

// verbatim lays out text as code without colours: formulas, diagrams.
func (b *builder) verbatim(c *column, text, language string) {
	b.code(c, doc.NewCode(&doc.CodeData{Syntax: language}, strings.Split(strings.TrimSpace(text), "\n")...))
}

// tokenColour is the colour of a class of tokens, and whether it is italic.
func tokenColour(class string) (c colour, italic bool) {
	if class == "" {
		return ink, false
	}
	switch class {
	case "nf", "fm", "nc", "nd", "ne", "nn":
		return 0x7a3fc4, false
	case "nt":
		return 0x116329, false
	case "na", "nb", "bp", "no", "nl":
		return 0x0550ae, false
	case "gi":
		return 0x116329, false
	case "gd", "gr", "err":
		return 0xb31d28, false
	case "ow":
		return 0xcf222e, false
	}
	switch class[0] {
	case 'c':
		return 0x6a737d, true
	case 'k':
		return 0xcf222e, false
	case 's':
		return 0x0a5030, false
	case 'm', 'i':
		return 0x0550ae, false
	}
	return ink, false
}
