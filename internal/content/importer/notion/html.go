package notion

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// escapePath writes a path as it stands in a link.
func escapePath(file string) string { return (&url.URL{Path: file}).EscapedPath() }

// fillHTML reads a page in HTML.
func (e *export) fillHTML(page *source.Page, data []byte) error {
	root, err := markup.Parse(data, page.Place)
	if err != nil {
		return err
	}
	article := markup.Find(root, func(n *html.Node) bool { return n.Data == "article" })
	if article == nil {
		article = root
	}
	e.readHeader(page, article)
	content := markup.Element("div")
	if properties := markup.Find(article, func(n *html.Node) bool {
		return n.Data == "table" && markup.HasClass(n, "properties")
	}); properties != nil {
		markup.Append(content, propertyList(properties))
	}
	body := markup.Find(article, func(n *html.Node) bool { return markup.HasClass(n, "page-body") })
	if body == nil {
		body = article
	}
	markup.Append(content, body)
	e.rewrite(content)
	e.losses.Report(page.Place, &e.tree.Report.NotUnderstood)
	markup.Fill(page, content, hypertext.Options{Image: func(src string) string {
		if strings.HasPrefix(src, "data:") {
			return "" // icons of properties and the like
		}
		return src
	}}, e.tree)
	return nil
}

// readHeader reads the title, the icon and the cover.
func (e *export) readHeader(page *source.Page, article *html.Node) {
	if title := markup.TextOf(markup.Find(article, func(n *html.Node) bool {
		return markup.HasClass(n, "page-title")
	})); title != "" {
		page.Entry.Title = title
	}
	icon := markup.Find(article, func(n *html.Node) bool { return markup.HasClass(n, "page-header-icon") })
	if text := markup.TextOf(icon); text != "" && text[0] >= 0x80 {
		if code := doc.EmojiCode(text); len(code) <= entity.MaxEmojiLength {
			page.Entry.Emoji = code
		}
	}
	if cover := markup.Find(article, func(n *html.Node) bool {
		return markup.HasClass(n, "page-cover-image")
	}); cover != nil {
		if src := markup.Attr(cover, "src"); !strings.HasPrefix(src, "data:") {
			page.Cover = src
		}
	}
	if description := markup.Find(article, func(n *html.Node) bool {
		return markup.HasClass(n, "page-description")
	}); description != nil {
		page.Entry.Description = markup.TextOf(description)
	}
	for _, header := range markup.FindAll(article, func(n *html.Node) bool {
		return n.Data == "header" && n.Parent == article
	}) {
		for _, part := range markup.FindAll(header, func(n *html.Node) bool {
			return markup.HasClass(n, "page-title", "page-header-icon", "page-cover-image", "page-description")
		}) {
			markup.Remove(part)
		}
	}
}

// propertyList makes a list of a page's properties.
func propertyList(properties *html.Node) *html.Node {
	list := markup.Element("ul")
	for _, row := range markup.FindAll(properties, func(n *html.Node) bool { return n.Data == "tr" }) {
		name := markup.TextOf(markup.Find(row, func(n *html.Node) bool { return n.Data == "th" }))
		value := markup.Find(row, func(n *html.Node) bool { return n.Data == "td" })
		if name == "" || value == nil {
			continue
		}
		item := markup.Append(markup.Element("li"), markup.Append(markup.Element("strong"), markup.Text(name+":")),
			markup.Text(" "))
		for at, part := range valueParts(value) {
			if at > 0 {
				markup.Append(item, markup.Text(", "))
			}
			markup.Append(item, part)
		}
		markup.Append(list, item)
	}
	if list.FirstChild == nil {
		return nil
	}
	return list
}

// valueParts returns the values of a property; several stand in elements of their own.
func valueParts(value *html.Node) []*html.Node {
	selected := markup.FindAll(value, func(n *html.Node) bool { return markup.HasClass(n, "selected-value", "user") })
	if len(selected) > 1 {
		return selected
	}
	return []*html.Node{markup.Append(markup.Element("span"), markup.Children(value)...)}
}

