package imports_test

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// published is what a page shows.
type published struct {
	Address  string   `json:"address"`
	Headings []string `json:"headings,omitempty"`
	// Words are those outside of blocks of code.
	Words string `json:"words"`
	// Marks are the signs of markup between them: those of a text that was understood are gone.
	Marks string `json:"marks,omitempty"`
	// Links are texts with the titles of the pages that they lead to, and the headings; other addresses as they are.
	Links []string `json:"links,omitempty"`
	// Images are the texts in place of images.
	Images []string `json:"images,omitempty"`
	// Moved is where a former address leads, as a link would; nothing else is known of it then.
	Moved string `json:"moved,omitempty"`
	// Code are blocks of code, marked lines with a sign before them.
	Code []string `json:"code,omitempty"`
}

// differences says what another page does not have of this one, or has beside it.
func (p published) differences(other published) (found []string) {
	if p.Moved != "" {
		if p.Moved != other.Moved {
			found = append(found, fmt.Sprintf("moved to %q, not to %q", other.Moved, p.Moved))
		}
		return found
	}
	compare := func(what string, theirs, ours []string) {
		ours = slices.Clone(ours)
		for _, each := range theirs {
			if at := slices.Index(ours, each); at >= 0 {
				ours = slices.Delete(ours, at, at+1)
			} else {
				found = append(found, fmt.Sprintf("%s missing: %q", what, each))
			}
		}
		for _, each := range ours {
			found = append(found, fmt.Sprintf("%s beside it: %q", what, each))
		}
	}
	compare("word", strings.Fields(p.Words), strings.Fields(other.Words))
	compare("mark", strings.Fields(p.Marks), strings.Fields(other.Marks))
	compare("link", p.Links, other.Links)
	compare("image", p.Images, other.Images)
	compare("code", p.Code, other.Code)
	if !slices.Equal(p.Headings, other.Headings) {
		found = append(found, fmt.Sprintf("headings %q, not %q", other.Headings, p.Headings))
	}
	return found
}

// reading reads pages of one site.
type reading struct {
	pages map[string]*html.Node
	main  func(*html.Node) bool
	// images are the addresses of images of the page that was read last.
	images []string
	// text and result are of the page that is read.
	text strings.Builder
	// marked is the text outside of code and formulas.
	marked  strings.Builder
	literal int
	result  published
	address string
}

// page returns what a page shows.
func (r *reading) page(address string) published {
	r.text.Reset()
	r.marked.Reset()
	r.result, r.images, r.address = published{}, nil, address
	if moved := find(r.pages[address], isRefresh); moved != nil {
		_, to, _ := strings.Cut(attribute(moved, "content"), "url=")
		return published{Moved: r.target(to)}
	}
	if main := find(r.pages[address], r.main); main != nil {
		r.walk(main)
	}
	r.result.Words, r.result.Marks = words(r.text.String()), marks(r.marked.String())
	return r.result
}

// isRefresh reports whether a node sends browsers to another page.
func isRefresh(n *html.Node) bool { return n.Data == "meta" && attribute(n, "http-equiv") == "refresh" }

func (r *reading) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		r.text.WriteString(n.Data)
		if r.literal == 0 {
			r.marked.WriteString(n.Data)
		}
		return
	case n.Type != html.ElementNode && n.Type != html.DocumentNode, isAround(n):
		return
	case n.Data == "pre":
		r.result.Code = append(r.result.Code, code(n))
		return
	case n.Data == "img":
		if hasClass("twemoji")(n) {
			return // an emoji, which is a sign here
		}
		r.result.Images = append(r.result.Images, attribute(n, "alt"))
		r.images = append(r.images, r.resolve(attribute(n, "src")))
		return
	case hasClass("katex")(n):
		// A formula stands there twice, beside its source.
		if source := find(n, func(n *html.Node) bool { return n.Data == "annotation" }); source != nil {
			r.text.WriteString(" " + plain(source) + " ")
			return
		}
	case isHeading(n) && !isWithin(n, "summary"):
		r.result.Headings = append(r.result.Headings, plain(n))
	case n.Data == "a" && attribute(n, "href") != "" && attribute(n, "role") != "tab":
		r.result.Links = append(r.result.Links, plain(n)+" -> "+r.target(attribute(n, "href")))
	}
	if isLiteral(n) {
		r.literal++
		defer func() { r.literal-- }()
	}
	if !isInline[n.Data] {
		r.text.WriteByte(' ')
	}
	r.marked.WriteByte(' ')
	for child := range n.ChildNodes() {
		r.walk(child)
	}
	if !isInline[n.Data] {
		r.text.WriteByte(' ')
	}
	r.marked.WriteByte(' ')
}

