package markdown

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// htmlInline writes texts and inlines as HTML on one line.
func (w *writer) htmlInline(nodes []*doc.Node) string {
	return w.inline(nodes, inlineStyle{html: true, line: true})
}

// htmlFlow writes blocks as HTML on one line. The first paragraph stands bare when nothing would run into it.
func (w *writer) htmlFlow(nodes []*doc.Node) string {
	var b strings.Builder
	for i, n := range nodes {
		if i == 0 && n.Type == doc.Paragraph && n.Data.(*doc.ParagraphData).Align == "" &&
			(len(nodes) == 1 || nodes[1].Type != doc.Paragraph) {
			b.WriteString(w.htmlInline(n.Nodes))
			continue
		}
		b.WriteString(w.htmlBlock(n))
	}
	return b.String()
}

// htmlBlocks writes blocks as HTML on one line, every paragraph as an element.
func (w *writer) htmlBlocks(nodes []*doc.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(w.htmlBlock(n))
	}
	return b.String()
}

// htmlBlock writes one block as HTML on one line.
func (w *writer) htmlBlock(node *doc.Node) string {
	switch data := node.Data.(type) {
	case *doc.ParagraphData:
		return "<p" + alignAttribute(data.Align) + ">" + w.htmlInline(node.Nodes) + "</p>"
	case *doc.HeadingData:
		name := "h" + strconv.Itoa(headingLevel(node.Type))
		text := w.htmlInline(node.Nodes)
		if data.ID != "" {
			text = strings.TrimPrefix(text+" ", " ") + dialect.AnchorElement(data.ID)
		}
		return "<" + name + alignAttribute(data.Align) + ">" + text + "</" + name + ">"
	case *doc.ListData:
		return w.htmlList(node, data)
	case *doc.CodeData:
		return w.pre(node, data, "&#xA;")
	case *doc.ImagesData:
		return w.figures(node, data)
	case *doc.TableData:
		return w.htmlTable(node, data)
	case *doc.ExpandableData:
		open := "<details>"
		if data.DefaultExpanded {
			open = "<details open>"
		}
		title := w.htmlInline(node.Fragments[0].Nodes[0].Nodes)
		return open + "<summary>" + title + "</summary>" + w.htmlBlocks(node.Fragments[1].Nodes) + "</details>"
	case *doc.IntegrationData:
		tag := strings.TrimSuffix(strings.TrimPrefix(integrationTag(data), "{% "), " %}")
		return `<div data-gb-custom-block data-tag="integration" data-source="` + escapeAttribute(tag, false) +
			`"></div>`
	case *doc.RawData:
		return data.Source
	}
	switch node.Type {
	case doc.Divider:
		return "<hr>"
	case doc.Blockquote:
		return "<blockquote>" + w.htmlFlow(node.Nodes) + "</blockquote>"
	case doc.Math:
		formula := escapeAttribute(node.Data.(*doc.FormulaData).Formula, false)
		return `<div data-gb-custom-block data-tag="math" data-formula="` + formula + `"></div>`
	case doc.Drawing:
		image := `<img src="` + escapeAttribute(refOfFile(node).URL, false) + `" alt="" class="gitbook-drawing">`
		return "<figure>" + image + w.figcaption(node) + "</figure>"
	}
	return w.standIn(node)
}

func alignAttribute(align string) string {
	switch align {
	case "start":
		return ` align="left"`
	case "center":
		return ` align="center"`
	case "end":
		return ` align="right"`
	}
	return ""
}

// drawingImage writes a drawing without a caption: an image that is a paragraph of its own.
func (w *writer) drawingImage(node *doc.Node) string {
	return `<img src="` + escapeAttribute(refOfFile(node).URL, false) + `" alt="" class="gitbook-drawing">`
}

