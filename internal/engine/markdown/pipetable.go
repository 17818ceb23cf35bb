package markdown

import (
	"slices"
	"strconv"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// pipeTable converts a table of pipes: a grid of text columns.
func (c *converter) pipeTable(n *extast.Table) *doc.Node {
	t := newTableBuilder()
	for i, row := range childrenOf(n) {
		if i == 0 {
			for j, cell := range childrenOf(row) {
				column := t.addTitle(c.inline(cell).nodes)
				if j < len(n.Alignments) {
					column.TextAlignment = pipeAlignment(n.Alignments[j])
				}
			}
			continue
		}
		t.addRecord()
		for j, cell := range childrenOf(row) {
			if j >= len(t.columns) {
				break
			}
			b := c.inline(cell)
			t.setText(j, paragraphsOf(b))
		}
	}
	return t.node()
}

func pipeAlignment(a extast.Alignment) string {
	switch a {
	case extast.AlignCenter:
		return "center"
	case extast.AlignRight:
		return "right"
	}
	return "left"
}

// paragraphsOf returns the content of a cell: nothing, or one paragraph.
func paragraphsOf(b *inlineBuilder) []*doc.Node {
	if len(b.nodes) == 0 {
		return nil
	}
	return []*doc.Node{doc.NewParagraph(b.nodes...)}
}

// tableBuilder makes a table with the ids that parsing gives: columns c1, c2 … in the order in which they are
// written, records r1, r2 … and for the text of a cell a fragment r1c1.
type tableBuilder struct {
	data      *doc.TableData
	columns   []*doc.TableDefinition
	record    string
	records   int
	fragments []*doc.Node
	spans     map[int]int // columns that a cell above covers, and for how many more rows
}

func newTableBuilder() *tableBuilder {
	return &tableBuilder{data: &doc.TableData{
		View:       doc.TableView{Type: "grid"},
		Records:    map[string]doc.TableRecord{},
		Definition: map[string]*doc.TableDefinition{},
	}, spans: map[int]int{}}
}

// addColumn appends a visible text column.
func (t *tableBuilder) addColumn(title string) *doc.TableDefinition {
	column := &doc.TableDefinition{ID: "c" + strconv.Itoa(len(t.columns)+1), Title: title, Type: "text",
		TextAlignment: "left"}
	t.columns = append(t.columns, column)
	t.data.Definition[column.ID] = column
	t.data.View.Columns = append(t.data.View.Columns, column.ID)
	return column
}

// addTitle appends a visible text column whose title is made of inlines.
func (t *tableBuilder) addTitle(inlines []*doc.Node) *doc.TableDefinition {
	var text strings.Builder
	for _, n := range inlines {
		text.WriteString(n.PlainText())
	}
	column := t.addColumn(text.String())
	if isFormatted(inlines) {
		t.fragments = append(t.fragments, doc.NewFragment(doc.FragmentColumnTitle+column.ID,
			doc.NewParagraph(inlines...)))
	}
	return column
}

// isFormatted reports whether inlines say more than their text. Raw HTML does not count: what it holds would be said
// twice where it stands for blocks.
func isFormatted(inlines []*doc.Node) bool {
	formatted := false
	for _, n := range inlines {
		if n.Type == doc.RawInline {
			return false
		}
		formatted = formatted || n.Object != doc.ObjectText ||
			slices.ContainsFunc(n.Leaves, func(l doc.Leaf) bool { return len(l.Marks) > 0 })
	}
	return formatted
}

// addRecord appends an empty row.
func (t *tableBuilder) addRecord() {
	t.records++
	t.record = "r" + strconv.Itoa(t.records)
	t.data.Records[t.record] = doc.TableRecord{OrderIndex: orderIndex(t.records), Values: map[string]any{}}
}

// orderIndex returns the index of a row, counted from 1; indexes sort as strings.
func orderIndex(row int) string {
	digits := strconv.Itoa(row)
	return "000000"[:max(6-len(digits), 0)] + digits
}

// set puts a value into the current row; nil leaves the cell empty.
func (t *tableBuilder) set(column int, value any) {
	if value != nil {
		t.data.Records[t.record].Values[t.columns[column].ID] = value
	}
}

// setText puts blocks into the current row.
func (t *tableBuilder) setText(column int, blocks []*doc.Node) {
	if len(blocks) == 0 {
		return
	}
	name := t.record + t.columns[column].ID
	t.fragments = append(t.fragments, doc.NewFragment(name, blocks...))
	t.set(column, name)
}

func (t *tableBuilder) node() *doc.Node {
	n := doc.NewBlock(doc.Table, t.data)
	n.Fragments = t.fragments
	return n
}

// covered reports whether a merged cell of a row above covers a column of the current row.
func (t *tableBuilder) covered(column int) bool { return t.spans[column] > 0 }

// merge notes the rowspan and colspan of the cell at a column, and returns how many columns it takes.
func (t *tableBuilder) merge(column int, attrs []html.Attribute) int {
	return t.join(column, spanOf(attrs, "rowspan"), spanOf(attrs, "colspan"))
}

// join merges the cell at a column with those right of it and below it, and returns how many columns it takes.
func (t *tableBuilder) join(column, rows, columns int) int {
	columns = min(columns, len(t.columns)-column)
	for i := 1; i < columns; i++ {
		if t.covered(column + i) {
			columns = i
		}
	}
	if columns == 1 && rows == 1 {
		return 1
	}
	t.data.CellMerges = append(t.data.CellMerges, doc.CellMerge{
		Anchor:  doc.CellAnchor{Record: t.record, Column: t.columns[column].ID},
		RowSpan: rows, ColSpan: columns,
	})
	for i := range columns {
		t.spans[column+i] = rows
	}
	return columns
}

// endRow counts the rows down that merged cells still cover.
func (t *tableBuilder) endRow() {
	for column, rows := range t.spans {
		if rows > 1 {
			t.spans[column] = rows - 1
		} else {
			delete(t.spans, column)
		}
	}
}

// maxSpan is the most rows or columns that one merged cell takes.
const maxSpan = 50

func spanOf(attrs []html.Attribute, name string) int {
	value, err := strconv.Atoi(attribute(attrs, name))
	if err != nil {
		return 1
	}
	return min(max(value, 1), maxSpan)
}