// isLiteral reports whether a node shows code or a formula, whose signs are their own.
func isLiteral(n *html.Node) bool {
	return n.Data == "code" || n.Data == "math" || hasClass("arithmatex")(n) || hasClass("math")(n)
}

var isInline = map[string]bool{"a": true, "b": true, "code": true, "em": true, "i": true, "kbd": true, "span": true,
	"strong": true}

func (r *reading) resolve(written string) string {
	base, err := url.Parse(r.address)
	if err != nil {
		return written
	}
	address, err := base.Parse(written)
	if err != nil {
		return written
	}
	return address.String()
}

// target names what a link leads to.
func (r *reading) target(written string) string {
	address, fragment, _ := strings.Cut(r.resolve(written), "#")
	var page *html.Node
	for _, spelled := range []string{address, strings.TrimSuffix(address, "/"), address + "/", address + ".html",
		strings.TrimSuffix(address, "index.html")} {
		if page == nil {
			page = r.pages[spelled]
		}
	}
	if page == nil {
		if own, err := url.Parse(address); err == nil && strings.HasPrefix(r.address, own.Scheme+"://"+own.Host+"/") {
			return "the file " + path.Base(own.Path)
		}
		return address
	}
	named := "?"
	if title := find(page, isHeading); title != nil {
		named = plain(title)
	}
	if main := find(page, r.main); main != nil {
		if title := find(main, isHeading); title != nil {
			named = plain(title)
		}
	}
	if fragment, _ = url.PathUnescape(fragment); fragment == "" {
		return named
	}
	return strings.TrimSuffix(named+" § "+headingAt(page, fragment), " § "+named)
}

// headingAt returns the heading that a fragment leads to.
func headingAt(page *html.Node, fragment string) string {
	at := find(page, func(n *html.Node) bool { return attribute(n, "id") == fragment })
	if at == nil {
		return "nowhere"
	}
	if inner := find(at, isHeading); inner != nil {
		return plain(inner)
	}
	for up := at; up != nil; up = up.Parent {
		if isHeading(up) {
			return plain(up)
		}
	}
	// An empty place stands before what it names.
	for next := at.NextSibling; next != nil; next = next.NextSibling {
		if next.Type == html.ElementNode {
			if inner := find(next, isHeading); inner != nil {
				return plain(inner)
			}
			break
		}
	}
	return "something"
}

// isHeading reports whether a node is a heading of the page, not one of a call-out.
func isHeading(n *html.Node) bool {
	return len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' &&
		!hasClass("alert-heading")(n)
}

// isWithin reports whether a node stands in an element of a name.
func isWithin(n *html.Node, name string) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Data == name {
			return true
		}
	}
	return false
}

// around are classes of what is no text of the page: marks beside headings, numbers of lines, buttons.
var around = []string{"headerlink", "header-anchor", "hash-link", "anchor-link", "lang", "sr-only", "linenos",
	"footnote-backref", "footnote-ref", "page-description",
	"visually-hidden", "heading-anchor", "sl-anchor-link",
	"page-end", "page-tags", "outline-fold", "annotation-ref", "annotation-back",
	"line-numbers-wrapper", "subheading-anchor", "x:sr-only", "toc", "footnotes-back", "starlight-aside__icon"}

// callouts are the titles that tools give to call-outs by themselves.
var callouts = []string{"note", "tip", "info", "warning", "danger", "caution", "important", "details"}

