package website

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// navigation is a list of pages that a page shows.
type navigation struct {
	items []*navItem
	// inContent says that the list is part of the page's content: a table of contents of what is below the page.
	inContent bool
}

// sum identifies what a list says. One in the content also says which page it is on.
func (n *navigation) sum(on string) [sha256.Size]byte {
	hash := sha256.New()
	if n.inContent {
		fmt.Fprintf(hash, "%q", on)
	}
	var write func(items []*navItem)
	write = func(items []*navItem) {
		for _, item := range items {
			fmt.Fprintf(hash, "%q%q(", item.title, item.key)
			write(item.children)
			io.WriteString(hash, ")")
		}
	}
	write(n.items)
	return [sha256.Size]byte(hash.Sum(nil))
}

// navItem is one entry: a page, or a title over others when key is empty.
type navItem struct {
	title    string
	key      string
	address  *url.URL
	children []*navItem
}

// navigationMarks are classes of elements that hold the navigation of a site.
var navigationMarks = []string{
	"sidebar", "sphinxsidebar", "toctree-wrapper", "toc", "menu", "nav", "navigation", "book-menu", "bs-sidebar",
	"wy-menu",
	"theme-doc-sidebar-menu", "vpsidebar", "md-nav--primary", "chapter", "summary", "docs-nav", "sidenav", "tree",
	"contents", "toctree",
}

// findNavigation returns the list on a page that names the most pages of the scope, or nil when none names two.
func findNavigation(page *html.Node, base *url.URL, s scope) *navigation {
	counter := &navCounter{base: base, scope: s}
	var best *html.Node
	most := 1
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if isFurnitureList(n) {
			return
		}
		if marksNavigation(n) {
			count := counter.pages(n)
			if !mostlyLinks(n) {
				count = 0
			}
			// An inner list that names nearly as many is the list itself, without what surrounds it.
			if count > most || best != nil && count*10 >= most*9 && contains(best, n) {
				best, most = n, max(most, count)
			}
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(page)
	if best == nil {
		return nil
	}
	reader := navReader{base: base, scope: s}
	found := &navigation{inContent: insideContent(best)}
	lists := []*html.Node{best}
	if class := attribute(best, "class"); found.inContent && class != "" {
		// A manual may list its chapters and its appendices apart.
		lists = alike(page, best.Data, class)
	}
	for _, list := range lists {
		reader.walk(list, 0)
	}
	found.items = reader.items()
	return found
}

// alike returns the elements of one name and class that are not inside each other.
func alike(page *html.Node, name, class string) []*html.Node {
	var found []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for child := range n.ChildNodes() {
			if child.Type == html.ElementNode && child.Data == name && attribute(child, "class") == class {
				found = append(found, child)
				continue
			}
			walk(child)
		}
	}
	walk(page)
	return found
}

// mostlyLinks reports whether at least half of the text of an element is in links: a chapter that mentions many pages
// is no list of them.
func mostlyLinks(n *html.Node) bool {
	all, linked := 0, 0
	var walk func(n *html.Node, inLink bool)
	walk = func(n *html.Node, inLink bool) {
		if n.Type == html.TextNode {
			length := len(strings.TrimSpace(n.Data))
			all += length
			if inLink {
				linked += length
			}
		}
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "button") {
			return
		}
		for child := range n.ChildNodes() {
			walk(child, inLink || n.Type == html.ElementNode && n.Data == "a")
		}
	}
	walk(n, false)
	return linked*2 >= all
}

func marksNavigation(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "nav", "aside":
		return true
	case "ul", "ol", "dl", "div", "section":
	default:
		return false
	}
	if attribute(n, "role") == "navigation" {
		return true
	}
	for class := range strings.FieldsSeq(strings.ToLower(attribute(n, "class")) + " " +
		strings.ToLower(attribute(n, "id"))) {
		for _, mark := range navigationMarks {
			if class == mark || strings.HasPrefix(class, mark+"-") || strings.HasSuffix(class, "-"+mark) ||
				strings.HasPrefix(class, mark+"__") {
				return true
			}
		}
	}
	return false
}

