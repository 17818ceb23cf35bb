package flavor

import (
	"html"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

var (
	admonition = regexp.MustCompile(`^([ \t]*)(!!!|\?\?\?\+?)[ \t]+([\w-]+)(?:[ \t]+[\w-]+)*[ \t]*("(.*)")?[ \t]*$`)
	contentTab = regexp.MustCompile(`^([ \t]*)===[+!]?[ \t]+"(.*)"[ \t]*$`)
	alert      = regexp.MustCompile(`^([ \t]*)>[ \t]?\[!([A-Za-z]+)\][+-]?[ \t]*(.*)$`)
	flagged    = regexp.MustCompile(`^([ \t]*)([!?])>[ \t]+(.*)$`)
	classLine  = regexp.MustCompile(
		`^[ \t]*\{:?[ \t]*(?:[.#][\w-]+|[\w-]+="[^"]*")(?:[ \t]+(?:[.#][\w-]+|[\w-]+="[^"]*"))*[ \t]*\}[ \t]*$`)
	className = regexp.MustCompile(`\.([\w-]+)`)
	contents  = regexp.MustCompile(
		`^[ \t]*(?:\[\[toc\]\]|\[\[_TOC_\]\]|\[TOC\]|\{:[ \t]*toc[ \t]*\}|\{\{[<%][ \t]*(?:toc|table_of_contents)[ \t]*/?[%>]\}\})[ \t]*$`)
	contentsOf = regexp.MustCompile(`(?i)^[ \t]*(?:[-*+]|1\.)[ \t]*(?:toc|table of contents)[ \t]*$`)
	importLine = regexp.MustCompile(`^import\s+(?:['"][^'"]+['"]|[\w*{}\s,$]+\s+from\s+['"][^'"]+['"])\s*;?\s*$`)
	importOpen = regexp.MustCompile(`^import\s*\{[\w\s,$]*$`)
	importEnd  = regexp.MustCompile(`^[\w\s,$]*\}\s*from\s+['"][^'"]+['"]\s*;?\s*$`)
	exportLine = regexp.MustCompile(`^export\s+(?:const|let|function|default)\s`)
	heading    = regexp.MustCompile(
		`^([ \t]*#{1,6}[ \t]+.*?)[ \t]*(?:\{:?[ \t]*([^{}]*?)[ \t]*\}|\{/\*[ \t]*(#[^{}]*?)[ \t]*\*/\})[ \t]*#*[ \t]*$`)
	headingID = regexp.MustCompile(`^#([\w.:-]+)`)
	// nextraID is the id that Nextra takes from behind a heading, in brackets.
	nextraID  = regexp.MustCompile(`^([ \t]*#{1,6}[ \t]+.*?)[ \t]*\[#([\w.:-]+)\][ \t]*$`)
	onlyNames = regexp.MustCompile(
		`^(?:[.#][\w.:-]+|[\w-]+=(?:"[^"]*"|[\w.%/-]+))(?:[ \t]+(?:[.#][\w.:-]+|[\w-]+=(?:"[^"]*"|[\w.%/-]+)))*$`)
)

// styleNames are kinds of admonitions that say no more than the styles that call-outs have here.
var styleNames = map[string]bool{"note": true, "info": true, "tip": true, "hint": true, "warning": true,
	"caution": true, "danger": true, "error": true, "success": true, "check": true, "important": true,
	"attention": true}

// indented rewrites the blocks of MkDocs, whose content is indented.
func (r *rewriter) indented(lines []string, i int, at place) (int, []string, bool) {
	if !startsWith(lines[i], "!?=") {
		return 0, nil, false
	}
	if m := admonition.FindStringSubmatch(lines[i]); m != nil {
		style, known := hypertext.CalloutStyle(m[3])
		end, inner := indentedBy(lines, i+1, m[1])
		if len(trimBlank(inner)) == 0 {
			return 0, nil, false
		}
		if !known {
			style = "info"
		}
		title := m[5]
		if m[2] != "!!!" {
			if title == "" {
				title = strings.ToUpper(m[3][:1]) + m[3][1:]
			}
			return end, r.expandable(m[1], title, m[2] == "???+", inner, at), true
		}
		if !styleNames[m[3]] && m[4] == "" {
			// It says more than the style that it gets here.
			return end, r.hint(m[1], style, strings.ToUpper(m[3][:1])+m[3][1:], inner, at), true
		}
		return end, r.hint(m[1], style, usualTitle(title), inner, at), true
	}
	first := contentTab.FindStringSubmatch(lines[i])
	if first == nil {
		return 0, nil, false
	}
	var all []tab
	next := i
	for next < len(lines) {
		m := contentTab.FindStringSubmatch(lines[next])
		if m == nil || m[1] != first[1] {
			break
		}
		end, inner := indentedBy(lines, next+1, m[1])
		if len(trimBlank(inner)) == 0 {
			break // before long lists of nothing are read again and again
		}
		all = append(all, tab{m[2], inner})
		for next = end; end < len(lines) && strings.TrimSpace(lines[end]) == ""; {
			end++
		}
		if end < len(lines) && contentTab.MatchString(lines[end]) {
			next = end
		}
	}
	if len(all) == 0 {
		return 0, nil, false
	}
	return next, r.tabs(first[1], all, at), true
}

// indentedBy returns the lines that are indented by four more columns than an indentation, without those, and the index
// behind them.
func indentedBy(lines []string, start int, indent string) (int, []string) {
	end := start
	var inner []string
	for i := start; i < len(lines); i++ {
		line := lines[i]
		if strings.TrimSpace(line) == "" {
			inner = append(inner, "")
			continue
		}
		rest, ok := strings.CutPrefix(line, indent)
		content, four := strings.CutPrefix(rest, "    ")
		if !four {
			content, four = strings.CutPrefix(rest, "\t")
		}
		if !ok || !four {
			break
		}
		inner = append(inner, content)
		end = i + 1
	}
	return end, inner[:min(len(inner), end-start)]
}

// quoted rewrites the alerts of Git hosts, and call-outs of one paragraph.
func (r *rewriter) quoted(lines []string, i int, at place) (int, []string, bool) {
	if !startsWith(lines[i], ">!?") {
		return 0, nil, false
	}
	if m := alert.FindStringSubmatch(lines[i]); m != nil {
		style, known := hypertext.CalloutStyle(m[2])
		if !known {
			return 0, nil, false
		}
		var inner []string
		end := i + 1
		for ; end < len(lines); end++ {
			rest, ok := strings.CutPrefix(strings.TrimLeft(lines[end], " \t"), ">")
			if !ok {
				break
			}
			inner = append(inner, strings.TrimPrefix(rest, " "))
		}
		title := m[3]
		if len(trimBlank(inner)) == 0 {
			inner, title = []string{title}, ""
		}
		if len(trimBlank(inner)) == 0 {
			return 0, nil, false
		}
		return end, r.hint(m[1], style, usualTitle(title), inner, at), true
	}
	if m := flagged.FindStringSubmatch(lines[i]); m != nil && (i == 0 || strings.TrimSpace(lines[i-1]) == "") {
		end := paragraphEnd(lines, i)
		style := "warning"
		if m[2] == "?" {
			style = "info"
		}
		return end, r.hint(m[1], style, "", append([]string{m[3]}, lines[i+1:end]...), at), true
	}
	return 0, nil, false
}

func paragraphEnd(lines []string, i int) int {
	for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
		i++
	}
	return i
}

