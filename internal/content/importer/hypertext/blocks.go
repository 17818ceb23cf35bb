package hypertext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// blocks converts the children of a container. Text and inlines between blocks become paragraphs.
func (c *converter) blocks(container *html.Node, s state) []*doc.Node {
	var out []*doc.Node
	var line inlines
	flush := func() {
		for _, nodes := range lines(line.finish()) {
			out = append(out, doc.NewParagraph(nodes...))
		}
		line = inlines{}
	}
	for child := range container.ChildNodes() {
		switch {
		case child.Type == html.TextNode:
			c.text(&line, child.Data, s)
		case child.Type != html.ElementNode || isDropped(child):
			c.drop(child)
		case isBlock(child) || c.special(child):
			flush()
			out = append(out, c.block(child, s)...)
		case c.holdsBlock(child):
			flush()
			c.anchor(child)
			out = append(out, c.blocks(child, c.inlineState(child, s))...)
		default:
			c.inline(&line, child, s)
		}
	}
	flush()
	return out
}

// holdsBlock reports whether a block stands somewhere inside an inline element. It is worked out for a whole subtree
// at once.
func (c *converter) holdsBlock(n *html.Node) bool {
	if holds, known := c.holding[n]; known {
		return holds
	}
	if c.holding == nil {
		c.holding = map[*html.Node]bool{}
	}
	holds := false
	for child := range n.ChildNodes() {
		if child.Type == html.ElementNode && (isBlock(child) || c.holdsBlock(child)) {
			holds = true
		}
	}
	c.holding[n] = holds
	return holds
}

// isDropped reports whether an element is never content.
func isDropped(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "noscript", "link", "meta", "head", "button", "select", "textarea", "canvas",
		"dialog", "nav", "title", "base":
		return n.Namespace == ""
	case "input":
		return attr(n, "type") != "checkbox"
	}
	return false
}

// drop keeps the ids of what is left out.
func (c *converter) drop(n *html.Node) {
	if n.Type == html.ElementNode {
		c.anchor(n)
		if isElement(n, "canvas") {
			c.lose("canvas")
		}
	}
}

// special reports whether an element that is not a block by itself stands for one here: an image alone in its
// container, a custom element that wraps code.
func (c *converter) special(n *html.Node) bool {
	return isElement(n, "img", "picture", "svg") && n.Parent != nil && isBlock(n.Parent) && aloneInParent(n) &&
		!isElement(n.Parent, "p", "td", "th", "dt", "li", "summary")
}

func aloneInParent(n *html.Node) bool {
	for sibling := range n.Parent.ChildNodes() {
		if sibling != n && !isBlank(sibling) {
			return false
		}
	}
	return true
}

// block converts one block element.
func (c *converter) block(n *html.Node, s state) []*doc.Node {
	if level := headingLevel(n); level > 0 {
		return c.heading(n, level, s)
	}
	c.anchor(n)
	if made, ok := c.construct(n, s); ok {
		return made
	}
	switch n.Data {
	case "p", "dt", "summary", "figcaption", "caption":
		return c.paragraph(n, s)
	case "ul", "ol", "menu", "dir":
		return c.list(n, s)
	case "dl":
		return c.definitions(n, s)
	case "pre":
		return c.code(n, n, s)
	case "blockquote":
		inner, deep := s.deeper()
		if deep {
			return c.blocks(n, inner)
		}
		return wrap(doc.Blockquote, nil, c.blocks(n, inner))
	case "hr":
		return []*doc.Node{doc.NewBlock(doc.Divider, nil)}
	case "table":
		return c.table(n, s)
	case "figure":
		return c.figure(n, s)
	case "details":
		return c.details(n, s)
	case "img", "picture", "svg":
		return c.figure(n, s)
	case "iframe", "video", "audio", "object":
		return c.media(n, s)
	}
	return c.blocks(n, s)
}

// construct recognises what generators build from plain elements.
func (c *converter) construct(n *html.Node, s state) ([]*doc.Node, bool) {
	if style, ok := calloutStyle(n); ok && !s.inCell {
		return c.callout(n, style, s), true
	}
	if tabs := findTabs(n); len(tabs) > 1 && !s.inCell {
		return c.tabs(tabs, s), true
	}
	if formula, ok := blockFormula(n); ok {
		return []*doc.Node{doc.NewBlock(doc.Math, &doc.FormulaData{Formula: formula})}, true
	}
	if pre := codeWrapper(n); pre != nil {
		return c.code(pre, n, s), true
	}
	if isElement(n, "div") && hasClass(n, "memproto") && !s.inCell {
		// Doxygen lays the signature of a function out as a table.
		if text := signatureText(n); text != "" {
			return []*doc.Node{doc.NewCode(&doc.CodeData{}, text)}, true
		}
	}
	return nil, false
}

