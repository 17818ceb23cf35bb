package flavor

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// fence is the line that a block of code starts with.
type fence struct {
	indent, marks, info string
}

// openFence reads a line as the start of a block of code.
func openFence(line string) (fence, bool) {
	indent := indentOf(line)
	rest := line[len(indent):]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return fence{}, false
	}
	info := strings.TrimLeft(rest, rest[:1])
	if rest[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{indent, rest[:len(rest)-len(info)], strings.TrimSpace(info)}, true
}

func (f fence) closes(line string) bool {
	trimmed := strings.TrimSpace(line)
	return len(trimmed) >= len(f.marks) && strings.Trim(trimmed, f.marks[:1]) == ""
}

// fenceEnd returns the index behind a block of code.
func fenceEnd(lines []string, start int, f fence) int {
	for i := start + 1; i < len(lines); i++ {
		if f.closes(lines[i]) {
			return i + 1
		}
	}
	return len(lines)
}

// maxComment is how many lines a comment has at most that is known for one.
const maxComment = 500

// commentEnd returns the index behind a comment that starts a line.
func commentEnd(lines []string, start int) (int, bool) {
	if !strings.HasPrefix(strings.TrimSpace(lines[start]), "<!--") {
		return 0, false
	}
	for i := start; i < len(lines) && i < start+maxComment; i++ {
		if strings.Contains(lines[i], "-->") {
			return i + 1, true
		}
	}
	return 0, false
}

var (
	plainInfo   = regexp.MustCompile(`^[\w+#.-]*$`)
	infoName    = regexp.MustCompile(`^[\w+#.-]+`)
	infoClass   = regexp.MustCompile(`^\{[^}]*?\.([\w+#-]+)`)
	infoTitle   = regexp.MustCompile(`\b(?:title|filename|file|name)=(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))`)
	infoBracket = regexp.MustCompile(`\[([^\]]+)\]`)
	infoOptions = regexp.MustCompile(`[\w-]+=(?:"[^"]*"|'[^']*'|\{[^}]*\}|\S+)|\{[^}]*\}|/[^/]*/|` +
		`\b(?:lines|wrap|expandable|icon|focus|highlight|twoslash)\b`)
	braced      = regexp.MustCompile(`\{[^}]*\}`)
	infoNumbers = regexp.MustCompile(
		`\bshowLineNumbers\b|:line-numbers\b|\blinenums\s*=|\b(?i:lineNos)\s*=\s*"?(?:true|inline|table)|\.numberLines\b|\.line-numbers\b`)
)

// readInfo reads what stands behind a fence.
func readInfo(info string) (language, title string, numbers bool) {
	if plainInfo.MatchString(info) {
		return info, "", false
	}
	language = infoName.FindString(info)
	if class := infoClass.FindStringSubmatch(info); language == "" && class != nil {
		language = class[1]
	}
	if found := infoTitle.FindStringSubmatch(info); found != nil {
		title = found[1] + found[2] + found[3]
	} else if found := infoBracket.FindStringSubmatch(braced.ReplaceAllString(info, "")); found != nil {
		title = found[1]
	}
	return language, title, infoNumbers.MatchString(info)
}

// code rewrites a block of code: its lines stay, what stands behind the fence becomes a title and line numbers.
func (r *rewriter) code(lines []string, f fence, at place) []string {
	language, title, numbers := readInfo(f.info)
	if title == "" && r.of == generator.Mintlify {
		title = strings.TrimSpace(infoOptions.ReplaceAllString(strings.TrimPrefix(f.info, language), " "))
	}
	if made, ok := markedCode(lines, f, language, title, numbers); ok && !at.inGroup {
		return made
	} else if ok {
		return wrap(f.indent+`{% tab title="`+attributeText(cmp.Or(title, language, "Code"))+`" %}`, made,
			f.indent+"{% endtab %}")
	}
	if language == f.info && !at.inGroup {
		return lines
	}
	out := append([]string{f.indent + f.marks + language}, lines[1:]...)
	if at.inGroup {
		if title == "" {
			title = language
		}
		if title == "" {
			title = "Code"
		}
		return wrap(f.indent+`{% tab title="`+attributeText(title)+`" %}`, out, f.indent+"{% endtab %}")
	}
	if title == "" && !numbers {
		return out
	}
	start := "{% code"
	if title != "" {
		start += ` title="` + attributeText(title) + `"`
	}
	if numbers {
		start += ` lineNumbers="true"`
	}
	return wrap(f.indent+start+" %}", out, f.indent+"{% endcode %}")
}