// single rewrites lines that stand for something by themselves.
func (r *rewriter) single(lines []string, i int, at place) (int, []string, bool) {
	line := lines[i]
	if end, ok := scripts(lines, i); ok {
		return end, make([]string, end-i), true
	}
	if startsWith(line, "<") {
		if made, ok := r.closed(line); ok {
			return i + 1, made, true
		}
		return 0, nil, false
	}
	if !startsWith(line, "[{-*+1ie=") {
		return 0, nil, false
	}
	switch {
	case r.extensions[critique] && criticLine.MatchString(line):
		return i + 1, []string{""}, true
	case contents.MatchString(line):
		return i + 1, []string{""}, true
	case contentsOf.MatchString(line) && i+1 < len(lines) && contents.MatchString(lines[i+1]):
		return i + 2, []string{"", ""}, true
	case importLine.MatchString(line):
		return i + 1, []string{""}, true
	case importOpen.MatchString(line):
		for end := i + 1; end < len(lines) && end < i+maxTagLines; end++ {
			if importEnd.MatchString(lines[end]) {
				return end + 1, make([]string, end+1-i), true
			}
		}
	case exportLine.MatchString(line):
		end := paragraphEnd(lines, i)
		return end, make([]string, end-i), true
	case classLine.MatchString(line):
		return r.classes(lines, i, at)
	}
	if m := shortcodeLine.FindStringSubmatch(line); m != nil && m[1] == "" {
		if made, ok := r.standalone(indentOf(line), strings.ToLower(m[2]), m[3]); ok {
			return i + 1, []string{made}, true
		}
		r.note(strings.ToLower(m[2]))
	}
	return 0, nil, false
}

