package hypertext

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// minContent is how many characters of text make a container credible as a page's content.
const minContent = 40

// Content returns the part of a page that is its content, with navigation and other furniture removed. It looks for
// the containers of known generators, then for the elements that HTML has for it, then lets a reading-mode heuristic
// guess, and takes the whole body when nothing helps. It changes the tree that it is given.
func Content(page *html.Node, address *url.URL) *html.Node {
	body := find(page, func(n *html.Node) bool { return n.Data == "body" })
	if body == nil {
		body = page
	}
	content := container(body)
	if content == nil {
		content = guess(page, body, address)
	}
	removeFurniture(content)
	return content
}

// containers are the ways to find content, best first.
var containers = []func(*html.Node) bool{
	func(n *html.Node) bool { return hasClass(n, "theme-doc-markdown", "vp-doc", "markdown-section") },
	func(n *html.Node) bool {
		return isElement(n, "article") && hasClass(n, "md-content__inner", "bd-article")
	},
	func(n *html.Node) bool { return attr(n, "itemprop") == "articleBody" },
	func(n *html.Node) bool { return attr(n, "role") == "main" },
	func(n *html.Node) bool { return isElement(n, "main") },
	func(n *html.Node) bool { return isElement(n, "article") },
	func(n *html.Node) bool { return hasClass(n, "markdown-body", "devsite-article-body", "doc-content") },
	func(n *html.Node) bool {
		switch attr(n, "id") {
		case "content", "main-content", "main", "doc-content", "article", "page-content":
			return true
		}
		return false
	},
	func(n *html.Node) bool {
		return hasClass(n, "main-content", "page-content", "documentation", "document")
	},
	// DocBook has one container for the kind of thing that the page is, right in the body.
	func(n *html.Node) bool {
		return isElement(n, "div") && isElement(n.Parent, "body") &&
			hasClass(n, "chapter", "book", "article", "section", "sect1", "refentry", "appendix", "preface", "part", "set", "reference", "glossary", "bibliography")
	},
}

func container(body *html.Node) *html.Node {
	for _, match := range containers {
		found := findAll(body, match)
		if len(found) != 1 {
			// Several articles are a list of teasers, not a page's content.
			continue
		}
		if utf8.RuneCountInString(collapse(textOf(found[0]))) >= minContent || find(found[0], func(n *html.Node) bool { return isElement(n, "img", "table", "pre", "h1") }) != nil {
			return found[0]
		}
	}
	return nil
}

// guess lets the reading-mode heuristic find the content. What it finds has to hold most of the body's text, else
// the body is the content: a short page, or a build that the heuristic does not know.
func guess(page, body *html.Node, address *url.URL) *html.Node {
	parser := readability.NewParser()
	parser.KeepClasses = true
	parser.DisableJSONLD = true
	parser.MaxElemsToParse = 50_000
	article, err := parser.ParseDocument(page, address)
	if err != nil || article.Node == nil {
		return body
	}
	found := utf8.RuneCountInString(collapse(textOf(article.Node)))
	withoutFurniture := cloneTree(body)
	removeFurniture(withoutFurniture)
	all := utf8.RuneCountInString(collapse(textOf(withoutFurniture)))
	if found < minContent || found*2 < all {
		return body
	}
	return article.Node
}

// furniture are classes of what stands on a page beside its content.
var furniture = []string{
	"breadcrumb", "breadcrumbs", "breadcrumbs-container", "theme-doc-breadcrumbs", "theme-doc-toc-mobile", "theme-doc-toc-desktop",
	"theme-doc-footer", "theme-edit-this-page", "edit-this-page", "edit-page-link", "edit-link", "pagination-nav", "prev-next-area",
	"prev-next-nav", "nav-wrapper", "nav-wide-wrapper", "mobile-nav-chapters", "nav-chapters", "navheader", "navfooter", "sphinxsidebar", "related", "rst-footer-buttons", "md-source-file",
	"md-content__button", "md-footer", "md-sidebar", "VPDocFooter", "VPDocAside", "table-of-contents", "on-this-page", "page-toc", "bd-toc",
	"skip-link", "skip-nav", "sidebar", "sidebar-toc", "share-buttons", "page-nav", "pager", "copy-button", "copybtn", "copy", "buttonGroup", "line-numbers-wrapper",
	"cookie-banner", "cookie-consent", "search-form", "top-nav", "sub-nav", "warning-outdated", "tocEntryList", "headerbuttons",
}

// removeFurniture removes navigation, page footers, buttons and what is hidden.
func removeFurniture(content *html.Node) {
	for _, n := range findAll(content, isFurniture) {
		remove(n)
	}
}

func isFurniture(n *html.Node) bool {
	switch {
	case isElement(n, "nav", "footer", "script", "style", "template", "noscript", "link"):
		return !hasClass(n, "footnotes") && attr(n, "role") != "doc-endnotes"
	case hasClass(n, furniture...), attr(n, "role") == "navigation" && !hasRoleInside(n, "tab"):
		return true
	case isElement(n, "div", "aside", "ul") && attr(n, "id") == "toc", isElement(n, "div") && attr(n, "id") == "TOC":
		return true
	case attr(n, "role") == "tabpanel" || hasClass(n, "tabbed-block", "sd-tab-content"):
		return false
	case hasAttr(n, "hidden") && find(n, func(d *html.Node) bool { return attr(d, "role") == "tabpanel" }) == nil:
		return true
	case strings.Contains(strings.ReplaceAll(attr(n, "style"), " ", ""), "display:none"):
		return find(n, func(d *html.Node) bool { return isElement(d, "pre", "table") }) == nil
	case attr(n, "aria-hidden") == "true":
		return collapse(textOf(n)) == "" || isElement(n, "svg", "i") || hasClass(n, "screenreader-only")
	}
	return false
}

func hasRoleInside(n *html.Node, role string) bool {
	return find(n, func(d *html.Node) bool { return attr(d, "role") == role }) != nil
}