// isFurnitureList reports whether a list is one of neighbours, not of the whole.
func isFurnitureList(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	if n.Data == "footer" {
		return true
	}
	for class := range strings.FieldsSeq(strings.ToLower(attribute(n, "class"))) {
		switch class {
		case "breadcrumb", "breadcrumbs", "related", "pagination", "pagination-nav", "pager", "prev-next", "navfooter",
			"navheader", "wy-breadcrumbs", "footer", "nav-chapters", "mobile-nav-chapters":
			return true
		}
	}
	return false
}

func contains(outer, inner *html.Node) bool {
	for n := inner; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// insideContent reports whether a list is part of the main content.
func insideContent(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Type != html.ElementNode {
			continue
		}
		class := " " + attribute(n, "class") + " "
		switch {
		case n.Data == "nav", n.Data == "aside", strings.Contains(class, "sidebar"):
			return false
		case n.Data == "main", n.Data == "article", attribute(n, "role") == "main",
			strings.Contains(class, " toctree-wrapper "):
			return true
		case n.Parent != nil && n.Parent.Data == "body" && n.Data == "div" && strings.TrimSpace(class) != "":
			switch strings.Fields(class)[0] {
			case "book", "chapter", "part", "article", "section", "sect1", "appendix", "preface", "set", "reference":
				return true
			}
		}
	}
	return false
}

// navCounter counts the pages that a list names.
type navCounter struct {
	base  *url.URL
	scope scope
}

func (c *navCounter) pages(n *html.Node) int {
	seen := map[string]bool{}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "a" {
			if u, ok := c.address(d); ok {
				seen[key(u)] = true
			}
		}
	}
	return len(seen)
}

// address returns the address of a link that can be a page of the scope.
func (c *navCounter) address(a *html.Node) (*url.URL, bool) {
	href := attribute(a, "href")
	if href == "" || strings.HasPrefix(href, "#") {
		return nil, false
	}
	u, err := c.base.Parse(href)
	if err != nil || !c.scope.contains(u) || !likelyPage(u) || c.scope.refusal(u) != "" {
		return nil, false
	}
	return u, true
}

// navReader reads a list into items, nested as list elements are nested.
type navReader struct {
	base  *url.URL
	scope scope
	lines []navLine
}

// navLine is an entry with its depth in the list.
type navLine struct {
	depth   int
	item    *navItem
	heading bool
}

func (r *navReader) walk(n *html.Node, depth int) {
	for child := range n.ChildNodes() {
		if child.Type != html.ElementNode || isFurnitureList(child) {
			continue
		}
		switch {
		case child.Data == "script" || child.Data == "style" || child.Data == "button" || child.Data == "form" ||
			child.Data == "svg":
		case child.Data == "a":
			r.link(child, depth)
		case child.Data == "li" || child.Data == "dd" || nestingClass(child):
			r.walk(child, depth+1)
		case isBeside(child):
		case isNavHeading(child):
			r.heading(child, depth)
		default:
			r.walk(child, depth)
		}
	}
}

// nestingClass reports whether a plain element stands for an item of a list.
func nestingClass(n *html.Node) bool {
	for class := range strings.FieldsSeq(attribute(n, "class")) {
		if class == "VPSidebarItem" {
			return true
		}
	}
	return false
}

// isNavHeading reports whether an element is a title over entries, without a link of its own.
func isNavHeading(n *html.Node) bool {
	switch n.Data {
	case "h2", "h3", "h4", "h5", "h6", "p", "span", "label", "summary", "strong", "div":
	default:
		return false
	}
	hasText := false
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			switch d.Data {
			case "a", "ul", "ol", "dl", "li", "input", "nav":
				return false
			}
		}
		hasText = hasText || d.Type == html.TextNode && strings.TrimSpace(d.Data) != ""
	}
	return hasText
}