// classes rewrites a line of kramdown that gives the next block its classes: a call-out, or nothing that shows here.
func (r *rewriter) classes(lines []string, i int, at place) (int, []string, bool) {
	for _, class := range className.FindAllStringSubmatch(lines[i], -1) {
		style, known := hypertext.CalloutStyle(strings.TrimSuffix(class[1], "-title"))
		if !known {
			continue // the block is looked at only once it is known to be taken
		}
		end := paragraphEnd(lines, i+1)
		if end == i+1 {
			break
		}
		inner := make([]string, 0, end-i)
		for _, line := range lines[i+1 : end] {
			if rest, quoted := strings.CutPrefix(strings.TrimLeft(line, " "), ">"); quoted {
				line = strings.TrimPrefix(rest, " ")
			}
			inner = append(inner, line)
		}
		title := ""
		if strings.HasSuffix(class[1], "-title") && len(inner) > 1 {
			title, inner = inner[0], inner[1:]
		}
		return end, r.hint(indentOf(lines[i]), style, usualTitle(title), inner, at), true
	}
	return i + 1, []string{""}, true
}

// standalone rewrites a shortcode that holds nothing.
func (r *rewriter) standalone(indent, name, rest string) (string, bool) {
	given := readAttributes(rest)
	first := ""
	if m := bareTitle.FindStringSubmatch(rest); m != nil {
		first = m[1]
	} else if words := strings.Fields(rest); len(words) > 0 && !strings.Contains(words[0], "=") {
		first = words[0]
	}
	switch name {
	case "figure", "img", "image":
		if given["src"] == "" {
			return "", false
		}
		caption := given["caption"]
		if caption == "" {
			caption = given["title"]
		}
		made := indent + `<figure><img src="` + html.EscapeString(given["src"]) + `" alt="` +
			html.EscapeString(given["alt"]) + `">`
		if caption != "" {
			made += "<figcaption><p>" + html.EscapeString(caption) + "</p></figcaption>"
		}
		return made + "</figure>", true
	case "youtube":
		if given["id"] != "" {
			first = given["id"]
		}
		if first == "" || !plainInfo.MatchString(first) {
			return "", false
		}
		return indent + `{% embed url="https://www.youtube.com/watch?v=` + first + `" %}`, true
	}
	return "", false
}

