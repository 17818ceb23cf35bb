package hypertext

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// takeFootnotes takes the footnotes out of a page, by the ids that their marks point to.
func takeFootnotes(content *html.Node) map[string]*html.Node {
	wanted := map[string]bool{}
	for n := range content.Descendants() {
		// A cell of a table holds no footnotes: those that only cells point to stay where they are.
		if isElement(n, "a") && isNoteMark(n) && !within(n, content, func(p *html.Node) bool {
			return isElement(p, "td", "th")
		}) {
			wanted[strings.TrimPrefix(attr(n, "href"), "#")] = true
			dropBrackets(n)
		}
	}
	notes := map[string]*html.Node{}
	if len(wanted) == 0 {
		return notes
	}
	var marked []*html.Node
	for n := range content.Descendants() {
		if n.Type == html.ElementNode && wanted[attr(n, "id")] {
			marked = append(marked, n)
		}
	}
	var bodies []*html.Node
	for _, n := range marked {
		id := attr(n, "id")
		if notes[id] != nil {
			continue
		}
		if body := noteBody(n, content); body != nil {
			notes[id] = body
			bodies = append(bodies, body)
		}
	}
	var containers []*html.Node
	for _, body := range bodies {
		if container := body.Parent; len(containers) == 0 || containers[len(containers)-1] != container {
			containers = append(containers, container)
		}
		for _, back := range findAll(body, isBackLink) {
			remove(back)
		}
		remove(body)
	}
	for _, container := range containers {
		removeEmptied(container, content)
	}
	return notes
}

// dropBrackets takes away the brackets that Asciidoctor has around the mark of a footnote.
func dropBrackets(mark *html.Node) {
	around := mark.Parent
	before, after := mark.PrevSibling, mark.NextSibling
	if isElement(around, "sup") && before != nil && after != nil && before.Data == "[" && after.Data == "]" {
		remove(before)
		remove(after)
	}
}

// dropNumber takes away the number that Asciidoctor has before the text of a footnote, which is a link back.
func dropNumber(note *html.Node) {
	back := note.FirstChild
	for back != nil && back.Type == html.TextNode && collapse(back.Data) == "" {
		back = back.NextSibling
	}
	if !isElement(back, "a") || !strings.HasPrefix(attr(back, "href"), "#_footnoteref_") {
		return
	}
	if next := back.NextSibling; next != nil && next.Type == html.TextNode {
		next.Data = strings.TrimLeft(next.Data, ". ")
	}
	remove(back)
}

// removeEmptied removes the containers of footnotes that hold nothing else any more but a rule or a hidden heading.
func removeEmptied(container, content *html.Node) {
	for container != nil && container != content && isFootnotes(container) {
		rest := findAll(container, func(n *html.Node) bool {
			return isElement(n, "hr") || hasClass(n, "sr-only", "visually-hidden")
		})
		if !isBlankBut(container, rest) {
			return
		}
		next := container.Parent
		remove(container)
		container = next
	}
}

// isBlankBut reports whether a container holds nothing that shows besides the given elements.
func isBlankBut(container *html.Node, rest []*html.Node) bool {
	for child := range container.ChildNodes() {
		if slices.Contains(rest, child) {
			continue
		}
		if child.Type == html.TextNode && collapse(child.Data) == "" || child.Type == html.CommentNode {
			continue
		}
		if child.Type != html.ElementNode || !isBlankBut(child, rest) || isElement(child, "img", "iframe", "video",
			"audio", "math", "svg") {
			return false
		}
	}
	return true
}

// isNoteMark reports whether a link is the mark of a footnote.
func isNoteMark(n *html.Node) bool {
	href := attr(n, "href")
	if len(href) < 2 || href[0] != '#' || isBackLink(n) {
		return false
	}
	if hasClass(n, "footnote-reference", "footnote-ref", "footnote", "footnoteRef", "noteref") ||
		attr(n, "role") == "doc-noteref" ||
		hasAttr(n, "data-footnote-ref") {
		return true
	}
	return isElement(n.Parent, "sup") && (hasClass(n.Parent, "footnote", "footnote-ref", "footnote-reference") ||
		strings.HasPrefix(href, "#fn") || strings.HasPrefix(href, "#ftn") || strings.HasPrefix(href, "#footnote"))
}

func isBackLink(n *html.Node) bool {
	return isElement(n, "a") && (hasClass(n, "footnote-back", "footnote-backref", "data-footnote-backref", "fn-backref",
		"backref") ||
		attr(n, "role") == "doc-backlink" || strings.HasPrefix(collapse(textOf(n)), "↩"))
}