// rewrite turns what Notion writes into what package hypertext knows.
func (e *export) rewrite(content *html.Node) {
	for _, n := range markup.FindAll(content, func(*html.Node) bool { return true }) {
		if n.Parent == nil {
			continue // it was replaced with something around it
		}
		switch {
		case markup.Is(n, "nav") || markup.HasClass(n, "table_of_contents"):
			e.losses.Add("left out: table of contents")
			markup.Remove(n)
		case markup.Is(n, "style"), markup.HasClass(n, "property-icon"):
			markup.Remove(n)
		case markup.Is(n, "figure") && markup.HasClass(n, "callout"), markup.Is(n, "aside") &&
			markup.HasClass(n, "callout"):
			rewriteCallout(n)
		case markup.Is(n, "figure") && markup.HasClass(n, "link-to-page"):
			removeIcons(n)
			markup.Replace(n, markup.Append(markup.Element("p"), markup.Children(n)...))
		case markup.Is(n, "figure") && markup.HasClass(n, "equation"):
			formula := markup.Append(markup.Element("div", "class", "katex-display"), markup.Children(n)...)
			markup.Replace(n, formula)
		case markup.Is(n, "a") && markup.HasClass(n, "bookmark"):
			rewriteBookmark(n)
		case markup.Is(n, "a") && n.FirstChild != nil && n.FirstChild == n.LastChild && markup.Is(n.FirstChild,
			"img") && markup.Attr(n, "href") == markup.Attr(n.FirstChild, "src"):
			markup.Replace(n, n.FirstChild) // an image that links to itself
		case markup.Is(n, "ul") && markup.HasClass(n, "toggle"):
			var toggles []*html.Node
			for item := range n.ChildNodes() {
				toggles = append(toggles, markup.Children(item)...)
			}
			markup.Replace(n, toggles...)
		case markup.Is(n, "div") && markup.HasClass(n, "checkbox"):
			box := markup.Element("input", "type", "checkbox")
			if markup.HasClass(n, "checkbox-on") {
				markup.SetAttr(box, "checked", "")
			}
			markup.Replace(n, box)
		case markup.Is(n, "details"):
			// The export writes every toggle open.
			n.Attr = nil
		case markup.Is(n, "span") && markup.HasClass(n, "icon") && markup.Is(n.Parent, "a"):
			markup.Remove(n)
		}
	}
	joinLists(content)
}

// joinLists joins lists that follow each other: the export writes every item as a list of its own.
func joinLists(content *html.Node) {
	for _, n := range markup.FindAll(content, func(n *html.Node) bool { return n.Data == "ul" || n.Data == "ol" }) {
		for n.Parent != nil {
			next := n.NextSibling
			if !markup.Is(next, n.Data) || markup.Attr(next, "class") != markup.Attr(n, "class") || n.Data == "ol" &&
				markup.Attr(next, "start") == "1" {
				break
			}
			markup.Append(n, markup.Children(next)...)
			markup.Remove(next)
		}
	}
}

func removeIcons(n *html.Node) {
	for _, icon := range markup.FindAll(n, func(d *html.Node) bool { return markup.HasClass(d, "icon") }) {
		markup.Remove(icon)
	}
}

// rewriteCallout makes a call-out of the box with an icon before its text. An emoji stays, other icons go.
func rewriteCallout(n *html.Node) {
	icon := ""
	if found := markup.Find(n, func(d *html.Node) bool { return markup.HasClass(d, "icon") }); found != nil {
		icon = markup.TextOf(found)
		markup.Remove(found)
	}
	class := map[string]string{"info": "info", "warning": "warning", "danger": "danger",
		"success": "tip"}[hintStyle(icon)]
	made := markup.Append(markup.Element("div", "class", "admonition "+class), markup.Children(n)...)
	if icon != "" {
		text := markup.Find(made, func(d *html.Node) bool { return d.Data == "p" })
		if text == nil {
			text = made.LastChild
		}
		if text != nil && text.Type == html.ElementNode {
			text.InsertBefore(markup.Text(icon+" "), text.FirstChild)
		}
	}
	markup.Replace(n, made)
}

// rewriteBookmark makes a link with the title of what it shows a preview of.
func rewriteBookmark(n *html.Node) {
	href := markup.Attr(n, "href")
	title := markup.TextOf(markup.Find(n, func(d *html.Node) bool { return markup.HasClass(d, "bookmark-title") }))
	if title == "" {
		title = href
	}
	markup.Replace(n, markup.Append(markup.Element("p"), markup.Append(markup.Element("a", "href", href),
		markup.Text(title))))
}
