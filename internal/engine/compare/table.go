package compare

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// grid is one version of a table, in the order in which it shows.
type grid struct {
	node    *doc.Node
	data    *doc.TableData
	columns []*doc.TableDefinition
	rows    []string
}

func gridOf(n *doc.Node) grid {
	data, ok := n.Data.(*doc.TableData)
	if !ok {
		data = &doc.TableData{}
	}
	g := grid{node: n, data: data}
	ids := slices.Clone(data.View.Columns)
	for _, hidden := range slices.Sorted(maps.Keys(data.Definition)) {
		if !slices.Contains(ids, hidden) {
			ids = append(ids, hidden)
		}
	}
	for _, id := range ids {
		if definition := data.Definition[id]; definition != nil {
			g.columns = append(g.columns, definition)
		}
	}
	g.rows = slices.SortedFunc(maps.Keys(data.Records), func(a, b string) int {
		return cmp.Or(cmp.Compare(data.Records[a].OrderIndex, data.Records[b].OrderIndex), cmp.Compare(a, b))
	})
	return g
}

// cell returns the value of a cell, and its text when it has one.
func (g grid) cell(row string, column *doc.TableDefinition) (value any, text *doc.Node) {
	value = g.data.Records[row].Values[column.ID]
	if name, ok := value.(string); ok && column.Type == "text" {
		if text = g.node.FragmentNamed(name); text != nil {
			return nil, text
		}
	}
	return value, nil
}

