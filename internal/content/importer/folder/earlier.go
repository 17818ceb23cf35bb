package folder

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/content/importer/folder/fences"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// mend rewrites what earlier exporters of the dialect wrote in other forms: titles of tags with backslashes, end tags
// that are indented or stand behind text, HTML blocks in the cells of tables, and bold text that ends with punctuation
// beside letters of Chinese, Japanese or Korean, which is none for CommonMark. It reports whether lines are where they
// were. A text in the forms of today keeps its bytes.
func mend(text string) (mended string, lines bool) {
	mended = mendTags(text)
	lines = strings.Count(mended, "\n") == strings.Count(text, "\n")
	mended = fences.EachLine(mended, func(line string, fenced bool) string {
		if fenced {
			return line
		}
		return mendBold(line)
	})
	tables := mendTables(mended)
	return tables, lines && tables == mended
}

var (
	// tagOf finds the name of a tag that has a line of its own, and what is before it.
	tagOf = regexp.MustCompile(`^([ \t]*)\{%-?[ \t]*([a-z][a-z-]*)\b(.*)%\}[ \t]*$`)
	// endBehind is text before an end tag.
	endBehind = regexp.MustCompile(`^(.*[^\s>*+-].*?)[ \t]*(\{%-?[ \t]*end([a-z-]+)[ \t]*-?%\})[ \t]*$`)
)