// isBeside reports whether an element only says more about the link before it: what a page is for, how new it is.
func isBeside(n *html.Node) bool {
	if n.Data != "span" && n.Data != "strong" && n.Data != "p" || n.Parent == nil {
		return false
	}
	switch n.Parent.Data {
	case "li", "dt", "dd", "p", "span", "summary":
	default:
		return false
	}
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	for before != nil && before.Data == "span" && before.FirstChild != nil {
		before = before.LastChild
		for before != nil && before.Type != html.ElementNode {
			before = before.PrevSibling
		}
	}
	return before != nil && before.Data == "a" && attribute(before, "href") != "" && !holdsLink(n)
}

func holdsLink(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "a" {
			return true
		}
	}
	return false
}

// neighbours are titles and link titles of what is about the pages next to this one.
var neighbours = map[string]bool{
	"next topic": true, "previous topic": true, "this page": true, "quick search": true, "navigation": true,
	"on this page": true,
	"next chapter": true, "previous chapter": true, "next": true, "previous": true, "next page": true,
	"previous page": true, "prev": true,
}

func isNeighbour(a *html.Node) bool {
	for rel := range strings.FieldsSeq(strings.ToLower(attribute(a, "rel"))) {
		if rel == "next" || rel == "prev" {
			return true
		}
	}
	return neighbours[strings.ToLower(attribute(a, "title"))] || neighbours[strings.ToLower(textOf(a))]
}

func (r *navReader) link(a *html.Node, depth int) {
	if isNeighbour(a) {
		return
	}
	counter := navCounter{base: r.base, scope: r.scope}
	u, ok := counter.address(a)
	text := textOf(a)
	if isCurrent(a) && r.scope.contains(r.base) {
		u, ok = r.base, true
	}
	if !ok {
		// A title that only opens and closes its list.
		if href := attribute(a, "href"); (href == "" || href == "#") && text != "" {
			r.lines = append(r.lines, navLine{depth: depth, item: &navItem{title: text}, heading: true})
		}
		return
	}
	if u.Fragment != "" {
		return // a section of a page that has its own entry
	}
	if text == "" {
		return
	}
	r.lines = append(r.lines, navLine{depth: depth, item: &navItem{title: text, key: key(u), address: u}})
}

// isCurrent reports whether a link without an address stands for the page that shows it.
func isCurrent(a *html.Node) bool {
	if href := attribute(a, "href"); href != "" && href != "#" {
		return false
	}
	return attribute(a, "aria-current") == "page" || slices.Contains(strings.Fields(attribute(a, "class")), "current")
}

func (r *navReader) heading(n *html.Node, depth int) {
	text := textOf(n)
	if text == "" || len(text) > 100 || neighbours[strings.ToLower(text)] {
		return
	}
	r.lines = append(r.lines, navLine{depth: depth, item: &navItem{title: text}, heading: true})
}

// items nests the lines. A title without a link holds the deeper lines after it, and those as deep as itself up to the
// next title.
func (r *navReader) items() []*navItem {
	root := &navItem{}
	stack := []navLine{{depth: -1, item: root}}
	for _, line := range r.lines {
		for len(stack) > 1 {
			top := stack[len(stack)-1]
			if line.depth > top.depth || line.depth == top.depth && top.heading && !line.heading {
				break
			}
			stack = stack[:len(stack)-1]
		}
		parent := stack[len(stack)-1].item
		parent.children = append(parent.children, line.item)
		stack = append(stack, line)
	}
	return withPages(root.children)
}

// withPages drops titles that hold no page.
func withPages(items []*navItem) []*navItem {
	var kept []*navItem
	for _, item := range items {
		item.children = withPages(item.children)
		if item.key != "" || len(item.children) > 0 {
			kept = append(kept, item)
		}
	}
	return kept
}

func textOf(n *html.Node) string {
	var out strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			out.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "svg" ||
			attribute(n, "aria-hidden") == "true") {
			return
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(out.String()), " ")
}

// navigationFrame returns the address of the page that a frame shows as the navigation.
func navigationFrame(page *html.Node, base *url.URL) *url.URL {
	for n := range page.Descendants() {
		if n.Type != html.ElementNode || n.Data != "iframe" && n.Data != "frame" {
			continue
		}
		u, err := base.Parse(attribute(n, "src"))
		if err == nil && strings.EqualFold(path.Base(u.Path), "toc.html") {
			return u
		}
	}
	return nil
}
