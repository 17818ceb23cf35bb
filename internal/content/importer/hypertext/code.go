package hypertext

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// codeWrapper returns the code element of a container that generators put around code, with a title, a copy button or
// line numbers beside it, or nil.
func codeWrapper(n *html.Node) *html.Node {
	if !isElement(n, "div", "figure", "section", "table") {
		return nil
	}
	if hasClass(n, "fragment") && len(elements(n)) > 0 && !slices.ContainsFunc(elements(n),
		func(child *html.Node) bool { return !hasClass(child, "line") }) {
		return n // Doxygen writes code without a pre
	}
	if !hasClassPrefix(n, "highlight", "language-", "codeBlock", "code-block", "code-wrapper", "literal-block-wrapper",
		"sourceCode", "listingblock", "expressive-code", "theme-code-block", "rouge", "codehilite", "gatsby-highlight",
		"prism-code") {
		return nil
	}
	pres := findAll(n, func(d *html.Node) bool {
		return isElement(d, "pre") && !hasClass(d, "lineno", "linenodiv", "line-numbers-rows") &&
			!within(d, n, func(p *html.Node) bool {
				return hasClass(p, "linenos", "gutter", "linenodiv", "rouge-gutter")
			})
	})
	if len(pres) != 1 {
		return nil
	}
	return pres[0]
}

// within reports whether a node stands inside an element below container for which match is true.
func within(n, container *html.Node, match func(*html.Node) bool) bool {
	for parent := n.Parent; parent != nil && parent != container; parent = parent.Parent {
		if match(parent) {
			return true
		}
	}
	return false
}

// code converts preformatted text; wrapper is the outermost element that belongs to it.
func (c *converter) code(pre, wrapper *html.Node, s state) []*doc.Node {
	for d := range wrapper.Descendants() {
		c.anchor(d)
	}
	lines := codeLines(pre)
	if len(lines) == 0 {
		return nil
	}
	if s.inCell {
		var line inlines
		for i, text := range lines {
			if i > 0 {
				line.text(string(lineBreak), nil)
			}
			line.text(text, []doc.Mark{{Type: doc.CodeMark}})
		}
		return []*doc.Node{doc.NewParagraph(line.finish()...)}
	}
	c.settleAnchors()
	made := doc.NewCode(&doc.CodeData{Syntax: language(pre, wrapper), Title: codeTitle(wrapper)}, lines...)
	for number := range emphasized(attr(pre, "data-emphasize-lines"), len(made.Nodes)) {
		made.Nodes[number-1].Data = &doc.CodeLineData{Highlighted: true}
	}
	return []*doc.Node{made}
}

// emphasized goes through the numbers of lines that are shown marked, "1,3-5", up to the last line.
func emphasized(written string, last int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for part := range strings.SplitSeq(written, ",") {
			first, end, ranged := strings.Cut(strings.TrimSpace(part), "-")
			from, err := strconv.Atoi(first)
			if err != nil {
				continue
			}
			to := from
			if ranged {
				if to, err = strconv.Atoi(end); err != nil {
					to = last
				}
			}
			for number := max(from, 1); number <= min(to, last); number++ {
				if !yield(number) {
					return
				}
			}
		}
	}
}

