package folder

import (
	"html"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/flavor"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// bookReader turns chapters of an mdBook into pages of the dialect: files that a chapter includes are put in, what
// stands behind a language is dropped, lines of Rust that the book hides are left out, and the HTML that books use for
// listings, captions and figures becomes blocks. Everything else keeps its bytes.
type bookReader struct {
	files  *filetree.Tree
	report *source.Report
	place  func(file string) string
	// included counts the bytes put in for the chapter at hand.
	included int
}

// Bounds on includes.
const (
	maxIncludeDepth = 10
	maxIncluded     = 4 << 20
	maxIncludeFile  = 4 << 20
)

// chapter returns the text of a chapter as the dialect has it.
func (b *bookReader) chapter(file, text string) string {
	b.included = 0
	text = b.include(file, text, nil)
	text = outsideFences(text, bookHTML)
	return flavor.Alerts(bookLines(text))
}

// directive is "{{#name arguments}}" at the start of a text.
var directive = regexp.MustCompile(`^\{\{\s*#([a-z_]+)[ \t]+([^}\n]*?)\s*\}\}`)

// maxDirective is the longest directive that is looked at, in bytes.
const maxDirective = 2000

// include replaces the directives of a text that was itself included by the files around it; a backslash before one
// means it literally. One that cannot be resolved stays as it is, visible, and is reported.
func (b *bookReader) include(file, text string, around []string) string {
	var out strings.Builder
	last, line, counted := 0, 1, 0
	for at := 0; ; {
		next := strings.Index(text[at:], "{{")
		if next < 0 {
			break
		}
		at += next
		found := directive.FindStringSubmatch(text[at:min(len(text), at+maxDirective)])
		if found == nil {
			at += 2
			continue
		}
		start, end := at, at+len(found[0])
		at = end
		replacement, ok := found[0], true
		if start > 0 && text[start-1] == '\\' {
			start--
		} else {
			replacement, ok = b.resolve(file, found[1], found[2], around)
		}
		if !ok {
			line += strings.Count(text[counted:start], "\n")
			counted = start
			b.report.NotUnderstood.Addf(placeAt(b.place(file), line),
				"%s: what it names is not part of the import; it stays as it is", found[0])
			continue
		}
		lineStart := strings.LastIndexByte(text[:start], '\n') + 1
		out.WriteString(text[last:start])
		out.WriteString(prefixLines(replacement, containerPrefix(text[lineStart:start])))
		last = end
	}
	if last == 0 {
		return text
	}
	out.WriteString(text[last:])
	return out.String()
}

// containerPrefix returns what continues the containers that a line stands in: spaces and blockquote marks.
func containerPrefix(start string) string {
	if strings.Trim(start, " \t>") == "" {
		return start
	}
	return ""
}

func prefixLines(text, prefix string) string {
	text = strings.TrimSuffix(text, "\n")
	if prefix == "" {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\n"+prefix)
}

func (b *bookReader) resolve(file, name, argument string, around []string) (string, bool) {
	switch name {
	case "title":
		return "", true
	case "include", "rustdoc_include", "playground", "playpen":
	default:
		return "", false
	}
	target, selection, _ := strings.Cut(strings.Fields(argument + " ")[0], ":")
	place := path.Join(path.Dir(file), target)
	if len(around) >= maxIncludeDepth || slices.Contains(around, place) || strings.HasPrefix(place, "../") ||
		b.included > maxIncluded || !b.files.Has(place) {
		return "", false
	}
	data, err := b.files.Read(place, maxIncludeFile)
	if err != nil {
		return "", false
	}
	text, err := decode(place, data)
	if err != nil {
		return "", false
	}
	text, ok := selectLines(text, selection)
	if !ok {
		return "", false
	}
	b.included += len(text)
	if name == "include" {
		text = b.include(place, text, append(around[:len(around):len(around)], place))
	}
	if name == "playground" || name == "playpen" {
		return "```rust\n" + strings.TrimSuffix(text, "\n") + "\n```", true
	}
	return text, true
}

var anchorLine = regexp.MustCompile(`ANCHOR(_END)?:\s*([\w-]+)`)

// selectLines returns the part of a file that a directive names: an anchor, "from:to" by line numbers, or all. Lines
// that only mark anchors are left out.
func selectLines(text, selection string) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	from, to, isRange := lineRange(selection, len(lines))
	inside := selection == "" || isRange
	found := inside
	var out strings.Builder
	for i, line := range lines {
		if mark := anchorLine.FindStringSubmatch(line); mark != nil {
			if !isRange && selection != "" && mark[2] == selection {
				inside = mark[1] == ""
				found = true
			}
			continue
		}
		if inside && (!isRange || i+1 >= from && i+1 <= to) {
			out.WriteString(line)
		}
	}
	return out.String(), found
}

// lineRange reads "5", "5:10", "5:" and ":10".
func lineRange(selection string, count int) (from, to int, ok bool) {
	first, second, both := strings.Cut(selection, ":")
	from, to = 1, count
	var err error
	if first != "" {
		if from, err = strconv.Atoi(first); err != nil {
			return 0, 0, false
		}
		if !both {
			to = from
		}
	}
	if second != "" {
		if to, err = strconv.Atoi(second); err != nil {
			return 0, 0, false
		}
	}
	return from, to, selection != ""
}

// fenceState follows fenced code through the lines of a text.
type fenceState struct {
	open string // the run that opened the fence, "" outside
}

// step reads a line and reports whether it opens or closes a fence, with what stands behind the opening run.
func (f *fenceState) step(line string) (opens, closes bool, info string) {
	content := strings.TrimLeft(line, " \t>")
	content = strings.TrimRight(content, " \t\r\n")
	run := len(content) - len(strings.TrimLeft(content, "`"))
	if run < 3 {
		run = len(content) - len(strings.TrimLeft(content, "~"))
	}
	if f.open != "" {
		if run >= len(f.open) && run == len(content) && content[0] == f.open[0] {
			f.open = ""
			return false, true, ""
		}
		return false, false, ""
	}
	if run >= 3 && !(content[0] == '`' && strings.Contains(content[run:], "`")) {
		f.open = content[:run]
		return true, false, strings.TrimSpace(content[run:])
	}
	return false, false, ""
}

// outsideFences applies a change to the parts of a text that are not fenced code.
func outsideFences(text string, change func(string) string) string {
	var out, plain strings.Builder
	var fence fenceState
	for line := range strings.SplitAfterSeq(text, "\n") {
		opens, closes, _ := fence.step(line)
		if opens {
			out.WriteString(change(plain.String()))
			plain.Reset()
		}
		if opens || closes || fence.open != "" {
			out.WriteString(line)
			continue
		}
		plain.WriteString(line)
	}
	out.WriteString(change(plain.String()))
	return out.String()
}

var (
	figureBlock = regexp.MustCompile(`(?s)<figure>\s*<img\s([^<>]*?)/?>\s*<figcaption>(.*?)</figcaption>\s*</figure>`)
	loneImage   = regexp.MustCompile(
		`(?m)^<img\s([^<>]*?)/?>[ \t]*$(?:\n[ \t]*\n<span class="caption">((?:[^\n]|\n[^\n])*?)</span>[ \t]*$)?`)
	imageElement = regexp.MustCompile(`(?s)<img\s([^<>]*?)/?>`)
	captionSpan  = regexp.MustCompile(`<span class="(?:caption|filename)">((?:[^\n]|\n[^\n])*?)</span>`)
	htmlProperty = regexp.MustCompile(`(?s)([a-zA-Z-]+)\s*=\s*"([^"]*)"`)
)

// bookHTML makes blocks of the HTML that books use for images and captions.
func bookHTML(text string) string {
	// The expressions are slow, run for each piece between two fences, and most pieces have none of it.
	image, span := strings.Contains(text, "<img"), strings.Contains(text, "<span")
	if !image && !span {
		return text
	}
	if image {
		text = figureBlock.ReplaceAllStringFunc(text, func(block string) string {
			parts := figureBlock.FindStringSubmatch(block)
			return figure(parts[1], parts[2])
		})
		text = loneImage.ReplaceAllStringFunc(text, func(block string) string {
			parts := loneImage.FindStringSubmatch(block)
			return figure(parts[1], parts[2])
		})
	}
	text = captionSpan.ReplaceAllString(text, "$1")
	return imageElement.ReplaceAllStringFunc(text, func(element string) string {
		return imageHTML(imageElement.FindStringSubmatch(element)[1])
	})
}

// imageHTML writes an image with the properties that the dialect knows.
func imageHTML(properties string) string {
	src, alt := "", ""
	for _, property := range htmlProperty.FindAllStringSubmatch(properties, -1) {
		switch strings.ToLower(property[1]) {
		case "src":
			src = html.UnescapeString(property[2])
		case "alt":
			alt = strings.Join(strings.Fields(html.UnescapeString(property[2])), " ")
		}
	}
	return `<img src="` + links.EncodeAttribute(src) + `" alt="` + links.EncodeAttribute(alt) + `">`
}

// figure writes an image with its caption as the dialect's own exporter does.
func figure(properties, caption string) string {
	caption = strings.Join(strings.Fields(caption), " ")
	if caption != "" {
		caption = "<p>" + inlineHTML(caption) + "</p>"
	}
	return "<figure>" + imageHTML(properties) + "<figcaption>" + caption + "</figcaption></figure>"
}

var (
	codeSpan     = regexp.MustCompile("`([^`]+)`")
	strongSpan   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	emphasisSpan = regexp.MustCompile(`\b_([^_]+)_\b|\*([^*]+)\*`)
)

// inlineHTML writes the few inline marks that captions hold as HTML: a caption is HTML in the dialect.
func inlineHTML(caption string) string {
	var out strings.Builder
	last := 0
	for _, at := range codeSpan.FindAllStringSubmatchIndex(caption, -1) {
		out.WriteString(marksHTML(caption[last:at[0]]))
		out.WriteString("<code>" + html.EscapeString(caption[at[2]:at[3]]) + "</code>")
		last = at[1]
	}
	out.WriteString(marksHTML(caption[last:]))
	return out.String()
}

func marksHTML(text string) string {
	text = strongSpan.ReplaceAllString(text, "<strong>$1</strong>")
	return emphasisSpan.ReplaceAllString(text, "<em>$1$2</em>")
}

// listing is the <Listing> element that lines stand in.
type listing struct {
	number, file, caption string
	open, titled          bool
}

// bookID is the id that a book gives a heading behind its words, which classes may follow.
var bookID = regexp.MustCompile(
	`^( {0,3}#{2,6}[ \t][^\r\n]*?)[ \t]*\{[ \t]*#([\w.:-]+)(?:[ \t]+[.\w=-]+)*[ \t]*\}[ \t]*`)

var listingStart = regexp.MustCompile(`^<Listing(?:\s|>)`)

// bookLines goes through a chapter line by line: fences lose what is behind their language and the lines that the book
// hides, and listings become code blocks with a title and a caption.
func bookLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var out strings.Builder
	var fence fenceState
	var current listing
	rust, wrapped, warned := false, false, 0
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		prefix := line[:len(line)-len(strings.TrimLeft(line, " \t>"))]
		content := strings.TrimRight(line[len(prefix):], " \t\r\n")
		opens, closes, info := fence.step(line)
		switch {
		case opens:
			rust = isRust(info)
			wrapped = current.open && !current.titled && current.file != ""
			if wrapped {
				current.titled = true
				out.WriteString(prefix + `{% code title="` + links.EncodeAttribute(current.file) + "\" %}\n")
			}
			out.WriteString(fenceLine(line, info))
		case closes:
			out.WriteString(line)
			if wrapped {
				out.WriteString(lineEnd(line) + prefix + "{% endcode %}\n")
				wrapped = false
			}
		case fence.open != "":
			if shown, ok := shownLine(line, prefix, rust); ok {
				out.WriteString(shown)
			}
		case listingStart.MatchString(content):
			element, used := joinElement(lines[i:], prefix)
			current = parseListing(element)
			i += used - 1
			// The blank line that follows would leave two.
			if i+1 < len(lines) && strings.Trim(lines[i+1], " \t>\r\n") == "" {
				i++
			}
		case warned == 0 && content == `<div class="warning">` && hasDivisionEnd(lines[i+1:]):
			warned = 1
			out.WriteString(prefix + "{% hint style=\"warning\" %}\n")
		case warned > 0 && (strings.HasPrefix(content, "<div") || content == "</div>"):
			if content != "</div>" {
				warned++
			} else if warned--; warned == 0 {
				out.WriteString(prefix + "{% endhint %}\n")
				break
			}
			out.WriteString(line)
		case content == "</Listing>" && current.open:
			if caption := current.captionLine(); caption != "" {
				out.WriteString(prefix + caption + "\n")
			} else if i+1 < len(lines) && strings.Trim(lines[i+1], " \t>\r\n") == "" {
				i++
			}
			current = listing{}
		case bookID.MatchString(line):
			out.WriteString(bookID.ReplaceAllString(line, `$1 <a href="#$2" id="$2"></a>`))
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}

// hasDivisionEnd reports whether a division that has begun ends in lines that follow.
func hasDivisionEnd(lines []string) bool {
	depth := 1
	for _, line := range lines[:min(len(lines), maxWarning)] {
		switch content := strings.TrimSpace(line); {
		case content == "</div>":
			if depth--; depth == 0 {
				return true
			}
		case strings.HasPrefix(content, "<div"):
			depth++
		}
	}
	return false
}

// maxWarning is how many lines a warning of a book has at most.
const maxWarning = 500

// lineEnd returns the line feed that a last line lacks.
func lineEnd(line string) string {
	if strings.HasSuffix(line, "\n") {
		return ""
	}
	return "\n"
}

// fenceLine drops what stands behind the language of a fence ("rust,ignore" and the like).
func fenceLine(line, info string) string {
	language, _, found := strings.Cut(info, ",")
	if !found || strings.ContainsAny(language, " {\t") {
		return line
	}
	at := strings.LastIndex(line, info)
	return line[:at] + language + line[at+len(info):]
}

func isRust(info string) bool {
	language, _, _ := strings.Cut(info, ",")
	language = strings.TrimSpace(language)
	return language == "rust" || strings.HasPrefix(language, "rust ")
}

// shownLine returns a line of code as the book shows it, and whether it does. In Rust, lines that start with "# " are
// hidden and "##" stands for "#".
func shownLine(line, prefix string, rust bool) (string, bool) {
	if !rust {
		return line, true
	}
	// Blockquote marks belong to the container, space to the code.
	quote := prefix[:strings.LastIndexByte(prefix, '>')+1]
	code := strings.TrimLeft(line[len(quote):], " \t")
	trimmed := strings.TrimRight(code, "\r\n")
	switch {
	case trimmed == "#" || strings.HasPrefix(trimmed, "# "):
		return "", false
	case strings.HasPrefix(trimmed, "##"):
		at := len(line) - len(code)
		return line[:at] + line[at+1:], true
	}
	return line, true
}

// joinElement returns an element that starts on the first line, over as many lines as it needs, and their number.
func joinElement(lines []string, prefix string) (string, int) {
	var element strings.Builder
	quotes := 0
	for i, line := range lines {
		if i == 20 {
			break
		}
		content := strings.TrimPrefix(line, prefix)
		element.WriteString(content)
		quotes += strings.Count(content, `"`)
		if quotes%2 == 0 && strings.Contains(content, ">") {
			return element.String(), i + 1
		}
	}
	return lines[0], 1
}

func parseListing(element string) listing {
	found := listing{open: true}
	for _, property := range htmlProperty.FindAllStringSubmatch(element, -1) {
		value := strings.Join(strings.Fields(html.UnescapeString(property[2])), " ")
		switch property[1] {
		case "number":
			found.number = value
		case "file-name":
			found.file = value
		case "caption":
			found.caption = value
		}
	}
	return found
}

// captionLine returns the text under a listing, "" when it has none.
func (l listing) captionLine() string {
	switch {
	case l.number == "":
		return l.caption
	case l.caption == "":
		return "Listing " + l.number
	}
	return "Listing " + l.number + ": " + l.caption
}
