package pdf

import (
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

const (
	cellSize    = 8.5
	cellPadding = 5.0
)

func (b *builder) table(c *column, n *doc.Node) {
	t := render.ReadTable(n)
	data := dataOf[doc.TableData](n)
	if cells := len(t.Rows) * max(len(t.Columns), 1); cells > b.limits.Cells {
		panic(stop{errs.New(errs.TooLarge, "a table has %d cells; %d can be printed", cells, b.limits.Cells)})
	}
	if len(t.Columns) == 0 {
		return
	}
	if data.View.Type == "cards" {
		b.cards(c, t, data)
		return
	}
	widths, ok := b.columnWidths(t, c.width)
	if !ok {
		b.records(c, t)
		return
	}
	b.grid(c, t, widths, data.View.HideHeader)
}

// columnWidths shares a width among columns: each gets what its longest word needs, then what its text would like. It
// reports false when there are too many columns to be read side by side.
func (b *builder) columnWidths(t render.Table, width float64) ([]float64, bool) {
	least, wished := make([]float64, len(t.Columns)), make([]float64, len(t.Columns))
	l := plain(cellSize)
	weigh := func(i int, text string, l look) {
		for line := range strings.SplitSeq(text, "\n") {
			whole := 0.0
			for word := range strings.FieldsSeq(line) {
				w := b.text.shape(word, l).width
				least[i] = max(least[i], min(w+2*cellPadding+1, 130))
				whole += w + l.size*0.26
			}
			wished[i] = max(wished[i], min(whole+2*cellPadding+1, 400))
		}
	}
	const sample = 200 // rows that are looked at
	bold := l
	bold.bold = true
	for i, column := range t.Columns {
		least[i], wished[i] = 2*cellPadding+8, 2*cellPadding+8
		weigh(i, column.Title, bold)
		for _, row := range t.Rows[:min(len(t.Rows), sample)] {
			text := t.Text(row, column)
			if column.Type == "image" {
				text = "mmmmmmmm"
			}
			if fragment := t.Fragment(row, column); fragment != nil {
				text = fragment.PlainText()
			} else if text == "" && len(t.Refs(row, column)) > 0 {
				text = "mmmm mmmm mmmm"
			}
			weigh(i, text[:min(len(text), 2000)], l)
		}
	}
	needed, liked := total(least), total(wished)
	if needed > width*1.35 && len(t.Columns) > 4 {
		return nil, false
	}
	widths := make([]float64, len(t.Columns))
	for i := range widths {
		switch {
		case needed >= width:
			widths[i] = least[i] * width / needed
		case liked <= width:
			widths[i] = wished[i] + (width-liked)*wished[i]/liked
		default:
			widths[i] = least[i] + (width-needed)*(wished[i]-least[i])/(liked-needed)
		}
	}
	return widths, true
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func (b *builder) grid(c *column, t render.Table, widths []float64, hideHeader bool) {
	titled := false
	for _, column := range t.Columns {
		titled = titled || len(t.Title(column)) > 0
	}
	var head *piece
	if titled && !hideHeader {
		cells := make([]*stack, len(widths))
		for i, inner := range b.cellColumns(c, widths) {
			inner.base.bold = true
			cells[i] = inner.out.(*stack)
			inner.aligned(b, b.spans(t.Title(t.Columns[i]), inner.base, inner.width), inner.base, false,
				t.Columns[i].TextAlignment, nil)
		}
		for _, p := range b.row(c, cells, headFill, textHeight*0.4) {
			p.keep = true
			if head == nil {
				holder := &stack{}
				held := *c
				held.out = holder
				held.add(p)
				head = &holder.pieces[0]
			}
			c.add(p)
		}
	}
	f, inFlow := c.out.(*flow)
	for i, row := range t.Rows {
		cells := make([]*stack, len(widths))
		for j, inner := range b.cellColumns(c, widths) {
			cells[j] = inner.out.(*stack)
			b.cell(inner, t, row, t.Columns[j])
		}
		limit := textHeight * 0.6
		if inFlow && f.room() > 120 {
			limit = max(f.room()-8, 100) // less what is above and below the text of a row
		}
		for _, p := range b.row(c, cells, none, limit) {
			c.add(p)
		}
		if i == 0 && inFlow {
			f.again = head
		}
	}
	if inFlow {
		f.again = nil
	}
}

// cellColumns returns a column for each cell of a row, each with a stack of its own.
func (b *builder) cellColumns(c *column, widths []float64) []*column {
	out := make([]*column, len(widths))
	x := c.x
	for i, width := range widths {
		out[i] = &column{out: &stack{}, x: x + cellPadding, width: max(width-2*cellPadding, 4), base: c.base}
		out[i].base.size = min(c.base.size, cellSize)
		x += width
	}
	return out
}

// row makes a piece of the cells of a row, or several when it is taller than a limit.
func (b *builder) row(c *column, cells []*stack, fill colour, limit float64) []piece {
	var out []piece
	tallest := 0.0
	for _, cell := range cells {
		tallest = max(tallest, cell.height())
	}
	if tallest <= textHeight*0.5 {
		limit = tallest
	}
	for {
		parts := make([][]piece, len(cells))
		height, more := 0.0, false
		for i, cell := range cells {
			used := 0.0
			for len(cell.pieces) > 0 && (used == 0 || used+cell.pieces[0].height <= limit+0.01) {
				used += cell.pieces[0].height
				parts[i] = append(parts[i], cell.pieces[0])
				cell.pieces = cell.pieces[1:]
			}
			height = max(height, used)
			more = more || len(cell.pieces) > 0
		}
		last := !more
		out = append(out, piece{height: height + 7, draw: func(s *sheet, y float64) {
			s.fill(c.x, y, c.width, height+7, fill)
			for _, part := range parts {
				at := y + 3
				for _, p := range part {
					if p.draw != nil {
						p.draw(s, at)
					}
					at += p.height
				}
			}
			if last {
				s.rule(c.x, y+height+6.7, c.width, faint)
			}
		}})
		if last {
			return out
		}
		limit = textHeight * 0.8
	}
}

// cell lays out what a row has in a column.
func (b *builder) cell(c *column, t render.Table, row render.TableRow, column *doc.TableDefinition) {
	value := t.Value(row, column)
	text := t.Text(row, column)
	switch column.Type {
	case "checkbox":
		text = "☐"
		if value == true {
			text = "☑"
		}
	case "rating":
		most := 5
		if column.Max != nil {
			most = min(max(*column.Max, 1), 10)
		}
		stars := 0
		if number, ok := value.(float64); ok {
			stars = min(max(int(number), 0), most)
		}
		text = strings.Repeat("★", stars) + strings.Repeat("☆", most-stars)
	case "image":
		for _, ref := range t.Refs(row, column) {
			b.imageBlock(c, ref, nil, "", "left", false)
		}
		return
	case "files", "users", "content-ref":
		var spans []span
		for i, ref := range t.Refs(row, column) {
			if i > 0 {
				spans = append(spans, span{text: ", ", look: c.base})
			}
			to, found := b.resolve(ref)
			spans = append(spans, span{text: firstText(found.Title, found.URL, ref.Destination()),
				look: linked(c.base, to)})
		}
		c.aligned(b, spans, c.base, false, column.TextAlignment, nil)
		return
	default:
		if fragment := t.Fragment(row, column); fragment != nil {
			if len(fragment.Nodes) == 1 && fragment.Nodes[0].Type == doc.Paragraph {
				c.aligned(b, b.spans(fragment.Nodes[0].Nodes, c.base, c.width), c.base, false, column.TextAlignment,
					nil)
				return
			}
			b.blocks(c, fragment.Nodes)
			return
		}
	}
	if text == "" && value != nil && column.Type == "number" {
		text = fmt.Sprint(value)
	}
	c.aligned(b, []span{{text: text, look: c.base}}, c.base, false, column.TextAlignment, nil)
}

// records lays out a table that is too wide row by row, each as a list of its columns.
func (b *builder) records(c *column, t render.Table) {
	for i, row := range t.Rows {
		if i > 0 {
			c.gap(6)
		}
		inner := b.barred(c, faint, none)
		inner.base.size = min(c.base.size, 9)
		for _, column := range t.Columns {
			label := inner.base
			label.bold, label.colour = true, muted
			inner.text(b, []span{{text: column.Title, look: label}}, label, true, nil)
			b.cell(inner.inset(12, 0), t, row, column)
		}
	}
}

// cards lays out cards one below the other.
func (b *builder) cards(c *column, t render.Table, data *doc.TableData) {
	view := data.View
	for i, row := range t.Rows {
		if i > 0 {
			c.gap(6)
		}
		inner := c.backed(c.x, c.width, codeFill).backed(c.x, 2.5, accent).inset(14, 12)
		inner.lead(6)
		if cover, ok := t.Ref(row, view.CoverDefinition); ok {
			b.imageBlock(inner, cover, &doc.Length{Value: 160}, "", "left", true)
		}
		var to *target
		target, linkedCard := t.Ref(row, view.TargetDefinition)
		if linkedCard {
			to, _ = b.resolve(target)
		}
		first := true
		for _, column := range t.Columns {
			if column.ID == view.CoverDefinition || column.ID == view.CoverDefinitionDark ||
				column.ID == view.TargetDefinition {
				continue
			}
			fragment := t.Fragment(row, column)
			if t.Text(row, column) == "" && len(t.Refs(row, column)) == 0 && fragment == nil {
				continue
			}
			part := inner.inset(0, 0)
			if first {
				part.base = linked(part.base, to)
				part.base.bold = true
				first = false
			}
			b.cell(part, t, row, column)
		}
		if first && linkedCard {
			_, found := b.resolve(target)
			l := linked(inner.base, to)
			inner.text(b, []span{{text: firstText(found.Title, found.URL), look: l}}, l, false, nil)
		}
		inner.tail(6)
	}
}
