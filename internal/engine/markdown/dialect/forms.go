package dialect

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// AtLeastParagraph gives containers that must not be empty an empty paragraph.
func AtLeastParagraph(nodes []*doc.Node) []*doc.Node {
	if len(nodes) == 0 {
		return []*doc.Node{doc.NewParagraph()}
	}
	return nodes
}

// CodeLine returns a line of code as the tree holds it: a line of white space is empty, because containers such as list
// items do not keep it.
func CodeLine(line string) string {
	if strings.Trim(line, " \t") == "" {
		return ""
	}
	return line
}

// CutInfo splits what stands after the backticks of a fence: the language, and the rest.
func CutInfo(info string) (syntax, meta string) {
	fields := strings.Fields(info)
	if len(fields) == 0 {
		return "", ""
	}
	return fields[0], strings.Join(fields[1:], " ")
}

// PlainWords makes the words of an annotation in code plain: code has no marks.
func PlainWords(n *doc.Node) {
	if n.Type != doc.Annotation {
		return
	}
	var words strings.Builder
	for _, word := range n.Nodes {
		words.WriteString(word.PlainText())
	}
	n.Nodes = doc.AppendText(nil, strings.ReplaceAll(words.String(), "\n", " "), nil)
}

// MarkTypes lists the marks that may be open at a place, in the order in which a leaf lists them.
var MarkTypes = [...]doc.MarkType{
	doc.Bold, doc.Italic, doc.CodeMark, doc.Keyboard, doc.Strikethrough, doc.Superscript, doc.Subscript,
}

// SetDefaults sets what the schema requires and the Markdown may leave out.
func SetDefaults(node *doc.Node) {
	switch data := node.Data.(type) {
	case *doc.HintData:
		data.Style = "info"
	case *doc.IntegrationData:
		data.Props = map[string]any{}
	case *doc.FileData:
		data.Ref.Kind = doc.RefURL
	case *doc.ContentRefData:
		data.Ref.Kind = doc.RefURL
	case *doc.ReusableContentData:
		data.Ref.Kind = doc.RefURL
	case *doc.OpenAPIData:
		data.Ref.Kind = doc.RefOpenAPI
		if node.Type == doc.Swagger {
			data.Ref.Kind = doc.RefURL
		}
	}
}

// FootnoteHref is what the address of an annotation starts with; the label of the footnote follows.
const FootnoteHref = "#user-content-fn-"

// FootnoteKey folds a label as references and definitions are compared.
func FootnoteKey(label string) string { return strings.ToLower(label) }

// IsFormatted reports whether inlines say more than their text. Raw HTML does not count: what it holds would be said
// twice where it stands for blocks.
func IsFormatted(inlines []*doc.Node) bool {
	formatted := false
	for _, n := range inlines {
		if n.Type == doc.RawInline {
			return false
		}
		formatted = formatted || n.Object != doc.ObjectText ||
			slices.ContainsFunc(n.Leaves, func(l doc.Leaf) bool { return len(l.Marks) > 0 })
	}
	return formatted
}
