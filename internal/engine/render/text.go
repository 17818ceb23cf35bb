package render

import (
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Text returns the document as plain text for people and for search: a blank line between blocks, list markers, one
// line for each row of a table; no formatting, no addresses. What is not resolved (see Evaluate) is left out. A
// document over the default Limits gives "".
func Text(d *doc.Document) string {
	if !acceptable(d) {
		return ""
	}
	w := textWriter{markers: true}
	w.blocks(d.Nodes)
	return strings.TrimRight(w.String(), "\n")
}

// textWriter writes blocks as lines.
type textWriter struct {
	strings.Builder
	// markers says that list items get their markers, tables their separators and blocks a blank line between them.
	markers bool
	// prefix begins every line; head, when it is set, begins the next one instead.
	prefix, head string
	// gap asks for a blank line before the next one.
	gap bool
	// written counts bytes up to maxText.
	written int
	// sections receives headings, tabs and expandables; nil writes them in place.
	sections *sectionList
}

// lines writes a text, which may have line breaks.
func (w *textWriter) lines(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	w.separate()
	for line := range strings.SplitSeq(text, "\n") {
		w.line(line)
	}
}

// separate writes the blank line that was asked for.
func (w *textWriter) separate() {
	if w.gap && w.markers && w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.gap = false
}

func (w *textWriter) line(text string) {
	start := w.prefix
	if w.head != "" {
		start, w.head = w.head, ""
	}
	if w.written += len(start) + len(text); w.written > maxText {
		return
	}
	w.WriteString(strings.TrimRight(start+text, " "))
	w.WriteByte('\n')
}

// maxText is how much text a document gives, in bytes: cells that share their content can make more than it holds.
const maxText = 4 << 20

func (w *textWriter) blocks(nodes []*doc.Node) {
	for i, n := range nodes {
		if i > 0 {
			w.gap = true
		}
		w.block(n)
	}
}

func (w *textWriter) fragment(n *doc.Node, name string) {
	if fragment := n.FragmentNamed(name); fragment != nil {
		w.blocks(fragment.Nodes)
	}
}

func (w *textWriter) block(n *doc.Node) {
	if w.sections != nil && w.sections.begin(w, n) {
		return
	}
	switch {
	case n.Object == doc.ObjectText || n.Object == doc.ObjectInline:
		w.lines(inlineText([]*doc.Node{n}))
		return
	case doc.HoldsText(n.Type):
		w.lines(inlineText(n.Nodes))
		return
	}
	if n.Fragment == doc.FragmentExample {
		return // what the description says once more, in many languages
	}
	switch n.Type {
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		w.list(n)
	case doc.Code:
		w.code(n)
	case doc.Math:
		w.lines(dataOf[doc.FormulaData](n).Formula)
	case doc.Image:
		alt := dataOf[doc.ImageData](n).Alt
		w.lines(alt)
		if caption := fragmentText(n, doc.FragmentCaption); caption != alt {
			w.lines(caption)
		}
	case doc.File, doc.Drawing, doc.Embed:
		w.fragment(n, doc.FragmentCaption)
	case doc.Expandable:
		w.fragment(n, doc.FragmentExpandableTitle)
		w.gap = true
		w.fragment(n, doc.FragmentExpandableBody)
	case doc.TabsItem:
		w.lines(dataOf[doc.TabsItemData](n).Title)
		w.gap = true
		w.blocks(n.Nodes)
	case doc.Update:
		w.lines(dataOf[doc.UpdateData](n).Date)
		w.gap = true
		w.blocks(n.Nodes)
	case doc.Prompt:
		w.lines(dataOf[doc.PromptData](n).Description)
		w.gap = true
		w.blocks(n.Nodes)
	case doc.Table:
		w.table(n)
	case doc.If, doc.ReusableContent, doc.ContentRefBlock, doc.Divider:
	case doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
		data := dataOf[doc.OpenAPIData](n)
		w.lines(strings.Join(strings.Fields(data.Title+" "+strings.ToUpper(data.Method)+" "+data.Target()+" "+
			strings.Join(data.Schemas, " ")), " "))
		w.blocks(n.Nodes)
	case doc.Integration:
		content, _ := dataOf[doc.IntegrationData](n).Props["content"].(string)
		w.lines(content)
	case doc.Raw:
		w.lines(strings.Join(strings.Fields(rawText(dataOf[doc.RawData](n))), " "))
	default:
		w.blocks(n.Nodes)
		for _, fragment := range n.Fragments {
			w.gap = true
			w.blocks(fragment.Nodes)
		}
	}
}

// maxIndent is how deep lists are indented; deeper ones stand below one another.
const maxIndent = 24

func (w *textWriter) list(n *doc.Node) {
	start := 1
	if data := dataOf[doc.ListData](n); data.Start != nil {
		start = *data.Start
	}
	for i, item := range n.Nodes {
		if i > 0 {
			w.gap = false
		}
		prefix := w.prefix
		if w.markers {
			marker := itemMarker(n, item, start+i)
			w.head = firstText(w.head, prefix) + marker
			if len(prefix) < maxIndent {
				w.prefix += strings.Repeat(" ", len(marker))
			}
		}
		for j, child := range item.Nodes {
			isList := child.Type == doc.ListOrdered || child.Type == doc.ListUnordered || child.Type == doc.ListTasks
			if j > 0 {
				w.gap = !isList
			}
			w.block(child)
		}
		if w.head != "" {
			// Nothing was written after the marker.
			w.line("")
		}
		w.prefix = prefix
	}
}

func itemMarker(list, item *doc.Node, number int) string {
	switch checked := dataOf[doc.ListItemData](item).Checked; {
	case checked != nil && *checked:
		return "[x] "
	case checked != nil:
		return "[ ] "
	case list.Type == doc.ListOrdered:
		return strconv.Itoa(number) + ". "
	}
	return "- "
}

func (w *textWriter) code(n *doc.Node) {
	if title := dataOf[doc.CodeData](n).Title; title != "" {
		w.lines(title)
	}
	w.separate()
	for _, line := range codeLines(n) {
		w.line(line.text)
	}
}

func (w *textWriter) table(n *doc.Node) {
	v := readTable(n)
	separator := " "
	if w.markers {
		separator = " | "
	}
	if v.data.View.Type != "cards" && !v.data.View.HideHeader {
		titles := make([]string, len(v.columns))
		for i, column := range v.columns {
			titles[i] = strings.TrimSpace(column.Title)
		}
		if line := strings.Join(titles, separator); strings.Trim(line, " |") != "" {
			w.lines(line)
		}
	}
	for _, row := range v.rows {
		var cells []string
		left := maxText - w.written
		for _, column := range v.columns {
			text := v.cellText(column, row)
			if left -= len(text); left < 0 {
				return
			}
			if text != "" || v.data.View.Type != "cards" && w.markers {
				cells = append(cells, text)
			}
		}
		if line := strings.TrimSpace(strings.Join(cells, separator)); strings.Trim(line, " |") != "" {
			w.lines(line)
		}
	}
}

// inlineText is the text of inlines as a reader sees it.
func inlineText(nodes []*doc.Node) string {
	var b strings.Builder
	writeInlines(&b, nodes)
	return b.String()
}

func writeInlines(b *strings.Builder, nodes []*doc.Node) {
	for _, n := range nodes {
		if n.Object == doc.ObjectText {
			for _, leaf := range n.Leaves {
				b.WriteString(leaf.Text)
			}
			continue
		}
		switch n.Type {
		case doc.Emoji:
			b.WriteString(doc.EmojiCharacters(dataOf[doc.EmojiData](n).Code))
		case doc.InlineMath:
			b.WriteString(dataOf[doc.FormulaData](n).Formula)
		case doc.InlineImage:
			b.WriteString(dataOf[doc.InlineImageData](n).Alt)
		case doc.Button:
			b.WriteString(dataOf[doc.ButtonData](n).Label)
		case doc.Mention:
			b.WriteString(link{written: dataOf[doc.ContentRefData](n).Ref.Destination()}.name())
		case doc.RawInline:
			b.WriteString(rawText(dataOf[doc.RawData](n)))
		case doc.Icon, doc.Expression:
		default:
			writeInlines(b, n.Nodes)
			for _, fragment := range n.Fragments {
				var w textWriter
				w.blocks(fragment.Nodes)
				if note := strings.Join(strings.Fields(w.String()), " "); note != "" {
					b.WriteString(" (" + note + ")")
				}
			}
		}
	}
}
