package dialect

import (
	"bytes"
	"slices"
	"strings"
)

// LinkDestination writes the address of a link or image.
func LinkDestination(url string) string {
	if strings.ContainsAny(url, " \t\n<>") || !balanced(url) {
		return "<" + strings.NewReplacer("<", `\<`, ">", `\>`, "\n", "&#xA;").Replace(EscapeReferences(url)) + ">"
	}
	return EscapeReferences(url)
}

// balanced reports whether the parentheses of an address match.
func balanced(url string) bool {
	depth := 0
	for _, c := range url {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// EscapeReferences escapes backslashes, and ampersands that would start a character reference.
func EscapeReferences(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			b.WriteByte('\\')
		case s[i] == '&':
			if _, size := CutEntity(s[i:]); size > 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// EscapeTitle writes the title of a link, without the quotes around it.
func EscapeTitle(title string) string {
	return strings.ReplaceAll(EscapeReferences(title), `"`, `\"`)
}

// AnchorElement writes the explicit anchor at the end of a heading.
func AnchorElement(id string) string { return `<a href="#` + id + `" id="` + id + `"></a>` }

// PrefixLines puts first before the first line of a text and rest before the others; blank lines get neither more than
// the prefix without its spaces.
func PrefixLines(text, first, rest string) string {
	var b strings.Builder
	b.Grow(len(text) + len(rest)*(strings.Count(text, "\n")+1))
	for i, line := range strings.Split(text, "\n") {
		prefix := rest
		if i == 0 {
			prefix = first
		} else {
			b.WriteByte('\n')
		}
		if line == "" {
			prefix = strings.TrimRight(prefix, " ")
		}
		b.WriteString(prefix)
		b.WriteString(line)
	}
	return b.String()
}

// EnsureLineFeed returns a text that ends with a line feed, unless it is empty.
func EnsureLineFeed(source []byte) []byte {
	if len(source) > 0 && !bytes.HasSuffix(source, []byte("\n")) {
		return slices.Concat(source, []byte("\n"))
	}
	return source
}
