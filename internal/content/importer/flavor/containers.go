package flavor

import (
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
)

// kind is a way to write a container with a start and an end.
type kind int

const (
	colons    kind = iota // ::: name … :::
	component             // <Name> … </Name>
	shortcode             // {{< name >}} … {{< /name >}}
	tag                   // {% name %} … {% endname %}
)

// opener is the start of a container, or its end.
type opener struct {
	kind   kind
	name   string
	rest   string // what stands behind the name
	marks  int    // how many colons
	closes bool
	// first is the index of the line behind the start, end that of the line with the end.
	first, end int
}

var (
	colonLine     = regexp.MustCompile(`^[ \t]*(:{3,})[ \t]*([\w-]*)(.*)$`)
	componentLine = regexp.MustCompile(
		`^[ \t]*<(/?)([A-Z][\w.]*)((?:\s(?:[^>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\}|[{}])*)?)>[ \t]*$`)
	componentOpen = regexp.MustCompile(
		`^[ \t]*<(Tabs|TabItem|Tabs\.Tab|Tab|Admonition|Aside|Accordion|Callout|Card|LinkCard|Step|ParamField|` +
			`ResponseField|Expandable|Frame|CardGroup|Update)(\s[^>]*)?$`)
	shortcodeLine = regexp.MustCompile(`^[ \t]*\{\{[<%][ \t]*(/?)[ \t]*([\w/-]+)(.*?)[ \t]*/?[%>]\}\}[ \t]*$`)
	tagLine       = regexp.MustCompile(`^[ \t]*\{%-?[ \t]*(end)?(highlight|raw)\b(.*?)-?%\}[ \t]*$`)
)

// maxTagLines is how many lines the start of a component has at most.
const maxTagLines = 30

// readOpener reads a line as the start or end of a container; first is the line behind it.
func readOpener(lines []string, i int) (opener, bool) {
	line := lines[i]
	if !startsWith(line, ":<{") {
		return opener{}, false
	}
	if m := colonLine.FindStringSubmatch(line); m != nil {
		return opener{kind: colons, name: strings.ToLower(m[2]), rest: strings.TrimSpace(m[3]), marks: len(m[1]),
			closes: m[2] == "" && strings.TrimSpace(m[3]) == "", first: i + 1}, true
	}
	if m := componentLine.FindStringSubmatch(line); m != nil && !strings.HasSuffix(strings.TrimSpace(m[3]), "/") {
		return opener{kind: component, name: m[2], rest: m[3], closes: m[1] != "", first: i + 1}, true
	}
	if m := componentOpen.FindStringSubmatch(line); m != nil {
		var rest strings.Builder
		rest.WriteString(m[2])
		for j := i + 1; j < len(lines) && j < i+maxTagLines; j++ {
			rest.WriteString(" " + strings.TrimSpace(lines[j]))
			if strings.HasSuffix(strings.TrimSpace(lines[j]), ">") && !strings.HasSuffix(strings.TrimSpace(lines[j]),
				"=>") {
				return opener{kind: component, name: m[1], rest: strings.TrimSuffix(rest.String(), ">"), first: j + 1},
					true
			}
		}
		return opener{}, false
	}
	if m := shortcodeLine.FindStringSubmatch(line); m != nil {
		return opener{kind: shortcode, name: strings.ToLower(m[2]), rest: m[3], closes: m[1] != "", first: i + 1}, true
	}
	if m := tagLine.FindStringSubmatch(line); m != nil {
		return opener{kind: tag, name: m[2], rest: m[3], closes: m[1] != "", first: i + 1}, true
	}
	return opener{}, false
}

// maxOpen is how many starts wait for their ends: an end further out is taken for text.
const maxOpen = 64

// matchContainers returns the containers that have a start and an end, by the line of the start.
func matchContainers(lines []string) map[int]opener {
	type waiting struct {
		opener
		at int
	}
	var open []waiting
	found := map[int]opener{}
	for i := 0; i < len(lines); {
		if f, ok := openFence(lines[i]); ok {
			i = fenceEnd(lines, i, f)
			continue
		}
		each, ok := readOpener(lines, i)
		if !ok {
			i++
			continue
		}
		if !each.closes {
			if open = append(open, waiting{each, i}); len(open) > maxOpen {
				open = open[1:]
			}
			i = each.first
			continue
		}
		for j := len(open) - 1; j >= 0; j-- {
			start := open[j]
			if start.kind != each.kind || start.name != each.name && each.kind != colons || each.kind == colons &&
				start.marks > each.marks {
				continue
			}
			start.end = i
			found[start.at] = start.opener
			open = open[:j]
			break
		}
		i++
	}
	return found
}

var (
	bracketTitle = regexp.MustCompile(`^\[([^\]]*)\]`)
	attributes   = regexp.MustCompile(`([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{["'` + "`" + `]([^"'` + "`" + `]*)["'` +
		"`" + `]\})`)
	bareTitle = regexp.MustCompile(`^\s*"([^"]*)"`)
	braces    = regexp.MustCompile(`\{[^}]*\}\s*$`)
	labelled  = regexp.MustCompile(`label:\s*['"]([^'"]*)['"]\s*,\s*value:\s*['"]([^'"]*)['"]`)
	valued    = regexp.MustCompile(`value:\s*['"]([^'"]*)['"]\s*,\s*label:\s*['"]([^'"]*)['"]`)
)

