package hypertext

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// attr returns an attribute's value without space around it, "" when it is absent.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// hasClass reports whether an element has one of the classes.
func hasClass(n *html.Node, classes ...string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for class := range strings.FieldsSeq(attr(n, "class")) {
		if slices.Contains(classes, class) {
			return true
		}
	}
	return false
}

// hasClassPrefix reports whether an element has a class that starts so; generators append hashes to their classes.
func hasClassPrefix(n *html.Node, prefixes ...string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for class := range strings.FieldsSeq(attr(n, "class")) {
		for _, prefix := range prefixes {
			if strings.HasPrefix(class, prefix) {
				return true
			}
		}
	}
	return false
}

func isElement(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	return slices.Contains(names, n.Data)
}

// find returns the first descendant for which match is true, or nil.
func find(n *html.Node, match func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			return d
		}
	}
	return nil
}

// findAll returns the descendants for which match is true, without those inside another one.
func findAll(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for child := range n.ChildNodes() {
			if child.Type != html.ElementNode {
				continue
			}
			if match(child) {
				found = append(found, child)
				continue
			}
			walk(child)
		}
	}
	walk(n)
	return found
}

// elements returns the child elements.
func elements(n *html.Node) []*html.Node {
	var found []*html.Node
	for child := range n.ChildNodes() {
		if child.Type == html.ElementNode {
			found = append(found, child)
		}
	}
	return found
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// textOf returns the text below a node as it is, without that of scripts and styles.
func textOf(n *html.Node) string {
	var out strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
		case isElement(n, "script", "style", "template", "svg"):
		case isElement(n, "br"):
			out.WriteByte('\n')
		default:
			for child := range n.ChildNodes() {
				walk(child)
			}
		}
	}
	walk(n)
	return out.String()
}

// collapse makes runs of white space one space and takes it off the ends. No-break spaces stay.
func collapse(text string) string {
	return strings.Join(strings.FieldsFunc(text, isHTMLSpace), " ")
}

func isHTMLSpace(r rune) bool {
	return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f'
}

// clean removes what no document holds: control characters and halves of UTF-8.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// isBlank reports whether nothing below a node shows: no text, no image, no rule.
func isBlank(n *html.Node) bool {
	if n.Type == html.TextNode {
		return strings.TrimFunc(n.Data, isHTMLSpace) == ""
	}
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && strings.TrimFunc(d.Data, isHTMLSpace) != "" && !isElement(d.Parent, "script",
			"style"):
			return false
		case isElement(d, "img", "hr", "iframe", "video", "audio", "math", "svg", "input"):
			return false
		}
	}
	return !isElement(n, "img", "hr", "iframe", "video", "audio", "math", "svg")
}

func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div", "dl",
		"dt",
		"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
		"hr", "html", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul", "iframe",
		"video", "audio", "object", "tbody", "thead", "tfoot", "tr", "td", "th", "caption":
		return true
	}
	return false
}

// headingLevel returns 1 to 6 for a heading, else 0.
func headingLevel(n *html.Node) int {
	if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}
