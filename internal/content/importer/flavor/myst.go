package flavor

import (
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
)

var (
	// mystOpen is the start of a directive of MyST, in which Sphinx has Markdown.
	mystOpen   = regexp.MustCompile("^([ \t]*)(`{3,}|~{3,}|:{3,})\\{([\\w:+-]+)\\}[ \t]*(.*?)[ \t]*$")
	mystOption = regexp.MustCompile(`^:([\w-]+):[ \t]*(.*?)[ \t]*$`)
	mystRole   = regexp.MustCompile("\\{([\\w:+-]+)\\}`([^`]+)`")
	mystTitled = regexp.MustCompile(`^(.*?)[ \t]*<([^<>]+)>$`)
	mystTarget = regexp.MustCompile(`^\(([\w.:-]+)\)=[ \t]*$`)
)

// directive is a directive of MyST: what stands behind its name, its options, and its content.
type directive struct {
	name, argument string
	options        map[string]string
	inner          []string
	end            int
}

// ending is a kind of marks in lines, which their last one tells from others.
type ending struct {
	last *string
	mark byte
}

// readDirective reads the directive that starts on a line. Its content ends with as many marks as it starts with.
func (r *rewriter) readDirective(lines []string, i int) (directive, string, bool) {
	m := mystOpen.FindStringSubmatch(lines[i])
	if m == nil {
		return directive{}, "", false
	}
	f := fence{m[1], m[2], ""}
	at := ending{&lines[len(lines)-1], m[2][0]}
	if least := r.endless[at]; least > 0 && len(m[2]) >= least {
		return directive{}, "", false // what ends an earlier one does not come, so looking for it again takes time only
	}
	end := i + 1
	for end < len(lines) && !f.closes(lines[end]) {
		end++
	}
	if end == len(lines) {
		if r.endless == nil {
			r.endless = map[ending]int{}
		}
		r.endless[at] = len(m[2])
		return directive{}, "", false
	}
	found := directive{name: strings.ToLower(m[3]), argument: m[4], options: map[string]string{},
		inner: dedent(lines[i+1 : end]), end: end + 1}
	for len(found.inner) > 0 {
		option := mystOption.FindStringSubmatch(found.inner[0])
		if option == nil {
			break
		}
		found.options[option[1]] = option[2]
		found.inner = found.inner[1:]
	}
	return found, m[1], true
}

// myst rewrites a directive of MyST, or the name of a place, which headings have here.
func (r *rewriter) myst(lines []string, i int, at place) (int, []string, bool) {
	if r.of != generator.Sphinx || !startsWith(lines[i], "`~:(") {
		return 0, nil, false
	}
	if m := mystTarget.FindStringSubmatch(lines[i]); m != nil {
		return i + 1, []string{""}, true
	}
	d, indent, ok := r.readDirective(lines, i)
	if !ok {
		return 0, nil, false
	}
	switch d.name {
	case "code-block", "code", "sourcecode", "code-cell":
		block := codeBlock(d.argument, false, d.inner)
		f, _ := openFence(block[0])
		if marked := d.options["emphasize-lines"]; marked != "" {
			f.info += " {" + marked + "}"
		}
		if caption := d.options["caption"]; caption != "" {
			f.info += ` title="` + strings.ReplaceAll(caption, `"`, "'") + `"`
		}
		return d.end, indentLines(indent, r.code(block, f, at)), true
	case "mermaid":
		return d.end, indentLines(indent, codeBlock(d.name, false, d.inner)), true
	case "math":
		return d.end, indentLines(indent, wrap("$$", trimBlank(d.inner), "$$")), true
	case "toctree", "contents", "tableofcontents":
		return d.end, []string{""}, true
	case "image", "figure":
		picture := "![" + d.options["alt"] + "](" + d.argument + ")"
		return d.end, indentLines(indent, surround(append([]string{picture, ""}, r.blocks(trimBlank(d.inner),
			at.deeper())...))), true
	case "dropdown", "details":
		return d.end, r.expandable(indent, d.argument, false, d.inner, at), true
	case "tab-set":
		var all []tab
		for j := 0; j < len(d.inner); j++ {
			if item, _, ok := r.readDirective(d.inner, j); ok && item.name == "tab-item" {
				all = append(all, tab{item.argument, item.inner})
				j = item.end - 1
			}
		}
		if len(all) > 0 {
			return d.end, r.tabs(indent, all, at), true
		}
	case "admonition":
		return d.end, r.hint(indent, "info", d.argument, d.inner, at), true
	case "seealso":
		return d.end, r.hint(indent, "info", "See also", d.inner, at), true
	}
	if style, known := hypertext.CalloutStyle(d.name); known {
		inner := d.inner
		if d.argument != "" {
			inner = append([]string{d.argument}, inner...) // the content begins behind the name
		}
		return d.end, r.hint(indent, style, "", inner, at), true
	}
	r.note("{" + d.name + "}")
	return 0, nil, false
}

// roles rewrites the roles of MyST within a line.
func roles(line string) string {
	return mystRole.ReplaceAllStringFunc(line, func(whole string) string {
		m := mystRole.FindStringSubmatch(whole)
		text, target := m[2], m[2]
		titled := mystTitled.FindStringSubmatch(m[2])
		if titled != nil {
			text, target = titled[1], titled[2]
		}
		switch m[1] {
		case "doc":
			return "[" + text + "](" + strings.TrimSuffix(target, ".md") + ".md)"
		case "ref", "numref", "any":
			return "[" + text + "](#" + target + ")"
		case "kbd":
			return "<kbd>" + text + "</kbd>"
		case "math":
			return "$$" + text + "$$"
		case "abbr", "term", "guilabel", "menuselection":
			return text
		}
		return "`" + text + "`"
	})
}
