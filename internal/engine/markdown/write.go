package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Write returns a document as Markdown in the conventions of the dialect: "*" bullets, "_italic_", "***" between
// sections, hard breaks as "\", richer blocks as tags and as HTML on one line, one blank line between blocks. It ends
// with a line feed unless it is empty. What Markdown cannot hold is normalised first; see Normalize.
func Write(d *doc.Document) []byte {
	w := &writer{}
	nodes := Normalize(d).Nodes
	text := w.blocks(nodes)
	if notes := w.definitions(); notes != "" {
		if last := nodes[len(nodes)-1]; isOpenEnded(last) {
			text = notes + "\n\n" + text
		} else {
			text += separator(last) + notes
		}
	}
	if text == "" {
		return nil
	}
	return []byte(text + "\n")
}

// isOpenEnded reports raw HTML that goes on to the end of the page, such as a comment without its end.
func isOpenEnded(node *doc.Node) bool {
	data, ok := node.Data.(*doc.RawData)
	if !ok || data.Syntax != "html" {
		return false
	}
	return reader.IsOpenHTML([]byte(data.Source))
}

// writer writes normal blocks. Its methods return lines without the last line feed; containers put their prefixes
// before them.
type writer struct {
	list bool // inside a list item

	notes     []*doc.Node     // the annotations written so far, in the order of their numbers
	numbers   []string        // their labels
	lastLabel int             // the last number given out
	taken     map[string]bool // labels that the page has already
}

// blocks writes blocks with a blank line between them.
func (w *writer) blocks(nodes []*doc.Node) string {
	var b strings.Builder
	var marker listMarker
	for i, node := range nodes {
		if i > 0 {
			b.WriteString(separator(nodes[i-1]))
			if absorbs(nodes[i-1], node) {
				b.WriteString("<b></b>\n\n") // a paragraph that parsing drops
			}
		}
		marker = w.nextMarker(marker, node)
		b.WriteString(w.block(node, marker, i == 0))
	}
	return b.String()
}

// separator is what stands after a block: a blank line, but not after an item without content, which a blank line would
// make part of what follows.
func separator(node *doc.Node) string {
	if endsEmpty(node) {
		return "\n"
	}
	return "\n\n"
}

// absorbs reports whether a block would take the next one in: <details> looks for its summary.
func absorbs(node, next *doc.Node) bool {
	data, ok := node.Data.(*doc.RawData)
	after, isRaw := next.Data.(*doc.RawData)
	return ok && isRaw && strings.HasPrefix(data.Source, "<details") && !strings.Contains(data.Source, "<summary") &&
		strings.HasPrefix(after.Source, "<summary")
}

// endsEmpty reports whether the last thing in a block is a list item without content.
func endsEmpty(node *doc.Node) bool {
	switch node.Type {
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		return endsEmpty(node.Nodes[len(node.Nodes)-1])
	case doc.ListItem:
		last := node.Nodes[len(node.Nodes)-1]
		return last.Type == doc.Paragraph && len(last.Nodes) == 0 && node.Data.(*doc.ListItemData).Checked == nil ||
			endsEmpty(last)
	}
	return false
}

// listMarker is what the items of a list start with: "*" or "-", or the character after the number.
type listMarker byte

// nextMarker returns the marker of a list. A list right after one of its kind takes the other marker, because the same
// one would continue the first list. It is 0 for other blocks.
func (w *writer) nextMarker(previous listMarker, node *doc.Node) listMarker {
	switch node.Type {
	case doc.ListUnordered, doc.ListTasks:
		if previous == '*' {
			return '-'
		}
		return '*'
	case doc.ListOrdered:
		if previous == '.' {
			return ')'
		}
		return '.'
	}
	return 0
}

// block writes one block. first says that nothing of the container stands before it.
func (w *writer) block(node *doc.Node, marker listMarker, first bool) string {
	switch node.Type {
	case doc.Paragraph:
		return w.paragraph(node)
	case doc.Heading1, doc.Heading2, doc.Heading3:
		return w.heading(node)
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		return w.listBlock(node, marker)
	case doc.Divider:
		if w.list && first {
			return "___" // "* ***" would be a divider, not an item with one
		}
		return "***"
	case doc.Blockquote:
		return dialect.PrefixLines(w.blocks(node.Nodes), "> ", "> ")
	case doc.Code:
		return w.code(node)
	case doc.Math:
		return w.math(node)
	case doc.Images, doc.Table:
		if node.Type == doc.Table {
			if text, ok := w.pipeTable(node); ok {
				return text
			}
		}
		return w.htmlBlock(node)
	case doc.Drawing:
		if len(node.Fragments) == 0 {
			return w.drawingImage(node)
		}
		return w.htmlBlock(node)
	case doc.Expandable:
		return w.expandable(node)
	case doc.Hint:
		if w.list {
			return w.htmlBlock(node)
		}
	case doc.Integration:
		return integrationTag(node.Data.(*doc.IntegrationData))
	case doc.Raw:
		return node.Data.(*doc.RawData).Source
	}
	return w.tagBlock(node)
}

