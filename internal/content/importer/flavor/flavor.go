// Package flavor owns rewriting what documentation tools add to Markdown in the words of the dialect.
//
// It knows the containers of VitePress, VuePress and Docusaurus (":::"), the admonitions and tabs of MkDocs ("!!!",
// "???", "===") and what else extensions of Python-Markdown add, the alerts of Git hosts ("> [!NOTE]"), the
// components that most MDX sites have (Tabs, Admonition, …), the usual shortcodes of Hugo and tags of Jekyll, marked
// lines of code, and what all of these write behind headings and fences. Code stays as it is, and so does everything
// that the package does not know. Running time is linear in the text for every input: containers inside each other are
// followed to a depth.
package flavor

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// maxTips is how many tooltips of a page become notes.
const maxTips = 500

// maxDepth is how many containers inside each other are followed; what is deeper stays as it is written.
const maxDepth = 12

// Result is a rewritten text.
type Result struct {
	Text string
	// Lines says that every line is still where it was, so that places in the text mean places in the source.
	Lines bool
	// Unknown are the names of shortcodes and components that are not known and stayed, each once, in their order.
	Unknown []string
	// Top are ids of headings of the first level, which are titles of pages.
	Top []string
}

// Rewrite rewrites a page without its front matter. Headings get the anchors that a generator gave them; Folders, and
// no name at all, stand for none. Signs of extensions of Python-Markdown count where the site has those extensions.
func Rewrite(text string, of generator.Name, extensions ...string) Result {
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	r := &rewriter{unknown: map[string]bool{}, of: of}
	if of != "" && of != generator.Folders {
		r.anchors = generator.NewAnchors(of)
	}
	r.extend(extensions)
	written := r.blocks(splitComponents(r.takeAbbreviations(lines)), place{})
	result := Result{Lines: len(written) == len(lines), Unknown: r.names, Top: r.top}
	for i, tip := range r.tips {
		written = append(written, "", "[^tip-"+strconv.Itoa(i+1)+"]: "+tip)
	}
	result.Text = strings.Join(written, "\n")
	if strings.HasSuffix(text, "\n") {
		result.Text += "\n"
	}
	return result
}

// Alerts rewrites the alerts of Git hosts ("> [!NOTE]") in a text, and nothing else outside of them.
func Alerts(text string) string {
	if !strings.Contains(text, "[!") {
		return text
	}
	r := &rewriter{unknown: map[string]bool{}}
	var out []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if f, ok := openFence(lines[i]); ok {
			end := fenceEnd(lines, i, f)
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		if end, made, ok := r.quoted(lines, i, place{}); ok && alert.MatchString(lines[i]) {
			out = append(out, made...)
			i = end
			continue
		}
		out = append(out, lines[i])
		i++
	}
	return strings.Join(out, "\n")
}

// rewriter holds what is known of one text.
type rewriter struct {
	unknown map[string]bool
	of      generator.Name
	names   []string
	top     []string
	// anchors are those of the generator, nil for none.
	anchors  *generator.Anchors
	headings int // that were parsed
	// extensions are those of Python-Markdown that the site has.
	extensions map[string]bool
	// short are the abbreviations of the page, with what they are short for; shortWords finds them.
	short map[string]string
	// endless is, of marks that end no directive of MyST in lines, how many there are at least.
	endless map[ending]int
	// tips are what tooltips of the page say; notes below it say it here.
	tips       []string
	shortWords *regexp.Regexp
}

// place is where lines stand.
type place struct {
	depth  int
	inHint bool
	// inGroup says that every block of code is a tab.
	inGroup bool
}

func (p place) deeper() place {
	p.depth++
	p.inGroup = false
	return p
}

// blocks rewrites the lines of a container.
func (r *rewriter) blocks(lines []string, at place) []string {
	if at.depth > maxDepth {
		return lines
	}
	var out []string
	ends := matchContainers(lines)
	for i := 0; i < len(lines); {
		line := lines[i]
		if end, made, ok := r.myst(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if fence, ok := openFence(line); ok {
			end := fenceEnd(lines, i, fence)
			out = append(out, r.code(lines[i:end], fence, at)...)
			i = end
			continue
		}
		if end, ok := commentEnd(lines, i); ok {
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		if end, made, ok := r.indented(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if end, made, ok := r.table(lines, i); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if end, made, ok := r.definitions(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if end, made, ok := r.division(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if end, made, ok := r.quoted(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		if opened, known := ends[i]; known {
			made, ok := r.container(lines, i, opened, at)
			if ok {
				out = append(out, made...)
				i = opened.end + 1
				continue
			}
		}
		if end, made, ok := r.single(lines, i, at); ok {
			out = append(out, made...)
			i = end
			continue
		}
		out = append(out, r.inline(line))
		i++
	}
	return out
}

// hint writes a call-out. One inside another is its text only: the dialect does not nest them.
func (r *rewriter) hint(indent, style, title string, inner []string, at place) []string {
	below := at.deeper()
	below.inHint = true
	body := r.blocks(trimBlank(inner), below)
	if title != "" {
		body = append([]string{"**" + strings.Trim(title, "* ") + "**", ""}, body...)
	}
	if at.inHint {
		return indentLines(indent, body)
	}
	return indentLines(indent, wrap(`{% hint style="`+style+`" %}`, body, "{% endhint %}"))
}

// expandable writes a part that opens and closes. Its title is text.
func (r *rewriter) expandable(indent, title string, open bool, inner []string, at place) []string {
	if title == "" {
		title = "Details"
	}
	start := "<details>"
	if open {
		start = "<details open>"
	}
	body := append([]string{"", "<summary>" + html.EscapeString(title) + "</summary>", ""},
		r.blocks(trimBlank(inner), at.deeper())...)
	return indentLines(indent, wrap(start, append(body, ""), "</details>"))
}

// tabs writes a set of tabs.
func (r *rewriter) tabs(indent string, all []tab, at place) []string {
	var body []string
	for _, each := range all {
		body = append(body, wrap(`{% tab title="`+attributeText(each.title)+`" %}`, r.blocks(trimBlank(each.lines),
			at.deeper()), "{% endtab %}")...)
	}
	return indentLines(indent, wrap("{% tabs %}", body, "{% endtabs %}"))
}

// tab is one tab of a set.
type tab struct {
	title string
	lines []string
}

func wrap(start string, body []string, end string) []string {
	out := make([]string, 0, len(body)+2)
	return append(append(append(out, start), body...), end)
}

// indentLines puts an indentation before lines that are not blank.
func indentLines(indent string, lines []string) []string {
	if indent == "" {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			out[i] = indent + line
		}
	}
	return out
}

// startsWith reports whether the first character of a line is one of some: most lines need no closer look.
func startsWith(line, characters string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	return trimmed != "" && strings.IndexByte(characters, trimmed[0]) >= 0
}

// indentOf returns the white space that a line starts with.
func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// dedent takes the indentation off lines that all of them have.
func dedent(lines []string) []string {
	common, found := "", false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := indentOf(line)
		if !found {
			common, found = indent, true
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, common)
	}
	return out
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// attributeText writes a text between the quotation marks of a tag.
func attributeText(text string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "%}", "%").Replace(strings.TrimSpace(text))
}
