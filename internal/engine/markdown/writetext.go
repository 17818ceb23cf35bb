package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// paragraph writes a paragraph: as Markdown, with every mark and character made safe when that does not read back the
// same, and as HTML when it is aligned or nothing else works.
func (w *writer) paragraph(node *doc.Node) string {
	if node.Data.(*doc.ParagraphData).Align != "" {
		return w.htmlBlock(node)
	}
	if text, ok := plainParagraph(node.Nodes); ok {
		return text
	}
	text, ok := w.firstGood(node, func(style inlineStyle) string { return w.inline(node.Nodes, style) }, inlineStyle{})
	if !ok {
		return w.htmlBlock(node)
	}
	return text
}

// taskParagraph writes the paragraph behind the box of a task, where no element can hold it.
func (w *writer) taskParagraph(node *doc.Node) string {
	item := doc.NewBlock(doc.ListItem, &doc.ListItemData{Checked: new(false)}, node)
	text, _ := w.firstGood(doc.NewBlock(doc.ListTasks, nil, item), func(style inlineStyle) string {
		return "* [ ] " + w.inline(node.Nodes, style)
	}, inlineStyle{})
	return strings.TrimPrefix(text, "* [ ] ")
}

// heading writes a heading in the same way.
func (w *writer) heading(node *doc.Node) string {
	data := node.Data.(*doc.HeadingData)
	if data.Align != "" {
		return w.htmlBlock(node)
	}
	marker := strings.Repeat("#", headingLevel(node.Type))
	text, ok := w.firstGood(node, func(style inlineStyle) string {
		text := marker + " " + w.inline(node.Nodes, style)
		if data.ID != "" {
			text = strings.TrimRight(text, " ") + " " + dialect.AnchorElement(data.ID)
		}
		return strings.TrimRight(text, " ")
	}, inlineStyle{line: true, head: true})
	if !ok {
		return w.htmlBlock(node)
	}
	return text
}

// headingLevel returns the Markdown level of a heading.
func headingLevel(t doc.Type) int {
	switch t {
	case doc.Heading1:
		return 2
	case doc.Heading2:
		return 3
	}
	return 4
}

// firstGood writes a block in the first style that reads back as the block. It reports false, with the last style's
// text, when none does; annotations in that text have no numbers then.
func (w *writer) firstGood(node *doc.Node, write func(inlineStyle) string, style inlineStyle) (text string, ok bool) {
	notes := len(w.notes)
	label := w.lastLabel
	for attempt := range 4 {
		w.notes, w.numbers, w.lastLabel = w.notes[:notes], w.numbers[:notes], label
		style.safe, style.tags, style.mask = attempt > 0, attempt > 1, attempt > 2
		text = write(style)
		if len(node.Nodes) == 0 || readsBack(text, node, w.numbers[notes:]) {
			return text, true
		}
	}
	w.notes, w.numbers, w.lastLabel = w.notes[:notes], w.numbers[:notes], label
	return text, false
}

// readsBack reports whether a text parses to one block and nothing else. labels are those of the annotations in it,
// whose bodies do not matter here.
func readsBack(text string, node *doc.Node, labels []string) bool {
	want := node
	if len(labels) > 0 {
		want = node.Clone()
		want.Walk(func(n *doc.Node) bool {
			if n.Type == doc.Annotation {
				n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody,
					doc.NewParagraph(doc.NewText("x")))}
			}
			return true
		})
		for _, label := range labels {
			text += "\n\n[^" + label + "]: x"
		}
	}
	p, err := parse([]byte(text))
	return err == nil && len(p.Document.Nodes) == 1 && doc.EqualNodes(p.Document.Nodes[0], want)
}

// plainParagraph returns the text of a paragraph that needs no escaping: one text without marks, of characters that
// mean nothing in Markdown wherever they stand.
func plainParagraph(nodes []*doc.Node) (string, bool) {
	if len(nodes) == 0 {
		return "", true
	}
	if len(nodes) != 1 || len(nodes[0].Leaves) != 1 || len(nodes[0].Leaves[0].Marks) > 0 {
		return "", false
	}
	text := nodes[0].Leaves[0].Text
	if !dialect.IsASCIILetter(text[0]) || text[len(text)-1] == ' ' || strings.Contains(text, "www.") {
		return "", false
	}
	for _, r := range text {
		if r >= 0x80 || dialect.IsASCIILetter(byte(r)) || '0' <= r && r <= '9' || strings.ContainsRune(" ,.;'\"()?!/%-",
			r) {
			continue
		}
		return "", false
	}
	return text, true
}