// noteBody returns the element that holds the text of the footnote whose id is at n, or nil.
func noteBody(n, content *html.Node) *html.Node {
	switch {
	case isElement(n, "dt") && hasClass(n, "label"):
		// Docutils: the label is the term, the text its definition.
		for next := n.NextSibling; next != nil; next = next.NextSibling {
			if isElement(next, "dd") {
				remove(n)
				return next
			}
		}
		return nil
	case isElement(n, "li", "aside", "div", "dd", "p", "td"):
		if label := find(n, func(d *html.Node) bool {
			return hasClass(d, "label", "footnote-definition-label")
		}); label != nil {
			remove(label)
		}
		dropNumber(n)
		return n
	case isElement(n, "a", "sup", "span"):
		// An anchor inside the paragraph that is the note.
		if parent := n.Parent; isElement(parent, "p", "li", "div", "td") && parent != content && leading(parent, n) {
			remove(n)
			return parent
		}
	}
	return nil
}

func isFootnotes(n *html.Node) bool {
	return hasClass(n, "footnotes", "footnote", "footnote-list", "footnote-definition") ||
		attr(n, "role") == "doc-endnotes" || attr(n, "id") == "footnotes" ||
		isElement(n, "ol", "ul", "dl", "aside", "table", "tbody", "tr")
}

// note returns the body of the footnote that a link is the mark of, or nil.
func (c *converter) note(n *html.Node, href string) *html.Node {
	id, ok := strings.CutPrefix(href, "#")
	if !ok || !isNoteMark(n) || c.notes[id] == nil {
		return nil
	}
	if c.noteUses[id]++; c.noteUses[id] > maxNoteUses {
		return nil
	}
	return c.notes[id]
}

// maxNoteUses is how often one footnote is written out; a page where it would be more often keeps the later marks.
const maxNoteUses = 20

// maxNoteNesting is how many containers may stand inside each other in a footnote, which may itself stand deep.
const maxNoteNesting = 3

// annotation hangs a footnote on the word before its mark.
func (c *converter) annotation(line *inlines, mark, body *html.Node, s state) {
	c.anchor(body)
	inner := state{inNote: true, depth: max(s.depth, maxNesting-maxNoteNesting)}
	blocks := c.blocks(cloneTree(body), inner)
	if len(blocks) == 0 {
		return
	}
	word := line.takeWord()
	if word == nil {
		word = doc.NewText(strings.Trim(collapse(clean(textOf(mark))), "[]()"), s.marks...)
		if len(word.Leaves) == 0 {
			word = doc.NewText("*")
		}
	}
	note := doc.NewInline(doc.Annotation, nil, word)
	note.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, blocks...)}
	line.add(note)
}

// takeWord takes the last word off a line, for a footnote to hang on; nil when the line does not end with one.
func (l *inlines) takeWord() *doc.Node {
	last := l.last()
	// Space before the mark goes: the mark is not a word.
	for last != nil && last.Object == doc.ObjectText {
		leaf := &last.Leaves[len(last.Leaves)-1]
		leaf.Text = strings.TrimRightFunc(leaf.Text, isHTMLSpace)
		if leaf.Text != "" {
			break
		}
		last.Leaves = last.Leaves[:len(last.Leaves)-1]
		if len(last.Leaves) == 0 {
			l.nodes = l.nodes[:len(l.nodes)-1]
			last = l.last()
		}
	}
	if last == nil || last.Object != doc.ObjectText {
		return nil
	}
	leaf := &last.Leaves[len(last.Leaves)-1]
	start := strings.LastIndexFunc(leaf.Text, func(r rune) bool { return unicode.IsSpace(r) || r == lineBreak }) + 1
	if start > 0 && start < len(leaf.Text) && leaf.Text[start-1] != ' ' {
		// LastIndexFunc gives the first byte of the rune; a space of several bytes ends later.
		for start < len(leaf.Text) && leaf.Text[start]&0xC0 == 0x80 {
			start++
		}
	}
	word := doc.NewText(leaf.Text[start:], leaf.Marks...)
	leaf.Text = leaf.Text[:start]
	if len(word.Leaves) == 0 {
		return nil
	}
	if leaf.Text == "" {
		last.Leaves = last.Leaves[:len(last.Leaves)-1]
		if len(last.Leaves) == 0 {
			l.nodes = l.nodes[:len(l.nodes)-1]
		}
	}
	return word
}

// cloneTree copies a tree: a footnote may have several marks, and converting changes what it reads.
func cloneTree(n *html.Node) *html.Node {
	clone := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: n.Attr}
	for child := range n.ChildNodes() {
		clone.AppendChild(cloneTree(child))
	}
	return clone
}
