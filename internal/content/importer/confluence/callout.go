package confluence

import (
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// calloutClasses map Confluence's call-outs to those that package hypertext knows by their colours: Confluence's note
// is yellow, its warning red.
var calloutClasses = map[string]string{
	"info": "info", "information": "info", "tip": "tip", "success": "tip", "note": "warning", "warning": "danger",
	"error": "danger", "panel": "info",
}

// callout builds a call-out.
func callout(kind, title string, content []*html.Node) *html.Node {
	class := calloutClasses[kind]
	if class == "" {
		class = "info"
	}
	made := markup.Element("div", "class", "admonition "+class)
	if title != "" {
		markup.Append(made, markup.Append(markup.Element("p", "class", "admonition-title"), markup.Text(title)))
	}
	return markup.Append(made, content...)
}

// listing builds a code block.
func listing(language, title, code string) *html.Node {
	class := "highlight"
	if language != "" {
		class += " language-" + language
	}
	made := markup.Element("div", "class", class)
	if title != "" {
		markup.Append(made, markup.Append(markup.Element("div", "class", "filename"), markup.Text(title)))
	}
	return markup.Append(made, markup.Append(markup.Element("pre"), markup.Text(code)))
}

// expandable builds a disclosure.
func expandable(title string, content []*html.Node) *html.Node {
	if title == "" {
		title = "Click here to expand…"
	}
	made := markup.Append(markup.Element("details"), markup.Append(markup.Element("summary"), markup.Text(title)))
	return markup.Append(made, content...)
}

// task puts a check box before the content of a list's item.
func task(item *html.Node, done bool) {
	box := markup.Element("input", "type", "checkbox")
	if done {
		markup.SetAttr(box, "checked", "")
	}
	item.InsertBefore(markup.Text(" "), item.FirstChild)
	item.InsertBefore(box, item.FirstChild)
}

// strong builds bold text.
func strong(text string) *html.Node {
	return markup.Append(markup.Element("strong"), markup.Text(text))
}
