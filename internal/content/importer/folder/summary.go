package folder

import (
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Bounds on a table of contents.
const (
	maxSummary      = 16 << 20
	maxSummaryItems = 200_000
	maxSummaryDepth = 64
)

// item is one line of a table of contents.
type item struct {
	group     bool
	title     string
	slug      string // of a group, "" for the one that its title gives
	target    string // "" for a group, a draft and a computed page
	linkTitle string
	draft     bool
	computed  *computed
	// body is the text of a page that no file has.
	body     string
	line     int
	children []*item
	// section says that it is a title over others below the root, where there are no groups.
	section bool
	// folder says that target is a folder whose pages stand here, in the order of their names.
	folder bool
	// byID says that target is an id of Docusaurus: a path without numbers and extension.
	byID bool
}

// computed is what a computed page is made from.
type computed struct {
	kind         string
	props        map[string]any
	dependencies map[string]any
}

var (
	bookLink = regexp.MustCompile(
		`^\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*(<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\)`)
	bookItem = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])(?:\s+|$)`)
)

// parseBookSummary reads a table of contents in the form of mdBook: chapters as links, with or without a bullet, nested
// by indentation; headings as titles of parts; rules as separators; links without a target as drafts.
func parseBookSummary(text string) ([]*item, error) {
	root := &item{}
	top := root // where chapters without a parent go: the root or a part
	type level struct {
		indent int
		item   *item
	}
	var stack []level
	count, inComment, hadTitle := 0, false, false
	lineNumber := 0
	for line := range strings.Lines(text) {
		lineNumber++
		content := strings.TrimSpace(line)
		if inComment || strings.HasPrefix(content, "<!--") {
			inComment = !strings.Contains(content, "-->")
			continue
		}
		switch {
		case content == "":
			continue
		case strings.HasPrefix(content, "#"):
			title := plainText(strings.Trim(content, "# \t"))
			if !hadTitle && count == 0 {
				hadTitle = true
				continue
			}
			top = &item{group: true, title: title, line: lineNumber}
			root.children = append(root.children, top)
			stack = nil
			continue
		case isRule(content):
			top, stack = root, nil
			continue
		}
		marker := bookItem.FindString(content)
		link := bookLink.FindStringSubmatch(content[len(marker):])
		if link == nil {
			continue
		}
		if count++; count > maxSummaryItems {
			return nil, errs.New(errs.TooLarge, "SUMMARY.md has more than %d entries", maxSummaryItems)
		}
		made := &item{title: plainText(link[1]), target: strings.Trim(link[2], "<>"), linkTitle: plainText(link[3]),
			line: lineNumber}
		made.draft = made.target == ""
		if marker == "" {
			// A chapter before or after the numbered ones stands by itself.
			root.children = append(root.children, made)
			top, stack = root, nil
			continue
		}
		indent := indentation(line)
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		parent := top
		if len(stack) > 0 {
			parent = stack[len(stack)-1].item
		}
		if len(stack) >= maxSummaryDepth {
			return nil, errs.New(errs.Invalid, "SUMMARY.md:%d is more than %d levels deep", lineNumber, maxSummaryDepth)
		}
		parent.children = append(parent.children, made)
		stack = append(stack, level{indent, made})
	}
	return root.children, nil
}

func indentation(line string) int {
	column := 0
	for _, c := range line {
		switch c {
		case ' ':
			column++
		case '\t':
			column += 4
		default:
			return column
		}
	}
	return column
}

// isRule reports whether a line is a rule: three or more of one of "-*_".
func isRule(content string) bool {
	plain := strings.ReplaceAll(content, " ", "")
	return len(plain) >= 3 && (strings.Trim(plain, "-") == "" || strings.Trim(plain, "*") == "" ||
		strings.Trim(plain, "_") == "")
}

// plainText returns the text of a line of Markdown without its marks.
func plainText(inline string) string {
	inline = strings.Join(strings.Fields(inline), " ")
	if !strings.ContainsAny(inline, "`*_\\&<[~:$") {
		return inline
	}
	parsed, err := markdown.Parse([]byte(inline))
	if err != nil || len(parsed.Nodes) != 1 || parsed.Nodes[0].Type != doc.Paragraph {
		return inline
	}
	if text := parsed.Nodes[0].PlainText(); text != "" {
		return text
	}
	return inline
}
