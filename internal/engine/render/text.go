package render

import (
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Text returns the document as plain text for people and for search: a blank line between blocks, list markers, one
// line for each row of a table; no formatting, no addresses but those that are mentioned. What is not resolved (see
// Evaluate) is left out, and so is who or what a mention names by its id alone. A document over the default Limits
// gives "".
func Text(d *doc.Document) string { return TextFor(d, nil) }

// TextFor is Text for a reader for whom a resolver speaks: what is mentioned is called as it is for them.
func TextFor(d *doc.Document, resolver Resolver) string {
	if !acceptable(d) {
		return ""
	}
	w := textWriter{markers: true, resolver: resolver}
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
	// resolver says what mentions lead to; nil where that is not known.
	resolver Resolver
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
		w.lines(inlineText([]*doc.Node{n}, w.resolver))
		return
	case doc.HoldsText(n.Type):
		w.lines(inlineText(n.Nodes, w.resolver))
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

// inlineText is the text of inlines as a reader sees it for whom a resolver speaks, nil for none.
func inlineText(nodes []*doc.Node, resolver Resolver) string {
	var b strings.Builder
	writeInlines(&b, nodes, resolver)
	return b.String()
}

func writeInlines(b *strings.Builder, nodes []*doc.Node, resolver Resolver) {
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
			b.WriteString(mentionText(dataOf[doc.ContentRefData](n).Ref, resolver))
		case doc.RawInline:
			b.WriteString(rawText(dataOf[doc.RawData](n)))
		case doc.Icon, doc.Expression:
		default:
			writeInlines(b, n.Nodes, resolver)
			for _, fragment := range n.Fragments {
				w := textWriter{resolver: resolver}
				w.blocks(fragment.Nodes)
				if note := strings.Join(strings.Fields(w.String()), " "); note != "" {
					b.WriteString(" (" + note + ")")
				}
			}
		}
	}
}

// mentionText is the text of a mention: what a resolver calls it that leads somewhere, or else its Name.
func mentionText(ref doc.Ref, resolver Resolver) string {
	if resolver != nil {
		target := resolver.Resolve(ref)
		if target.Broken || target.Title != "" {
			return target.Title
		}
	}
	return Name(ref)
}

// Name is what a reference is called by itself, where nothing says what it leads to: an address, the end of a path, a
// tag. It is "" for what only an id names, such as a person or a page: that says nothing to people.
func Name(ref doc.Ref) string {
	if ref.Kind == doc.RefURL {
		ref = doc.ParseDestination(ref.URL)
	}
	switch ref.Kind {
	case doc.RefTag:
		return ref.Tag
	case doc.RefOpenAPI:
		return ref.Spec
	case doc.RefAnchor:
		if ref.Page == "" && ref.Space == "" {
			return ref.Anchor
		}
	case doc.RefURL:
		name := link{written: ref.URL}.name()
		if kind, _, _ := strings.Cut(name, "_"); !id.Valid(kind, name) {
			return name
		}
	}
	return ""
}