// standIn writes a block tag as the element that stands for it in cells and list items.
func (w *writer) standIn(node *doc.Node) string {
	spec := dialect.Spelling(node)
	var b strings.Builder
	b.WriteString(`<div data-gb-custom-block data-tag="` + spec.Name + `"`)
	attribute := func(a *dialect.Attribute) {
		if value := a.Get(node.Data); value != "" {
			b.WriteString(" " + a.StandInName() + `="` + escapeAttribute(value, false) + `"`)
		}
	}
	if spec.Argument != nil {
		attribute(spec.Argument)
	}
	for i := range spec.Attributes {
		attribute(&spec.Attributes[i])
	}
	if hint, ok := node.Data.(*doc.HintData); ok {
		b.WriteString(` class="hint hint-` + hint.Style + `"`)
	}
	b.WriteString(">")
	switch {
	case spec.Form == dialect.CaptionForm && len(node.Fragments) > 0:
		b.WriteString(w.htmlBlocks(node.Fragments[0].Nodes))
	case spec.Form != dialect.VoidForm:
		b.WriteString(w.htmlBlocks(node.Nodes))
	}
	b.WriteString("</div>")
	return b.String()
}

func (w *writer) htmlList(node *doc.Node, data *doc.ListData) string {
	open, end := "<ul>", "</ul>"
	switch {
	case node.Type == doc.ListOrdered && data.Start != nil:
		open, end = `<ol start="`+strconv.Itoa(*data.Start)+`">`, "</ol>"
	case node.Type == doc.ListOrdered:
		open, end = "<ol>", "</ol>"
	case node.Type == doc.ListTasks:
		open = `<ul class="contains-task-list">`
	}
	var b strings.Builder
	b.WriteString(open)
	for _, item := range node.Nodes {
		b.WriteString("<li>")
		if checked := item.Data.(*doc.ListItemData).Checked; checked != nil {
			if *checked {
				b.WriteString(`<input type="checkbox" checked>`)
			} else {
				b.WriteString(`<input type="checkbox">`)
			}
		}
		b.WriteString(w.htmlFlow(item.Nodes) + "</li>")
	}
	return b.String() + end
}

// pre writes a code block whose lines are highlighted or annotated, or that stands where no fence can. In a cell its
// line breaks are references, so that the table stays on one line.
func (w *writer) pre(node *doc.Node, data *doc.CodeData, lineBreak string) string {
	var b strings.Builder
	b.WriteString("<pre")
	if data.Syntax != "" {
		b.WriteString(` class="language-` + escapeAttribute(data.Syntax, false) + `"`)
	}
	spec := dialect.TagNamed("code")
	for i := range spec.Attributes {
		a := &spec.Attributes[i]
		if value := a.Get(data); value != "" {
			b.WriteString(" " + a.StandInName() + `="` + escapeAttribute(value, false) + `"`)
		}
	}
	b.WriteString("><code")
	if data.Syntax != "" {
		b.WriteString(` class="lang-` + escapeAttribute(data.Syntax, false) + `"`)
	}
	b.WriteString(">")
	for _, line := range node.Nodes {
		text := w.preLine(line.Nodes)
		if line.Data.(*doc.CodeLineData).Highlighted {
			b.WriteString("<strong>" + text + lineBreak + "</strong>")
		} else {
			b.WriteString(text + lineBreak)
		}
	}
	return b.String() + "</code></pre>"
}