// listBlock writes a list. Items that hold nothing but a paragraph and lists stand close together; items of several
// blocks are set apart and indented by four.
func (w *writer) listBlock(node *doc.Node, marker listMarker) string {
	outer := w.list
	w.list = true
	defer func() { w.list = outer }()
	number := 1
	if data := node.Data.(*doc.ListData); data.Start != nil {
		number = *data.Start
	}
	tight := !slices.ContainsFunc(node.Nodes, func(item *doc.Node) bool { return !isPlainItem(item) })
	var b strings.Builder
	for i, item := range node.Nodes {
		if i > 0 {
			b.WriteByte('\n')
			if !tight && !endsEmpty(node.Nodes[i-1]) {
				b.WriteByte('\n')
			}
		}
		bullet := string(rune(marker))
		if node.Type == doc.ListOrdered {
			bullet = strconv.Itoa(number) + bullet
			number = min(number+1, maxListNumber)
		}
		b.WriteString(w.listItem(item, bullet, marker))
	}
	return b.String()
}

// isPlainItem reports whether an item is a paragraph, alone or followed by lists.
func isPlainItem(item *doc.Node) bool {
	for i, n := range item.Nodes {
		isList := n.Type == doc.ListOrdered || n.Type == doc.ListUnordered || n.Type == doc.ListTasks
		if i == 0 && (n.Type != doc.Paragraph || n.Data.(*doc.ParagraphData).Align != "") || i > 0 && !isList {
			return false
		}
	}
	return true
}

func (w *writer) listItem(item *doc.Node, bullet string, marker listMarker) string {
	width := len(bullet) + 1
	plain := isPlainItem(item)
	if !plain {
		width = max(width, 4)
	}
	text := w.itemBlocks(item, plain, marker)
	if text == "" {
		return bullet
	}
	return dialect.PrefixLines(text, bullet+strings.Repeat(" ", width-len(bullet)), strings.Repeat(" ", width))
}

