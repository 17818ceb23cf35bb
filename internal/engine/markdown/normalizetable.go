package markdown

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// table normalises a table; one without columns goes.
func (n normalizer) table(node *doc.Node) *doc.Node {
	data, ok := node.Data.(*doc.TableData)
	if !ok || len(data.Definition) == 0 {
		return nil
	}
	columns := orderedColumns(data)
	position := map[string]int{}
	t := dialect.NewTableBuilder()
	inner := n
	inner.html = true
	for i, id := range columns {
		position[id] = i
		adopt(t, data.Definition[id], slices.Contains(data.View.Columns, id), inner.inlines(node.FormattedTitle(id)))
	}
	adoptView(t, data, position)
	cells := map[string]*doc.Node{}
	for _, fragment := range node.Fragments {
		if fragment != nil && fragment.Fragment != "" {
			cells[fragment.Fragment] = fragment
		}
	}
	merges := map[string]map[int]doc.CellMerge{}
	for _, merge := range data.CellMerges {
		column, known := position[merge.Anchor.Column]
		if !known || merge.RowSpan < 1 || merge.RowSpan > dialect.MaxSpan || merge.ColSpan < 1 ||
			merge.ColSpan > dialect.MaxSpan {
			continue
		}
		if merges[merge.Anchor.Record] == nil {
			merges[merge.Anchor.Record] = map[int]doc.CellMerge{}
		}
		merges[merge.Anchor.Record][column] = merge
	}
	for _, id := range orderedRecords(data) {
		t.AddRecord()
		for i := 0; i < len(columns); i++ {
			if t.Covered(i) {
				continue
			}
			inner.cell(t, i, data.Records[id].Values[columns[i]], cells)
			if merge, ok := merges[id][i]; ok && t.Data.View.Type == "grid" {
				i += t.Join(i, merge.RowSpan, merge.ColSpan) - 1
			}
		}
		t.EndRow()
	}
	return t.Node()
}

