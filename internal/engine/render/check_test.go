package render

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// permitted are the elements that the renderer prints.
var permitted = strings.Fields(
	`a abbr article aside b bdi blockquote br button caption center cite code col colgroup dd del details dfn div dl dt em
	figcaption figure h2 h3 h4 h5 h6 hr i img input ins kbd label li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup
	table tbody td tfoot th thead time tr u ul var wbr`)

var (
	voids     = []string{"br", "col", "hr", "img", "input", "wbr"}
	blockTags = strings.Fields(
		"article blockquote center details div dl figure h2 h3 h4 h5 h6 hr ol p pre section table ul")
	attributes = strings.Fields(
		`alt aria-disabled aria-hidden aria-label aria-labelledby checked class colspan data-action data-block data-broken data-code
		data-diagram data-display data-embed data-embed-src data-icon data-integration data-language data-line data-open-in-providers data-prompt data-query data-slug
		data-tab data-table-search data-tabs data-tex datetime decoding dir disabled download height href id lang loading open rel role rowspan colspan scope
		span src start tabindex target title type width`)
)

// problems lists what is wrong with HTML that the renderer printed: elements and attributes outside the lists,
// addresses of other schemes, ids that repeat, tags that do not balance, blocks in paragraphs, links in links.
func problems(markup string) []string {
	var found []string
	report := func(format string, arguments ...any) {
		if len(found) < 20 {
			found = append(found, fmt.Sprintf(format, arguments...))
		}
	}
	var stack []string
	ids := map[string]bool{}
	tokens := html.NewTokenizer(strings.NewReader(markup))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		token := tokens.Token()
		switch kind {
		case html.CommentToken, html.DoctypeToken, html.SelfClosingTagToken:
			report("unexpected %s", token)
		case html.StartTagToken:
			if !slices.Contains(permitted, token.Data) {
				report("element %s", token.Data)
			}
			if len(stack) > 0 && stack[len(stack)-1] == "p" && slices.Contains(blockTags, token.Data) {
				report("%s in a paragraph", token.Data)
			}
			if token.Data == "a" && slices.Contains(stack, "a") {
				report("a link in a link")
			}
			for _, a := range token.Attr {
				if !slices.Contains(attributes, a.Key) || strings.HasPrefix(a.Key, "on") {
					report("attribute %s of %s", a.Key, token.Data)
				}
				if a.Key == "href" || a.Key == "src" || a.Key == "data-embed-src" {
					if problem := addressProblem(a.Val); problem != "" {
						report("%s %q: %s", a.Key, a.Val, problem)
					}
				}
				if a.Key == "id" {
					if ids[a.Val] {
						report("id %q twice", a.Val)
					}
					ids[a.Val] = true
				}
			}
			if !slices.Contains(voids, token.Data) {
				stack = append(stack, token.Data)
			}
		case html.EndTagToken:
			if len(stack) == 0 || stack[len(stack)-1] != token.Data {
				report("</%s> closes %v", token.Data, stack)
				return found
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) > 0 {
		report("open at the end: %v", stack)
	}
	return append(found, parsedProblems(markup)...)
}

// addressProblem reads an address as a browser does.
func addressProblem(address string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(address, func(r rune) bool { return r <= 0x20 }))
	if clean != address {
		return "characters that a browser drops"
	}
	scheme, _, found := strings.Cut(clean, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "tel":
		return ""
	}
	return "scheme"
}

// parsedProblems looks at the tree that a browser would make, where markup may turn into something else.
func parsedProblems(markup string) []string {
	tree, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return nil // nests deeper than the parser goes
	}
	var found []string
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "style", "iframe", "object", "embed", "form", "svg", "math", "template", "noscript", "base",
				"meta", "link", "textarea", "title", "xmp", "plaintext", "frameset":
				found = append(found, "parsed element "+n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || a.Key == "formaction" {
					found = append(found, "parsed attribute "+a.Key)
				}
			}
		}
		for child := range n.ChildNodes() {
			visit(child)
		}
	}
	visit(tree)
	return found
}
