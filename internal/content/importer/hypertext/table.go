package hypertext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of one table; they are those of the dialect. A longer table is cut into several, a wider one becomes text.
const (
	maxColumns = 100
	maxCells   = 10_000
)

// grid is a table as rows of cells, spans spread out.
type grid struct {
	rows    [][]cell
	header  int // rows at the top that are headings
	columns int
}

// cell is one place of a grid. A place that a span covers has a nil node, or for rows below the first, the same node.
type cell struct {
	node  *html.Node
	align string
}

// table converts a table of data. Tables that only lay out are unwrapped.
func (c *converter) table(n *html.Node, s state) []*doc.Node {
	var out []*doc.Node
	if caption := find(n, func(d *html.Node) bool { return d.Data == "caption" && d.Parent == n }); caption != nil {
		dropPermalinks(caption)
		var line inlines
		c.anchor(caption)
		c.inlineChildren(&line, caption, s)
		if nodes := line.finish(); len(nodes) > 0 {
			out = append(out, doc.NewParagraph(embolden(oneLine(nodes))...))
		}
		remove(caption)
	}
	g := readGrid(n)
	switch {
	case g.columns == 0 || len(g.rows) == 0:
		return out
	case s.inCell || s.inList || s.inNote || isLayout(n, g):
		return append(out, c.unwrapTable(g, s)...)
	case g.columns > maxColumns:
		c.lose("table with more than 100 columns")
		return append(out, c.unwrapTable(g, s)...)
	}
	body := g.rows[g.header:]
	perTable := max(1, maxCells/g.columns-1)
	for first := true; first || len(body) > 0; first = false {
		count := min(perTable, len(body))
		out = append(out, c.tablePart(g, body[:count], s))
		body = body[count:]
	}
	return out
}

// isLayout reports whether a table is there for the looks only.
func isLayout(n *html.Node, g grid) bool {
	if role := attr(n, "role"); role == "presentation" || role == "none" {
		return true
	}
	if len(g.rows) == 1 && g.columns == 1 {
		return true
	}
	return find(n, func(d *html.Node) bool { return d.Data == "table" }) != nil && find(n, func(d *html.Node) bool {
		return d.Data == "th"
	}) == nil
}

// unwrapTable returns the content of the cells one after the other; in places without tables, a paragraph a row.
func (c *converter) unwrapTable(g grid, s state) []*doc.Node {
	var out []*doc.Node
	seen := map[*html.Node]bool{}
	for _, row := range g.rows {
		var line inlines
		for _, place := range row {
			if place.node == nil || seen[place.node] {
				continue
			}
			seen[place.node] = true
			c.anchor(place.node)
			if !s.inCell && !s.inList && !s.inNote {
				out = append(out, c.blocks(place.node, s)...)
				continue
			}
			if len(line.nodes) > 0 {
				line.text(" · ", nil)
			}
			c.inlineChildren(&line, place.node, s)
		}
		if nodes := line.finish(); len(nodes) > 0 {
			out = append(out, doc.NewParagraph(nodes...))
		}
	}
	return out
}

// tablePart makes a table of some of the rows under the table's header.
func (c *converter) tablePart(g grid, rows [][]cell, s state) *doc.Node {
	s.inCell = true
	s.inLink = false
	data := &doc.TableData{Records: map[string]doc.TableRecord{}, Definition: map[string]*doc.TableDefinition{}}
	data.View = doc.TableView{Type: "grid", HideHeader: g.header == 0}
	block := doc.NewBlock(doc.Table, data)
	for column := range g.columns {
		id := "c" + strconv.Itoa(column+1)
		data.View.Columns = append(data.View.Columns, id)
		data.Definition[id] = &doc.TableDefinition{ID: id, Title: c.columnTitle(g, column), Type: "text",
			TextAlignment: alignment(g.rows, column)}
	}
	seen := map[*html.Node]int{}
	for i, row := range rows {
		record := doc.TableRecord{OrderIndex: fmt.Sprintf("%06d", i), Values: map[string]any{}}
		recordID := "r" + strconv.Itoa(i+1)
		for column, id := range data.View.Columns {
			name := recordID + id
			record.Values[id] = name
			block.Fragments = append(block.Fragments, doc.NewFragment(name, c.cellBlocks(row, column, seen, s)...))
		}
		data.Records[recordID] = record
	}
	return block
}

// maxRepeats is how often the text of a cell that spans rows is repeated.
const maxRepeats = 200

func (c *converter) cellBlocks(row []cell, column int, seen map[*html.Node]int, s state) []*doc.Node {
	var blocks []*doc.Node
	if column < len(row) && row[column].node != nil {
		node := row[column].node
		if seen[node]++; seen[node] > 1 {
			if seen[node] > maxRepeats {
				return []*doc.Node{doc.NewParagraph()}
			}
			node = cloneTree(node)
		}
		c.anchor(node)
		blocks = c.blocks(cloneTree(node), s)
		if isElement(node, "th") {
			for _, block := range blocks {
				if doc.HoldsText(block.Type) {
					embolden(block.Nodes)
				}
			}
		}
		blocks = inCell(blocks)
	}
	if len(blocks) == 0 {
		return []*doc.Node{doc.NewParagraph()}
	}
	return blocks
}

