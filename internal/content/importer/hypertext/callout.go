package hypertext

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// calloutStyles maps what generators call their call-outs to the four styles of a hint.
var calloutStyles = map[string]string{
	"note": "info", "info": "info", "information": "info", "important": "info", "abstract": "info", "summary": "info",
	"seealso": "info", "see-also": "info", "todo": "info", "question": "info", "remark": "info", "primary": "info",
	"secondary": "info", "example": "info",
	"tip": "success", "hint": "success", "success": "success", "check": "success", "done": "success",
	"warning": "warning", "warn": "warning", "caution": "warning", "attention": "warning", "alert": "warning",
	"danger": "danger", "error": "danger", "bug": "danger", "failure": "danger", "fail": "danger", "critical": "danger",
}

// CalloutStyle returns the style of a hint for what a tool calls its call-outs ("note", "Caution"), and whether any
// tool does.
func CalloutStyle(name string) (string, bool) {
	style, ok := calloutStyles[strings.ToLower(name)]
	return style, ok
}

// calloutMarks are classes that say "this is a call-out" beside the one that says which.
var calloutMarks = []string{
	"admonition", "admonitionblock", "alert", "callout", "custom-block", "markdown-alert", "theme-admonition", "notice",
	"message", "hint", "blockquote-tag", "admonition-block", "flash", "wy-alert", "bd-callout", "docs-alert",
}

// calloutStyle reports whether an element is a call-out, and which.
func calloutStyle(n *html.Node) (string, bool) {
	if !isElement(n, "div", "aside", "section", "blockquote", "table", "p") &&
		!(isElement(n, "dl") && hasClass(n, "section")) {
		return "", false
	}
	marked := hasClass(n, calloutMarks...) || attr(n, "role") == "note" || attr(n, "role") == "alert"
	style := ""
	for class := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
		name := class
		for _, mark := range calloutMarks {
			name = strings.TrimPrefix(name, mark+"-")
		}
		name = strings.TrimLeft(name, "-")
		found, ok := calloutStyles[name]
		if !ok || class == "hint" && marked && style != "" || name == "alert" && class == name {
			continue
		}
		if name == class && style != "" {
			continue
		}
		style = found
	}
	if style == "" && marked && hasClass(n, "admonition", "admonitionblock", "callout", "custom-block") {
		return "info", true
	}
	if style == "" {
		return "", false
	}
	// DocBook names its call-outs by the bare class, with a title inside.
	if marked || hasClass(n, "note", "warning", "tip", "caution", "important", "attention", "remark") &&
		calloutTitle(n) != nil {
		return style, true
	}
	return "", false
}

// calloutTitle returns the title element of a call-out, or nil.
func calloutTitle(n *html.Node) *html.Node {
	return find(n, func(d *html.Node) bool {
		if hasClass(d, "admonition-title", "custom-block-title", "markdown-alert-title", "alert-title", "callout-title",
			"title", "hint-title", "blockquote-tag-title", "alert-heading", "notice-title") ||
			hasClassPrefix(d, "admonitionHeading", "admonition-heading") {
			return leading(n, d)
		}
		return (headingLevel(d) > 0 || isElement(d, "dt") && d.Parent == n) && leading(n, d)
	})
}

// callout converts a call-out to a hint. A title that only says the style again is left out.
func (c *converter) callout(n *html.Node, style string, s state) []*doc.Node {
	s, deep := s.deeper()
	var blocks []*doc.Node
	if title := calloutTitle(n); title != nil {
		for d := range title.Descendants() {
			c.anchor(d)
		}
		dropPermalinks(title)
		text := collapse(clean(textOf(title)))
		if _, usual := calloutStyles[strings.ToLower(strings.Trim(text, ":! "))]; !usual && text != "" {
			blocks = append(blocks, doc.NewParagraph(doc.NewText(text, doc.Mark{Type: doc.Bold})))
		}
		remove(title)
	}
	body := n
	if isElement(n, "table") || hasClass(n, "admonitionblock") {
		if content := find(n, func(d *html.Node) bool {
			return isElement(d, "td") && !hasClass(d, "icon") && collapse(textOf(d)) != ""
		}); content != nil {
			body = content
		}
	}
	for _, block := range c.blocks(body, s) {
		if block.Type == doc.Hint {
			blocks = append(blocks, block.Nodes...)
			continue
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 || deep {
		return blocks
	}
	return []*doc.Node{doc.NewBlock(doc.Hint, &doc.HintData{Style: style}, blocks...)}
}

// details converts a disclosure to an expandable.
func (c *converter) details(n *html.Node, s state) []*doc.Node {
	summary := find(n, func(d *html.Node) bool { return d.Data == "summary" && d.Parent == n })
	s, deep := s.deeper()
	if summary == nil || deep || s.inCell || s.inList || s.inNote {
		return c.blocks(n, s)
	}
	c.anchor(summary)
	title := oneLine(c.held(func(line *inlines) { c.inlineChildren(line, summary, s) }))
	remove(summary)
	if len(title) == 0 {
		title = []*doc.Node{doc.NewText("Details")}
	}
	expandable := doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: hasAttr(n, "open")})
	c.enter(expandable)
	body := c.blocks(n, s)
	if len(body) == 0 {
		body = []*doc.Node{doc.NewParagraph()}
	}
	expandable.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph(title...)),
		doc.NewFragment(doc.FragmentExpandableBody, body...),
	}
	return []*doc.Node{expandable}
}

