package hypertext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// inlines collects the texts and inlines of one line of text.
type inlines struct{ nodes []*doc.Node }

func (l *inlines) add(n *doc.Node) { l.nodes = append(l.nodes, n) }

// text adds text, joined with the one before when the marks are the same.
func (l *inlines) text(text string, marks []doc.Mark) {
	if text == "" {
		return
	}
	if last := l.last(); last != nil && last.Object == doc.ObjectText {
		leaf := &last.Leaves[len(last.Leaves)-1]
		if slices.Equal(leaf.Marks, marks) {
			leaf.Text += text
			return
		}
		last.Leaves = append(last.Leaves, doc.Leaf{Text: text, Marks: marks})
		return
	}
	l.add(doc.NewText(text, marks...))
}

func (l *inlines) last() *doc.Node {
	if len(l.nodes) == 0 {
		return nil
	}
	return l.nodes[len(l.nodes)-1]
}

// finish returns the nodes with white space as a browser shows it: runs are one space, none at the ends, none around
// line breaks.
func (l *inlines) finish() []*doc.Node {
	squeeze := &squeezer{atStart: true}
	nodes := squeeze.nodes(l.nodes)
	unmarkEdges(nodes)
	nodes = trimEnd(nodes)
	return dropEmpty(nodes)
}

// unmarkEdges takes the marks off white space at the ends of marked text: "**bold **" is not bold in Markdown.
func unmarkEdges(nodes []*doc.Node) {
	for _, n := range nodes {
		if n.Object != doc.ObjectText {
			if n.Type == doc.Link || n.Type == doc.Annotation {
				unmarkEdges(n.Nodes)
			}
			continue
		}
		settled := inlines{}
		for _, leaf := range n.Leaves {
			start := len(leaf.Text) - len(strings.TrimLeft(leaf.Text, " \n"))
			end := max(start, len(strings.TrimRight(leaf.Text, " \n")))
			settled.text(leaf.Text[:start], nil)
			settled.text(leaf.Text[start:end], leaf.Marks)
			settled.text(leaf.Text[end:], nil)
		}
		n.Leaves = nil
		if last := settled.last(); last != nil {
			n.Leaves = last.Leaves
		}
	}
}

// maxPieces is how many pieces of differently marked text one paragraph has; a longer one is cut in two.
const maxPieces = 500

// lines cuts the nodes of a paragraph so that no part has more than maxPieces.
func lines(nodes []*doc.Node) [][]*doc.Node {
	var parts [][]*doc.Node
	var current []*doc.Node
	pieces := 0
	flush := func() {
		if len(current) > 0 {
			parts = append(parts, current)
		}
		current, pieces = nil, 0
	}
	for _, n := range nodes {
		for n.Object == doc.ObjectText && pieces+len(n.Leaves) > maxPieces {
			room := maxPieces - pieces
			if room > 0 {
				current = append(current, &doc.Node{Object: doc.ObjectText, Leaves: n.Leaves[:room:room]})
			}
			n = &doc.Node{Object: doc.ObjectText, Leaves: n.Leaves[room:]}
			flush()
		}
		pieces += max(1, len(n.Leaves))
		current = append(current, n)
		if pieces >= maxPieces {
			flush()
		}
	}
	flush()
	return parts
}

// squeezer collapses white space across texts and inlines.
type squeezer struct{ atStart, space bool }

func (q *squeezer) nodes(nodes []*doc.Node) []*doc.Node {
	for _, n := range nodes {
		switch {
		case n.Object == doc.ObjectText:
			for i := range n.Leaves {
				n.Leaves[i].Text = q.squeeze(n.Leaves[i].Text)
			}
		case n.Type == doc.Link:
			n.Nodes = q.nodes(n.Nodes)
		case n.Type == doc.Annotation:
			n.Nodes = q.nodes(n.Nodes)
			q.atStart, q.space = false, false
		default:
			q.atStart, q.space = false, false
		}
	}
	return nodes
}

func (q *squeezer) squeeze(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == lineBreak:
			trimmed := strings.TrimRight(out.String(), " ")
			out.Reset()
			out.WriteString(trimmed)
			if !q.atStart {
				out.WriteByte('\n')
			}
			q.atStart, q.space = true, false
		case isHTMLSpace(r):
			if !q.atStart && !q.space {
				out.WriteByte(' ')
				q.space = true
			}
		default:
			out.WriteRune(r)
			q.atStart, q.space = false, false
		}
	}
	return out.String()
}

// lineBreak stands for <br> until white space is settled; no page holds it, clean takes it out.
const lineBreak = '\u0001'

// trimEnd takes white space and line breaks off the end of a line.
func trimEnd(nodes []*doc.Node) []*doc.Node {
	for i := len(nodes) - 1; i >= 0; i-- {
		n := nodes[i]
		switch {
		case n.Object == doc.ObjectText:
			for j := len(n.Leaves) - 1; j >= 0; j-- {
				n.Leaves[j].Text = strings.TrimRight(n.Leaves[j].Text, " \n\u00a0")
				if n.Leaves[j].Text != "" {
					return nodes
				}
			}
		case n.Type == doc.Link:
			n.Nodes = trimEnd(n.Nodes)
			if len(n.Nodes) > 0 {
				return nodes
			}
		default:
			return nodes
		}
	}
	return nodes
}