// inCell keeps what a cell may hold: paragraphs and lists. Of other blocks the text stays.
func inCell(blocks []*doc.Node) []*doc.Node {
	var out []*doc.Node
	for _, block := range blocks {
		switch block.Type {
		case doc.Paragraph, doc.ListUnordered, doc.ListOrdered:
			out = append(out, block)
		case doc.ListTasks:
			block.Type = doc.ListUnordered
			for _, item := range block.Nodes {
				item.Data = &doc.ListItemData{}
			}
			out = append(out, block)
		case doc.Blockquote, doc.Hint:
			out = append(out, inCell(block.Nodes)...)
		case doc.Images:
			for _, image := range block.Nodes {
				data := image.Data.(*doc.ImageData)
				out = append(out, doc.NewParagraph(doc.NewInline(doc.InlineImage, &doc.InlineImageData{Ref: data.Ref,
					RefDark: data.RefDark, Alt: data.Alt})))
				if caption := image.FragmentNamed(doc.FragmentCaption); caption != nil {
					out = append(out, inCell(caption.Nodes)...)
				}
			}
		case doc.Math:
			out = append(out, doc.NewParagraph(doc.NewInline(doc.InlineMath,
				&doc.FormulaData{Formula: strings.ReplaceAll(block.Data.(*doc.FormulaData).Formula, "\n", " ")})))
		case doc.Divider:
		default:
			if text := block.PlainText(); collapse(text) != "" {
				out = append(out, doc.NewParagraph(doc.NewText(collapse(text))))
			}
		}
	}
	return out
}

// columnTitle joins the headings above a column.
func (c *converter) columnTitle(g grid, column int) string {
	var parts []string
	var last *html.Node
	for _, row := range g.rows[:g.header] {
		if column >= len(row) || row[column].node == nil || row[column].node == last {
			continue
		}
		last = row[column].node
		c.anchor(last)
		for inner := range last.Descendants() {
			c.anchor(inner)
		}
		if text := collapse(clean(textOf(last))); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// alignment returns the alignment that most cells of a column have.
func alignment(rows [][]cell, column int) string {
	counts := map[string]int{}
	for _, row := range rows {
		if column < len(row) && row[column].node != nil {
			counts[row[column].align]++
		}
	}
	for _, side := range []string{"right", "center"} {
		if counts[side] > counts["left"]+counts["center"]+counts["right"]-counts[side] {
			return side
		}
	}
	return "left"
}

// readGrid reads the rows of a table, without those of tables inside it.
func readGrid(n *html.Node) grid {
	g := grid{}
	var spans []span
	inHead := true
	for _, row := range tableRows(n) {
		var cells []cell
		heading := len(elements(row)) > 0
		place := func() {
			for len(cells) < len(spans) && spans[len(cells)].left > 0 {
				at := len(cells)
				spans[at].left--
				cells = append(cells, cell{node: spans[at].node, align: spans[at].align})
			}
		}
		for _, element := range elements(row) {
			if !isElement(element, "td", "th") {
				continue
			}
			heading = heading && (isElement(element, "th") || isElement(row.Parent, "thead"))
			place()
			align := cellAlign(element)
			down := spanOf(element, "rowspan", 1000) - 1
			for across := range spanOf(element, "colspan", maxColumns) {
				node := element
				if across > 0 {
					node = nil
				}
				at := len(cells)
				cells = append(cells, cell{node: node, align: align})
				for len(spans) <= at {
					spans = append(spans, span{})
				}
				spans[at] = span{left: down, node: node, align: align}
				if len(cells) > 4*maxColumns {
					break
				}
			}
		}
		place()
		g.columns = max(g.columns, len(cells))
		inHead = inHead && heading && len(cells) > 0
		if inHead {
			g.header++
		}
		g.rows = append(g.rows, cells)
	}
	if g.header == len(g.rows) && g.header > 0 {
		// A table of headings only has no header.
		g.header = min(1, len(g.rows)-1)
	}
	return g
}

// span is what a cell above reserves below it.
type span struct {
	left  int
	node  *html.Node
	align string
}

func spanOf(n *html.Node, name string, limit int) int {
	count, err := strconv.Atoi(attr(n, name))
	if err != nil || count < 1 {
		return 1
	}
	return min(count, limit)
}

// tableRows returns the rows that belong to a table itself, those of its head first.
func tableRows(n *html.Node) []*html.Node {
	var head, rows []*html.Node
	for _, child := range elements(n) {
		switch child.Data {
		case "tr":
			rows = append(rows, child)
		case "thead", "tbody", "tfoot":
			for _, row := range elements(child) {
				if !isElement(row, "tr") {
					continue
				}
				if child.Data == "thead" {
					head = append(head, row)
				} else {
					rows = append(rows, row)
				}
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(row *html.Node) bool {
		return hasClassPrefix(row, "separator") && strings.TrimSpace(textOf(row)) == ""
	})
	return append(head, rows...)
}

func cellAlign(n *html.Node) string {
	text := strings.ToLower(attr(n, "align") + ";" + strings.ReplaceAll(attr(n, "style"), " ", "") + ";" + attr(n,
		"class"))
	switch {
	case strings.HasPrefix(text, "center;"), strings.Contains(text, "text-align:center"),
		strings.Contains(text, "text-center"):
		return "center"
	case strings.HasPrefix(text, "right;"), strings.Contains(text, "text-align:right"),
		strings.Contains(text, "text-right"):
		return "right"
	}
	return "left"
}