// codeLines returns the lines of preformatted text, without blank lines at the ends.
func codeLines(pre *html.Node) []string {
	var out strings.Builder
	writeCode(&out, pre)
	text := strings.ReplaceAll(strings.ReplaceAll(out.String(), "\r\n", "\n"), "\r", "\n")
	text = clean(text)
	lines := strings.Split(text, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// writeCode writes the text of code: lines that are elements end with a line feed; line numbers, buttons and lines that
// the page hides are left out.
func writeCode(out *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		out.WriteString(n.Data)
		return
	case n.Type == html.ElementNode && isDropped(n):
		return
	case hasClass(n, "linenos", "lineno", "line-number", "line-numbers", "ln", "gutter", "line-numbers-rows",
		"linenumber", "boring", "react-syntax-highlighter-line-number"):
		return
	case isElement(n, "br"):
		out.WriteByte('\n')
		return
	}
	for child := range n.ChildNodes() {
		writeCode(out, child)
	}
	if isElement(n, "div", "li", "p", "tr") || hasClass(n, "token-line", "code-line", "ec-line") {
		if text := out.String(); text != "" && !strings.HasSuffix(text, "\n") {
			out.WriteByte('\n')
		}
	}
}

// languagePrefixes are what classes put before a language's name.
var languagePrefixes = []string{"language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:",
	"sourceCode-", "src-", "code-"}

// plainLanguages are names that stand for no language.
var plainLanguages = map[string]bool{
	"": true, "default": true, "none": true, "text": true, "plain": true, "plaintext": true, "txt": true,
	"nohighlight": true,
	"wrapper":     true, "block": true, "line": true, "notranslate": true, "literal": true, "undefined": true,
	"lines": true, "content": true, "container": true,
}

// language returns the language that classes or attributes of code name, from the innermost element outwards.
func language(pre, wrapper *html.Node) string {
	var candidates []*html.Node
	if code := find(pre, func(n *html.Node) bool { return n.Data == "code" }); code != nil {
		candidates = append(candidates, code)
	}
	for n := pre; n != nil; n = n.Parent {
		candidates = append(candidates, n)
		if n == wrapper {
			break
		}
	}
	if parent := wrapper.Parent; parent != nil && isElement(parent, "div", "figure") {
		candidates = append(candidates, parent)
	}
	for _, n := range candidates {
		if name := languageOf(n); name != "" {
			if usual, other := languageNames[name]; other {
				return usual
			}
			return name
		}
	}
	if slices.ContainsFunc(candidates, func(n *html.Node) bool {
		return hasClass(n, "highlight-default", "highlight-python3")
	}) && isPython(pre) {
		return "python"
	}
	return ""
}

// languageNames gives the usual names of languages for those that only some highlighters know.
var languageNames = map[string]string{
	"pycon": "python", "python-repl": "python", "pytb": "python", "py3tb": "python", "ipython": "python",
	"ipython3": "python", "ipythonconsole": "python",
	"html+jinja": "html", "html+django": "html", "html+php": "php", "xml+django": "xml", "xml+jinja": "xml",
	"css+jinja": "css", "js+jinja": "javascript",
	"doscon": "bat", "ps1con": "powershell", "text-console": "console", "objectivec": "objective-c",
}

// isPython reports whether code that Sphinx took for Python, as it takes all code whose language nobody named, is some:
// a keyword, a decorator or a prompt is marked in it.
func isPython(pre *html.Node) bool {
	return find(pre, func(n *html.Node) bool {
		return isElement(n, "span") && hasClass(n, "k", "kn", "kc", "gp", "nd", "bp", "ow", "nb")
	}) != nil
}

func languageOf(n *html.Node) string {
	for _, name := range []string{"data-lang", "data-language"} {
		if value := attr(n, name); validLanguage(value) {
			return strings.ToLower(value)
		}
	}
	classes := strings.ReplaceAll(attr(n, "class"), "brush: ", "brush:")
	source := false
	for class := range strings.FieldsSeq(classes) {
		if source && validLanguage(class) && !strings.HasPrefix(class, "numberLines") {
			return strings.ToLower(class)
		}
		source = class == "sourceCode" || class == "src" || class == "programlisting"
		for _, prefix := range languagePrefixes {
			rest, ok := strings.CutPrefix(class, prefix)
			rest = strings.TrimSuffix(rest, ";")
			if ok && validLanguage(rest) {
				return strings.ToLower(rest)
			}
		}
	}
	return ""
}

// validLanguage reports whether a name can stand behind a fence and means a language.
func validLanguage(name string) bool {
	if len(name) > 40 || plainLanguages[strings.ToLower(name)] {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+-#._",
			r))
	})
}

// codeTitle returns the file name or caption that stands above code.
func codeTitle(wrapper *html.Node) string {
	title := find(wrapper, func(n *html.Node) bool {
		return hasClass(n, "caption-text", "filename", "file-name", "code-title", "code-block-title") ||
			hasClassPrefix(n, "codeBlockTitle") ||
			hasClass(n, "title") && isElement(n.Parent, "div", "figcaption", "figure")
	})
	if title == nil || within(title, wrapper, func(n *html.Node) bool { return isElement(n, "pre") }) {
		return ""
	}
	dropPermalinks(title)
	return collapse(clean(textOf(title)))
}

// inlineFormula returns the TeX of a formula in text.
func inlineFormula(n *html.Node) (string, bool) {
	if hasClass(n, "katex", "katex-display", "MathJax") || isElement(n, "mjx-container", "math") {
		return annotatedFormula(n)
	}
	if isElement(n, "span") && hasClass(n, "math", "arithmatex") {
		return strippedFormula(textOf(n))
	}
	return "", false
}

// blockFormula returns the TeX of a formula that stands by itself.
func blockFormula(n *html.Node) (string, bool) {
	if !isElement(n, "div", "p") {
		return "", false
	}
	if hasClass(n, "katex-display", "MathJax_Display") {
		return annotatedFormula(n)
	}
	if hasClass(n, "math", "arithmatex") {
		if formula, ok := annotatedFormula(n); ok {
			return formula, true
		}
		return strippedFormula(textOf(n))
	}
	return "", false
}

func annotatedFormula(n *html.Node) (string, bool) {
	source := find(n, func(d *html.Node) bool {
		return d.Data == "annotation" && attr(d, "encoding") == "application/x-tex"
	})
	if source == nil {
		return "", false
	}
	return oneFormula(textOf(source))
}

// strippedFormula takes the delimiters of TeX off a text that has them.
func strippedFormula(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, pair := range [][2]string{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}} {
		if inner, ok := strings.CutPrefix(text, pair[0]); ok {
			if inner, ok = strings.CutSuffix(inner, pair[1]); ok {
				return oneFormula(inner)
			}
		}
	}
	return "", false
}

// oneFormula refuses what could not stand between dollar signs.
func oneFormula(formula string) (string, bool) {
	formula = strings.TrimSpace(clean(formula))
	if formula == "" || strings.Contains(formula, "$$") {
		return "", false
	}
	var lines []string
	for line := range strings.SplitSeq(formula, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "\n"), true
}