var (
	reference = regexp.MustCompile(`\{\{[<%][ \t]*(?:rel)?ref[ \t]+"?([^"\s>%]+)"?[ \t]*[%>]\}\}`)
	// sized is a picture with attributes behind it, pictureWidth the width among them.
	sized        = regexp.MustCompile(`!\[([^\[\]]*)\]\(([^()\s]+)\)\{:?[ \t]*([^{}]*?)[ \t]*\}`)
	pictureWidth = regexp.MustCompile(`(?:^|[\s;"])width\s*[=:]\s*"?(\d{1,5}(?:px|%)?)(?:["\s;]|$)`)

	// shortcodeLeft is a shortcode that stays as it is written, be it in the middle of a line.
	shortcodeLeft = regexp.MustCompile(`\{\{[<%][ \t]*([\w-][\w/-]*)`)

	baseURL     = regexp.MustCompile(`\{\{[ \t]*(?:site|page)\.baseurl[ \t]*\}\}`)
	relativeURL = regexp.MustCompile(`\{\{[ \t]*["']([^"']+)["'][ \t]*\|[ \t]*(?:relative_url|absolute_url)[ \t]*\}\}`)
	jekyllLink  = regexp.MustCompile(`\{%-?[ \t]*link[ \t]+([^\s%]+)[ \t]*-?%\}`)
	note        = regexp.MustCompile(`\{/\*.*?\*/\}`)
	behind      = regexp.MustCompile(`([\])*_])\{:?[ \t]*([^{}]*?)[ \t]*\}`)
	// codeLanguage is the language that Nextra takes from the end of code within text.
	codeLanguage = regexp.MustCompile("`([^`]+)\\{:\\.?[a-z][\\w.+-]*\\}`")
	behindCode   = regexp.MustCompile(`^\{:?[ \t]*([^{}]*?)[ \t]*\}`)
	vPre         = regexp.MustCompile(`<span v-pre>(.*?)</span>`)
	themeIcon    = regexp.MustCompile(`:(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^}]*\})?[ \t]?`)
)

// inline rewrites what stands within a line of text.
func (r *rewriter) inline(line string) string {
	isHeading := plainHeading.MatchString(line)
	if r.of == generator.Sphinx && strings.Contains(line, "}`") {
		line = roles(line)
	}
	if strings.Contains(line, "#") {
		line = r.heading(line)
	}
	if r.extensions[inlineLanguage] && strings.Contains(line, "`") {
		line = languageOf.ReplaceAllString(line, "$1`$2`$3")
	}
	if r.of == generator.Nextra && strings.Contains(line, ":") {
		line = codeLanguage.ReplaceAllString(line, "`$1`")
	}
	if !strings.ContainsAny(line, "{:<+") && len(r.extensions) == 0 {
		return line
	}
	return outsideCode(line, func(text string) string {
		text = reference.ReplaceAllString(text, "$1")
		text = baseURL.ReplaceAllString(text, "")
		text = relativeURL.ReplaceAllString(text, "$1")
		text = jekyllLink.ReplaceAllString(text, "/$1")
		text = note.ReplaceAllString(text, "")
		text = r.python(text)
		text = themeIcon.ReplaceAllString(text, "")
		text = r.inlineComponents(text)
		if !isHeading {
			text = r.abbreviated(text) // a heading is its words
		}
		if r.of == generator.Hugo {
			for _, m := range shortcodeLeft.FindAllStringSubmatch(text, -1) {
				r.note(strings.ToLower(m[1]))
			}
		}
		text = sized.ReplaceAllStringFunc(text, func(whole string) string { return sizedPicture(whole, whole == line) })
		return behind.ReplaceAllStringFunc(text, func(whole string) string {
			parts := behind.FindStringSubmatch(whole)
			return parts[1] + named(whole[len(parts[1]):], parts[2])
		})
	})
}

// sizedPicture writes a picture that has its width behind it as HTML, which has room for that.
func sizedPicture(written string, alone bool) string {
	m := sized.FindStringSubmatch(written)
	width := pictureWidth.FindStringSubmatch(m[3])
	if width == nil {
		return written
	}
	element := `<img src="` + html.EscapeString(m[2]) + `" alt="` + html.EscapeString(m[1]) + `" width="` + width[1] + `">`
	if alone {
		return "<figure>" + element + "<figcaption></figcaption></figure>"
	}
	return element
}

