package render

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Elements of raw HTML that may be printed: those that format text and hold nothing of a page's behaviour. The inline
// ones may also stand in a line of text; those with a meaning of their own (a, img, br) are handled apart.
var (
	rawInlines = []string{"abbr", "b", "bdi", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "rp",
		"rt",
		"ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"}
	rawBlocks = []string{"blockquote", "caption", "center", "col", "colgroup", "dd", "details", "div", "dl", "dt",
		"figcaption",
		"figure", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "summary", "table", "tbody",
		"td",
		"tfoot", "th", "thead", "tr", "ul"}
)

// policy is the first of two sieves for raw HTML; the second is printElement, which prints from a parsed tree only what
// it knows, so that what comes out is balanced.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(rawInlines...)
	p.AllowElements(rawBlocks...)
	p.AllowElements("br", "img", "a")
	p.AllowNoAttrs().OnElements("a", "img", "span")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	p.AllowAttrs("colspan", "rowspan").Matching(number).OnElements("td", "th")
	p.AllowAttrs("start").Matching(number).OnElements("ol")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(open)?$`)).OnElements("details")
	p.AllowAttrs("title").OnElements("abbr", "dfn")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`(?i)^(left|center|right)$`)).OnElements("p", "div", "td", "th",
		"h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("id", "name").Matching(regexp.MustCompile(`^[\pL\pN][\pL\pN._:+-]*$`)).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[A-Za-z0-9-]{1,35}$`)).Globally()
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`(?i)^(ltr|rtl|auto)$`)).Globally()
	return p
})

var number = regexp.MustCompile(`^[0-9]{1,5}$`)

// rawBlock appends a block that the dialect does not know: HTML reduced to its formatting, a tag as text.
func (p *page) rawBlock(data *doc.RawData) {
	if data.Syntax != "html" {
		p.raw(`<pre class="block-raw-tag"><code>`)
		p.text(strings.TrimSpace(data.Source))
		p.raw("</code></pre>\n")
		return
	}
	clean := policy().Sanitize(data.Source)
	if strings.TrimSpace(clean) == "" {
		return
	}
	nodes, err := html.ParseFragment(strings.NewReader(clean), &html.Node{Type: html.ElementNode, Data: "div",
		DataAtom: atom.Div})
	if err != nil {
		// Nested too deep for a browser's parser: only its text is left.
		p.raw(`<div class="block-raw">`)
		p.text(textOfMarkup(clean))
		p.raw("</div>\n")
		return
	}
	if !slices.ContainsFunc(nodes, shows) {
		return
	}
	p.raw(`<div class="block-raw">`)
	for _, n := range nodes {
		p.printElement(n)
	}
	p.raw("</div>\n")
}

// shows reports whether something of a tree can be seen or linked to.
func shows(n *html.Node) bool {
	switch {
	case n.Type == html.TextNode && strings.TrimSpace(n.Data) != "":
		return true
	case n.Type == html.ElementNode && (n.DataAtom == atom.Img || n.DataAtom == atom.Hr ||
		attribute(n.Attr, "id") != "" || attribute(n.Attr, "name") != ""):
		return true
	}
	for child := range n.ChildNodes() {
		if shows(child) {
			return true
		}
	}
	return false
}

