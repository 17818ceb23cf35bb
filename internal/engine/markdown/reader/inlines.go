package reader

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

var (
	kindInline      = ast.NewNodeKind("RectoInline")
	kindFootnoteRef = ast.NewNodeKind("RectoFootnoteRef")
)

// inlineNode is a finished inline of the document in goldmark's tree.
type inlineNode struct {
	ast.BaseInline
	node *doc.Node
}

func (*inlineNode) Kind() ast.NodeKind { return kindInline }

func (n *inlineNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// footnoteRefNode is "[^label]".
type footnoteRefNode struct {
	ast.BaseInline
	label string
}

func (*footnoteRefNode) Kind() ast.NodeKind { return kindFootnoteRef }

func (n *footnoteRefNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// taskBoxParser reads the box of a task. Something must set it off from what follows: "[x](address)" is a link.
type taskBoxParser struct{ parser.InlineParser }

func (p taskBoxParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) > 3 && line[3] != ' ' && line[3] != '\t' && line[3] != '\n' {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// codeSpanParser reads code spans. It knows which runs of backticks have a partner further on, because goldmark reads
// to the end of the block for every one that has none.
type codeSpanParser struct{ parser.InlineParser }

func (p codeSpanParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	s := stateOf(pc)
	if s.backticksOf != parent {
		s.backticksOf, s.backticks = parent, lastBackticks(parent, block.Source())
	}
	length := runLength(line)
	if s.backticks[length] <= segment.Start {
		block.Advance(length)
		return ast.NewTextSegment(segment.WithStop(segment.Start + length))
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// lastBackticks returns, for each length of a run of backticks in a block, where the last such run starts.
func lastBackticks(parent ast.Node, source []byte) map[int]int {
	last := map[int]int{}
	lines := parent.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		for at := segment.Start; at < segment.Stop; at++ {
			if source[at] == '`' {
				length := runLength(source[at:segment.Stop])
				last[length] = at
				at += length
			}
		}
	}
	return last
}

// footnoteRefParser reads references to footnotes that are defined somewhere in the page.
type footnoteRefParser struct{}

func (footnoteRefParser) Trigger() []byte { return []byte{'[', '!'} }

func (footnoteRefParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if line[0] == '!' {
		// "![^1]" is an exclamation mark and a reference, not an image.
		if label, size := cutFootnoteLabel(line[1:]); size > 0 &&
			stateOf(pc).footnotes[dialect.FootnoteKey(label)] != nil {
			_, segment := block.PeekLine()
			block.Advance(1)
			return ast.NewTextSegment(segment.WithStop(segment.Start + 1))
		}
		return nil
	}
	label, size := cutFootnoteLabel(line)
	if size == 0 || stateOf(pc).footnotes[dialect.FootnoteKey(label)] == nil {
		return nil
	}
	block.Advance(size)
	return &footnoteRefNode{label: label}
}

// inlineMathParser reads "$$formula$$" within one line.
type inlineMathParser struct{}

func (inlineMathParser) Trigger() []byte { return []byte{'$'} }

func (inlineMathParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("$$")) {
		return nil
	}
	stateOf(pc).guard.step(segment.Start, len(line)/16)
	rest := line[2:]
	end := bytes.Index(rest, []byte("$$"))
	if end <= 0 || len(dialect.TrimBlank(rest[:end])) == 0 {
		return nil
	}
	formula := string(rest[:end])
	block.Advance(2 + end + 2)
	return finished(pc, segment.Start, doc.NewInline(doc.InlineMath, &doc.FormulaData{Formula: formula}))
}

// emojiParser reads ":name:" for the names that the dialect knows. A colon after a letter, a digit or
// another colon starts none, so that times, ratios and names like std::date::now stay text.
type emojiParser struct{}

func (emojiParser) Trigger() []byte { return []byte{':'} }

// finished makes a node of an inline that was read in one piece.
func finished(pc parser.Context, offset int, node *doc.Node) ast.Node {
	stateOf(pc).guard.allocate(offset, emojiCost)
	return &inlineNode{node: node}
}

func (emojiParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	if dialect.IsWordRune(before) {
		return nil
	}
	line, segment := block.PeekLine()
	s := stateOf(pc)
	if before == ':' && segment.Start != s.emojiEnd {
		return nil
	}
	name, size := CutEmojiName(line)
	if size == 0 {
		return nil
	}
	code, ok := dialect.EmojiCode(name)
	if !ok {
		return nil
	}
	block.Advance(size)
	s.emojiEnd = segment.Start + size
	return finished(pc, segment.Start, doc.NewInline(doc.Emoji, &doc.EmojiData{Code: code}))
}

// CutEmojiName reads ":name:", where an underscore may be escaped, and returns the name and the bytes read.
func CutEmojiName(line []byte) (name string, size int) {
	var b []byte
	for i := 1; i < len(line) && i < 100; i++ {
		switch c := line[i]; {
		case c == ':':
			if len(b) == 0 {
				return "", 0
			}
			return string(b), i + 1
		case c == '\\' && i+1 < len(line) && (line[i+1] == '_' || line[i+1] == '+' || line[i+1] == '-'):
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '+', c == '-', c >= 0x80:
			b = append(b, c)
		default:
			return "", 0
		}
	}
	return "", 0
}

// expressionParser reads <code class="expression">…</code>, whose content is no Markdown.
type expressionParser struct{}

func (expressionParser) Trigger() []byte { return []byte{'<'} }

func (expressionParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	opened := cutExpressionTag(line)
	if opened == 0 {
		return nil
	}
	end := bytes.Index(line[opened:], []byte("</code>"))
	if end < 0 {
		return nil
	}
	source := dialect.UnescapeEntities(string(line[opened : opened+end]))
	block.Advance(opened + end + len("</code>"))
	return finished(pc, segment.Start,
		doc.NewInline(doc.Expression, &doc.ExpressionData{Expression: dialect.ExpressionText(source)}))
}

// cutExpressionTag returns the length of the opening tag of an expression, or 0.
func cutExpressionTag(line []byte) int {
	for _, tag := range []string{`<code class="expression">`, `<code class='expression'>`} {
		if bytes.HasPrefix(line, []byte(tag)) {
			return len(tag)
		}
	}
	return 0
}