// named returns what the attributes behind an inline leave of themselves: the place that they name. What is no list of
// attributes stays.
func named(whole, list string) string {
	if !onlyNames.MatchString(list) {
		return whole
	}
	for name := range strings.FieldsSeq(list) {
		if id := headingID.FindStringSubmatch(name); id != nil {
			return `<a id="` + id[1] + `"></a>`
		}
	}
	return ""
}

// heading rewrites what tools write behind a heading: its id, and classes that show nothing here.
func (r *rewriter) heading(line string) string {
	if r.of == generator.Nextra {
		line = nextraID.ReplaceAllString(line, "$1 {#$2}")
	}
	m := heading.FindStringSubmatch(line)
	if m == nil || !onlyNames.MatchString(m[2]+m[3]) {
		return r.anchored(line)
	}
	names := m[2] + m[3]
	for name := range strings.FieldsSeq(names) {
		if id := headingID.FindStringSubmatch(name); id != nil {
			if strings.HasPrefix(line, "# ") {
				// The title of a page is no block of it: its name leads to the top.
				r.top = append(r.top, id[1])
				return m[1]
			}
			if r.anchors != nil {
				r.anchors.Taken(id[1])
			}
			return m[1] + ` <a href="#` + id[1] + `" id="` + id[1] + `"></a>`
		}
	}
	return r.anchored(m[1])
}

var plainHeading = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)

// maxHeadings is how many headings with marks in them are parsed for their words; the others stand as they are written.
const maxHeadings = 5000

// anchored gives a heading the anchor that the generator gave it, where the words alone give it another one here.
func (r *rewriter) anchored(line string) string {
	m := plainHeading.FindStringSubmatch(line)
	if r.anchors == nil || m == nil || strings.Contains(m[2], "<a ") {
		return line
	}
	words := m[2]
	if strings.ContainsAny(words, "`*_[<&\\:~!$") && r.headings < maxHeadings {
		r.headings++
		if parsed, err := markdown.Parse([]byte(words)); err == nil && len(parsed.Nodes) == 1 {
			words = parsed.Nodes[0].PlainText()
		}
	}
	id := r.anchors.Next(words)
	switch {
	case id == "" || id == doc.Anchor(words) || !dialect.IsAnchor(id):
		return line
	case len(m[1]) == 1:
		r.top = append(r.top, id)
		return line
	}
	return line + ` <a href="#` + id + `" id="` + id + `"></a>`
}

// outsideCode rewrites the parts of a line that are no code.
func outsideCode(line string, rewrite func(string) string) string {
	line = vPre.ReplaceAllString(line, "$1")
	if !strings.Contains(line, "`") {
		return rewrite(line)
	}
	var out strings.Builder
	for line != "" {
		start, end := firstCode(line)
		if end < 0 {
			break
		}
		out.WriteString(rewrite(line[:start]))
		out.WriteString(line[start:end])
		line = line[end:]
		if m := behindCode.FindStringSubmatch(line); m != nil {
			out.WriteString(named(m[0], m[1]))
			line = line[len(m[0]):]
		}
	}
	out.WriteString(rewrite(line))
	return out.String()
}

// firstCode returns where the first code of a line begins and ends, with its marks; -1 for an end when there is none.
func firstCode(line string) (start, end int) {
	if start = strings.IndexByte(line, '`'); start < 0 {
		return 0, -1
	}
	marks := len(line[start:]) - len(strings.TrimLeft(line[start:], "`"))
	if end = closingMarks(line[start+marks:], marks); end >= 0 {
		end += start + marks
	}
	return start, end
}

// closingMarks returns the index behind the run of that many marks that ends code, -1 when there is none.
func closingMarks(text string, marks int) int {
	for at := 0; at < len(text); {
		start := strings.IndexByte(text[at:], '`')
		if start < 0 {
			return -1
		}
		start += at
		run := len(text[start:]) - len(strings.TrimLeft(text[start:], "`"))
		if run == marks {
			return start + run
		}
		at = start + run
	}
	return -1
}
