package dialect

import (
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// TableBuilder makes a table with the ids that parsing gives: columns c1, c2 … in the order in which they are
// written, records r1, r2 … and for the text of a cell a fragment r1c1.
type TableBuilder struct {
	// Data is the table so far.
	Data *doc.TableData
	// Columns are its columns in the order in which they are written, those that do not show among them.
	Columns []*doc.TableDefinition
	// Records counts its rows.
	Records int

	record    string // the current row
	fragments []*doc.Node
	spans     map[int]int // columns that a cell above covers, and for how many more rows
}

// NewTableBuilder returns a builder of a grid without columns and rows.
func NewTableBuilder() *TableBuilder {
	return &TableBuilder{Data: &doc.TableData{
		View:       doc.TableView{Type: "grid"},
		Records:    map[string]doc.TableRecord{},
		Definition: map[string]*doc.TableDefinition{},
	}, spans: map[int]int{}}
}

// AddColumn appends a visible text column.
func (t *TableBuilder) AddColumn(title string) *doc.TableDefinition {
	column := &doc.TableDefinition{ID: "c" + strconv.Itoa(len(t.Columns)+1), Title: title, Type: "text",
		TextAlignment: "left"}
	t.Columns = append(t.Columns, column)
	t.Data.Definition[column.ID] = column
	t.Data.View.Columns = append(t.Data.View.Columns, column.ID)
	return column
}

// AddTitle appends a visible text column whose title is made of inlines.
func (t *TableBuilder) AddTitle(inlines []*doc.Node) *doc.TableDefinition {
	var text strings.Builder
	for _, n := range inlines {
		text.WriteString(n.PlainText())
	}
	column := t.AddColumn(text.String())
	if IsFormatted(inlines) {
		t.fragments = append(t.fragments, doc.NewFragment(doc.FragmentColumnTitle+column.ID,
			doc.NewParagraph(inlines...)))
	}
	return column
}

// AddRecord appends an empty row.
func (t *TableBuilder) AddRecord() {
	t.Records++
	t.record = "r" + strconv.Itoa(t.Records)
	t.Data.Records[t.record] = doc.TableRecord{OrderIndex: orderIndex(t.Records), Values: map[string]any{}}
}

// orderIndex returns the index of a row, counted from 1; indexes sort as strings.
func orderIndex(row int) string {
	digits := strconv.Itoa(row)
	return "000000"[:max(6-len(digits), 0)] + digits
}

// Set puts a value into the current row; nil leaves the cell empty.
func (t *TableBuilder) Set(column int, value any) {
	if value != nil {
		t.Data.Records[t.record].Values[t.Columns[column].ID] = value
	}
}

// SetText puts blocks into the current row.
func (t *TableBuilder) SetText(column int, blocks []*doc.Node) {
	if len(blocks) == 0 {
		return
	}
	name := t.record + t.Columns[column].ID
	t.fragments = append(t.fragments, doc.NewFragment(name, blocks...))
	t.Set(column, name)
}

// Node returns the table.
func (t *TableBuilder) Node() *doc.Node {
	n := doc.NewBlock(doc.Table, t.Data)
	n.Fragments = t.fragments
	return n
}

// Covered reports whether a merged cell of a row above covers a column of the current row.
func (t *TableBuilder) Covered(column int) bool { return t.spans[column] > 0 }

// Join merges the cell at a column with those right of it and below it, and returns how many columns it takes.
func (t *TableBuilder) Join(column, rows, columns int) int {
	columns = min(columns, len(t.Columns)-column)
	for i := 1; i < columns; i++ {
		if t.Covered(column + i) {
			columns = i
		}
	}
	if columns == 1 && rows == 1 {
		return 1
	}
	t.Data.CellMerges = append(t.Data.CellMerges, doc.CellMerge{
		Anchor:  doc.CellAnchor{Record: t.record, Column: t.Columns[column].ID},
		RowSpan: rows, ColSpan: columns,
	})
	for i := range columns {
		t.spans[column+i] = rows
	}
	return columns
}

// EndRow counts the rows down that merged cells still cover.
func (t *TableBuilder) EndRow() {
	for column, rows := range t.spans {
		if rows > 1 {
			t.spans[column] = rows - 1
		} else {
			delete(t.spans, column)
		}
	}
}

// MaxSpan is the most rows or columns that one merged cell takes.
const MaxSpan = 50