// signatureText returns a signature that is laid out in cells as one line of code.
func signatureText(n *html.Node) string {
	var parts []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			parts = append(parts, strings.Fields(clean(d.Data))...)
		}
	}
	before := strings.NewReplacer(" (", "(", " )", ")", " ,", ",", " ;", ";").Replace(strings.Join(parts, " "))
	return strings.ReplaceAll(before, "( ", "(")
}

// wrap returns a block around others, nothing when there are none.
func wrap(t doc.Type, data any, nodes []*doc.Node) []*doc.Node {
	if len(nodes) == 0 {
		return nil
	}
	return []*doc.Node{doc.NewBlock(t, data, nodes...)}
}

// paragraph converts an element that holds text, and sometimes, in spite of the standard, blocks.
func (c *converter) paragraph(n *html.Node, s state) []*doc.Node {
	if image := onlyImage(n); image != nil && !s.inCell && !s.inLink {
		return c.figure(image, s)
	}
	return c.blocks(n, s)
}

// onlyImage returns the image of a paragraph that holds nothing else, be it in a link.
func onlyImage(n *html.Node) *html.Node {
	var image *html.Node
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && collapse(d.Data) != "":
			return nil
		case isElement(d, "img"):
			if image != nil {
				return nil
			}
			image = d
		case d.Type == html.ElementNode && isBlock(d):
			return nil
		}
	}
	if image != nil && isElement(image.Parent, "picture") {
		return image.Parent
	}
	return image
}

// heading converts h1 to h6. A heading where none may stand, or below the third level, becomes a bold paragraph.
func (c *converter) heading(n *html.Node, level int, s state) []*doc.Node {
	for _, link := range permalinks(n) {
		remove(link)
	}
	c.anchor(n)
	nodes := c.held(func(line *inlines) {
		for _, part := range headingParts(n) {
			c.inlineChildren(line, part, s)
		}
	})
	if len(nodes) == 0 {
		return nil
	}
	if hasClass(n, "author", "editor", "corpauthor", "pubdate", "releaseinfo", "subtitle") {
		return []*doc.Node{doc.NewParagraph(nodes...)}
	}
	level = max(level+c.shift, 2)
	if level > 4 || s.inCell || s.inList || s.inNote {
		return []*doc.Node{doc.NewParagraph(embolden(nodes)...)}
	}
	types := []doc.Type{doc.Heading1, doc.Heading2, doc.Heading3}
	heading := doc.NewBlock(types[level-2], nil, oneLine(nodes)...)
	c.enter(heading)
	return []*doc.Node{heading}
}

// held converts a line of text and keeps the ids before and in it for the section that the line opens.
func (c *converter) held(convert func(line *inlines)) []*doc.Node {
	before := c.pending
	c.pending, c.holdIDs = nil, true
	var line inlines
	convert(&line)
	c.pending, c.holdIDs = append(before, c.pending...), false
	return line.finish()
}

// headingParts returns what to read of a heading: the heading, or the content of a link to the heading itself that
// wraps all of it.
func headingParts(n *html.Node) []*html.Node {
	children := elements(n)
	if len(children) == 1 && isElement(children[0], "a") && strings.HasPrefix(attr(children[0], "href"), "#") &&
		collapse(textOf(n)) == collapse(textOf(children[0])) {
		return children
	}
	return []*html.Node{n}
}

// permalinkClasses are those of the marks that generators put beside headings, terms and captions for copying an
// address.
var permalinkClasses = []string{
	"headerlink", "header-anchor", "hash-link", "heading-anchor", "heading-link", "anchorjs-link", "octicon-link",
	"permalink", "direct-link",
}

// permalinks returns the marks that generators put beside a heading for copying its address.
func permalinks(heading *html.Node) []*html.Node {
	whole := collapse(textOf(heading))
	return findAll(heading, func(n *html.Node) bool {
		if !isElement(n, "a", "button", "span") {
			return false
		}
		if hasClass(n, permalinkClasses...) {
			// Some generators make the whole heading such a link.
			return isPermalinkText(n) || collapse(textOf(n)) != whole
		}
		return isElement(n, "a") && strings.HasPrefix(attr(n, "href"), "#") && isPermalinkText(n)
	})
}