// pipeTable writes a table of pipes when pipes can say all of it.
func (w *writer) pipeTable(node *doc.Node) (string, bool) {
	data := node.Data.(*doc.TableData)
	columns := orderedColumns(data)
	if !isPipeTable(node, data, columns) {
		return "", false
	}
	notes, label := len(w.notes), w.lastLabel
	for attempt := range 3 {
		style := inlineStyle{line: true, cell: true, safe: attempt > 0, tags: attempt > 1}
		text := w.pipeRows(node, data, columns, style)
		if readsBack(text, node, w.numbers[notes:]) {
			return text, true
		}
		w.notes, w.numbers, w.lastLabel = w.notes[:notes], w.numbers[:notes], label
	}
	return "", false
}

// pipeRows writes the header and the rows of a table.
func (w *writer) pipeRows(node *doc.Node, data *doc.TableData, columns []string, style inlineStyle) string {
	cells := map[string]*doc.Node{}
	for _, cell := range node.Fragments {
		cells[cell.Fragment] = cell
	}
	rows := [][]string{{}}
	for _, id := range columns {
		rows[0] = append(rows[0], w.inline(node.ColumnTitle(id), style))
	}
	for _, record := range orderedRecords(data) {
		row := make([]string, len(columns))
		for i, id := range columns {
			if name, ok := data.Records[record].Values[id].(string); ok && cells[name] != nil {
				row[i] = w.inline(cells[name].Nodes[0].Nodes, style)
			}
		}
		rows = append(rows, row)
	}
	return layOutTable(rows, data, columns)
}

// isPipeTable reports whether a table is a plain grid of texts, each cell at most one paragraph.
func isPipeTable(node *doc.Node, data *doc.TableData, columns []string) bool {
	view := data.View
	if view.Type != "grid" || view.HideHeader || view.ColumnWidths != nil || view.TargetDefinition != "" ||
		view.CoverDefinition != "" || view.CoverDefinitionDark != "" || view.StickyHeader != nil ||
		view.StickyFirstColumn != nil || view.UseNewSizing != nil || len(data.CellMerges) > 0 ||
		data.FullWidth != nil ||
		data.Search != nil || len(view.Columns) != len(columns) || !slices.Equal(view.Columns, columns) {
		return false
	}
	for _, definition := range data.Definition {
		if definition.Type != "text" || definition.VerticalAlignment != "" {
			return false
		}
	}
	for _, cell := range node.Fragments {
		if len(cell.Nodes) != 1 || cell.Nodes[0].Type != doc.Paragraph || cell.Nodes[0].Data.(*doc.ParagraphData).
			Align != "" {
			return false
		}
	}
	return true
}

// maxPadding is the widest column that is padded; wider ones would blow the source up.
const maxPadding = 80

// layOutTable writes rows with their columns padded to one width where they are narrow enough.
func layOutTable(rows [][]string, data *doc.TableData, columns []string) string {
	widths := make([]int, len(columns))
	for i := range columns {
		widths[i] = 3
		for _, row := range rows {
			widths[i] = max(widths[i], len([]rune(row[i])))
		}
		if widths[i] > maxPadding {
			widths[i] = 3
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			b.WriteString("| " + cell + strings.Repeat(" ", max(widths[i]-len([]rune(cell)), 0)+1))
		}
		b.WriteString("|\n")
	}
	line(rows[0])
	delimiters := make([]string, len(columns))
	for i, id := range columns {
		switch data.Definition[id].TextAlignment {
		case "center":
			delimiters[i] = ":" + strings.Repeat("-", widths[i]-2) + ":"
		case "right":
			delimiters[i] = strings.Repeat("-", widths[i]-1) + ":"
		default:
			delimiters[i] = strings.Repeat("-", widths[i])
		}
	}
	line(delimiters)
	for _, row := range rows[1:] {
		line(row)
	}
	return strings.TrimRight(b.String(), "\n")
}

// formatNumber writes a number as a cell holds it.
func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
