// Package hypertext owns turning the HTML of documentation pages into document trees.
//
// It finds the part of a page that is its content (Content), and converts it (Convert) to the blocks of package doc:
// headings, lists, tables, code with its language, images with captions, call-outs, tabs, expandables, formulas and
// footnotes, the way the common documentation generators write them. The Markdown is then package markdown's
// business, so that there is one writer of the dialect and nothing to escape here. What has no counterpart keeps its
// text; what has no text is reported. The package is pure and never fails on odd HTML: it takes a parsed tree, whose
// depth the parser bounds.
package hypertext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Options says how what a page points to is written in the result. A nil function leaves what it gets.
type Options struct {
	// Link returns the destination for an href as written in the page.
	Link func(href string) string
	// Image returns the destination for an image's src as written in the page, or "" to leave the image out.
	Image func(src string) string
	// Drawing returns the destination for a drawing that is written into the page, given as a file of its own. Nil
	// leaves drawings out.
	Drawing func(svg string) string
	// Titled says that the page's title is known: no heading is taken for it.
	Titled bool
	// Name is what the page calls itself in its head: the heading that says the same is its title.
	Name string
}

// Result is a converted page.
type Result struct {
	// Title is the text of the page's main heading, "" when it has none; the heading is not in the document.
	Title string
	// Document is the body.
	Document *doc.Document
	// Anchors maps ids of the HTML to the node that now stands at or before their place: a heading, an expandable
	// or a tab, or nil for the top of the page. The node's ID is its anchor once the document is finished.
	Anchors map[string]*doc.Node
	// Lost says what was left out, with how often.
	Lost map[string]int
}

// Convert converts the content of a page. It changes the tree that it is given.
func Convert(content *html.Node, options Options) Result {
	if options.Link == nil {
		options.Link = func(href string) string { return href }
	}
	if options.Image == nil {
		options.Image = func(src string) string { return src }
	}
	c := &converter{options: options, anchors: map[string]*doc.Node{}, lost: map[string]int{},
		noteUses: map[string]int{}}
	c.notes = takeFootnotes(content)
	var title *html.Node
	if !options.Titled {
		title = takeTitle(content, options.Name)
	}
	result := Result{Anchors: c.anchors, Lost: c.lost}
	if title != nil {
		result.Title = strings.Join(strings.Fields(clean(textOf(title))), " ")
		for node := range title.Descendants() {
			c.anchor(node)
		}
		c.anchor(title)
		for parent := title.Parent; parent != nil; parent = parent.Parent {
			if leading(parent, title) {
				c.anchor(parent)
			}
		}
		c.settleAnchors()
		remove(title)
	}
	c.shift = headingShift(content)
	result.Document = &doc.Document{Nodes: c.blocks(content, state{})}
	c.settleAnchors()
	doc.Finish(result.Document)
	return result
}

// leading reports whether nothing visible stands in a container before a node.
func leading(container, node *html.Node) bool {
	for n := range container.Descendants() {
		if n == node {
			return true
		}
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return false
		}
	}
	return false
}

// converter holds what is known of one page while it is converted.
type converter struct {
	options Options
	// shift is added to a heading's level (2 for h2) to get its level in the document, where 2 is the highest.
	shift int
	// notes are the footnotes by id, noteUses how often each was written.
	notes    map[string]*html.Node
	noteUses map[string]int
	// holding remembers which inline elements hold blocks.
	holding map[*html.Node]bool
	// pending are ids met since the last text: those of a heading that may follow.
	pending []string
	// holdIDs says that a line is read whose text does not end the wait.
	holdIDs bool
	// section is the last heading, expandable or tab.
	section *doc.Node
	anchors map[string]*doc.Node
	lost    map[string]int
}

// state is what surrounds a node.
type state struct {
	marks []doc.Mark
	// inLink, inCell, inList and inNote say that some blocks have no place here.
	inLink, inCell, inList, inNote bool
	// depth counts the containers around.
	depth int
}

// maxNesting is how many containers may stand inside each other; what is deeper is put side by side.
const maxNesting = 12

// deeper returns the state inside another container, and whether that would be one too many.
func (s state) deeper() (state, bool) {
	if s.depth == maxNesting {
		return s, true
	}
	s.depth++
	return s, false
}

func (s state) with(mark doc.Mark) state {
	if slices.Contains(s.marks, mark) {
		return s
	}
	s.marks = append(s.marks[:len(s.marks):len(s.marks)], mark)
	return s
}

// anchor keeps the ids of a node for the place that comes next.
func (c *converter) anchor(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	if id := attr(n, "id"); id != "" {
		c.pending = append(c.pending, id)
	}
	if name := attr(n, "name"); name != "" && n.Data == "a" {
		c.pending = append(c.pending, name)
	}
}

// settleAnchors gives the ids that wait to the current section.
func (c *converter) settleAnchors() {
	if c.holdIDs {
		return
	}
	for _, id := range c.pending {
		if _, taken := c.anchors[id]; !taken {
			c.anchors[id] = c.section
		}
	}
	c.pending = c.pending[:0]
}

// enter makes a heading or another anchored node the current section: ids just before it are names of it.
func (c *converter) enter(section *doc.Node) {
	c.section = section
	c.settleAnchors()
}

func (c *converter) lose(what string) { c.lost[what]++ }
