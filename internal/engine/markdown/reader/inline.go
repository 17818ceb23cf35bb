package reader

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// token is one step through the inlines of a block. Markdown and HTML both become tokens, so that an element means the
// same in a paragraph as in a table cell.
type token struct {
	kind  tokenKind
	text  string // of a text; the source of a tag or comment; the label of a footnote
	name  string // of a tag, in lower case
	attrs []html.Attribute
	mark  doc.MarkType // of a mark's start and end
	node  *doc.Node    // a finished inline, or the link that starts
	pair  int          // the index of the token that ends what this one starts, or starts what it ends; 0 for none
	trim  int          // how many bytes of white space at the end of the text were written as such, not as "&#x20;"
	image bool         // a drawing: <img class="gitbook-drawing">
}

type tokenKind int

const (
	textToken tokenKind = iota
	breakToken
	startToken
	endToken
	rawToken
	markToken
	markEndToken
	linkToken
	linkEndToken
	nodeToken
	footnoteToken
)

// inline converts the inlines of a block.
func (c *converter) inline(n ast.Node) *inlineBuilder {
	return c.build(c.tokens(n))
}

// build makes nodes of tokens.
func (c *converter) build(tokens []token) *inlineBuilder {
	pairTokens(tokens)
	b := &inlineBuilder{converter: c, tokens: tokens}
	b.run(0, len(tokens))
	return b
}

// buildHeading makes nodes of a heading's tokens and takes its explicit anchor off the end.
func (c *converter) buildHeading(tokens []token) (nodes []*doc.Node, anchor string) {
	pairTokens(tokens)
	anchor = cutAnchor(tokens)
	b := &inlineBuilder{converter: c, tokens: tokens}
	b.run(0, len(tokens))
	return b.nodes, anchor
}

// plainText returns the text of inlines without any markup.
func (c *converter) plainText(n ast.Node) string {
	b := c.inline(n)
	var text strings.Builder
	for _, node := range b.nodes {
		text.WriteString(node.PlainText())
	}
	return text.String()
}

// tokens walks goldmark's inlines.
func (c *converter) tokens(n ast.Node) []token {
	outer := c.inCell
	_, c.inCell = n.(*extast.TableCell)
	tokens := make([]token, 1, n.ChildCount()+8) // index 0 stands for "no pair"
	tokens = c.appendTokens(tokens, n)
	c.inCell = outer
	return tokens
}

func (c *converter) appendTokens(tokens []token, parent ast.Node) []token {
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		switch n := child.(type) {
		case *ast.Text:
			tokens = c.appendText(tokens, n)
		case *ast.String:
			tokens = append(tokens, token{kind: textToken, text: string(n.Value)})
		case *ast.CodeSpan:
			tokens = append(tokens, token{kind: markToken, mark: doc.CodeMark})
			tokens = append(tokens, token{kind: textToken, text: c.codeSpan(n)})
			tokens = append(tokens, token{kind: markEndToken, mark: doc.CodeMark})
		case *ast.Emphasis:
			mark := doc.Italic
			if n.Level == 2 {
				mark = doc.Bold
			}
			tokens = c.appendMarked(tokens, n, mark)
		case *extast.Strikethrough:
			tokens = c.appendMarked(tokens, n, doc.Strikethrough)
		case *ast.Link:
			tokens = c.appendLink(tokens, n)
		case *ast.AutoLink:
			tokens = c.appendAutoLink(tokens, n)
		case *ast.Image:
			tokens = append(tokens, token{kind: nodeToken, node: doc.NewInline(doc.InlineImage, &doc.InlineImageData{
				Ref: doc.URL(dialect.UnescapeText(n.Destination)), Caption: dialect.UnescapeTitle(n.Title),
				Alt: c.plainText(n),
			})})
		case *ast.RawHTML:
			tokens = c.appendHTML(tokens, n)
		case *inlineNode:
			tokens = append(tokens, token{kind: nodeToken, node: n.node})
		case *footnoteRefNode:
			tokens = append(tokens, token{kind: footnoteToken, text: n.label})
		case *extast.TaskCheckBox:
			switch {
			case taskBox(parent) == n: // the list item has it
			case n.IsChecked:
				tokens = append(tokens, token{kind: textToken, text: "[x] "})
			default:
				tokens = append(tokens, token{kind: textToken, text: "[ ] "})
			}
		default:
			tokens = c.appendTokens(tokens, n)
		}
	}
	return tokens
}

func (c *converter) appendText(tokens []token, n *ast.Text) []token {
	value := n.Segment.Value(c.text)
	text := string(value)
	if !n.IsRaw() {
		text = dialect.UnescapeText(value)
	}
	trim := len(value) - len(strings.TrimRight(string(value), " \t"))
	if n.SoftLineBreak() {
		text += " "
	}
	tokens = append(tokens, token{kind: textToken, text: text, trim: trim})
	if n.HardLineBreak() {
		tokens = append(tokens, token{kind: breakToken})
	}
	return tokens
}

// codeSpan returns the text of a code span; its line breaks are spaces, and in a table a pipe has a backslash. The
// library's transformer of such pipes compares all of a page's with each other.
func (c *converter) codeSpan(n *ast.CodeSpan) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if text, ok := child.(*ast.Text); ok {
			b.Write(text.Segment.Value(c.text))
		}
	}
	text := strings.ReplaceAll(b.String(), "\n", " ")
	if c.inCell {
		text = strings.ReplaceAll(text, `\|`, "|")
	}
	return text
}

func (c *converter) appendMarked(tokens []token, n ast.Node, mark doc.MarkType) []token {
	tokens = append(tokens, token{kind: markToken, mark: mark})
	tokens = c.appendTokens(tokens, n)
	return append(tokens, token{kind: markEndToken, mark: mark})
}