// readAttributes reads what stands behind the name of a component or shortcode.
func readAttributes(rest string) map[string]string {
	found := map[string]string{}
	for _, m := range attributes.FindAllStringSubmatch(rest, -1) {
		found[strings.ToLower(m[1])] = m[2] + m[3] + m[4]
	}
	return found
}

// usualTitle drops a title that only says the style again.
func usualTitle(title string) string {
	title = strings.TrimSpace(title)
	if _, usual := hypertext.CalloutStyle(strings.Trim(title, ":! ")); usual {
		return ""
	}
	return title
}

// container rewrites a container, and reports whether it is one that it knows.
func (r *rewriter) container(lines []string, at int, o opener, where place) ([]string, bool) {
	indent := indentOf(lines[at])
	inner := dedent(lines[o.first:o.end])
	switch o.kind {
	case colons:
		return r.colons(indent, o, inner, where)
	case component:
		return r.component(indent, o, inner, where)
	case shortcode:
		return r.shortcode(indent, o, inner, where)
	}
	if o.name == "raw" {
		return indentLines(indent, r.blocks(inner, where.deeper())), true
	}
	language, _, _ := strings.Cut(strings.TrimSpace(o.rest), " ")
	return indentLines(indent, codeBlock(language, strings.Contains(o.rest, "lineno"), inner)), true
}

// codeBlock writes lines as a block of code.
func codeBlock(language string, numbers bool, inner []string) []string {
	longest := 2
	for _, line := range inner {
		for run := range strings.FieldsFuncSeq(line, func(r rune) bool { return r != '`' }) {
			longest = max(longest, len(run))
		}
	}
	marks := strings.Repeat("`", longest+1)
	if !plainInfo.MatchString(language) {
		language = ""
	}
	block := wrap(marks+language, trimBlank(inner), marks)
	if numbers {
		return wrap(`{% code lineNumbers="true" %}`, block, "{% endcode %}")
	}
	return block
}

func (r *rewriter) colons(indent string, o opener, inner []string, at place) ([]string, bool) {
	title := braces.ReplaceAllString(o.rest, "")
	if m := bracketTitle.FindStringSubmatch(title); m != nil {
		title = m[1]
	}
	switch o.name {
	case "details":
		return r.expandable(indent, strings.TrimSpace(title), strings.Contains(o.rest, "{open}"), inner, at), true
	case "code-group":
		below := at.deeper()
		below.inGroup = true
		return indentLines(indent, wrap("{% tabs %}", r.blocks(trimBlank(inner), below), "{% endtabs %}")), true
	case "raw", "v-pre":
		return indentLines(indent, r.blocks(inner, at.deeper())), true
	}
	style, ok := hypertext.CalloutStyle(o.name)
	if !ok {
		return nil, false
	}
	return r.hint(indent, style, usualTitle(title), inner, at), true
}

// components are those of MDX that are call-outs by their names.
var components = map[string]string{"Note": "note", "Tip": "tip", "Info": "info", "Warning": "warning",
	"Danger": "danger", "Caution": "caution", "Check": "check", "Important": "important"}

func (r *rewriter) component(indent string, o opener, inner []string, at place) ([]string, bool) {
	given := readAttributes(o.rest)
	title := given["title"]
	switch o.name {
	case "Tabs":
		return r.componentTabs(indent, o, inner, at)
	case "Steps":
		return r.steps(indent, inner, at), true
	case "Admonition", "Aside", "Callout":
		return r.hint(indent, callout(given), usualTitle(title), inner, at), true
	case "Accordion":
		return r.expandable(indent, title, false, inner, at), true
	case "CodeGroup":
		below := at.deeper()
		below.inGroup = true
		return indentLines(indent, wrap("{% tabs %}", r.blocks(trimBlank(inner), below), "{% endtabs %}")), true
	}
	if name, ok := components[o.name]; ok {
		style, _ := hypertext.CalloutStyle(name)
		return r.hint(indent, style, usualTitle(title), inner, at), true
	}
	if made, ok := r.section(indent, o, inner, at); ok {
		return made, true
	}
	// The content of a component that is not known is Markdown all the same, at whatever column it stands.
	r.note("<" + o.name + ">")
	start := "<" + o.name + strings.TrimRight(o.rest, " \t") + ">"
	return indentLines(indent, append(append([]string{start, ""}, r.blocks(trimBlank(inner), at.deeper())...), "",
		"</"+o.name+">")), true
}

