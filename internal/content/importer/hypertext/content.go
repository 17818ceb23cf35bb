package hypertext

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// minContent is how many characters of text make a container credible as a page's content.
const minContent = 40

// Content returns the part of a page that is its content, with navigation and other furniture removed. It looks for
// the containers of known generators, then for the elements that HTML has for it, then lets a reading-mode heuristic
// guess, and takes the whole body when nothing helps. It changes the tree that it is given.
func Content(page *html.Node, address *url.URL) *html.Node {
	body := bodyOf(page)
	content := container(body)
	if content == nil {
		content = guess(page, body, address)
	}
	removeFurniture(content)
	return content
}

// Whole returns the body of a page that is content and nothing else, as programs make it of other markup; what stands
// for navigation in it is removed. It changes the tree that it is given.
func Whole(page *html.Node) *html.Node {
	body := bodyOf(page)
	removeFurniture(body)
	return body
}

func bodyOf(page *html.Node) *html.Node {
	if body := find(page, func(n *html.Node) bool { return n.Data == "body" }); body != nil {
		return body
	}
	return page
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
	// Sphinx has one section around the page whatever the theme puts beside it.
	func(n *html.Node) bool {
		return isElement(n, "section", "div") && slices.ContainsFunc(elements(n), func(child *html.Node) bool {
			return isElement(child, "h1") && find(child, func(d *html.Node) bool {
				return hasClass(d, "headerlink")
			}) != nil
		})
	},
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
			hasClass(n, "chapter", "book", "article", "section", "sect1", "refentry", "appendix", "preface", "part",
				"set", "reference", "glossary", "bibliography")
	},
}

func container(body *html.Node) *html.Node {
	if page := doxygenPage(body); page != nil {
		return page
	}
	for _, match := range containers {
		found := findAll(body, match)
		if len(found) != 1 {
			// Several articles are a list of teasers, not a page's content.
			continue
		}
		if utf8.RuneCountInString(collapse(textOf(found[0]))) >= minContent || find(found[0], func(n *html.Node) bool {
			return isElement(n, "img", "table", "pre", "h1")
		}) != nil {
			return found[0]
		}
	}
	return nil
}

// doxygenPage puts the two parts of a page of Doxygen together, its title and its text, which have other things around
// and between them; nil when the page is not one of Doxygen's.
func doxygenPage(body *html.Node) *html.Node {
	title := find(body, func(n *html.Node) bool { return isElement(n, "div") && hasClass(n, "headertitle") })
	contents := find(body, func(n *html.Node) bool { return isElement(n, "div") && hasClass(n, "contents") })
	if title == nil || contents == nil || within(contents, body, func(p *html.Node) bool { return p == title }) {
		return nil
	}
	page := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	contents.Parent.InsertBefore(page, contents)
	for _, part := range []*html.Node{title, contents} {
		remove(part)
		page.AppendChild(part)
	}
	return page
}

// guess lets the reading-mode heuristic find the content. What it finds has to hold most of the body's text, else
// the body is the content: a short page, or a build that the heuristic does not know.
func guess(page, body *html.Node, address *url.URL) *html.Node {
	places := markPlaces(body)
	defer unmarkPlaces(body)
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
	restorePlaces(article.Node, places)
	unmarkPlaces(article.Node)
	return article.Node
}

// placeMark is an attribute that numbers the elements of a page while the heuristic is at work.
const placeMark = "data-recto-place"

// place is what the heuristic may take from an element: its own name, and the names that links know it by.
type place struct {
	element string
	names   []string
}

// markPlaces numbers the elements of a page.
func markPlaces(body *html.Node) []place {
	var places []place
	for n := range body.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		n.Attr = append(n.Attr, html.Attribute{Key: placeMark, Val: strconv.Itoa(len(places))})
		made := place{element: n.Data}
		if id := attr(n, "id"); id != "" {
			made.names = append(made.names, id)
		}
		if name := attr(n, "name"); name != "" && isElement(n, "a") {
			made.names = append(made.names, name)
		}
		places = append(places, made)
	}
	return places
}

func unmarkPlaces(root *html.Node) {
	unmark := func(n *html.Node) {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == placeMark })
	}
	unmark(root)
	for n := range root.Descendants() {
		unmark(n)
	}
}