// isPermalinkText reports whether what an element shows is a mark and no text.
func isPermalinkText(n *html.Node) bool {
	switch strings.Trim(collapse(textOf(n)), "\u200b\u200c\u200d\ufeff ") {
	case "", "#", "¶", "§", "🔗", "⚓", "∞", "link", "Link", "Permalink":
		return true
	}
	return false
}

// headingShift returns what to add to heading levels so that the highest one below the title is the second.
func headingShift(content *html.Node) int {
	highest := 7
	for n := range content.Descendants() {
		if level := headingLevel(n); level > 0 {
			highest = min(highest, level)
		}
	}
	if highest == 7 {
		return 0
	}
	return 2 - highest
}

// takeTitle returns the page's main heading: the one that says what the page's head says, else the first h1, or a
// heading that comes before anything else and is higher than all others.
func takeTitle(content *html.Node, name string) *html.Node {
	title := findTitle(content, name)
	if title != nil {
		dropPermalinks(title)
	}
	return title
}

func findTitle(content *html.Node, name string) *html.Node {
	headings := findAll(content, func(n *html.Node) bool {
		// Doxygen's titles are no headings.
		return (headingLevel(n) > 0 || isElement(n, "div") && hasClass(n, "title") &&
			hasClass(n.Parent, "headertitle")) && collapse(textOf(n)) != ""
	})
	if len(headings) == 0 {
		return nil
	}
	first := headings[0]
	if headingLevel(first) == 0 {
		return first
	}
	mains := slices.DeleteFunc(slices.Clone(headings), func(n *html.Node) bool { return n.Data != "h1" })
	if pages := slices.DeleteFunc(slices.Clone(mains), leadsElsewhere); len(pages) > 0 {
		// A heading that is a link to another page is the name of the site.
		mains = pages
	}
	if len(mains) > 0 {
		for _, match := range []func(string, string) bool{strings.HasPrefix, strings.HasSuffix} {
			if i := slices.IndexFunc(mains, func(n *html.Node) bool { return saysName(n, name, match) }); i >= 0 {
				return mains[i]
			}
		}
		return mains[0]
	}
	if !leading(content, first) {
		return nil
	}
	if saysName(first, name, strings.HasPrefix) {
		return first
	}
	level := headingLevel(first)
	for _, other := range headings[1:] {
		if headingLevel(other) <= level {
			return nil
		}
	}
	return first
}

// saysName reports whether a heading says what the page's head says at its start or end.
func saysName(heading *html.Node, name string, match func(name, part string) bool) bool {
	text := comparable(headingText(heading))
	return text != "" && match(comparable(name), text)
}

// headingText returns what a heading says, without the marks beside it.
func headingText(n *html.Node) string {
	clone := cloneTree(n)
	dropPermalinks(clone)
	return textOf(clone)
}

// comparable returns a text as titles are compared: generators differ in white space and quotation marks.
func comparable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// leadsElsewhere reports whether all of a heading is a link to another page.
func leadsElsewhere(n *html.Node) bool {
	link := find(n, func(d *html.Node) bool { return d.Data == "a" && hasAttr(d, "href") })
	return link != nil && !strings.HasPrefix(attr(link, "href"), "#") && collapse(textOf(link)) == collapse(textOf(n))
}

func dropPermalinks(heading *html.Node) {
	for _, link := range permalinks(heading) {
		remove(link)
	}
}

// list converts a list. An item's blocks stay blocks; an item without any is left out.
func (c *converter) list(n *html.Node, s state) []*doc.Node {
	s, deep := s.deeper()
	if deep {
		return c.blocks(n, s)
	}
	s.inList = true
	kind, data := doc.ListUnordered, &doc.ListData{}
	if n.Data == "ol" {
		kind = doc.ListOrdered
		if start, err := strconv.Atoi(attr(n, "start")); err == nil && start >= 0 && start < 1_000_000_000 &&
			start != 1 {
			data.Start = &start
		}
	}
	var items []*doc.Node
	tasks := 0
	var stray []*doc.Node
	for child := range n.ChildNodes() {
		switch {
		case isElement(child, "li"):
			c.anchor(child)
			checked := takeCheckbox(child)
			blocks := c.itemBlocks(c.blocks(child, s))
			if len(blocks) == 0 {
				continue
			}
			if checked != nil {
				tasks++
			}
			items = append(items, doc.NewBlock(doc.ListItem, &doc.ListItemData{Checked: checked}, blocks...))
		case child.Type == html.ElementNode && !isDropped(child):
			// A list right inside a list belongs to the item before it.
			blocks := c.block(child, s)
			if len(items) > 0 {
				last := items[len(items)-1]
				last.Nodes = append(last.Nodes, blocks...)
			} else {
				stray = append(stray, blocks...)
			}
		}
	}
	if len(items) == 0 {
		return stray
	}
	if tasks == len(items) {
		kind, data = doc.ListTasks, &doc.ListData{}
	} else {
		for _, item := range items {
			item.Data = &doc.ListItemData{}
		}
	}
	return append(stray, doc.NewBlock(kind, data, items...))
}

