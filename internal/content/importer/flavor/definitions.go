package flavor

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

var (
	definition   = regexp.MustCompile(`^ {0,3}:[ \t]+(\S.*)$`)
	divisionOpen = regexp.MustCompile(
		`^[ \t]*<(div|section|article|center|figure|details)\b([^<>]*\smarkdown` +
			`(?:="(?:1|block|span|true|)")?(?:\s[^<>]*)?)>[ \t]*$`)
	divisionClose = regexp.MustCompile(`(?i)</(div|section|article|center|figure|details)\s*>`)
	divisionLine  = regexp.MustCompile(
		`^([ \t]*)<(div|section|article|center|p)\b[^<>]*\smarkdown(?:="(?:1|block|span|true|)")?(?:\s[^<>]*)?>(.+)` +
			`</(?:div|section|article|center|p)\s*>[ \t]*$`)
	summaryLine = regexp.MustCompile(`(?i)<summary[^<>]*>(.*?)</summary\s*>`)
	captionText = regexp.MustCompile(`(?is)<figcaption(\s+markdown\b)?[^<>]*>(.*?)</figcaption\s*>`)
)

// hasDefinitions are the generators whose Markdown has lists of definitions.
func hasDefinitions(of generator.Name) bool {
	switch of {
	case generator.MkDocs, generator.Hugo, generator.Jekyll:
		return true
	}
	return false
}

// definitions rewrites a list of definitions: terms on lines of their own, what they mean behind colons below them. The
// terms become bold text above their meanings, since the dialect has no such list.
func (r *rewriter) definitions(lines []string, i int, at place) (int, []string, bool) {
	if !hasDefinitions(r.of) || !isTerm(lines, i) {
		return 0, nil, false
	}
	first := i
	for first < len(lines) && isTermLine(lines[first]) {
		first++
	}
	if first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first >= len(lines) || !definition.MatchString(lines[first]) {
		return 0, nil, false
	}
	var out []string
	for _, term := range lines[i:first] {
		if term = strings.TrimSpace(term); term != "" {
			out = append(out, "**"+r.inline(strings.Trim(term, "*"))+"**", "")
		}
	}
	end := first
	for end < len(lines) {
		found := definition.FindStringSubmatch(lines[end])
		if found == nil {
			break
		}
		inner := []string{found[1]}
		for end++; end < len(lines) && strings.TrimSpace(lines[end]) != "" && !definition.MatchString(lines[end]) &&
			!strings.HasPrefix(lines[end], "    "); end++ {
			inner = append(inner, strings.TrimSpace(lines[end])) // a lazy line of the paragraph
		}
		next, more := indentedBy(lines, end, "")
		inner = append(inner, more...)
		end = next
		out = append(append(out, r.blocks(trimBlank(inner), at.deeper())...), "")
		if end+1 < len(lines) && strings.TrimSpace(lines[end]) == "" && definition.MatchString(lines[end+1]) {
			end++
		}
	}
	return end, append([]string{""}, out...), true
}

// isTerm reports whether a line starts a paragraph that may be terms.
func isTerm(lines []string, i int) bool {
	return isTermLine(lines[i]) && (i == 0 || strings.TrimSpace(lines[i-1]) == "")
}

// isTermLine reports whether a line may be a term: text that starts no block.
func isTermLine(line string) bool {
	if _, fenced := openFence(line); fenced {
		return false
	}
	return line != "" && !startsWith(line, "#>|-+*=:<{!~") && indentOf(line) == ""
}