// componentTabs reads the tabs of a set.
func (r *rewriter) componentTabs(indent string, o opener, inner []string, at place) ([]string, bool) {
	labels := map[string]string{}
	for _, m := range labelled.FindAllStringSubmatch(o.rest, -1) {
		labels[m[2]] = m[1]
	}
	for _, m := range valued.FindAllStringSubmatch(o.rest, -1) {
		labels[m[1]] = m[2]
	}
	var items []string
	if m := itemsGiven.FindStringSubmatch(o.rest); m != nil {
		for _, one := range quoted.FindAllStringSubmatch(m[1], -1) {
			items = append(items, one[1]+one[2])
		}
	}
	all := tabsIn(inner, component, func(item opener) (string, bool) {
		if item.name != "TabItem" && item.name != "Tab" && item.name != "Tabs.Tab" {
			return "", false
		}
		title := ""
		if len(items) > 0 {
			title, items = items[0], items[1:]
		}
		given := readAttributes(item.rest)
		for _, title := range []string{given["label"], given["title"], given["name"], labels[given["value"]],
			given["value"], title} {
			if title != "" {
				return title, true
			}
		}
		return "Tab", true
	})
	if len(all) == 0 {
		return nil, false
	}
	return r.tabs(indent, all, at), true
}

// steps writes steps in order; what are no steps, a list or headings, stays what it is.
func (r *rewriter) steps(indent string, inner []string, at place) []string {
	all := tabsIn(inner, component, func(item opener) (string, bool) {
		return readAttributes(item.rest)["title"], item.name == "Step"
	})
	if len(all) == 0 {
		return indentLines(indent, surround(r.blocks(trimBlank(inner), at.deeper())))
	}
	var body []string
	for _, each := range all {
		content := r.blocks(trimBlank(each.lines), at.deeper())
		if each.title != "" {
			content = append([]string{"### " + each.title, ""}, content...)
		}
		body = append(body, wrap("{% step %}", content, "{% endstep %}")...)
	}
	return indentLines(indent, wrap("{% stepper %}", body, "{% endstepper %}"))
}

// tabsIn returns the tabs among the lines of a set of tabs; nil when there is text beside them.
func tabsIn(inner []string, kind kind, title func(opener) (string, bool)) []tab {
	var all []tab
	ends := matchContainers(inner)
	for i := 0; i < len(inner); i++ {
		item, ok := ends[i]
		if !ok && strings.TrimSpace(inner[i]) == "" {
			continue
		}
		if !ok || item.kind != kind {
			return nil
		}
		name, ok := title(item)
		if !ok {
			return nil
		}
		all = append(all, tab{name, dedent(inner[item.first:item.end])})
		i = item.end
	}
	return all
}

func (r *rewriter) shortcode(indent string, o opener, inner []string, at place) ([]string, bool) {
	given := readAttributes(o.rest)
	title := given["title"]
	words := strings.Fields(strings.ReplaceAll(o.rest, `"`, " "))
	first := ""
	if m := bareTitle.FindStringSubmatch(o.rest); m != nil {
		first = m[1]
	} else if len(words) > 0 && !strings.Contains(words[0], "=") {
		first = words[0]
	}
	switch o.name {
	case "highlight":
		block := codeBlock(first, false, inner)
		f, _ := openFence(block[0])
		f.info += " " + o.rest
		return indentLines(indent, r.code(block, f, at)), true
	case "details", "expand":
		if title == "" {
			title = given["summary"]
		}
		if title == "" {
			title = first
		}
		open := given["open"] == "true" || strings.Contains(o.rest, "open=true")
		return r.expandable(indent, title, open, inner, at), true
	case "pageinfo":
		return r.hint(indent, "info", "", inner, at), true
	case "cardpane", "cards", "blocks/section", "blocks/lead":
		return indentLines(indent, surround(r.blocks(trimBlank(inner), at.deeper()))), true
	case "card":
		if title == "" {
			title = strings.Trim(given["header"], "*")
		}
		return indentLines(indent, card(map[string]string{"title": title}, r.blocks(trimBlank(inner),
			at.deeper()))), true
	case "tabs", "tabpane":
		all := tabsIn(inner, shortcode, func(item opener) (string, bool) {
			if item.name != "tab" {
				return "", false
			}
			named := readAttributes(item.rest)
			for _, title := range []string{named["header"], named["name"], named["title"], named["tabname"]} {
				if title != "" {
					return title, true
				}
			}
			if m := bareTitle.FindStringSubmatch(item.rest); m != nil {
				return m[1], true
			}
			return "Tab", true
		})
		if len(all) == 0 {
			return nil, false
		}
		return r.tabs(indent, all, at), true
	case "hint", "alert", "callout", "admonition", "notice", "blockquote":
		for _, name := range []string{given["type"], given["color"], given["style"], given["context"], first} {
			if style, ok := hypertext.CalloutStyle(name); ok {
				return r.hint(indent, style, usualTitle(title), inner, at), true
			}
		}
		return r.hint(indent, "info", usualTitle(title), inner, at), true
	}
	if style, ok := hypertext.CalloutStyle(o.name); ok {
		if title == "" && first != "" && bareTitle.MatchString(o.rest) {
			title = first
		}
		return r.hint(indent, style, usualTitle(title), inner, at), true
	}
	r.note(o.name)
	return nil, false
}

// note remembers a shortcode that is not known.
func (r *rewriter) note(name string) {
	if !r.unknown[name] && len(r.names) < 100 {
		r.unknown[name] = true
		r.names = append(r.names, name)
	}
}
