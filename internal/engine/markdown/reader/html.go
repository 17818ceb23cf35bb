package reader

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// element is a part of an HTML block: an element with its children, a text, or a comment. It keeps its source, so that
// what the dialect does not know can stay as it was written.
type element struct {
	token    html.Token // its Type is TextToken, StartTagToken or CommentToken
	open     string     // source of the start tag, the comment, or the text
	close    string     // source of the end tag, "" when it was left out
	children []*element
}

// name returns the element's name, "" for texts and comments.
func (e *element) name() string {
	if e.token.Type == html.StartTagToken {
		return e.token.Data
	}
	return ""
}

// isBlank reports texts that hold white space only.
func (e *element) isBlank() bool {
	return e.token.Type == html.TextToken && strings.TrimSpace(e.open) == ""
}

// source returns what the element was parsed from.
func (e *element) source() string {
	var b strings.Builder
	e.appendSource(&b)
	return b.String()
}

func (e *element) appendSource(b *strings.Builder) {
	b.WriteString(e.open)
	for _, child := range e.children {
		child.appendSource(b)
	}
	b.WriteString(e.close)
}

// solid returns the children that are not blank texts.
func (e *element) solid() []*element {
	var solid []*element
	for _, child := range e.children {
		if !child.isBlank() {
			solid = append(solid, child)
		}
	}
	return solid
}

// maxHTMLDepth is how deep elements may nest; what is deeper becomes children of the element there.
const maxHTMLDepth = 2 * doc.MaxDepth

// parseHTML reads a block of HTML into a tree. It repairs little: end tags that match nothing are dropped, and the end
// tags of list items, paragraphs and table parts may be left out. It reports whether every element was well formed.
//
// g books what the tree costs for the block at an offset.
func parseHTML(source string, g *guard, offset int) (root *element, wellFormed bool) {
	root = &element{token: html.Token{Type: html.StartTagToken}}
	stack := []*element{root}
	wellFormed = true
	z := html.NewTokenizer(strings.NewReader(source))
	read := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := string(z.Raw())
		read += len(raw)
		g.allocate(offset, htmlCost)
		token := z.Token()
		top := stack[len(stack)-1]
		switch kind {
		case html.TextToken, html.CommentToken, html.DoctypeToken:
			if kind != html.TextToken {
				token.Type = html.CommentToken
				wellFormed = wellFormed && IsOneTag(raw)
			}
			top.children = append(top.children, &element{token: token, open: raw})
		case html.StartTagToken, html.SelfClosingTagToken:
			stack = closeImplied(stack, token.Data)
			top = stack[len(stack)-1]
			for i := range token.Attr {
				token.Attr[i].Val = dialect.CleanText(token.Attr[i].Val)
			}
			token.Type = html.StartTagToken
			child := &element{token: token, open: raw}
			top.children = append(top.children, child)
			if kind == html.StartTagToken && !isVoidElement(token.Data) {
				if len(stack) > maxHTMLDepth {
					wellFormed = false
					continue
				}
				stack = append(stack, child)
			}
		case html.EndTagToken:
			at := len(stack) - 1
			for at > 0 && stack[at].token.Data != token.Data {
				at--
			}
			if at == 0 {
				wellFormed = false
				continue
			}
			for i := at + 1; i < len(stack); i++ {
				wellFormed = wellFormed && mayStayOpen(stack[i].token.Data)
			}
			stack[at].close = raw
			stack = stack[:at]
		}
	}
	for _, open := range stack[1:] {
		wellFormed = wellFormed && mayStayOpen(open.token.Data)
	}
	// An unfinished tag at the end is not among the tokens.
	return root, wellFormed && read == len(source)
}

