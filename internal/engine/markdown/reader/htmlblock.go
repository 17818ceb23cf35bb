package reader

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// htmlNode is a block of HTML: one of the dialect's forms, or anything else kept as it is.
type htmlNode struct {
	leafNode
	form htmlForm
	name string // of the element that starts it, "" for comments and the like
	done bool   // the line that ends it was read
}

func (*htmlNode) Kind() ast.NodeKind { return kindHTML }

func (n *htmlNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// htmlForm says where a block of HTML ends.
type htmlForm int

const (
	noHTML        htmlForm = iota
	untilMarker            // at the line that holds marker(name): comments, declarations, pre and its like
	untilBlank             // before a blank line or a block tag
	alonePassable          // the same, but it cannot interrupt a paragraph
)

// htmlParser reads blocks of HTML. It differs from CommonMark in two ways: elements that stand for inlines of the
// dialect never start a block, and a block tag ends one.
type htmlParser struct{}

func (htmlParser) Trigger() []byte             { return []byte{'<'} }
func (htmlParser) CanInterruptParagraph() bool { return true }
func (htmlParser) CanAcceptIndentedLine() bool { return false }

func (htmlParser) Close(ast.Node, text.Reader, parser.Context) {}

func (htmlParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	form, name := htmlStart(bytes.TrimLeft(line, " \t"))
	if form == noHTML {
		return nil, parser.NoChildren
	}
	if form == alonePassable && ast.IsParagraph(pc.LastOpenedBlock().Node) {
		return nil, parser.NoChildren
	}
	node := &htmlNode{form: form, name: name}
	node.done = node.endsAt(line)
	node.take(reader)
	return node, parser.NoChildren
}

func (htmlParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	html := node.(*htmlNode)
	if html.done {
		return parser.Close
	}
	line, _ := reader.PeekLine()
	if html.form == untilBlank || html.form == alonePassable {
		if util.IsBlank(line) || isTagLine(line) {
			return parser.Close
		}
	}
	html.done = html.endsAt(line)
	html.take(reader)
	return parser.Continue | parser.NoChildren
}

// endsAt reports whether a line is the last one of a block that ends with a marker.
func (n *htmlNode) endsAt(line []byte) bool {
	if n.form != untilMarker {
		return false
	}
	if strings.HasPrefix(n.name, "<") {
		return bytes.Contains(line, []byte(htmlMarkers[n.name]))
	}
	lower := bytes.ToLower(line)
	return bytes.Contains(lower, []byte("</pre>")) || bytes.Contains(lower, []byte("</script>")) ||
		bytes.Contains(lower, []byte("</style>")) || bytes.Contains(lower, []byte("</textarea>"))
}

// IsOpenHTML reports whether a block of HTML of one source starts with a marker and lacks the one that ends it: it
// would go on to the end of the page.
func IsOpenHTML(source []byte) bool {
	form, name := htmlStart(source)
	return form == untilMarker && !(&htmlNode{form: form, name: name}).endsAt(source)
}

// htmlMarkers are what ends the blocks that start with them.
var htmlMarkers = map[string]string{"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}

// htmlStart classifies a line that starts with "<".
func htmlStart(line []byte) (form htmlForm, name string) {
	for _, start := range []string{"<!--", "<?", "<![CDATA["} {
		if bytes.HasPrefix(line, []byte(start)) {
			return untilMarker, start
		}
	}
	if len(line) > 2 && line[1] == '!' && 'A' <= line[2] && line[2] <= 'Z' {
		return untilMarker, "<!"
	}
	name, closing, end := cutHTMLName(line)
	if end == 0 {
		return noHTML, ""
	}
	after := line[end:]
	if !(util.IsBlank(after) || after[0] == ' ' || after[0] == '\t' || after[0] == '>' || bytes.HasPrefix(after,
		[]byte("/>"))) {
		return noHTML, ""
	}
	switch {
	case !closing && (name == "pre" || name == "script" || name == "style" || name == "textarea"):
		return untilMarker, name
	case isBlockElement(name):
		return untilBlank, name
	case isInlineElement(name):
		return noHTML, ""
	case isLoneTag(line, end, closing):
		return alonePassable, name
	}
	return noHTML, ""
}

// cutHTMLName reads "<name" or "</name" and returns the name in lower case and the bytes read, 0 when there is none.
func cutHTMLName(line []byte) (name string, closing bool, end int) {
	i := 1
	if i < len(line) && line[i] == '/' {
		closing = true
		i++
	}
	start := i
	for i < len(line) && (dialect.IsASCIILetter(line[i]) || i > start && (line[i] == '-' || '0' <= line[i] &&
		line[i] <= '9')) {
		i++
	}
	if i == start {
		return "", false, 0
	}
	return strings.ToLower(string(line[start:i])), closing, i
}

// isLoneTag reports whether a line is one complete tag and nothing else.
func isLoneTag(line []byte, end int, closing bool) bool {
	trimmed := bytes.TrimRight(line, " \t\n")
	if !bytes.HasSuffix(trimmed, []byte(">")) {
		return false
	}
	inside := trimmed[end : len(trimmed)-1]
	if closing {
		return len(dialect.TrimBlank(inside)) == 0
	}
	quote := byte(0)
	for _, c := range inside {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<' || c == '>' || c == '`':
			return false
		}
	}
	return quote == 0
}

// isTagLine reports whether a line starts a block tag.
func isTagLine(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " \t")
	if len(line)-len(trimmed) > 3 {
		return false
	}
	_, arguments, ok := dialect.CutTag(trimmed)
	return ok && bytes.HasSuffix(dialect.TrimBlank(arguments), []byte("%}"))
}

// isBlockElement reports the elements that start a block of HTML anywhere.
func isBlockElement(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
		"colgroup",
		"dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
		"frame",
		"frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li",
		"link",
		"main", "menu", "menuitem", "meta", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search",
		"section",
		"summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}

// isInlineElement reports the elements that stay inside a paragraph even alone on a line.
func isInlineElement(name string) bool {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "br", "button", "cite", "code", "data", "del", "dfn", "em", "i", "img",
		"input",
		"ins", "kbd", "label", "mark", "picture", "q", "s", "samp", "small", "source", "span", "strike", "strong",
		"sub",
		"sup", "time", "u", "var", "wbr":
		return true
	}
	return false
}

// detailsNode is the start of an expandable, <details> with its <summary>, or its end, </details>. What stands between
// the two is ordinary content.
type detailsNode struct {
	leafNode
	end        bool
	hasSummary bool // its start was read
	waiting    bool // for the summary or the end of it
	closed     bool // its own end stands in the same lines
	lines      int
}

func (*detailsNode) Kind() ast.NodeKind { return kindDetails }

func (n *detailsNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// detailsParser reads both ends of expandables.
type detailsParser struct{}

func (detailsParser) Trigger() []byte             { return []byte{'<'} }
func (detailsParser) CanInterruptParagraph() bool { return true }
func (detailsParser) CanAcceptIndentedLine() bool { return false }

func (detailsParser) Close(ast.Node, text.Reader, parser.Context) {}

// maxSummaryLines is how far the end of a summary may be from its start.
const maxSummaryLines = 20

func (detailsParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	trimmed := dialect.TrimBlank(line)
	name, closing, end := cutHTMLName(trimmed)
	if name != "details" {
		return nil, parser.NoChildren
	}
	node := &detailsNode{end: closing}
	if closing {
		if string(dialect.TrimBlank(trimmed[end:])) != ">" {
			return nil, parser.NoChildren
		}
		node.take(reader)
		return node, parser.NoChildren
	}
	_, after, ok := bytes.Cut(trimmed, []byte{'>'})
	if !ok {
		return nil, parser.NoChildren
	}
	if rest := dialect.TrimBlank(after); len(rest) > 0 {
		if !isSummaryStart(rest) {
			return nil, parser.NoChildren
		}
		node.hasSummary = true
	}
	node.head(trimmed)
	node.take(reader)
	return node, parser.NoChildren
}

func (detailsParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	details := node.(*detailsNode)
	if !details.waiting {
		return parser.Close
	}
	line, _ := reader.PeekLine()
	trimmed := dialect.TrimBlank(line)
	details.lines++
	started := details.hasSummary
	switch {
	case details.lines > maxSummaryLines, started && len(trimmed) == 0, isTagLine(line),
		!started && len(trimmed) > 0 && !isSummaryStart(trimmed):
		return parser.Close
	}
	details.hasSummary = started || len(trimmed) > 0
	details.head(trimmed)
	details.take(reader)
	return parser.Continue | parser.NoChildren
}

// head notes whether a line ends the summary, and the whole expandable with it.
func (n *detailsNode) head(line []byte) {
	lower := bytes.ToLower(line)
	n.waiting = !bytes.Contains(lower, []byte("</summary>"))
	n.closed = bytes.Contains(lower, []byte("</details>"))
}

func isSummaryStart(line []byte) bool {
	name, closing, _ := cutHTMLName(line)
	return line[0] == '<' && name == "summary" && !closing
}
