package render

import (
	"context"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// CodeToken is a stretch of one line of code with the class that colours it ("kd", "s" …), "" for plain text.
type CodeToken struct{ Text, Class string }

// CodeLine is one line of a code block, in tokens that join to its text.
type CodeLine struct {
	Tokens []CodeToken
	// Highlighted, Added and Removed are what the line is marked as.
	Highlighted, Added, Removed bool
}

// CodeReader cuts the code of one page into coloured tokens, for printing it elsewhere than in HTML. It is for one
// goroutine.
type CodeReader struct{ page *page }

// NewCodeReader returns a CodeReader that colours code within the limits, as HTML does.
func NewCodeReader(ctx context.Context, limits Limits) *CodeReader {
	options := Options{Limits: limits.withDefaults()}
	return &CodeReader{&page{
		ctx: ctx, options: options, codeLeft: options.Limits.CodePage,
		codeUntil: time.Now().Add(options.Limits.CodeTime),
	}}
}

// Read returns the lines of a code block; those over a limit in one token each.
func (c *CodeReader) Read(n *doc.Node) []CodeLine {
	written, _, _ := strings.Cut(dataOf[doc.CodeData](n).Syntax, ",")
	lines := codeLines(n)
	tokens := c.page.highlight(lines, safeName(strings.TrimSpace(written)))
	read := make([]CodeLine, len(lines))
	for i, line := range lines {
		read[i] = CodeLine{Highlighted: line.highlighted, Added: line.added, Removed: line.removed}
		if tokens == nil {
			read[i].Tokens = []CodeToken{{Text: line.text}}
			continue
		}
		rest := len(line.text)
		for _, t := range tokens[i] {
			text := t.text[:min(len(t.text), rest)] // a lexer may have added to the end
			rest -= len(text)
			read[i].Tokens = append(read[i].Tokens, CodeToken{text, t.class})
		}
	}
	return read
}

// Table is a table of a document, its rows sorted and its hidden columns left out.
type Table struct {
	Columns []*doc.TableDefinition
	Rows    []TableRow
	view    *tableView
}

// TableRow is one row of a Table.
type TableRow struct{ row tableRow }

// ReadTable reads a table block.
func ReadTable(n *doc.Node) Table {
	v := readTable(n)
	t := Table{Columns: v.columns, Rows: make([]TableRow, len(v.rows)), view: v}
	for i, row := range v.rows {
		t.Rows[i] = TableRow{row}
	}
	return t
}

// Title returns the inlines of a column's title, none when it has no title.
func (t Table) Title(column *doc.TableDefinition) []*doc.Node { return t.view.title(column) }

// Value returns what a row has in a column.
func (t Table) Value(row TableRow, column *doc.TableDefinition) any {
	return row.row.record.Values[column.ID]
}

// Ref returns what a row has in the column of an id when that is a reference or an image.
func (t Table) Ref(row TableRow, columnID string) (doc.Ref, bool) {
	return coverRef(row.row.record.Values[columnID])
}

// Refs returns the references of a cell of files, people, images or content.
func (t Table) Refs(row TableRow, column *doc.TableDefinition) []doc.Ref {
	value := row.row.record.Values[column.ID]
	if ref, ok := refOf(value); ok {
		return []doc.Ref{ref}
	}
	var refs []doc.Ref
	for _, id := range stringsOf(value) {
		if column.Type == "users" {
			refs = append(refs, doc.Ref{Kind: doc.RefUser, User: id})
			continue
		}
		refs = append(refs, fileRef(id))
	}
	return refs
}

// Fragment returns the content of a text cell, nil when it has none.
func (t Table) Fragment(row TableRow, column *doc.TableDefinition) *doc.Node {
	name, _ := row.row.record.Values[column.ID].(string)
	return t.view.fragments[name]
}

// Text returns what a cell says, in one line.
func (t Table) Text(row TableRow, column *doc.TableDefinition) string {
	return t.view.cellText(column, row.row)
}