func attribute(attributes []html.Attribute, name string) string {
	for _, a := range attributes {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(attributes []html.Attribute, name string) bool {
	return slices.ContainsFunc(attributes, func(a html.Attribute) bool { return a.Key == name && a.Namespace == "" })
}

// printElement appends a parsed piece of raw HTML, element by element from the lists above.
func (p *page) printElement(n *html.Node) {
	if n.Type == html.TextNode {
		p.text(n.Data)
		return
	}
	if n.Type != html.ElementNode || n.Namespace != "" {
		return
	}
	children := func() {
		for child := range n.ChildNodes() {
			p.printElement(child)
		}
	}
	switch {
	case n.Data == "br":
		p.raw("<br>")
	case n.Data == "img":
		p.rawImage(n.Attr)
	case n.Data == "a":
		tag := p.openRawLink(n.Attr)
		children()
		p.closeLink(tag)
	case slices.Contains(rawInlines, n.Data) || slices.Contains(rawBlocks, n.Data):
		p.open(n.Data, p.rawAttributes(n.Attr)...)
		if n.Data == "hr" || n.Data == "col" || n.Data == "wbr" {
			return
		}
		children()
		p.close(n.Data)
	default:
		children()
	}
}

// rawAttributes are the attributes that raw elements keep. Ids are kept when nothing else on the page has them.
func (p *page) rawAttributes(attributes []html.Attribute) []string {
	var out []string
	if align := oneOf("align-", strings.ToLower(attribute(attributes, "align")), "left", "center",
		"right"); align != "" {
		out = append(out, "class", align)
	}
	if id := firstText(attribute(attributes, "id"), attribute(attributes, "name")); firstID(id) != "" &&
		!p.anchors.taken[id] {
		out = append(out, "id", p.newID(id))
	}
	for _, name := range []string{"colspan", "rowspan", "start"} {
		if value := attribute(attributes, name); number.MatchString(value) {
			out = append(out, name, value)
		}
	}
	for _, name := range []string{"title", "lang", "dir"} {
		out = append(out, name, attribute(attributes, name))
	}
	return append(out, "open", present(hasAttribute(attributes, "open")))
}

func (p *page) rawImage(attributes []html.Attribute) {
	image := picture{ref: doc.URL(attribute(attributes, "src")), alt: attribute(attributes, "alt")}
	image.width, image.height = pixels(attribute(attributes, "width")), pixels(attribute(attributes, "height"))
	p.picture(image)
}

func pixels(value string) *doc.Length {
	if !number.MatchString(value) {
		return nil
	}
	n := 0.0
	for _, digit := range value {
		n = n*10 + float64(digit-'0')
	}
	return &doc.Length{Value: n}
}

// openRawLink appends the start of a raw a element: a link, or the place that a link leads to.
func (p *page) openRawLink(attributes []html.Attribute) string {
	if href := attribute(attributes, "href"); href != "" {
		return p.openLink("link", p.resolve(doc.URL(href)))
	}
	p.open("span", p.rawAttributes(attributes)...)
	return "span"
}

// textOfMarkup is what remains of markup without its tags.
func textOfMarkup(markup string) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(tokens.Raw())))
		}
	}
}

// rawText is the text of raw HTML that a reader sees.
func rawText(data *doc.RawData) string {
	if data.Syntax != "html" || plainTag.MatchString(data.Source) {
		return ""
	}
	return textOfMarkup(policy().Sanitize(data.Source))
}

// rawStack are the raw inline elements that are open in a line of text, whose start and end tags are nodes of their
// own.
type rawStack []rawElement

type rawElement struct{ name, tag string }

// rawInline appends raw inline HTML: a start tag, an end tag, or a whole element.
func (p *page) rawInline(data *doc.RawData, open *rawStack) {
	if data.Syntax != "html" {
		p.raw(`<code class="raw-tag">`)
		p.text(data.Source)
		p.raw(`</code>`)
		return
	}
	// Most of them are a plain tag, and a page can hold very many.
	if found := plainTag.FindStringSubmatch(data.Source); found != nil {
		name := strings.ToLower(found[2])
		if found[1] == "/" {
			p.closeNamed(name, open)
		} else {
			p.startTag(html.Token{Data: name}, open)
		}
		return
	}
	tokens := html.NewTokenizer(strings.NewReader(policy().Sanitize(data.Source)))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			p.text(html.UnescapeString(string(tokens.Raw())))
		case html.StartTagToken, html.SelfClosingTagToken:
			p.startTag(tokens.Token(), open)
		case html.EndTagToken:
			p.closeNamed(tokens.Token().Data, open)
		}
	}
}

func (p *page) startTag(t html.Token, open *rawStack) {
	switch {
	case t.Data == "br":
		p.raw("<br>")
	case t.Data == "wbr":
		p.raw("<wbr>")
	case t.Data == "img":
		p.rawImage(t.Attr)
	case len(*open) >= maxRawOpen:
	case t.Data == "a":
		*open = append(*open, rawElement{"a", p.openRawLink(t.Attr)})
	case slices.Contains(rawInlines, t.Data):
		p.open(t.Data, p.rawAttributes(t.Attr)...)
		*open = append(*open, rawElement{t.Data, t.Data})
	}
}

// maxRawOpen is how deep raw inline elements nest.
const maxRawOpen = 32

// plainTag is a start or end tag without attributes.
var plainTag = regexp.MustCompile(`^<(/?)([A-Za-z][A-Za-z0-9]*)\s*/?>$`)

// closeNamed closes the innermost open element of a name, and those inside it.
func (p *page) closeNamed(name string, open *rawStack) {
	for i := len(*open) - 1; i >= 0; i-- {
		if (*open)[i].name == name {
			p.closeRaw(open, i)
			return
		}
	}
}

// closeRaw closes the open raw elements down to a depth.
func (p *page) closeRaw(open *rawStack, depth int) {
	for i := len(*open) - 1; i >= depth; i-- {
		if element := (*open)[i]; element.name == "a" {
			p.closeLink(element.tag)
		} else {
			p.close(element.tag)
		}
	}
	*open = (*open)[:depth]
}
