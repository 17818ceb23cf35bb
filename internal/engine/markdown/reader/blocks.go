package reader

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// Kinds of the dialect's nodes in goldmark's tree.
var (
	kindTag      = ast.NewNodeKind("RectoTag")
	kindDetails  = ast.NewNodeKind("RectoDetails")
	kindHTML     = ast.NewNodeKind("RectoHTML")
	kindMath     = ast.NewNodeKind("RectoMath")
	kindFootnote = ast.NewNodeKind("RectoFootnote")
)

// leafNode is the common part of the nodes whose lines no inline parser reads.
type leafNode struct{ ast.BaseBlock }

// IsRaw tells goldmark to leave the lines alone.
func (*leafNode) IsRaw() bool { return true }

// source returns the lines as one text, without the prefixes of surrounding containers and without the last line feed.
// Lines of white space are empty: containers do not keep it.
func (n *leafNode) source(text []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		if value := segment.Value(text); util.IsBlank(value) {
			b.WriteByte('\n')
		} else {
			b.Write(value)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// take appends the current line to the node and consumes it.
func (n *leafNode) take(reader text.Reader) {
	_, segment := reader.PeekLine()
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
}

// tagNode is one "{% … %}" line, or several lines up to the one that ends with "%}".
type tagNode struct {
	leafNode
	name     string // "hint", "endhint", "@mermaid/diagram"
	complete bool   // the "%}" was found
}

func (*tagNode) Kind() ast.NodeKind { return kindTag }

func (n *tagNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// closes returns the name of the tag that this one ends, or "".
func (n *tagNode) closes() string {
	if name, ok := strings.CutPrefix(n.name, "end"); ok && name != "" {
		return name
	}
	return ""
}

// tagParser reads block tags. A tag stands alone on its line; a tag of an integration ("@name/block") may go on until
// a line that ends with "%}", any other one within its paragraph.
type tagParser struct{}

func (tagParser) Trigger() []byte             { return []byte{'{'} }
func (tagParser) CanInterruptParagraph() bool { return true }
func (tagParser) CanAcceptIndentedLine() bool { return false }

func (tagParser) Close(ast.Node, text.Reader, parser.Context) {}

func (tagParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	rest := bytes.TrimLeft(line, " \t")
	name, arguments, ok := dialect.CutTag(rest)
	if !ok {
		return nil, parser.NoChildren
	}
	node := &tagNode{name: name}
	end := dialect.TagEnd(name, arguments)
	switch {
	case end >= 0 && len(dialect.TrimBlank(arguments[end+2:])) == 0:
		node.complete = true
	case end >= 0:
		return nil, parser.NoChildren // text after the tag: an ordinary line
	default:
		s := stateOf(pc)
		what := "tag"
		if strings.HasPrefix(name, "@") {
			what = "integration tag"
		}
		at := s.search(what, segment.Stop, func(offset int) (int, int) {
			return findTagEnd(s.source.text, offset, what == "tag")
		})
		if at < 0 {
			return nil, parser.NoChildren
		}
	}
	node.take(reader)
	return node, parser.NoChildren
}

func (tagParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	tag := node.(*tagNode)
	line, _ := reader.PeekLine()
	trimmed := dialect.TrimBlank(line)
	if tag.complete || bytes.HasPrefix(trimmed, []byte("{%")) ||
		len(trimmed) == 0 && !strings.HasPrefix(tag.name, "@") {
		return parser.Close
	}
	tag.complete = bytes.HasSuffix(trimmed, []byte("%}"))
	tag.take(reader)
	return parser.Continue | parser.NoChildren
}

// findTagEnd looks for a line that ends with "%}" before the next tag, and before a blank line when paragraph is set.
func findTagEnd(text []byte, offset int, paragraph bool) (at, gaveUp int) {
	for offset < len(text) {
		end := dialect.LineEnd(text, offset)
		line := dialect.TrimBlank(text[offset:end])
		switch {
		case bytes.HasPrefix(bytes.TrimLeft(line, `\`), []byte("{%")), paragraph && len(line) == 0:
			return -1, end
		case bytes.HasSuffix(line, []byte("%}")):
			return offset, end
		}
		offset = end + 1
	}
	return -1, len(text) + 1
}

// mathNode is a block formula between two "$$" lines.
type mathNode struct {
	leafNode
	closed bool
}

func (*mathNode) Kind() ast.NodeKind { return kindMath }

func (n *mathNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// mathParser reads block formulas.
type mathParser struct{}

func (mathParser) Trigger() []byte             { return []byte{'$'} }
func (mathParser) CanInterruptParagraph() bool { return true }
func (mathParser) CanAcceptIndentedLine() bool { return false }

func (mathParser) Close(ast.Node, text.Reader, parser.Context) {}

func (mathParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	if string(dialect.TrimBlank(line)) != "$$" {
		return nil, parser.NoChildren
	}
	s := stateOf(pc)
	at := s.search("formula", segment.Stop, func(offset int) (int, int) {
		for offset < len(s.source.text) {
			end := dialect.LineEnd(s.source.text, offset)
			// Inside quotes the closing line has their prefix.
			if string(bytes.TrimLeft(dialect.TrimBlank(s.source.text[offset:end]), "> \t")) == "$$" {
				return offset, end
			}
			offset = end + 1
		}
		return -1, len(s.source.text) + 1
	})
	if at < 0 {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &mathNode{}, parser.NoChildren
}

func (mathParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	math := node.(*mathNode)
	if math.closed {
		return parser.Close
	}
	line, _ := reader.PeekLine()
	if string(dialect.TrimBlank(line)) == "$$" {
		math.closed = true
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	math.take(reader)
	return parser.Continue | parser.NoChildren
}

// footnoteNode is a definition: "[^label]: blocks", continued by lines indented by four.
type footnoteNode struct {
	ast.BaseBlock
	label string
}

func (*footnoteNode) Kind() ast.NodeKind { return kindFootnote }

func (n *footnoteNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// footnoteParser reads definitions.
type footnoteParser struct{}

func (footnoteParser) Trigger() []byte             { return []byte{'['} }
func (footnoteParser) CanInterruptParagraph() bool { return true }
func (footnoteParser) CanAcceptIndentedLine() bool { return false }

func (footnoteParser) Close(ast.Node, text.Reader, parser.Context) {}

func (footnoteParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	start := pc.BlockOffset()
	if start < 0 {
		return nil, parser.NoChildren
	}
	label, size := cutFootnoteLabel(line[start:])
	if size == 0 || start+size >= len(line) || line[start+size] != ':' {
		return nil, parser.NoChildren
	}
	node := &footnoteNode{label: label}
	s := stateOf(pc)
	if key := dialect.FootnoteKey(label); s.footnotes[key] == nil {
		s.footnotes[key] = node
	}
	at := start + size + 1
	if rest := line[at:]; util.IsBlank(rest) {
		reader.AdvanceToEOL()
		return node, parser.NoChildren
	}
	reader.Advance(at - segment.Padding)
	return node, parser.HasChildren
}

func (footnoteParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	if util.IsBlank(line) {
		reader.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPositionPadding(line, reader.LineOffset(), segment.Padding, 4)
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

// cutFootnoteLabel reads "[^label]" and returns the label and the bytes read, 0 when there is none.
func cutFootnoteLabel(line []byte) (label string, size int) {
	if len(line) < 4 || line[0] != '[' || line[1] != '^' {
		return "", 0
	}
	for i := 2; i < len(line) && i < 100; i++ {
		switch c := line[i]; {
		case c == ']':
			if i == 2 {
				return "", 0
			}
			return string(line[2:i]), i + 1
		case c <= ' ' || c == '[' || c == '\\' || c == '<' || c == '`' || c == '|':
			return "", 0
		}
	}
	return "", 0
}

// captionParser reads an indented line after a file or embed tag as its caption; elsewhere such a line is code.
type captionParser struct{ parser.BlockParser }

func (captionParser) CanAcceptIndentedLine() bool { return true }

func (p captionParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	tag, ok := parent.LastChild().(*tagNode)
	if !ok || tag.name != "file" && tag.name != "embed" || pc.BlockIndent() <= 3 {
		return nil, parser.NoChildren
	}
	if line, _ := reader.PeekLine(); bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("<")) {
		return nil, parser.NoChildren // where it is not indented it would be HTML
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// definitionTransformer bounds the definitions of links that goldmark reads: it moves all lines behind each one.
type definitionTransformer struct{ parser.ParagraphTransformer }

func (t definitionTransformer) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, definitions := node.Lines(), 0
	for i := range lines.Len() {
		segment := lines.At(i)
		if bytes.HasPrefix(bytes.TrimLeft(segment.Value(reader.Source()), " "), []byte{'['}) {
			definitions++
		} else if i == 0 {
			break // a paragraph of text has none
		}
	}
	if definitions > 0 {
		stateOf(pc).guard.step(lines.At(0).Start, definitions*lines.Len()/8)
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// tableTransformer bounds the pipe tables that goldmark reads: its cost and memory grow with columns times rows.
type tableTransformer struct{ parser.ParagraphTransformer }

func (t tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	g := stateOf(pc).guard
	lines := node.Lines()
	for i := 1; i < lines.Len(); i++ {
		segment := lines.At(i)
		line := segment.Value(reader.Source())
		if !isDelimiterRow(line) {
			continue
		}
		columns := bytes.Count(line, []byte{'|'}) + 1
		rows := lines.Len() - i
		if columns > doc.MaxColumns+2 {
			g.refuse(segment.Start, "the table has more than %d columns; split it", doc.MaxColumns)
		}
		if columns*rows > doc.MaxCells+2*rows {
			g.refuse(segment.Start, "the table has more than %d cells; split it", doc.MaxCells)
		}
		g.allocate(segment.Start, columns*rows*3*nodeCost)
		break
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
	if table, ok := node.NextSibling().(*extast.Table); ok && node.Parent() != nil {
		// Text stands before it, whose place the library gives the table as well.
		if cell := table.FirstChild().FirstChild(); cell != nil && cell.Pos() >= 0 {
			table.SetPos(cell.Pos())
		}
	}
}

// isDelimiterRow reports whether a line may separate the header of a pipe table from its rows.
func isDelimiterRow(line []byte) bool {
	dash := false
	for _, c := range line {
		switch c {
		case '-':
			dash = true
		case ' ', '\t', '\n', '|', ':':
		default:
			return false
		}
	}
	return dash
}
