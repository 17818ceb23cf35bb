package pdf

// column is where blocks go: a sink with a place across the sheet, and what is drawn beside and behind each piece.
type column struct {
	out      sink
	x, width float64
	base     look
	fills    []backing
	marker   *marker
}

// backing is drawn behind each piece of a column.
type backing struct {
	x, width float64
	colour   colour
}

// marker is what stands before the first line of a list item.
type marker struct {
	draw func(s *sheet, y float64)
	done bool
}

// narrowest is the width below which columns are not indented any further.
const narrowest = 110.0

// inset returns a column within this one.
func (c *column) inset(left, right float64) *column {
	inner := *c
	if inner.width-left-right >= min(narrowest, c.width*0.7) {
		inner.x += left
		inner.width -= left + right
	}
	return &inner
}

// leftToRight returns the same column of a sheet that runs from right to left, for what never does.
func (c *column) leftToRight() *column {
	return &column{out: unmirrored{c}, x: sheetWidth - c.x - c.width, width: c.width, base: c.base}
}

// unmirrored is a sink for pieces that are drawn from left to right on sheets that run from right to left.
type unmirrored struct{ out sink }

func (u unmirrored) add(p piece) {
	if draw := p.draw; draw != nil {
		p.draw = func(s *sheet, y float64) {
			s.rightToLeft = false
			draw(s, y)
			s.rightToLeft = true
		}
	}
	u.out.add(p)
}

// backed returns the column with a colour behind an area.
func (c *column) backed(x, width float64, fill colour) *column {
	inner := *c
	inner.fills = append(append([]backing{}, c.fills...), backing{x, width, fill})
	return &inner
}

// add passes a piece on with what is behind and beside it.
func (c *column) add(p piece) {
	draw, fills, mark := p.draw, c.fills, c.marker
	if len(fills) > 0 || mark != nil && !mark.done && !p.gap {
		if p.gap || mark != nil && mark.done {
			mark = nil
		}
		if mark != nil {
			mark.done = true
		}
		height := p.height
		p.draw = func(s *sheet, y float64) {
			for _, f := range fills {
				s.fill(f.x, y, f.width, height+0.4, f.colour) // a little more, so that no line shows between pieces
			}
			if mark != nil {
				mark.draw(s, y)
			}
			if draw != nil {
				draw(s, y)
			}
		}
	}
	c.out.add(p)
}

func (c *column) gap(height float64) { c.add(piece{height: height, gap: true}) }

// lead is blank space at the top of a block with a background, tail that at its end.
func (c *column) lead(height float64) { c.add(piece{height: height, keep: true}) }
func (c *column) tail(height float64) { c.add(piece{height: height, tail: true}) }

// text lays out spans as lines. With keep they stay with what follows; first is called with where the first line is.
func (c *column) text(b *builder, spans []span, base look, keep bool, first func(s *sheet, y float64)) {
	c.aligned(b, spans, base, keep, "", first)
}

// side is where something narrower than its column stands.
type side int

const (
	nowhere side = iota
	atStart
	atCenter
	atEnd
)

// side reads an alignment of the dialect. Tables say "left" of columns of which nobody has said anything, so that is
// where text begins; right is so on paper.
func (t *typesetter) side(align string) side {
	switch align {
	case "start", "left":
		return atStart
	case "center":
		return atCenter
	case "end":
		return atEnd
	case "right":
		if t.rightToLeft {
			return atStart
		}
		return atEnd
	}
	return nowhere
}

func (c *column) aligned(
	b *builder, spans []span, base look, keep bool, align string, first func(s *sheet, y float64),
) {
	broken := b.text.lines(b.text.atoms(spans), c.width, base)
	for i, l := range broken {
		x := c.x
		switch b.text.side(align) {
		case atCenter:
			x += (c.width - l.width) / 2
		case atEnd:
			x += c.width - l.width
		}
		notify := first
		if i > 0 {
			notify = nil
		}
		// No line of a paragraph stands alone at the foot or the top of a sheet.
		alone := len(broken) > 1 && (i == 0 || i == len(broken)-2)
		c.add(piece{height: l.height, keep: keep || alone, draw: func(s *sheet, y float64) {
			if notify != nil {
				notify(s, y)
			}
			s.line(x, y, l)
		}})
	}
}