func (c *converter) appendLink(tokens []token, n *ast.Link) []token {
	data := &doc.ContentRefData{Ref: doc.URL(dialect.UnescapeText(n.Destination)),
		Title: dialect.UnescapeTitle(n.Title)}
	if data.Title == "mention" {
		data.Title = ""
		return append(tokens, token{kind: nodeToken, node: doc.NewInline(doc.Mention, data)})
	}
	at := len(tokens)
	tokens = append(tokens, token{kind: linkToken, node: doc.NewInline(doc.Link, data)})
	tokens = c.appendTokens(tokens, n)
	tokens = append(tokens, token{kind: linkEndToken, pair: at})
	tokens[at].pair = len(tokens) - 1
	return tokens
}

func (c *converter) appendAutoLink(tokens []token, n *ast.AutoLink) []token {
	label := string(n.Label(c.text))
	if _, bare := n.AttributeString(bareAttribute); bare {
		label = dialect.UnescapeText([]byte(label))
	}
	destination := label
	if n.Protocol != nil {
		destination = string(n.Protocol) + "://" + label
	}
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(label), "mailto:") {
		destination = "mailto:" + label
	}
	at := len(tokens)
	return append(tokens,
		token{kind: linkToken, pair: at + 2,
			node: doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.URL(destination)})},
		token{kind: textToken, text: label},
		token{kind: linkEndToken, pair: at})
}

// appendHTML adds one tag or comment inside Markdown.
func (c *converter) appendHTML(tokens []token, n *ast.RawHTML) []token {
	var b strings.Builder
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		b.Write(segment.Value(c.text))
	}
	return append(tokens, htmlToken(b.String()))
}

// pairTokens finds the end tag of every element that the dialect knows; what does not pair stays raw. Elements that
// stand for inlines nest properly with each other and with links. Marks pair within one of those or outside of all, and
// need not nest.
func pairTokens(tokens []token) {
	pairElements(tokens)
	pairMarks(tokens)
}

// pairElements pairs the elements that stand for inlines.
func pairElements(tokens []token) {
	var open []int              // links and elements
	waiting := map[string]int{} // how many of a name are open since the innermost link
	bare := map[string]int{}    // marks of the same names, whose ends are not the elements'
	var outer []map[string]int
	for i := range tokens {
		t := &tokens[i]
		switch t.kind {
		case linkToken:
			open = append(open, i)
			outer, waiting = append(outer, waiting), map[string]int{}
		case linkEndToken:
			for open[len(open)-1] != t.pair {
				open = open[:len(open)-1]
			}
			open = open[:len(open)-1]
			waiting, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case startToken:
			switch elementRole(t) {
			case rawRole, colorRole:
			case markRole:
				if waiting[t.name] > 0 {
					bare[t.name]++
				}
			default:
				open = append(open, i)
				waiting[t.name]++
			}
		case endToken:
			if bare[t.name] > 0 {
				bare[t.name]--
				continue
			}
			for waiting[t.name] > 0 {
				start := open[len(open)-1]
				open = open[:len(open)-1]
				waiting[tokens[start].name]--
				if tokens[start].name == t.name {
					tokens[start].pair, t.pair = i, start
					break
				}
			}
		}
	}
}

// pairMarks pairs the marks.
func pairMarks(tokens []token) {
	frames := make([]map[string][]int, 1, 8) // for each link and element around, by name the marks that are open
	for i := range tokens {
		t := &tokens[i]
		top := len(frames) - 1
		switch t.kind {
		case linkToken:
			frames = append(frames, nil)
		case linkEndToken:
			frames = frames[:top]
		case startToken:
			switch role := elementRole(t); {
			case role == markRole || role == colorRole:
				if frames[top] == nil {
					frames[top] = map[string][]int{}
				}
				frames[top][t.name] = append(frames[top][t.name], i)
			case t.pair > 0:
				frames = append(frames, nil)
			}
		case endToken:
			if t.pair > 0 {
				frames = frames[:top]
				continue
			}
			if open := frames[top][t.name]; len(open) > 0 {
				start := open[len(open)-1]
				frames[top][t.name] = open[:len(open)-1]
				tokens[start].pair, t.pair = i, start
			}
		}
	}
}

// cutAnchor takes the explicit anchor off the end of a heading: <a href="#x" id="x"></a>. Marks may end behind it.
func cutAnchor(tokens []token) (anchor string) {
	end := len(tokens)
	for end > 0 && endsQuietly(&tokens[end-1], tokens) {
		end--
	}
	if end < 2 || tokens[end-1].kind != endToken || tokens[end-2].kind != startToken || tokens[end-2].name != "a" {
		return ""
	}
	id := attribute(tokens[end-2].attrs, "id")
	if !dialect.IsAnchor(id) || attribute(tokens[end-2].attrs, "href") != "#"+id {
		return ""
	}
	tokens[end-2], tokens[end-1] = token{kind: textToken}, token{kind: textToken}
	// The space before it only sets it off.
	if end > 2 && tokens[end-3].kind == textToken {
		before := &tokens[end-3]
		before.text, before.trim = before.text[:len(before.text)-before.trim], 0
	}
	return id
}

// endsQuietly reports whether a token shows nothing: white space, or the end of a mark.
func endsQuietly(t *token, tokens []token) bool {
	switch t.kind {
	case textToken:
		return strings.TrimSpace(t.text) == ""
	case markEndToken:
		return true
	case endToken:
		if t.pair == 0 {
			return false
		}
		role := elementRole(&tokens[t.pair])
		return role == markRole || role == colorRole
	}
	return false
}