// others returns the fragments that are not the text of a cell, such as titles of columns.
func (g grid) others() []*doc.Node {
	texts := map[*doc.Node]bool{}
	for _, row := range g.rows {
		for _, column := range g.columns {
			if _, text := g.cell(row, column); text != nil {
				texts[text] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(g.node.Fragments), func(n *doc.Node) bool { return texts[n] })
}

// table compares two versions of a table: columns by their titles, rows by what is in the columns of both.
func (c *comparer) table(older, newer grid) *Table {
	t := &Table{Columns: c.columns(older.columns, newer.columns)}
	keys := func(g grid) []string {
		keys := make([]string, len(g.rows))
		for i, row := range g.rows {
			for _, column := range t.Columns {
				if column.Before != nil && column.After != nil {
					keys[i] += c.cellKey(g, row, cmp.Or(column.of(g, older), column.After)) + "\x00"
				}
			}
		}
		return keys
	}
	olderKeys, newerKeys := keys(older), keys(newer)
	at, atAfter := 0, 0
	same := func(until int) {
		for ; at < until; at, atAfter = at+1, atAfter+1 {
			t.Rows = append(t.Rows, c.row(t.Columns, older, newer, older.rows[at], newer.rows[atAfter]))
		}
	}
	for _, h := range c.between(olderKeys, newerKeys) {
		same(h.Before.Start)
		gone, come := older.rows[h.Before.Start:h.Before.End], newer.rows[h.After.Start:h.After.End]
		sketches := map[string]sketch{}
		pairs := c.align(len(gone), len(come), func(i, j int) float64 {
			both, all := c.rowSketch(sketches, older, gone[i]).common(c.rowSketch(sketches, newer, come[j]))
			likeness := float64(both) / float64(max(all, 1))
			if likeness < likely && (len(gone) != 1 || len(come) != 1) {
				return -1
			}
			return likeness
		})
		apart := func(until, untilAfter int) {
			for ; at < until; at++ {
				t.Rows = append(t.Rows, c.row(t.Columns, older, newer, older.rows[at], ""))
			}
			for ; atAfter < untilAfter; atAfter++ {
				t.Rows = append(t.Rows, c.row(t.Columns, older, newer, "", newer.rows[atAfter]))
			}
		}
		for _, pair := range pairs {
			apart(h.Before.Start+pair[0], h.After.Start+pair[1])
			t.Rows = append(t.Rows, c.row(t.Columns, older, newer, older.rows[at], newer.rows[atAfter]))
			at, atAfter = at+1, atAfter+1
		}
		apart(h.Before.End, h.After.End)
	}
	same(len(older.rows))
	return t
}

// of returns the definition of the column in a version; nil when that is the newer one.
func (column Column) of(g, older grid) *doc.TableDefinition {
	if g.node == older.node {
		return column.Before
	}
	return nil
}

// columns compares columns by title and type. Where as many came as went, each has become the next.
func (c *comparer) columns(before, after []*doc.TableDefinition) []Column {
	keys := func(columns []*doc.TableDefinition) []string {
		keys := make([]string, len(columns))
		for i, column := range columns {
			keys[i] = column.Title + "\x00" + column.Type
		}
		return keys
	}
	var columns []Column
	at, atAfter := 0, 0
	both := func(until int) {
		for ; at < until; at, atAfter = at+1, atAfter+1 {
			column := Column{Change: Same, Before: before[at], After: after[atAfter]}
			older, newer := decode(before[at]), decode(after[atAfter])
			delete(older, "id")
			delete(newer, "id")
			if column.Attributes = differing(older, newer); column.Attributes != nil {
				column.Change = Changed
			}
			columns = append(columns, column)
		}
	}
	for _, h := range c.between(keys(before), keys(after)) {
		both(h.Before.Start)
		if h.Before.Len() == h.After.Len() {
			both(h.Before.End)
		}
		for ; at < h.Before.End; at++ {
			columns = append(columns, Column{Change: Deleted, Before: before[at]})
		}
		for ; atAfter < h.After.End; atAfter++ {
			columns = append(columns, Column{Change: Added, After: after[atAfter]})
		}
	}
	both(len(before))
	return columns
}

func (c *comparer) cellKey(g grid, row string, column *doc.TableDefinition) string {
	value, text := g.cell(row, column)
	if text != nil {
		return c.contents(text)
	}
	return encode(value)
}

// contents is a key of what is in a cell, whatever the fragment's name is: it only says in which cell it stands.
func (c *comparer) contents(text *doc.Node) string { return "\x01" + c.joined(text.Nodes) }

func (c *comparer) rowSketch(known map[string]sketch, g grid, row string) sketch {
	key := c.sum(g.node) + row
	if sketch, ok := known[key]; ok {
		return sketch
	}
	var all []uint64
	words := 0
	for _, column := range g.columns {
		value, text := g.cell(row, column)
		if text != nil {
			cell := c.sketchOf(text)
			all, words = append(all, cell.hashes...), words+cell.words
			continue
		}
		if value != nil {
			all, words = append(all, hashOf(column.Title+encode(value))), words+1
		}
	}
	known[key] = newSketch(all, words)
	return known[key]
}

// row compares a row of both versions, or writes one of a single version: the other id is "".
func (c *comparer) row(columns []Column, older, newer grid, before, after string) Row {
	r := Row{Change: Same, Before: before, After: after}
	switch {
	case before == "":
		r.Change = Added
	case after == "":
		r.Change = Deleted
	}
	for _, column := range columns {
		cell := c.cell(column, older, newer, before, after)
		if r.Change == Same && cell.Change != Same {
			r.Change = Changed
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

func (c *comparer) cell(column Column, older, newer grid, before, after string) Cell {
	var cell Cell
	var olderText, newerText *doc.Node
	if column.Before != nil && before != "" {
		cell.Before, olderText = older.cell(before, column.Before)
	}
	if column.After != nil && after != "" {
		cell.After, newerText = newer.cell(after, column.After)
	}
	switch {
	case olderText != nil && newerText != nil:
		cell.Text = &Block{Change: Same, Before: olderText, After: newerText}
		if c.contents(olderText) != c.contents(newerText) {
			text := c.nodes(olderText, newerText)
			cell.Text = &text
		}
		cell.Change = cell.Text.Change
		return cell
	case olderText != nil:
		cell.Text = &Block{Change: Deleted, Before: olderText}
	case newerText != nil:
		cell.Text = &Block{Change: Added, After: newerText}
	}
	there, comes := olderText != nil || cell.Before != nil, newerText != nil || cell.After != nil
	switch {
	case !there && !comes:
		cell.Change = Same
		if before == "" || column.Before == nil {
			cell.Change = Added
		} else if after == "" || column.After == nil {
			cell.Change = Deleted
		}
	case !comes:
		cell.Change = Deleted
	case !there:
		cell.Change = Added
	case olderText == nil && newerText == nil && encode(cell.Before) == encode(cell.After):
		cell.Change = Same
	default:
		cell.Change = Changed
	}
	return cell
}

// encode writes the value of a cell, which is made of what JSON decodes to.
func encode(value any) string {
	encoded, _ := json.Marshal(value)
	return string(encoded)
}