// dropEmpty leaves out leaves, texts and links without content.
func dropEmpty(nodes []*doc.Node) []*doc.Node {
	var out []*doc.Node
	for _, n := range nodes {
		if n.Object == doc.ObjectText {
			n.Leaves = slices.DeleteFunc(n.Leaves, func(leaf doc.Leaf) bool { return leaf.Text == "" })
			if len(n.Leaves) == 0 {
				continue
			}
		}
		if n.Type == doc.Link {
			n.Nodes = dropEmpty(n.Nodes)
			if len(n.Nodes) == 0 {
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// text adds text of the page to a line.
func (c *converter) text(line *inlines, text string, s state) {
	text = clean(text)
	if collapse(text) != "" {
		c.settleAnchors()
	}
	line.text(text, s.marks)
}

// inlineState returns the marks inside an inline element.
func (c *converter) inlineState(n *html.Node, s state) state {
	mark := doc.MarkType("")
	switch n.Data {
	case "b", "strong":
		mark = doc.Bold
	case "i", "em", "cite", "dfn", "var", "address":
		mark = doc.Italic
	case "code", "tt", "samp":
		mark = doc.CodeMark
	case "kbd":
		mark = doc.Keyboard
	case "s", "strike", "del":
		mark = doc.Strikethrough
	case "sup":
		mark = doc.Superscript
	case "sub":
		mark = doc.Subscript
	}
	if mark == "" {
		return s
	}
	return s.with(doc.Mark{Type: mark})
}

func (c *converter) inlineChildren(line *inlines, n *html.Node, s state) {
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode:
			c.text(line, child.Data, s)
		case child.Type != html.ElementNode || isDropped(child):
			c.drop(child)
		default:
			c.inline(line, child, s)
		}
	}
}

// inline converts an inline element, and a block that stands where only text can: its text with line breaks around.
func (c *converter) inline(line *inlines, n *html.Node, s state) {
	c.anchor(n)
	if formula, ok := inlineFormula(n); ok {
		c.settleAnchors()
		line.add(doc.NewInline(doc.InlineMath, &doc.FormulaData{Formula: formula}))
		return
	}
	switch n.Data {
	case "br":
		line.text(string(lineBreak), nil)
	case "wbr", "input":
	case "img", "picture":
		c.inlineImage(line, n)
	case "svg":
		if data := c.drawing(n); data != nil {
			line.add(doc.NewInline(doc.InlineImage, &doc.InlineImageData{Ref: data.Ref, Alt: data.Alt}))
		}
	case "math":
		c.text(line, textOf(n), s)
	case "a":
		c.link(line, n, s)
	case "q":
		line.text("“", s.marks)
		c.inlineChildren(line, n, s)
		line.text("”", s.marks)
	case "iframe", "video", "audio", "object":
		c.mediaLink(line, n, s)
	case "pre":
		for i, part := range codeLines(n) {
			if i > 0 {
				line.text(string(lineBreak), nil)
			}
			line.text(strings.ReplaceAll(part, " ", "\u00a0"), s.with(doc.Mark{Type: doc.CodeMark}).marks)
		}
	default:
		if isBlock(n) {
			line.text(string(lineBreak), nil)
			defer line.text(string(lineBreak), nil)
		}
		c.inlineChildren(line, n, c.inlineState(n, s))
	}
}

// link converts an anchor element: a footnote's mark, a link, or just its text.
func (c *converter) link(line *inlines, n *html.Node, s state) {
	href := attr(n, "href")
	if body := c.note(n, href); body != nil && !s.inNote && !s.inLink && !s.inCell {
		c.annotation(line, n, body, s)
		return
	}
	if !hasAttr(n, "href") || s.inLink || c.notes[strings.TrimPrefix(href, "#")] != nil && s.inNote {
		c.inlineChildren(line, n, s)
		return
	}
	inner := s
	inner.inLink = true
	var content inlines
	c.inlineChildren(&content, n, inner)
	nodes := linkable(content.nodes)
	if blankNodes(nodes) {
		for _, node := range nodes {
			line.add(node)
		}
		return
	}
	destination := c.options.Link(clean(href))
	if destination == "" {
		for _, node := range content.nodes {
			line.add(node)
		}
		return
	}
	line.add(doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.URL(destination)}, nodes...))
}

// linkable keeps what a link may hold: texts and images. Of other inlines the text stays.
func linkable(nodes []*doc.Node) []*doc.Node {
	var out inlines
	for _, n := range nodes {
		if n.Object == doc.ObjectText {
			for _, leaf := range n.Leaves {
				out.text(leaf.Text, leaf.Marks)
			}
			continue
		}
		if n.Type == doc.InlineImage {
			out.add(n)
			continue
		}
		out.text(n.PlainText(), nil)
	}
	return out.nodes
}

func blankNodes(nodes []*doc.Node) bool {
	for _, n := range nodes {
		if n.Object != doc.ObjectText {
			return false
		}
		for _, leaf := range n.Leaves {
			if strings.Trim(collapse(leaf.Text), string(lineBreak)) != "" {
				return false
			}
		}
	}
	return true
}

// embolden marks all texts bold.
func embolden(nodes []*doc.Node) []*doc.Node {
	bold := doc.Mark{Type: doc.Bold}
	for _, n := range nodes {
		for i, leaf := range n.Leaves {
			if !slices.Contains(leaf.Marks, bold) && collapse(leaf.Text) != "" {
				n.Leaves[i].Marks = append([]doc.Mark{bold}, leaf.Marks...)
			}
		}
		if n.Type == doc.Link {
			embolden(n.Nodes)
		}
	}
	return nodes
}

// oneLine makes line breaks spaces.
func oneLine(nodes []*doc.Node) []*doc.Node {
	for _, n := range nodes {
		for i := range n.Leaves {
			n.Leaves[i].Text = strings.ReplaceAll(n.Leaves[i].Text, "\n", " ")
		}
		oneLine(n.Nodes)
	}
	return nodes
}