// itemBlocks makes the first block of an item a paragraph: the dialect has no item that starts with another list.
func (c *converter) itemBlocks(blocks []*doc.Node) []*doc.Node {
	if len(blocks) > 0 && blocks[0].Type == doc.Divider {
		return blocks[1:]
	}
	return blocks
}

// takeCheckbox takes the checkbox off a task's text and returns its state, nil when there is none.
func takeCheckbox(item *html.Node) *bool {
	box := find(item, func(n *html.Node) bool { return isElement(n, "input") && attr(n, "type") == "checkbox" })
	if box == nil || !leading(item, box) {
		return nil
	}
	for parent := box.Parent; parent != item; parent = parent.Parent {
		if isElement(parent, "li") {
			return nil
		}
	}
	checked := hasAttr(box, "checked")
	remove(box)
	return &checked
}

// definitions converts a definition list: each term with its definition becomes an item. Signatures of an API
// reference become headings.
func (c *converter) definitions(n *html.Node, s state) []*doc.Node {
	if signatures(n) && !s.inList && !s.inCell && !s.inNote {
		return c.signatures(n, s)
	}
	s, deep := s.deeper()
	if deep {
		return c.blocks(n, s)
	}
	s.inList = true
	contents := isContents(n)
	var items []*doc.Node
	var current []*doc.Node
	defined := false
	flush := func() {
		if len(current) > 0 {
			items = append(items, doc.NewBlock(doc.ListItem, &doc.ListItemData{}, current...))
		}
		current, defined = nil, false
	}
	for _, child := range definitionParts(n) {
		c.anchor(child)
		if isElement(child, "dt") {
			if defined || contents {
				flush()
			}
			for _, block := range c.blocks(child, s) {
				if doc.HoldsText(block.Type) && !contents {
					block.Nodes = embolden(block.Nodes)
				}
				current = append(current, block)
			}
			continue
		}
		defined = true
		current = append(current, c.blocks(child, s)...)
	}
	flush()
	return wrap(doc.ListUnordered, nil, items)
}

// isContents reports whether a definition list is a table of contents: all its terms are links.
func isContents(n *html.Node) bool {
	terms := 0
	for _, child := range definitionParts(n) {
		if !isElement(child, "dt") {
			continue
		}
		link := find(child, func(d *html.Node) bool { return d.Data == "a" && hasAttr(d, "href") })
		if link == nil || len(collapse(textOf(child)))-len(collapse(textOf(link))) > 8 {
			return false
		}
		terms++
	}
	if terms > 1 {
		return true
	}
	for ; n != nil; n = n.Parent {
		if hasClass(n, "toc", "list-of-tables", "list-of-figures", "list-of-examples") {
			return true
		}
	}
	return false
}

// definitionParts returns the terms and definitions of a list, also those that a div groups.
func definitionParts(n *html.Node) []*html.Node {
	var parts []*html.Node
	for _, child := range elements(n) {
		switch {
		case isElement(child, "dt", "dd"):
			parts = append(parts, child)
		case isElement(child, "div"):
			for _, inner := range elements(child) {
				if isElement(inner, "dt", "dd") {
					parts = append(parts, inner)
				}
			}
		}
	}
	return parts
}

// signatures reports whether a definition list describes functions, classes and the like.
func signatures(n *html.Node) bool {
	for _, child := range elements(n) {
		if isElement(child, "dt") {
			return hasClass(child, "sig", "sig-object")
		}
	}
	return false
}

func (c *converter) signatures(n *html.Node, s state) []*doc.Node {
	var out []*doc.Node
	for _, child := range elements(n) {
		if isElement(child, "dt") {
			dropPermalinks(child)
			c.anchor(child)
			code := s.with(doc.Mark{Type: doc.CodeMark})
			text := collapse(clean(textOf(child)))
			if text == "" {
				continue
			}
			heading := doc.NewBlock(doc.Heading3, nil, doc.NewText(text, code.marks...))
			c.enter(heading)
			out = append(out, heading)
			continue
		}
		c.anchor(child)
		out = append(out, c.blocks(child, s)...)
	}
	return out
}