// preLine writes one line of code.
func (w *writer) preLine(nodes []*doc.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		if n.Object != doc.ObjectText {
			b.WriteString(w.htmlInline([]*doc.Node{n}))
			continue
		}
		for _, leaf := range n.Leaves {
			text := strings.NewReplacer("&", "&#x26;", "<", "&#x3C;").Replace(leaf.Text)
			if len(leaf.Marks) > 0 {
				text = "<strong>" + text + "</strong>"
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// figures writes images: figures, in a wrapper when there are several or the group has attributes.
func (w *writer) figures(node *doc.Node, data *doc.ImagesData) string {
	attributes := ""
	if data.Align != "" {
		attributes += ` align="` + data.Align + `"`
	}
	attributes += optionalBool("data-full-width", data.FullWidth) + optionalBool("data-with-frame", data.WithFrame)
	figures := make([]string, 0, len(node.Nodes))
	for _, image := range node.Nodes {
		figures = append(figures, w.figure(image))
	}
	if attributes == "" && len(figures) == 1 {
		return figures[0]
	}
	return "<div" + attributes + ">" + strings.Join(figures, " ") + "</div>"
}

func optionalBool(name string, value *bool) string {
	if value == nil {
		return ""
	}
	return " " + name + `="` + strconv.FormatBool(*value) + `"`
}

func (w *writer) figure(node *doc.Node) string {
	data := node.Data.(*doc.ImageData)
	image := `<img src="` + escapeAttribute(data.Ref.URL, false) + `" alt="` + escapeAttribute(data.Alt, false) + `"`
	if data.Width != nil {
		image += ` width="` + dialect.FormatLength(*data.Width) + `"`
	}
	if data.Height != nil {
		image += ` height="` + dialect.FormatLength(*data.Height) + `"`
	}
	image += ">"
	if data.RefDark != nil {
		image = `<picture><source srcset="` + escapeAttribute(data.RefDark.URL, false) +
			`" media="(prefers-color-scheme: dark)">` + image + "</picture>"
	}
	return "<figure>" + image + w.figcaption(node) + "</figure>"
}

func (w *writer) figcaption(node *doc.Node) string {
	if len(node.Fragments) == 0 {
		return "<figcaption></figcaption>"
	}
	return "<figcaption>" + w.htmlBlocks(node.Fragments[0].Nodes) + "</figcaption>"
}

// htmlTable writes a table that pipes cannot hold, on one line.
func (w *writer) htmlTable(node *doc.Node, data *doc.TableData) string {
	columns := orderedColumns(data)
	fragments := map[string]*doc.Node{}
	for _, f := range node.Fragments {
		fragments[f.Fragment] = f
	}
	merges := map[doc.CellAnchor]doc.CellMerge{}
	for _, m := range data.CellMerges {
		merges[m.Anchor] = m
	}
	var b strings.Builder
	b.WriteString("<table" + tableAttributes(data) + "><thead><tr>")
	for _, id := range columns {
		b.WriteString(w.headerCell(node, data, id))
	}
	b.WriteString("</tr></thead><tbody>")
	spans := dialect.NewTableBuilder()
	spans.Columns = make([]*doc.TableDefinition, len(columns))
	for i, id := range columns {
		spans.Columns[i] = data.Definition[id]
	}
	for _, record := range orderedRecords(data) {
		b.WriteString("<tr>")
		for i := 0; i < len(columns); i++ {
			if spans.Covered(i) {
				continue
			}
			id := columns[i]
			definition := data.Definition[id]
			b.WriteString("<td" + cellAlignment(definition))
			merge, merged := merges[doc.CellAnchor{Record: record, Column: id}]
			if merged && merge.RowSpan > 1 {
				b.WriteString(` rowspan="` + strconv.Itoa(merge.RowSpan) + `"`)
			}
			if merged && merge.ColSpan > 1 {
				b.WriteString(` colspan="` + strconv.Itoa(merge.ColSpan) + `"`)
			}
			b.WriteString(">" + w.htmlCell(definition, data.Records[record].Values[id], fragments) + "</td>")
			if merged {
				i += spans.Join(i, merge.RowSpan, merge.ColSpan) - 1
			}
		}
		spans.EndRow()
		b.WriteString("</tr>")
	}
	return b.String() + "</tbody></table>"
}

func tableAttributes(data *doc.TableData) string {
	view := data.View
	attributes := ""
	if view.Type == "cards" {
		if view.CardSize == "large" {
			attributes += ` data-card-size="large"`
		}
		attributes += optionalBool("data-card-wrap", view.Wrap) + optionalBool("data-column-title-hidden",
			view.HideColumnTitle)
		attributes += ` data-view="cards"`
	}
	if view.HideHeader {
		attributes += " data-header-hidden"
	}
	return attributes + optionalBool("data-sticky-header", view.StickyHeader) +
		optionalBool("data-sticky-first-column", view.StickyFirstColumn) + optionalBool("data-new-sizing",
		view.UseNewSizing) +
		optionalBool("data-full-width", data.FullWidth) + optionalBool("data-search", data.Search)
}

func cellAlignment(d *doc.TableDefinition) string {
	attributes := ""
	if d.VerticalAlignment != "" {
		attributes += ` valign="` + d.VerticalAlignment + `"`
	}
	if d.TextAlignment == "center" || d.TextAlignment == "right" {
		attributes += ` align="` + d.TextAlignment + `"`
	}
	return attributes
}

func (w *writer) headerCell(node *doc.Node, data *doc.TableData, id string) string {
	d := data.Definition[id]
	var attributes strings.Builder
	if width, ok := data.View.ColumnWidths[id]; ok {
		attributes.WriteString(` width="` + formatNumber(width) + `"`)
	}
	attributes.WriteString(cellAlignment(d))
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"data-card-target", data.View.TargetDefinition == id},
		{"data-card-cover", data.View.CoverDefinition == id},
		{"data-card-cover-dark", data.View.CoverDefinitionDark == id},
		{"data-hidden", !slices.Contains(data.View.Columns, id)},
	} {
		if flag.set {
			attributes.WriteString(" " + flag.name)
		}
	}
	switch d.Type {
	case "text", "select":
	default:
		attributes.WriteString(` data-type="` + d.Type + `"`)
		if d.Max != nil {
			attributes.WriteString(` data-max="` + strconv.Itoa(*d.Max) + `"`)
		}
		if d.Multiple != nil && *d.Multiple {
			attributes.WriteString(" data-multiple")
		}
	}
	title := ""
	if inlines := node.ColumnTitle(id); inlines != nil {
		title = w.htmlInline(inlines)
	}
	return "<th" + attributes.String() + ">" + title + selectElement(d) + "</th>"
}

// selectElement writes the choices of a select column.
func selectElement(d *doc.TableDefinition) string {
	if d.Type != "select" {
		return ""
	}
	var b strings.Builder
	b.WriteString("<select")
	if d.Multiple != nil && *d.Multiple {
		b.WriteString(" multiple")
	}
	b.WriteString(">")
	for _, o := range d.Options {
		b.WriteString(`<option value="` + escapeAttribute(o.Value, false) + `" label="` + escapeAttribute(o.Label,
			false) +
			`" color="` + escapeAttribute(o.Color, false) + `"></option>`)
	}
	return b.String() + "</select>"
}

// htmlCell writes the value of a cell.
func (w *writer) htmlCell(d *doc.TableDefinition, value any, fragments map[string]*doc.Node) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return formatNumber(v)
	case string:
		if cell := fragments[v]; cell != nil {
			return w.htmlFlow(cell.Nodes)
		}
	case []string:
		return cellList(d, v)
	case doc.Ref:
		return cellLink(v.URL, "")
	case doc.ImageRecord:
		attributes := ""
		if v.ObjectFit != "" {
			attributes += ` data-object-fit="` + v.ObjectFit + `"`
		}
		if v.Alt != "" {
			attributes += ` data-alt="` + escapeAttribute(v.Alt, false) + `"`
		}
		return cellLink(v.Ref.URL, attributes)
	}
	return ""
}

// cellLink writes a reference in a cell; the words are for readers of the source.
func cellLink(url, attributes string) string {
	return `<a href="` + escapeAttribute(url, false) + `"` + attributes + ">" + escapeLiteral(lastSegment(url), false) +
		"</a>"
}

// cellList writes the chosen options of a select, or a list of files or users.
func cellList(d *doc.TableDefinition, entries []string) string {
	parts := make([]string, 0, len(entries))
	if d.Type != "select" {
		for _, entry := range entries {
			parts = append(parts, cellLink(entry, ""))
		}
		return strings.Join(parts, " ")
	}
	for i, id := range entries {
		label := id
		for _, o := range d.Options {
			if o.Value == id {
				label = cmp.Or(o.Label, id)
			}
		}
		if i < len(entries)-1 {
			label += ", "
		}
		parts = append(parts, `<span data-option="`+escapeAttribute(id, false)+`">`+escapeLiteral(label, false)+
			"</span>")
	}
	return strings.Join(parts, "")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