// IsOneTag reports whether a text is exactly one tag or comment.
func IsOneTag(source string) bool {
	if len(source) < 3 || source[0] != '<' || source[len(source)-1] != '>' || dialect.CleanText(source) != source {
		return false
	}
	if source == "<!-->" || source == "<!--->" {
		return true
	}
	if strings.HasPrefix(source, "<!--") {
		return strings.Index(source, "-->") == len(source)-3 && len(source) >= 7
	}
	z := html.NewTokenizer(strings.NewReader(source))
	kind := z.Next()
	return kind != html.ErrorToken && kind != html.TextToken && len(z.Raw()) == len(source)
}

// closeImplied closes the elements that a start tag ends.
func closeImplied(stack []*element, name string) []*element {
	for len(stack) > 1 {
		open := stack[len(stack)-1].token.Data
		var ends bool
		switch name {
		case "li":
			ends = open == "li" || open == "p"
		case "td", "th":
			ends = open == "td" || open == "th" || open == "p"
		case "tr":
			ends = open == "td" || open == "th" || open == "tr" || open == "p"
		case "tbody", "thead", "tfoot":
			ends = open == "td" || open == "th" || open == "tr" || open == "tbody" || open == "thead" || open == "tfoot"
		case "option":
			ends = open == "option"
		default:
			ends = open == "p" && isBlockElement(name)
		}
		if !ends {
			break
		}
		stack = stack[:len(stack)-1]
	}
	return stack
}

func mayStayOpen(name string) bool {
	switch name {
	case "li", "p", "td", "th", "tr", "tbody", "thead", "tfoot", "option":
		return true
	}
	return false
}

func isVoidElement(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// htmlTokens turns elements that stand in a line of text into tokens. White space collapses as HTML does; what was
// written as a character reference stays.
func htmlTokens(elements []*element) []token {
	h := htmlTokenizer{tokens: []token{{kind: textToken}}, space: true}
	for _, e := range elements {
		h.element(e)
	}
	return h.finish()
}

type htmlTokenizer struct {
	tokens []token
	space  bool // white space would be at the start, or follow other white space
}

func (h *htmlTokenizer) element(e *element) {
	switch e.token.Type {
	case html.TextToken:
		h.text(e.open)
		return
	case html.CommentToken:
		h.tokens = append(h.tokens, token{kind: rawToken, text: strings.Join(strings.Fields(e.open), " ")})
		return
	}
	start := tagToken(e.token, strings.Join(strings.Fields(e.open), " "))
	at := len(h.tokens)
	h.tokens = append(h.tokens, start)
	switch start.kind {
	case breakToken:
		h.trim()
		h.space = true
		return
	case nodeToken:
		h.space = false
		return
	}
	for _, child := range e.children {
		h.element(child)
	}
	if e.close != "" {
		h.tokens = append(h.tokens, token{kind: endToken, text: e.close, name: e.token.Data})
		if elementRole(&h.tokens[at]) != markRole && elementRole(&h.tokens[at]) != colorRole {
			h.space = false
		}
	}
}

// text appends a text with its white space collapsed.
func (h *htmlTokenizer) text(raw string) {
	var b strings.Builder
	trim := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\t', '\n', '\r', '\f':
			if !h.space {
				b.WriteByte(' ')
				h.space, trim = true, 1
			}
		default:
			b.WriteByte(raw[i])
			h.space, trim = false, 0
		}
	}
	if b.Len() > 0 {
		h.tokens = append(h.tokens, token{kind: textToken, text: dialect.UnescapeEntities(b.String()), trim: trim})
	}
}

// trim removes white space before a break and at the end.
func (h *htmlTokenizer) trim() {
	for i := len(h.tokens) - 1; i > 0; i-- {
		t := &h.tokens[i]
		switch t.kind {
		case textToken:
			t.text, t.trim = t.text[:len(t.text)-t.trim], 0
			return
		case endToken, breakToken:
			if t.kind == breakToken && i < len(h.tokens)-1 {
				return
			}
		default:
			return
		}
	}
}

func (h *htmlTokenizer) finish() []token {
	h.trim()
	return h.tokens
}
