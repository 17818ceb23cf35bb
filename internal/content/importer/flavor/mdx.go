package flavor

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
)

// unwrapped are components that show what is in them and nothing else that a page can have.
var unwrapped = map[string]bool{"AccordionGroup": true, "Frame": true, "Panel": true, "Columns": true, "Column": true,
	"CardGroup": true, "CardGrid": true, "Cards": true, "Row": true, "Col": true, "Steps": true, "FileTree": true,
	"Tree": true, "Intro": true, "View": true, "Show": true, "Visibility": true, "RequestExample": true,
	"ResponseExample": true, "Fragment": true, "React.Fragment": true, "BrowserOnly": true, "DocCardList": true,
	"Bleed": true, "Cards.Group": true, "LinkCards": true}

var (
	oneLine = regexp.MustCompile(
		`^([ \t]*)<([A-Z][\w.]*)((?:\s(?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*)?)>(.+)</([A-Z][\w.]*)>[ \t]*$`)
	selfClosed = regexp.MustCompile(
		`^[ \t]*<([A-Z][\w.]*)((?:\s(?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*)?)/>[ \t]*$`)
	onlyImage  = regexp.MustCompile(`(?i)^\s*<img\s([^<>]*?)/?>\s*$`)
	onlyMark   = regexp.MustCompile(`^\s*!\[([^\]]*)\]\(([^()\s]+)\)\s*$`)
	bareFlag   = regexp.MustCompile(`(?:^|\s)(required|deprecated|open|defaultOpen)(?:\s|$|/|=\{true\})`)
	itemsGiven = regexp.MustCompile(`items=\{\[([^\]]*)\]\}`)
	quoted     = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
	badge      = regexp.MustCompile(`<(?:Badge|Pill)\s[^<>]*?\b(?:text|children)="([^"]*)"[^<>]*/>`)
	paired     = regexp.MustCompile(`<(Badge|Pill|Tooltip|Highlight|Button|LinkButton|Kbd|Link)(\s[^<>]*)?>([^<>]*)` +
		`</(?:Badge|Pill|Tooltip|Highlight|Button|LinkButton|Kbd|Link)>`)
	neighbours = regexp.MustCompile(`(</([A-Z][\w.]*)>)[ \t]*<([A-Z][\w.]*)`)
	iconOnly   = regexp.MustCompile(`<(?:Icon|FontAwesomeIcon|Image\.Icon)\s[^<>]*/>[ \t]?`)
	keys       = regexp.MustCompile(`(^|[^\w+])\+\+((?:[a-z0-9-]+|"[^"+]+")(?:\+(?:[a-z0-9-]+|"[^"+]+"))*)\+\+`)
	keyPart    = regexp.MustCompile(`"[^"]+"|[^+"]+`)
	scriptOpen = regexp.MustCompile(`(?i)^<(script|style)(?:\s[^>]*)?>`)
)

// splitComponents puts the content of a component that stands on one line on a line of its own, so that blocks can be
// told from inlines.
func splitComponents(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		if f, ok := openFence(lines[i]); ok {
			end := fenceEnd(lines, i, f)
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		out = append(out, splitLine(lines[i], 0)...)
		i++
	}
	return out
}

// splitLine puts the components of a line, and what is in them, on lines of their own.
func splitLine(line string, depth int) []string {
	if depth > maxDepth || !startsWith(line, "<") {
		return []string{line}
	}
	for _, m := range neighbours.FindAllStringSubmatchIndex(line, maxDepth) {
		// The first component ends here only when none of the same name is open around it.
		name, before := line[m[4]:m[5]], line[:m[0]]
		if isBlock(name) && isBlock(line[m[6]:m[7]]) && strings.HasPrefix(strings.TrimLeft(line, " \t"), "<"+name) &&
			strings.Count(before, "<"+name) == strings.Count(before, "</"+name+">")+1 {
			rest := indentOf(line) + strings.TrimLeft(line[m[3]:], " \t")
			return append(splitLine(line[:m[3]], depth+1), splitLine(rest, depth+1)...)
		}
	}
	m := oneLine.FindStringSubmatch(line)
	if m == nil || m[2] != m[5] || !isBlock(m[2]) {
		return []string{line}
	}
	return append(append([]string{m[1] + "<" + m[2] + m[3] + ">"}, splitLine(m[1]+strings.TrimSpace(m[4]), depth+1)...),
		m[1]+"</"+m[5]+">")
}