// restorePlaces puts the names of elements that the heuristic has dropped, for being empty and the like, before the
// element that came next in the page, and makes main headings what they were.
func restorePlaces(article *html.Node, places []place) {
	present := map[string]bool{}
	kept := make([]*html.Node, len(places))
	for n := range article.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		present[attr(n, "id")], present[attr(n, "name")] = true, true
		if at, err := strconv.Atoi(attr(n, placeMark)); err == nil && at >= 0 && at < len(kept) && kept[at] == nil {
			kept[at] = n
			if places[at].element == "h1" && n.Data == "h2" {
				n.Data, n.DataAtom = "h1", atom.H1
			}
		}
	}
	var waiting []string
	for at, made := range places {
		n := kept[at]
		if n != nil && n.Parent != nil && !isElement(n, "tbody", "thead", "tfoot", "tr", "td", "th", "li", "dt", "dd") {
			for _, name := range waiting {
				anchor := &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A,
					Attr: []html.Attribute{{Key: "id", Val: name}}}
				n.Parent.InsertBefore(anchor, n)
			}
			waiting = waiting[:0]
		}
		for _, name := range made.names {
			if !present[name] {
				present[name] = true
				waiting = append(waiting, name)
			}
		}
	}
}

// furniture are classes of what stands on a page beside its content.
var furniture = []string{
	"breadcrumb", "breadcrumbs", "breadcrumbs-container", "theme-doc-breadcrumbs", "theme-doc-toc-mobile",
	"theme-doc-toc-desktop",
	"theme-doc-footer", "theme-edit-this-page", "edit-this-page", "edit-page-link", "edit-link", "pagination-nav",
	"prev-next-area",
	"prev-next-nav", "nav-wrapper", "nav-wide-wrapper", "mobile-nav-chapters", "nav-chapters", "navheader", "navfooter",
	"sphinxsidebar", "related", "rst-footer-buttons", "md-source-file",
	"md-content__button", "md-footer", "md-sidebar", "VPDocFooter", "VPDocAside", "table-of-contents", "on-this-page",
	"page-toc", "bd-toc",
	"skip-link", "skip-nav", "sidebar", "sidebar-toc", "share-buttons", "page-nav", "pager", "copy-button", "copybtn",
	"copy", "buttonGroup", "line-numbers-wrapper",
	"viewcode-link", "viewcode-back", "ttc", "navpath",
	"cookie-banner", "cookie-consent", "search-form", "top-nav", "sub-nav", "warning-outdated", "tocEntryList",
	"headerbuttons",
}

// removeFurniture removes navigation, page footers, buttons and what is hidden.
func removeFurniture(content *html.Node) {
	for _, n := range findAll(content, func(n *html.Node) bool { return isFurniture(n) || isOwnContents(n) }) {
		if isOwnContents(n) {
			removeContentsTitle(n)
		}
		remove(n)
	}
}

// contentsNames are classes and ids of the list of a page's own sections.
var contentsNames = []string{"toc", "contents", "localtoc", "markdown-toc", "table-of-contents"}

// maxContents is how many nodes a list of a page's own sections has at most: lists may stand inside each other.
const maxContents = 20_000

// isOwnContents reports whether an element lists the sections of the page that it is on, which every page shows beside
// its text anyway.
func isOwnContents(n *html.Node) bool {
	if !isElement(n, "div", "ul", "ol", "aside", "section", "details") || !hasClass(n, contentsNames...) &&
		!slices.Contains(contentsNames, attr(n, "id")) {
		return false
	}
	links, seen := 0, 0
	for d := range n.Descendants() {
		switch seen++; {
		case seen > maxContents:
			return false
		case d.Type == html.TextNode && collapse(d.Data) != "" && !within(d, n.Parent, func(p *html.Node) bool {
			return isElement(p, "a", "h1", "h2", "h3", "h4", "b", "strong", "summary", "p") || hasClass(p, "title",
				"toctitle")
		}):
			return false
		case isElement(d, "a") && hasAttr(d, "href"):
			if !strings.HasPrefix(attr(d, "href"), "#") {
				return false
			}
			links++
		}
	}
	return links > 1
}

// removeContentsTitle removes the heading over a list of a page's own sections.
func removeContentsTitle(list *html.Node) {
	before := list.PrevSibling
	for before != nil && (before.Type == html.CommentNode || before.Type == html.TextNode &&
		collapse(before.Data) == "") {
		before = before.PrevSibling
	}
	if before == nil || headingLevel(before) == 0 && !isElement(before, "p") {
		return
	}
	switch strings.ToLower(collapse(textOf(before))) {
	case "table of contents", "contents", "on this page", "toc":
		remove(before)
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
	case isElement(n, "a") && hasClass(n, permalinkClasses...) && isPermalinkText(n) && attr(n, "id") == "" &&
		attr(n, "name") == "":
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
