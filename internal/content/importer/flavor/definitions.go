package flavor

import (
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

var (
	definition   = regexp.MustCompile(`^ {0,3}:[ \t]+(\S.*)$`)
	divisionOpen = regexp.MustCompile(
		`^[ \t]*<(div|section|article|center)\b[^<>]*\smarkdown(?:="(?:1|block|true|)")?(?:\s[^<>]*)?>[ \t]*$`)
	divisionAny   = regexp.MustCompile(`(?i)<(div|section|article|center)\b`)
	divisionClose = regexp.MustCompile(`(?i)</(div|section|article|center)\s*>`)
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
	return line != "" && !startsWith(line, "#>|-+*=:<{!`~") && indentOf(line) == ""
}

// division rewrites an element whose content is Markdown, which it says: the content stands for itself.
func (r *rewriter) division(lines []string, i int, at place) (int, []string, bool) {
	if !startsWith(lines[i], "<") || !divisionOpen.MatchString(lines[i]) {
		return 0, nil, false
	}
	depth := 0
	for end := i; end < len(lines) && end < i+maxComment; end++ {
		depth += len(divisionAny.FindAllString(lines[end], -1)) - len(divisionClose.FindAllString(lines[end], -1))
		if depth > 0 {
			continue
		}
		if strings.TrimSpace(divisionClose.ReplaceAllString(lines[end], "")) != "" {
			return 0, nil, false
		}
		inner := dedent(lines[i+1 : end])
		return end + 1, indentLines(indentOf(lines[i]), surround(r.blocks(trimBlank(inner), at.deeper()))), true
	}
	return 0, nil, false
}