// isBlock reports whether a component is a block of its own.
func isBlock(name string) bool {
	switch name {
	case "Admonition", "Aside", "Callout", "Accordion", "Expandable", "Card", "LinkCard", "Step", "ParamField",
		"ResponseField", "Update", "Tab", "TabItem", "Tabs.Tab", "Tree.Folder", "Tree.File", "FileTree.Folder",
		"FileTree.File":
		return true
	}
	return unwrapped[name] || components[name] != ""
}

// section rewrites the components that have a title over their content, or none at all; false for others.
func (r *rewriter) section(indent string, o opener, inner []string, at place) ([]string, bool) {
	given := readAttributes(o.rest)
	title := given["title"]
	switch o.name {
	case "Frame":
		return r.frame(indent, given["caption"], inner, at), true
	case "RequestExample", "ResponseExample":
		below := at.deeper()
		below.inGroup = true
		return indentLines(indent, wrap("{% tabs %}", r.blocks(trimBlank(inner), below), "{% endtabs %}")), true
	case "Card", "LinkCard", "Cards.Card":
		return indentLines(indent, card(given, r.blocks(trimBlank(inner), at.deeper()))), true
	case "Step":
		body := r.blocks(trimBlank(inner), at.deeper())
		if title != "" {
			body = append([]string{"### " + title, ""}, body...)
		}
		return indentLines(indent, surround(body)), true
	case "Update":
		body := r.blocks(trimBlank(inner), at.deeper())
		return indentLines(indent, surround(append([]string{"## " + given["label"], "", given["description"], ""},
			body...))), true
	case "Expandable":
		return r.expandable(indent, title, bareFlag.MatchString(o.rest), inner, at), true
	case "ParamField", "ResponseField", "Param", "Property":
		return indentLines(indent, surround(append([]string{field(given, o.rest), ""}, r.blocks(trimBlank(inner),
			at.deeper())...))), true
	case "FileTree", "Tree":
		return indentLines(indent, surround(r.fileTree(trimBlank(inner), at))), true
	}
	if unwrapped[o.name] {
		if title != "" {
			inner = append([]string{"**" + title + "**", ""}, inner...)
		}
		return indentLines(indent, surround(r.blocks(trimBlank(inner), at.deeper()))), true
	}
	return nil, false
}

// surround puts blank lines around a block, so that it stands apart from the text beside it.
func surround(body []string) []string {
	return append(append([]string{""}, trimBlank(body)...), "")
}

// card writes a card as its title, which is the link that the whole card is, over its text.
func card(given map[string]string, body []string) []string {
	title, target := given["title"], given["href"]
	if title == "" {
		title = given["label"]
	}
	if title == "" && target != "" {
		title = target
	}
	if target != "" {
		title = "[" + title + "](" + target + ")"
	}
	if text := given["description"]; text != "" {
		body = append([]string{text, ""}, body...)
	}
	if title == "" {
		return surround(body)
	}
	return surround(append([]string{"**" + title + "**", ""}, body...))
}

// field writes the name of a parameter with what is said of it.
func field(given map[string]string, rest string) string {
	name := ""
	for _, key := range []string{"path", "query", "body", "header", "name"} {
		if name == "" {
			name = given[key]
		}
	}
	parts := []string{"**`" + name + "`**"}
	if given["type"] != "" {
		parts = append(parts, "`"+given["type"]+"`")
	}
	for _, flag := range bareFlag.FindAllStringSubmatch(rest+" ", -1) {
		parts = append(parts, flag[1])
	}
	if given["default"] != "" {
		parts = append(parts, "default: `"+given["default"]+"`")
	}
	return strings.Join(parts, " ")
}

// frame writes a picture with its caption.
func (r *rewriter) frame(indent, caption string, inner []string, at place) []string {
	content := strings.Join(trimBlank(inner), " ")
	properties := ""
	if m := onlyImage.FindStringSubmatch(content); m != nil {
		given := readAttributes(m[1])
		properties = `src="` + html.EscapeString(given["src"]) + `" alt="` + html.EscapeString(given["alt"]) + `"`
	} else if m := onlyMark.FindStringSubmatch(content); m != nil {
		properties = `src="` + html.EscapeString(m[2]) + `" alt="` + html.EscapeString(m[1]) + `"`
	}
	if properties == "" {
		body := r.blocks(trimBlank(inner), at.deeper())
		if caption != "" {
			body = append(body, "", caption)
		}
		return indentLines(indent, surround(body))
	}
	text := ""
	if caption != "" {
		text = "<p>" + html.EscapeString(caption) + "</p>"
	}
	return indentLines(indent, surround([]string{"<figure><img " + properties + "><figcaption>" + text +
		"</figcaption></figure>"}))
}