// mendTags gives end tags a line of their own, below their start, and titles the escapes of HTML.
func mendTags(text string) string {
	if !strings.Contains(text, "{%") {
		return text
	}
	type opened struct{ name, indent string }
	var open []opened
	// closing returns the indent of the tag that an end belongs to, and closes it with what is open in it.
	closing := func(name string) (string, bool) {
		for n := len(open) - 1; n >= 0; n-- {
			if open[n].name == name {
				indent := open[n].indent
				open = open[:n]
				return indent, true
			}
		}
		return "", false
	}
	return fences.EachLine(text, func(line string, fenced bool) string {
		if fenced || !strings.Contains(line, "{%") {
			return line
		}
		bare := strings.TrimRight(line, "\r\n")
		ending := line[len(bare):]
		if found := endBehind.FindStringSubmatch(bare); found != nil && !strings.Contains(found[1], "{%") &&
			!strings.HasSuffix(found[1], `\`) {
			if indent, ok := closing(found[3]); ok {
				return found[1] + "\n" + indent + found[2] + ending
			}
			return line
		}
		found := tagOf.FindStringSubmatch(bare)
		if found == nil {
			return line
		}
		if name, isEnd := strings.CutPrefix(found[2], "end"); isEnd {
			if indent, ok := closing(name); ok && indent != found[1] {
				return indent + strings.TrimLeft(bare, " \t") + ending
			}
			return line
		}
		open = append(open, opened{found[2], found[1]})
		return unescapeTag(bare) + ending
	})
}

var quotedValue = regexp.MustCompile(`="((?:[^"\\]|\\.)*)"`)

// unescapeTag writes quotes in the values of a tag as HTML does. Backslashes are escapes only where one stands before a
// quote: a path has them, too.
func unescapeTag(line string) string {
	if !strings.Contains(line, `\"`) {
		return line
	}
	return quotedValue.ReplaceAllStringFunc(line, func(value string) string {
		inner := strings.NewReplacer(`\\`, `\`, `\"`, `&quot;`).Replace(value[2 : len(value)-1])
		return `="` + inner + `"`
	})
}

// boldRun is a run of two asterisks with text between that has none.
var boldRun = regexp.MustCompile(`\*\*([^*\n]+?)\*\*`)

// mendBold writes bold text as HTML where CommonMark takes its marks for text: beside punctuation on the inside and a
// letter of a language without spaces on the outside.
func mendBold(line string) string {
	if !strings.Contains(line, "**") || isASCII(line) || strings.Contains(line, "`") {
		return line
	}
	var out strings.Builder
	last := 0
	for _, at := range boldRun.FindAllStringSubmatchIndex(line, -1) {
		inner := line[at[2]:at[3]]
		before, _ := utf8.DecodeLastRuneInString(line[:at[0]])
		after, _ := utf8.DecodeRuneInString(line[at[1]:])
		first, _ := utf8.DecodeRuneInString(inner)
		final, _ := utf8.DecodeLastRuneInString(inner)
		if unicode.IsSpace(first) || unicode.IsSpace(final) || strings.HasSuffix(line[:at[0]], `\`) {
			continue
		}
		if !(isPunctuation(first) && isUnspaced(before)) && !(isPunctuation(final) && isUnspaced(after)) {
			continue
		}
		out.WriteString(line[last:at[0]])
		out.WriteString("<strong>" + inner + "</strong>")
		last = at[1]
	}
	out.WriteString(line[last:])
	return out.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isPunctuation(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// isUnspaced reports whether a letter is of a script that is written without spaces between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// blockInCell finds what makes a table worth a look.
var blockInCell = regexp.MustCompile(`(?m)^[ \t]*\|.*<(?:p|ul|ol)>.*\|`)

// mendTables writes tables whose cells have paragraphs or lists in HTML in the form for cells of blocks.
func mendTables(text string) string {
	if !blockInCell.MatchString(text) {
		return text
	}
	document, err := markdown.Parse([]byte(text))
	if err != nil {
		return text // it is said where the body is read
	}
	var out strings.Builder
	last := 0
	for _, block := range document.Nodes {
		source := text[min(block.Source.Start, len(text)):min(block.Source.End, len(text))]
		if block.Type != doc.Table || !blockInCell.MatchString(source) || block.Source.Start < last {
			continue
		}
		changed := false
		for _, cell := range block.Fragments {
			if blocks := cellBlocks(cell); blocks != nil {
				cell.Nodes, changed = blocks, true
			}
		}
		if !changed {
			continue
		}
		written := bytes.TrimRight(markdown.Write(&doc.Document{Nodes: []*doc.Node{block}}), "\n")
		out.WriteString(text[last:block.Source.Start])
		out.Write(written)
		last = block.Source.End
		if strings.HasSuffix(source, "\n") {
			last--
		}
	}
	if last == 0 {
		return text
	}
	out.WriteString(text[last:])
	return out.String()
}

var cellTag = regexp.MustCompile(`^\s*<(/?)(p|ul|ol|li)\s*>\s*$`)

// cellBlocks returns the blocks that the HTML in a cell stands for, nil when there is none.
func cellBlocks(cell *doc.Node) []*doc.Node {
	if len(cell.Nodes) != 1 || cell.Nodes[0].Type != doc.Paragraph {
		return nil
	}
	root := &doc.Node{}
	// around are the lists and items that are open, the innermost last.
	around, found := []*doc.Node{root}, false
	var text []*doc.Node
	flush := func() {
		text = trimBlank(text)
		if len(text) == 0 {
			return
		}
		into := around[len(around)-1]
		if into.Type == doc.ListUnordered || into.Type == doc.ListOrdered { // text between items
			item := doc.NewBlock(doc.ListItem, nil)
			into.Nodes = append(into.Nodes, item)
			into = item
		}
		into.Nodes = append(into.Nodes, doc.NewParagraph(text...))
		text = nil
	}
	for _, inline := range cell.Nodes[0].Nodes {
		tag := tagIn(inline)
		if tag == nil {
			text = append(text, inline)
			continue
		}
		flush()
		text, found = nil, true
		name, ends := tag[2], tag[1] != ""
		switch {
		case name == "p":
		case ends:
			for n := len(around) - 1; n > 0; n-- {
				if (around[n].Type == doc.ListItem) == (name == "li") {
					around = around[:n]
					break
				}
			}
		case len(around) > maxCellDepth:
			return nil
		default:
			kind := map[string]doc.Type{"ul": doc.ListUnordered, "ol": doc.ListOrdered, "li": doc.ListItem}[name]
			into := around[len(around)-1]
			isList := into.Type == doc.ListUnordered || into.Type == doc.ListOrdered
			if (kind == doc.ListItem) != isList {
				return nil // it is not in order: left as it is
			}
			made := doc.NewBlock(kind, nil)
			into.Nodes = append(into.Nodes, made)
			around = append(around, made)
		}
	}
	flush()
	if !found || len(root.Nodes) == 0 {
		return nil
	}
	return root.Nodes
}

// maxCellDepth is how deep lists and items stand inside each other in a cell at most.
const maxCellDepth = 12

// tagIn returns what cellTag finds in an inline, nil for anything else.
func tagIn(n *doc.Node) []string {
	raw, ok := n.Data.(*doc.RawData)
	if !ok || n.Type != doc.RawInline || raw.Syntax != "html" {
		return nil
	}
	return cellTag.FindStringSubmatch(raw.Source)
}

// trimBlank leaves out text of nothing but spaces at both ends.
func trimBlank(nodes []*doc.Node) []*doc.Node {
	blank := func(n *doc.Node) bool {
		return n.Object == doc.ObjectText && strings.TrimSpace(html.UnescapeString(n.PlainText())) == ""
	}
	for len(nodes) > 0 && blank(nodes[0]) {
		nodes = nodes[1:]
	}
	for len(nodes) > 0 && blank(nodes[len(nodes)-1]) {
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}
