// Package markup owns what the readers of rich text have in common: building and changing HTML trees, turning one into
// the body of a page, and the destinations that stand for pages and files until the import gives them ids.
//
// A source that is not HTML (a word processor's document, an export in a format of its own) becomes an HTML tree first
// and goes through package hypertext like everything else, so that there is one converter to documents and one writer
// of the dialect. The package reads trees that others built; it opens no files and never fails on odd content.
package markup

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Element returns an element with attributes given as names and values in turn.
func Element(name string, attributes ...string) *html.Node {
	made := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	for i := 0; i+1 < len(attributes); i += 2 {
		made.Attr = append(made.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return made
}

// Text returns a text node.
func Text(text string) *html.Node { return &html.Node{Type: html.TextNode, Data: text} }

// Append adds children to an element and returns the element. A child that has a parent is taken off it; nil is left
// out.
func Append(parent *html.Node, children ...*html.Node) *html.Node {
	for _, child := range children {
		if child == nil {
			continue
		}
		Remove(child)
		parent.AppendChild(child)
	}
	return parent
}

// Children returns the child nodes as they are now, so that the caller may move them.
func Children(n *html.Node) []*html.Node { return slices.Collect(n.ChildNodes()) }

// Remove takes a node off its parent, if it has one.
func Remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// Replace puts nodes in the place of one, which has a parent.
func Replace(old *html.Node, with ...*html.Node) {
	for _, n := range with {
		Remove(n)
		old.Parent.InsertBefore(n, old)
	}
	Remove(old)
}

// Attr returns the value of an attribute without space around it, "" when it is absent.
func Attr(n *html.Node, name string) string {
	for _, attribute := range n.Attr {
		if attribute.Key == name {
			return strings.TrimSpace(attribute.Val)
		}
	}
	return ""
}

// SetAttr sets an attribute.
func SetAttr(n *html.Node, name, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

// Is reports whether a node is an element of one of the names.
func Is(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// HasClass reports whether an element has one of the classes.
func HasClass(n *html.Node, classes ...string) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for class := range strings.FieldsSeq(Attr(n, "class")) {
		if slices.Contains(classes, class) {
			return true
		}
	}
	return false
}

// Find returns the first element below a node for which match is true, nil when there is none.
func Find(n *html.Node, match func(*html.Node) bool) *html.Node {
	if n == nil {
		return nil
	}
	for below := range n.Descendants() {
		if below.Type == html.ElementNode && match(below) {
			return below
		}
	}
	return nil
}

// FindAll returns all elements below a node for which match is true, also those inside each other, outer ones first.
func FindAll(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for below := range n.Descendants() {
		if below.Type == html.ElementNode && match(below) {
			found = append(found, below)
		}
	}
	return found
}

// TextOf returns the text below a node with runs of white space as one space and none at the ends.
func TextOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	if n.Type == html.TextNode {
		return strings.Join(strings.Fields(n.Data), " ")
	}
	var out strings.Builder
	for below := range n.Descendants() {
		switch {
		case below.Type == html.TextNode && !Is(below.Parent, "script", "style"):
			out.WriteString(below.Data)
		case Is(below, "br", "p", "div", "li", "td", "th", "tr"):
			out.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// Parse parses a page in the encoding that it names. place names it in errors, which are errs errors.
func Parse(data []byte, place string) (*html.Node, error) {
	contentType := "text/html"
	if utf8.Valid(data) {
		contentType = "text/html; charset=utf-8" // whatever the page says: other encodings do not look like it
	}
	decoded, err := charset.NewReader(bytes.NewReader(data), contentType)
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "%s is in an encoding that is not known; save it as UTF-8", place)
	}
	root, err := html.ParseWithOptions(decoded, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "%s cannot be read as HTML", place)
	}
	return root, nil
}