var treeItem = regexp.MustCompile(`^[ \t]*<(/?)(?:FileTree|Tree)\.(Folder|File)((?:\s[^<>]*)?)>[ \t]*$`)

// fileTree writes a tree of files as a list; one that is a list already stays.
func (r *rewriter) fileTree(inner []string, at place) []string {
	var out []string
	depth := 0
	for _, line := range inner {
		m := treeItem.FindStringSubmatch(line)
		switch {
		case m == nil:
			continue
		case m[1] != "":
			depth = max(0, depth-1)
			continue
		}
		out = append(out, strings.Repeat("  ", min(depth, maxDepth))+"* "+readAttributes(m[3])["name"])
		if m[2] == "Folder" && !strings.HasSuffix(strings.TrimSpace(m[3]), "/") {
			depth++
		}
	}
	if out == nil {
		return r.blocks(inner, at.deeper())
	}
	return out
}

// closed rewrites a component that holds nothing.
func (r *rewriter) closed(line string) ([]string, bool) {
	m := selfClosed.FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	given := readAttributes(m[2])
	indent := indentOf(line)
	switch m[1] {
	case "Card", "LinkCard", "Cards.Card", "LinkButton":
		return indentLines(indent, card(given, nil)), true
	case "ParamField", "ResponseField", "Property":
		return indentLines(indent, surround([]string{field(given, m[2])})), true
	case "Code":
		if code := given["code"]; code != "" {
			block := codeBlock(given["lang"], false, strings.Split(code, "\n"))
			if title := given["title"]; title != "" {
				block = wrap(`{% code title="`+attributeText(title)+`" %}`, block, "{% endcode %}")
			}
			return indentLines(indent, block), true
		}
	case "Icon", "Badge", "DocCardList", "TOCInline":
		if text := given["text"]; text != "" {
			return []string{indent + text}, true
		}
		return []string{""}, true
	case "Image", "Img", "ThemedImage", "ZoomImage":
		if src := given["src"]; src != "" {
			return []string{indent + `<figure><img src="` + html.EscapeString(src) + `" alt="` +
				html.EscapeString(given["alt"]) + `"><figcaption></figcaption></figure>`}, true
		}
	case "YouTube", "LiteYouTubeEmbed", "Youtube":
		if id := given["id"]; plainInfo.MatchString(id) && id != "" {
			return []string{indent + `{% embed url="https://www.youtube.com/watch?v=` + id + `" %}`}, true
		}
	}
	r.note("<" + m[1] + ">")
	return nil, false
}

// callout returns the style of a call-out of MDX.
func callout(given map[string]string) string {
	for _, name := range []string{given["type"], given["variant"], given["intent"], given["style"]} {
		if style, ok := hypertext.CalloutStyle(name); ok {
			return style
		}
	}
	return "info"
}

// inlineComponents rewrites the components that stand within a line, and the keys of MkDocs.
func (r *rewriter) inlineComponents(text string) string {
	if strings.Contains(text, "<") {
		text = badge.ReplaceAllString(text, "$1")
		text = iconOnly.ReplaceAllString(text, "")
		text = paired.ReplaceAllStringFunc(text, func(whole string) string {
			m := paired.FindStringSubmatch(whole)
			if m[1] == "Kbd" {
				return "<kbd>" + m[3] + "</kbd>"
			}
			if tip := readAttributes(m[2])["tip"]; tip != "" && len(r.tips) < maxTips {
				r.tips = append(r.tips, tip)
				return m[3] + "[^tip-" + strconv.Itoa(len(r.tips)) + "]"
			}
			if to := readAttributes(m[2])["href"]; to != "" {
				return "[" + m[3] + "](" + to + ")"
			}
			return m[3]
		})
	}
	if strings.Contains(text, "++") {
		text = keys.ReplaceAllStringFunc(text, func(whole string) string {
			m := keys.FindStringSubmatch(whole)
			var names []string
			for _, name := range keyPart.FindAllString(m[2], -1) {
				names = append(names, keyText(name))
			}
			return m[1] + strings.Join(names, "+")
		})
	}
	return text
}

// scripts returns the index behind a script or style of a page, which show nothing.
func scripts(lines []string, i int) (int, bool) {
	m := scriptOpen.FindStringSubmatch(lines[i])
	if m == nil {
		return 0, false
	}
	end := "</" + strings.ToLower(m[1]) + ">"
	for j := i; j < len(lines) && j < i+maxComment; j++ {
		if strings.Contains(strings.ToLower(lines[j]), end) {
			return j + 1, true
		}
	}
	return 0, false
}