// itemBlocks writes the content of an item; a task's box stands in its first paragraph. A list right at the start takes
// another marker than the list around it, because a line of three equal bullets is a divider.
func (w *writer) itemBlocks(item *doc.Node, plain bool, marker listMarker) string {
	box := ""
	if checked := item.Data.(*doc.ListItemData).Checked; checked != nil {
		box = "[ ] "
		if *checked {
			box = "[x] "
		}
	}
	var b strings.Builder
	for i, n := range item.Nodes {
		marker = w.nextMarker(marker, n)
		var text string
		switch {
		case i == 0 && box != "":
			text = strings.TrimRight(box+w.taskParagraph(n), " ")
		case i == 0:
			text = w.block(n, marker, true)
		default:
			text = w.block(n, marker, false)
			b.WriteByte('\n')
			if (!plain || i > 1 || !mayFollowText(n)) && !endsEmpty(item.Nodes[i-1]) {
				b.WriteByte('\n')
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

// mayFollowText reports whether a list can start on the line after a paragraph.
func mayFollowText(list *doc.Node) bool {
	if list.Type == doc.ListOrdered && list.Data.(*doc.ListData).Start != nil {
		return false
	}
	first := list.Nodes[0]
	return first.Data.(*doc.ListItemData).Checked != nil || len(first.Nodes[0].Nodes) > 0 && isPlainItem(first)
}

// code writes a code block: a fence, in a tag when it has attributes, or <pre> when a fence cannot hold it.
func (w *writer) code(node *doc.Node) string {
	data := node.Data.(*doc.CodeData)
	if (normalizer{list: w.list}).preformatted(node) {
		return w.pre(node, data, "\n")
	}
	fence := w.fence(node)
	if !hasCodeAttributes(data) {
		return fence
	}
	return dialect.TagNamed("code").OpenTag(data) + "\n" + fence + "\n{% endcode %}"
}

func (w *writer) fence(node *doc.Node) string {
	data := node.Data.(*doc.CodeData)
	info := data.Syntax
	if data.Meta != "" {
		info += " " + data.Meta
	}
	info = escapeInfo(info)
	character := "`"
	if strings.Contains(info, "`") {
		character = "~"
	}
	longest := 2
	var b strings.Builder
	for _, line := range node.Nodes {
		text := line.PlainText()
		b.WriteString(text)
		b.WriteByte('\n')
		trimmed := strings.TrimLeft(text, " \t")
		longest = max(longest, len(trimmed)-len(strings.TrimLeft(trimmed, character)))
	}
	fence := strings.Repeat(character, longest+1)
	if character == "~" && strings.HasPrefix(info, "~") {
		info = " " + info
	}
	return fence + info + "\n" + b.String() + fence
}

// math writes a block formula between "$$" lines, or as a stand-in when one of its lines is "$$".
func (w *writer) math(node *doc.Node) string {
	formula := node.Data.(*doc.FormulaData).Formula
	for line := range strings.SplitSeq(formula, "\n") {
		if strings.TrimLeft(strings.TrimSpace(line), "> \t") == "$$" {
			return w.htmlBlock(node)
		}
	}
	if formula == "" {
		return "$$\n$$"
	}
	return "$$\n" + formula + "\n$$"
}

// expandable writes <details> with Markdown inside.
func (w *writer) expandable(node *doc.Node) string {
	open := "<details>"
	if node.Data.(*doc.ExpandableData).DefaultExpanded {
		open = "<details open>"
	}
	title := w.htmlInline(node.Fragments[0].Nodes[0].Nodes)
	text := open + "\n\n<summary>" + title + "</summary>\n\n"
	nodes := node.Fragments[1].Nodes
	if body := w.blocks(nodes); body != "" {
		text += body + separator(nodes[len(nodes)-1])
	}
	return text + "</details>"
}

// tagBlock writes a block as a tag of the dialect, with its content and its end tag.
func (w *writer) tagBlock(node *doc.Node) string {
	spec := dialect.Spelling(node)
	open := spec.OpenTag(node.Data)
	end := "{% end" + spec.Name + " %}"
	content := ""
	switch {
	case spec.Child != "":
		parts := make([]string, 0, len(node.Nodes))
		for _, child := range node.Nodes {
			parts = append(parts, w.tagBlock(child))
		}
		content = strings.Join(parts, "\n\n")
	case spec.Form == dialect.VoidForm:
		switch data := node.Data.(type) {
		case *doc.ContentRefData:
			content = displayLink(data.Ref.URL)
		case *doc.OpenAPIData:
			content = displayLink(data.Ref.Destination())
		default:
			return open
		}
	case spec.Form == dialect.CaptionForm:
		if len(node.Fragments) == 0 {
			return open
		}
		content = w.blocks(node.Fragments[0].Nodes)
	default:
		content = w.blocks(node.Nodes)
	}
	if content == "" {
		return open + "\n" + end
	}
	return open + "\n" + content + "\n" + end
}

// displayLink is the line that readers of the source see between the tags of a reference; parsing passes it over.
func displayLink(destination string) string {
	return "[" + escapeLinkText(lastSegment(destination)) + "](" + dialect.LinkDestination(destination) + ")"
}

// integrationTag writes {% @integration/block prop="…" %}.
func integrationTag(data *doc.IntegrationData) string {
	parts := []string{"{%", "@" + data.Integration + "/" + data.Block}
	odd := map[string]any{}
	for _, key := range sortedKeys(data.Props) {
		value := data.Props[key]
		switch {
		case key == "url" && value == any(data.URL):
		case dialect.KeyLength(key) != len(key) || key == "" || key == "url" || key == "fullWidth" || key == "action" ||
			key == "props":
			odd[key] = value
		default:
			parts = append(parts, dialect.FormatProp(key, value))
		}
	}
	if data.URL != "" || data.Props["url"] == any("") {
		parts = append(parts, dialect.FormatProp("url", data.URL))
	}
	if data.FullWidth != nil {
		parts = append(parts, dialect.FormatProp("fullWidth", strconv.FormatBool(*data.FullWidth)))
	}
	if data.Action != nil {
		parts = append(parts, dialect.FormatProp("action", data.Action))
	}
	if len(odd) > 0 {
		parts = append(parts, dialect.FormatProp("props", odd))
	}
	return strings.Join(append(parts, "%}"), " ")
}

// note gives an annotation its label; its body is written at the end of the page.
func (w *writer) note(annotation *doc.Node) string {
	for {
		w.lastLabel++
		label := strconv.Itoa(w.lastLabel)
		if !w.taken[label] {
			w.notes = append(w.notes, annotation)
			w.numbers = append(w.numbers, label)
			return label
		}
	}
}

// definitions writes the bodies of the annotations.
func (w *writer) definitions() string {
	var parts []string
	outer := w.list
	w.list = true // their blocks are indented like those of a list item
	defer func() { w.list = outer }()
	for i := 0; i < len(w.notes); i++ {
		body := w.notes[i].Fragments[0].Nodes
		text := w.blocks(body)
		first := "[^" + w.numbers[i] + "]: "
		if len(body) > 0 && body[0].Type != doc.Paragraph || strings.HasPrefix(text, "<") {
			// A block that starts on the line of the label would be indented by it.
			parts = append(parts, strings.TrimSpace(first)+"\n"+dialect.PrefixLines(text, "    ", "    "))
			continue
		}
		parts = append(parts, strings.TrimRight(dialect.PrefixLines(text, first, "    "), " "))
	}
	return strings.Join(parts, "\n\n")
}