// orderedColumns returns the columns in the order in which they are written: as they are numbered when parsing made
// them, else those that show before those that do not.
func orderedColumns(data *doc.TableData) []string {
	all := slices.Sorted(maps.Keys(data.Definition))
	number := func(id string) int {
		value, err := strconv.Atoi(strings.TrimPrefix(id, "c"))
		if err != nil || value < 1 || id != "c"+strconv.Itoa(value) {
			return 0
		}
		return value
	}
	numbered := true
	last := 0
	for _, id := range data.View.Columns {
		if data.Definition[id] != nil {
			numbered = numbered && number(id) > last
			last = number(id)
		}
	}
	for _, id := range all {
		numbered = numbered && number(id) > 0
	}
	if numbered {
		slices.SortFunc(all, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
		return all
	}
	var columns []string
	for _, id := range slices.Concat(data.View.Columns, all) {
		if data.Definition[id] != nil && !slices.Contains(columns, id) {
			columns = append(columns, id)
		}
	}
	return columns
}

// orderedRecords returns the records in the order in which they show.
func orderedRecords(data *doc.TableData) []string {
	return slices.SortedFunc(maps.Keys(data.Records), func(a, b string) int {
		return cmp.Or(cmp.Compare(data.Records[a].OrderIndex, data.Records[b].OrderIndex), cmp.Compare(a, b))
	})
}

// adopt appends a column like another. title are the inlines of its title when it has formatting.
func adopt(t *dialect.TableBuilder, d *doc.TableDefinition, visible bool, title []*doc.Node) {
	if !dialect.IsFormatted(title) {
		title = nil
		if d.Title != "" {
			title = []*doc.Node{doc.NewText(dialect.CleanText(d.Title))}
		}
	}
	column := t.AddTitle(title)
	if !visible {
		t.Data.View.Columns = t.Data.View.Columns[:len(t.Data.View.Columns)-1]
	}
	switch d.Type {
	case "content-ref", "image", "checkbox", "files", "number":
		column.Type, column.TextAlignment = d.Type, ""
	case "users":
		column.Type, column.TextAlignment = d.Type, ""
		column.Multiple = new(d.Multiple != nil && *d.Multiple)
	case "rating":
		column.Type, column.TextAlignment, column.Max = d.Type, "", new(5)
		if d.Max != nil && *d.Max > 0 && *d.Max <= 100 {
			*column.Max = *d.Max
		}
	case "select":
		column.Type, column.TextAlignment = d.Type, ""
		column.Multiple = new(d.Multiple != nil && *d.Multiple)
		column.Options = make([]doc.SelectOption, 0, len(d.Options))
		for _, option := range d.Options {
			column.Options = append(column.Options, doc.SelectOption{
				Value: dialect.CleanText(option.Value), Label: dialect.CleanText(option.Label),
				Color: dialect.CleanText(option.Color),
			})
		}
	default:
		column.TextAlignment = cmp.Or(dialect.OneOf(d.TextAlignment, "left", "center", "right"), "left")
		column.VerticalAlignment = dialect.OneOf(d.VerticalAlignment, "top", "middle", "bottom")
	}
}

// adoptView takes over how a table shows.
func adoptView(t *dialect.TableBuilder, data *doc.TableData, position map[string]int) {
	from, to := &data.View, &t.Data.View
	t.Data.FullWidth, t.Data.Search = data.FullWidth, data.Search
	to.HideHeader = from.HideHeader
	if from.Type == "cards" {
		to.Type, to.CardSize = "cards", "medium"
		if from.CardSize == "large" {
			to.CardSize = "large"
		}
		to.Wrap, to.HideColumnTitle = from.Wrap, from.HideColumnTitle
	} else {
		to.StickyHeader, to.StickyFirstColumn, to.UseNewSizing = from.StickyHeader, from.StickyFirstColumn,
			from.UseNewSizing
	}
	rename := func(id string) string {
		if i, ok := position[id]; ok && id != "" {
			return t.Columns[i].ID
		}
		return ""
	}
	to.TargetDefinition = rename(from.TargetDefinition)
	to.CoverDefinition = rename(from.CoverDefinition)
	to.CoverDefinitionDark = rename(from.CoverDefinitionDark)
	for id, width := range from.ColumnWidths {
		if name := rename(id); name != "" && width >= 0 && width < 1e6 {
			if to.ColumnWidths == nil {
				to.ColumnWidths = map[string]float64{}
			}
			to.ColumnWidths[name] = width
		}
	}
}

// cell normalises the value of one cell.
func (n normalizer) cell(t *dialect.TableBuilder, column int, value any, cells map[string]*doc.Node) {
	definition := t.Columns[column]
	switch v := value.(type) {
	case bool:
		if definition.Type == "checkbox" {
			t.Set(column, v)
		}
	case float64:
		if (definition.Type == "number" || definition.Type == "rating") && !math.IsNaN(v) && !math.IsInf(v, 0) {
			t.Set(column, v)
		}
	case string:
		switch definition.Type {
		case "text":
			if fragment := cells[v]; fragment != nil {
				t.SetText(column, n.blocks(fragment.Nodes))
			}
		case "select", "files", "users":
			n.cell(t, column, []string{v}, cells)
		}
	case []string:
		var list []string
		for _, entry := range v {
			if entry = dialect.CleanText(entry); entry != "" || definition.Type != "select" {
				list = append(list, entry)
			}
		}
		if len(list) > 0 && (definition.Type == "select" || definition.Type == "files" || definition.Type == "users") {
			t.Set(column, list)
		}
	case doc.Ref:
		if definition.Type == "content-ref" || definition.Type == "image" {
			t.Set(column, destination(v))
		}
	case doc.ImageRecord:
		if definition.Type != "image" {
			return
		}
		record := doc.ImageRecord{Ref: destination(v.Ref), ObjectFit: dialect.OneOf(v.ObjectFit, "contain", "fill",
			"cover"),
			Alt: dialect.CleanText(v.Alt)}
		if record.ObjectFit == "" && record.Alt == "" {
			t.Set(column, record.Ref)
			return
		}
		t.Set(column, record)
	}
}
