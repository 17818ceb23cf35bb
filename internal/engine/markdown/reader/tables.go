package reader

import (
	"math"
	"strconv"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// htmlTable converts <table>. A table with a caption stays raw: the tree has no place for it.
func (c *converter) htmlTable(e *element, depth int) *doc.Node {
	var header *element
	var rows []*element
	for _, part := range e.solid() {
		switch part.name() {
		case "thead":
			for _, row := range part.solid() {
				if header != nil || row.name() != "tr" {
					return nil
				}
				header = row
			}
		case "tbody", "tfoot":
			for _, row := range part.solid() {
				if row.name() != "tr" {
					return nil
				}
				rows = append(rows, row)
			}
		case "tr":
			rows = append(rows, part)
		case "colgroup", "col":
		default:
			return nil
		}
	}
	if header == nil && len(rows) > 0 && onlyCells(rows[0], "th") {
		header, rows = rows[0], rows[1:]
	}
	if header == nil && len(rows) == 0 || header != nil && !onlyCells(header, "th", "td") {
		return nil
	}
	t := dialect.NewTableBuilder()
	viewAttributes(t, e.token.Attr)
	switch {
	case header != nil:
		for _, cell := range header.solid() {
			c.tableColumn(t, cell)
		}
	default:
		for _, cell := range rows[0].solid() {
			for range spanOf(cell.token.Attr, "colspan") {
				c.tableColumn(t, &element{})
			}
		}
		t.Data.View.HideHeader = true
	}
	for _, row := range rows {
		if !onlyCells(row, "td", "th") || !c.tableRow(t, row, depth) {
			return nil
		}
	}
	if len(t.Columns) == 0 {
		return nil
	}
	return t.Node()
}

func onlyCells(row *element, names ...string) bool {
	for _, cell := range row.solid() {
		known := false
		for _, name := range names {
			known = known || cell.name() == name
		}
		if !known {
			return false
		}
	}
	return true
}

// viewAttributes reads the attributes of the table itself.
func viewAttributes(t *dialect.TableBuilder, attrs []html.Attribute) {
	view := &t.Data.View
	if attribute(attrs, "data-view") == "cards" {
		view.Type, view.CardSize = "cards", "medium"
		if attribute(attrs, "data-card-size") == "large" {
			view.CardSize = "large"
		}
		view.Wrap = boolAttribute(attrs, "data-card-wrap")
		view.HideColumnTitle = boolAttribute(attrs, "data-column-title-hidden")
	} else {
		view.StickyHeader = boolAttribute(attrs, "data-sticky-header")
		view.StickyFirstColumn = boolAttribute(attrs, "data-sticky-first-column")
		view.UseNewSizing = boolAttribute(attrs, "data-new-sizing")
	}
	if hide := boolAttribute(attrs, "data-header-hidden"); hide != nil {
		view.HideHeader = *hide
	}
	t.Data.FullWidth = boolAttribute(attrs, "data-full-width")
	t.Data.Search = boolAttribute(attrs, "data-search")
}

// tableColumn adds the column of a header cell.
func (c *converter) tableColumn(t *dialect.TableBuilder, cell *element) {
	attrs := cell.token.Attr
	if len(t.Columns) >= doc.MaxColumns {
		c.guard.refuse(0, "a table has more than %d columns; split it", doc.MaxColumns)
	}
	var title []*element
	var options *element
	for _, child := range cell.children {
		if child.name() == "select" {
			options = child
			continue
		}
		title = append(title, child)
	}
	column := t.AddTitle(c.htmlInline(title).nodes)
	if hasAttribute(attrs, "data-hidden") {
		t.Data.View.Columns = t.Data.View.Columns[:len(t.Data.View.Columns)-1]
	}
	if width, err := strconv.ParseFloat(strings.TrimSuffix(attribute(attrs, "width"), "px"), 64); err == nil &&
		width >= 0 && width < 1e6 {
		if t.Data.View.ColumnWidths == nil {
			t.Data.View.ColumnWidths = map[string]float64{}
		}
		t.Data.View.ColumnWidths[column.ID] = width
	}
	if hasAttribute(attrs, "data-card-target") {
		t.Data.View.TargetDefinition = column.ID
	}
	if hasAttribute(attrs, "data-card-cover") {
		t.Data.View.CoverDefinition = column.ID
	}
	if hasAttribute(attrs, "data-card-cover-dark") {
		t.Data.View.CoverDefinitionDark = column.ID
	}
	setColumnType(column, attrs)
	if options != nil {
		c.columnOptions(column, options)
	}
}

// setColumnType reads the type of a column and what belongs to it.
func setColumnType(column *doc.TableDefinition, attrs []html.Attribute) {
	switch t := attribute(attrs, "data-type"); t {
	case "content-ref", "image", "checkbox", "files", "number":
		column.Type, column.TextAlignment = t, ""
	case "users":
		column.Type, column.TextAlignment = t, ""
		column.Multiple = new(hasAttribute(attrs, "data-multiple") && attribute(attrs, "data-multiple") != "false")
	case "rating":
		column.Type, column.TextAlignment, column.Max = t, "", new(5)
		if value, err := strconv.Atoi(attribute(attrs, "data-max")); err == nil && value > 0 && value <= 100 {
			column.Max = &value
		}
	default:
		switch align := attribute(attrs, "align"); align {
		case "center", "right":
			column.TextAlignment = align
		}
		switch valign := attribute(attrs, "valign"); valign {
		case "top", "middle", "bottom":
			column.VerticalAlignment = valign
		}
	}
}

// columnOptions reads <select [multiple]><option value label color></select>.
func (c *converter) columnOptions(column *doc.TableDefinition, e *element) {
	column.Type, column.TextAlignment, column.VerticalAlignment = "select", "", ""
	column.Multiple = new(hasAttribute(e.token.Attr, "multiple"))
	column.Options = []doc.SelectOption{}
	for _, option := range e.solid() {
		if option.name() != "option" {
			continue
		}
		attrs := option.token.Attr
		label := attribute(attrs, "label")
		if label == "" {
			label = c.elementText(option.children)
		}
		column.Options = append(column.Options, doc.SelectOption{
			Value: attribute(attrs, "value"), Label: label, Color: attribute(attrs, "color"),
		})
	}
}

// elementText returns the text of elements without markup.
func (c *converter) elementText(elements []*element) string {
	var b strings.Builder
	for _, n := range c.htmlInline(elements).nodes {
		b.WriteString(n.PlainText())
	}
	return b.String()
}

// tableRow adds a record; it reports false for a row that has more cells than columns.
func (c *converter) tableRow(t *dialect.TableBuilder, row *element, depth int) bool {
	t.AddRecord()
	column := 0
	for _, cell := range row.solid() {
		for t.Covered(column) {
			column++
		}
		if column >= len(t.Columns) {
			return false
		}
		if t.Records*len(t.Columns) > doc.MaxCells {
			c.guard.refuse(0, "a table has more than %d cells; split it", doc.MaxCells)
		}
		c.guard.allocate(0, nodeCost)
		c.cell(t, column, cell, depth)
		column += mergeCell(t, column, cell.token.Attr)
	}
	t.EndRow()
	return true
}

// cell sets the value of one cell by the type of its column.
func (c *converter) cell(t *dialect.TableBuilder, column int, cell *element, depth int) {
	switch definition := t.Columns[column]; definition.Type {
	case "text":
		t.SetText(column, c.flow(cell.children, depth+2))
	case "checkbox":
		switch c.elementText(cell.children) {
		case "true":
			t.Set(column, true)
		case "false":
			t.Set(column, false)
		}
	case "number", "rating":
		if value, err := strconv.ParseFloat(c.elementText(cell.children), 64); err == nil && !math.IsInf(value, 0) &&
			!math.IsNaN(value) {
			t.Set(column, value)
		}
	case "select":
		var ids []string
		forEach(cell.children, func(e *element) {
			if id := attribute(e.token.Attr, "data-option"); e.name() == "span" && id != "" {
				ids = append(ids, id)
			}
		})
		if ids != nil {
			t.Set(column, ids)
		}
	default:
		setRefs(t, column, cell)
	}
}

// setRefs sets the value of a cell that refers to something: a page, an image, files or users.
func setRefs(t *dialect.TableBuilder, column int, cell *element) {
	var destinations []string
	var image doc.ImageRecord
	forEach(cell.children, func(e *element) {
		attrs := e.token.Attr
		switch {
		case e.name() == "a" && hasAttribute(attrs, "href"):
			destinations = append(destinations, attribute(attrs, "href"))
		case e.name() == "img" && hasAttribute(attrs, "src"):
			destinations = append(destinations, attribute(attrs, "src"))
			image.Alt = attribute(attrs, "alt")
		default:
			return
		}
		image.ObjectFit = dialect.OneOf(attribute(attrs, "data-object-fit"), "contain", "fill", "cover")
		if alt := attribute(attrs, "data-alt"); alt != "" {
			image.Alt = alt
		}
	})
	if len(destinations) == 0 {
		return
	}
	ref := doc.URL(destinations[0])
	switch t.Columns[column].Type {
	case "files", "users":
		t.Set(column, destinations)
	case "image":
		if image.ObjectFit != "" || image.Alt != "" {
			image.Ref = ref
			t.Set(column, image)
			return
		}
		t.Set(column, ref)
	default:
		t.Set(column, ref)
	}
}

// forEach calls visit for every element of some trees, outer ones first.
func forEach(elements []*element, visit func(*element)) {
	for _, e := range elements {
		visit(e)
		forEach(e.children, visit)
	}
}

// mergeCell notes the rowspan and colspan of the cell at a column, and returns how many columns it takes.
func mergeCell(t *dialect.TableBuilder, column int, attrs []html.Attribute) int {
	return t.Join(column, spanOf(attrs, "rowspan"), spanOf(attrs, "colspan"))
}

func spanOf(attrs []html.Attribute, name string) int {
	value, err := strconv.Atoi(attribute(attrs, name))
	if err != nil {
		return 1
	}
	return min(max(value, 1), dialect.MaxSpan)
}

// pipeTable converts a table of pipes: a grid of text columns.
func (c *converter) pipeTable(n *extast.Table) *doc.Node {
	t := dialect.NewTableBuilder()
	for i, row := range childrenOf(n) {
		if i == 0 {
			for j, cell := range childrenOf(row) {
				column := t.AddTitle(c.inline(cell).nodes)
				if j < len(n.Alignments) {
					column.TextAlignment = pipeAlignment(n.Alignments[j])
				}
			}
			continue
		}
		t.AddRecord()
		for j, cell := range childrenOf(row) {
			if j >= len(t.Columns) {
				break
			}
			b := c.inline(cell)
			t.SetText(j, paragraphsOf(b))
		}
	}
	return t.Node()
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