func isAround(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "svg", "nav", "footer", "template", "select":
		return true
	case "button":
		// Nextra has tabs and the folders in trees of files as buttons.
		return attribute(n, "role") != "tab" && n.Parent.Data != "li"
	case "b":
		return strings.Contains(attribute(n.Parent.Parent, "class"), "nextra-callout") &&
			slices.Contains(callouts, strings.ToLower(plain(n)))
	case "sup":
		return find(n, func(n *html.Node) bool { return n.Data == "a" }) != nil
	case "td":
		return !hasClass("code")(n) && find(n, func(n *html.Node) bool { return n.Data == "pre" }) != nil &&
			words(plain(n)) == strings.Trim(words(plain(n)), "abcdefghijklmnopqrstuvwxyz") &&
			strings.Trim(words(plain(n)), "0123456789 ") == ""
	}
	if attribute(n, "href") == "#content" || strings.HasPrefix(attribute(n, "href"), "#_footnoteref_") ||
		hasClass("actions")(n) && hasClass("page-head")(n.Parent) {
		return true
	}
	for _, class := range around {
		if hasClass(class)(n) {
			return true
		}
	}
	if hasKey(n, "data-footnote-backref") || strings.HasPrefix(attribute(n, "style"), "visibility:hidden") {
		return true
	}
	title := hasClass("admonition-title")(n) || hasClass("custom-block-title")(n) ||
		hasClass("starlight-aside__title")(n) || strings.Contains(attribute(n, "class"), "admonitionHeading")
	return title && slices.Contains(callouts, strings.ToLower(plain(n)))
}

// code returns the lines of a block of code; those that are marked begin with a sign.
func code(pre *html.Node) string {
	var out strings.Builder
	var walk func(n *html.Node, marked bool)
	line := ""
	lineMarked := false
	end := func() {
		if lineMarked {
			out.WriteString("▌")
		}
		out.WriteString(strings.TrimRight(line, " \t") + "\n")
		line, lineMarked = "", false
	}
	walk = func(n *html.Node, marked bool) {
		if n.Type == html.TextNode {
			for i, part := range strings.Split(n.Data, "\n") {
				if i > 0 {
					end()
				}
				line += part
				lineMarked = lineMarked || marked && part != ""
			}
			return
		}
		if n.Type == html.ElementNode && isAround(n) {
			return
		}
		marked = marked || isMarked(n)
		for child := range n.ChildNodes() {
			walk(child, marked)
		}
		if n.Data == "br" || hasClass("ec-line")(n) {
			end()
		}
	}
	walk(pre, false)
	end()
	return strings.Trim(out.String(), "\n")
}

// isMarked reports whether a line of code is shown marked.
func isMarked(n *html.Node) bool {
	for _, class := range []string{"hll", "highlighted", "is-highlighted", "theme-code-block-highlighted-line",
		"mark"} {
		if hasClass(class)(n) {
			return true
		}
	}
	return hasKey(n, "data-highlighted-line") || strings.Contains(attribute(n, "style"), "background-color:#3c3d38")
}

// words returns the words of a text in small letters, without what stands between them.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}), " ")
}

// marks returns the runs of signs of markup in a text.
func marks(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("=^~+{}[]|*_#%`<>\\$", r)
	}), " ")
}

// plain returns the text of a node on one line.
func plain(n *html.Node) string {
	var out strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			out.WriteString(n.Data)
		}
		for child := range n.ChildNodes() {
			if child.Type != html.ElementNode || !isAroundText(child) {
				walk(child)
			}
		}
	}
	walk(n)
	return strings.Join(strings.Fields(strings.ReplaceAll(out.String(), "\u200b", "")), " ")
}

func isAroundText(n *html.Node) bool {
	return n.Data == "svg" || slices.ContainsFunc(around, func(class string) bool { return hasClass(class)(n) })
}

// find returns the first node below one that a test holds of, itself included; nil when there is none.
func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	if n == nil {
		return nil
	}
	if n.Type == html.ElementNode && is(n) {
		return n
	}
	for child := range n.ChildNodes() {
		if found := find(child, is); found != nil {
			return found
		}
	}
	return nil
}

func hasClass(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attribute(n, "class")), name) }
}

func hasKey(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(each html.Attribute) bool { return each.Key == name })
}

func attribute(n *html.Node, name string) string {
	for _, each := range n.Attr {
		if each.Key == name {
			return each.Val
		}
	}
	return ""
}