// division rewrites an element whose content is Markdown, which it says: the content stands for itself.
func (r *rewriter) division(lines []string, i int, at place) (int, []string, bool) {
	if !startsWith(lines[i], "<") {
		return 0, nil, false
	}
	if m := divisionLine.FindStringSubmatch(lines[i]); m != nil {
		return i + 1, indentLines(m[1], surround([]string{r.inline(strings.TrimSpace(m[3]))})), true
	}
	opened := divisionOpen.FindStringSubmatch(lines[i])
	if opened == nil {
		return 0, nil, false
	}
	depth := 0
	for end := i; end < len(lines) && end < i+maxComment; end++ {
		depth += divisionsIn(lines[end])
		if depth > 0 {
			continue
		}
		if strings.TrimSpace(divisionClose.ReplaceAllString(lines[end], "")) != "" {
			return 0, nil, false
		}
		inner := dedent(lines[i+1 : end])
		switch indent := indentOf(lines[i]); opened[1] {
		case "figure":
			return end + 1, indentLines(indent, r.figure(inner, at)), true
		case "details":
			title := ""
			text := strings.Join(inner, "\n")
			if m := summaryLine.FindStringSubmatchIndex(text); m != nil {
				title = html.UnescapeString(tags.ReplaceAllString(text[m[2]:m[3]], ""))
				text = text[:m[0]] + text[m[1]:]
			}
			open := bareFlag.MatchString(opened[2] + " ")
			return end + 1, r.expandable(indent, title, open, strings.Split(text, "\n"), at), true
		}
		return end + 1, indentLines(indentOf(lines[i]), surround(r.blocks(trimBlank(inner), at.deeper()))), true
	}
	return 0, nil, false
}

// divisions are the elements whose content may be Markdown.
var divisions = []string{"div", "section", "article", "center", "figure", "details"}

// divisionsIn returns how many more divisions begin than end in a line.
func divisionsIn(line string) int {
	depth := 0
	for {
		start := strings.IndexByte(line, '<')
		if start < 0 {
			return depth
		}
		line = line[start+1:]
		name, ends := strings.CutPrefix(line, "/")
		name = name[:len(name)-len(strings.TrimLeft(name, letters))]
		switch {
		case !slices.Contains(divisions, strings.ToLower(name)):
		case ends:
			depth--
		default:
			depth++
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

var tags = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// literal lets the signs of Markdown stand for themselves.
var literal = strings.NewReplacer("*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "~", `\~`)

// figure writes the picture in an element for pictures with its caption; other content stands for itself, above the
// caption, which is Markdown only where it says so.
func (r *rewriter) figure(inner []string, at place) []string {
	text := strings.Join(inner, "\n")
	caption := ""
	if m := captionText.FindStringSubmatchIndex(text); m != nil {
		caption = strings.Join(strings.Fields(text[m[4]:m[5]]), " ")
		if m[2] >= 0 {
			caption = r.inline(caption)
		} else {
			caption = literal.Replace(caption)
		}
		text = text[:m[0]] + text[m[1]:]
	}
	rest := trimBlank(strings.Split(text, "\n"))
	if len(rest) == 1 {
		only := strings.TrimSpace(rest[0])
		if m := sized.FindStringSubmatch(only); m != nil && m[0] == only {
			return surround(strings.Split(picture(m[2], m[1], m[3], caption), "\n"))
		}
		if m := onlyMark.FindStringSubmatch(r.inline(only)); m != nil {
			return surround(strings.Split(picture(m[2], m[1], "", caption), "\n"))
		}
	}
	return surround(append(r.blocks(rest, at.deeper()), "", caption))
}

// picture writes a picture with what stands behind it in braces, and a caption in Markdown.
func picture(src, alt, attributes, caption string) string {
	data := &doc.ImageData{Ref: doc.Ref{Kind: doc.RefURL, URL: src}, Alt: alt}
	if m := pictureWidth.FindStringSubmatch(attributes); m != nil {
		if width, ok := dialect.ParseLength(m[1]); ok {
			data.Width = &width
		}
	}
	image := doc.NewBlock(doc.Image, data)
	image.Fragments = []*doc.Node{}
	if parsed, err := markdown.Parse([]byte(caption)); err == nil && len(parsed.Nodes) == 1 &&
		parsed.Nodes[0].Type == doc.Paragraph {
		image.Fragments = append(image.Fragments, doc.NewFragment(doc.FragmentCaption, parsed.Nodes[0]))
	}
	images := doc.NewBlock(doc.Images, nil)
	images.Nodes = []*doc.Node{image}
	return strings.TrimSuffix(string(markdown.Write(&doc.Document{Nodes: []*doc.Node{images}})), "\n")
}