// tab is one recognised tab.
type tab struct {
	title string
	panel *html.Node
}

// findTabs returns the tabs of a container that is a set of tabs, in any of the usual builds, or nil.
func findTabs(n *html.Node) []tab {
	switch {
	case !isElement(n, "div", "section"):
		return nil
	case hasClass(n, "tabbed-set", "vp-code-group", "sd-tab-set"):
		return labelledTabs(n)
	}
	list := find(n, func(d *html.Node) bool { return attr(d, "role") == "tablist" })
	if list == nil {
		return nil
	}
	for parent := list.Parent; parent != n; parent = parent.Parent {
		// The closest container that also has the panels is the set; an outer one is not.
		if parent == nil || len(panelsOf(parent)) > 0 {
			return nil
		}
	}
	labels := findAll(list, func(d *html.Node) bool { return attr(d, "role") == "tab" })
	return pair(labels, panelsOf(n))
}

func panelsOf(n *html.Node) []*html.Node {
	return findAll(n, func(d *html.Node) bool { return attr(d, "role") == "tabpanel" })
}

// labelledTabs reads tabs whose labels are label elements and whose panels follow them, in a box or one by one.
func labelledTabs(n *html.Node) []tab {
	var labels, panels []*html.Node
	for _, child := range elements(n) {
		switch {
		case isElement(child, "label"):
			labels = append(labels, child)
		case hasClass(child, "tabbed-labels", "tabs"):
			labels = append(labels, findAll(child, func(d *html.Node) bool { return isElement(d, "label") })...)
		case hasClass(child, "tabbed-content", "blocks"):
			if blocks := findAll(child, func(d *html.Node) bool { return d.Parent == child }); len(blocks) > 1 ||
				hasClass(child, "blocks") || find(child, func(d *html.Node) bool {
				return hasClass(d, "tabbed-block")
			}) != nil {
				panels = append(panels, blocks...)
				continue
			}
			panels = append(panels, child)
		case hasClass(child, "sd-tab-content"):
			panels = append(panels, child)
		}
	}
	return pair(labels, panels)
}

func pair(labels, panels []*html.Node) []tab {
	if len(labels) != len(panels) {
		return nil
	}
	tabs := make([]tab, len(labels))
	for i := range labels {
		tabs[i] = tab{title: collapse(clean(textOf(labels[i]))), panel: panels[i]}
	}
	return tabs
}

func (c *converter) tabs(tabs []tab, s state) []*doc.Node {
	s, deep := s.deeper()
	if s.inList || s.inNote || deep {
		var out []*doc.Node
		for _, t := range tabs {
			out = append(out, doc.NewParagraph(doc.NewText(t.title, doc.Mark{Type: doc.Bold})))
			out = append(out, c.blocks(t.panel, s)...)
		}
		return out
	}
	block := doc.NewBlock(doc.Tabs, nil)
	for _, t := range tabs {
		item := doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: t.title})
		c.anchor(t.panel)
		c.enter(item)
		if wrapper := codeWrapper(t.panel); wrapper != nil {
			item.Nodes = c.code(wrapper, t.panel, s)
		} else {
			item.Nodes = c.blocks(t.panel, s)
		}
		if len(item.Nodes) == 0 {
			item.Nodes = []*doc.Node{doc.NewParagraph()}
		}
		block.Nodes = append(block.Nodes, item)
	}
	return []*doc.Node{block}
}
