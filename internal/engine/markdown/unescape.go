package markdown

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// unescapeText resolves backslash escapes and character references of Markdown text.
func unescapeText(text []byte) string {
	s := string(text)
	if !strings.ContainsAny(s, "\\&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case c == '&':
			if decoded, size := cutEntity(s[i:]); size > 0 {
				b.WriteString(decoded)
				i += size - 1
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescapeTitle is unescapeText for a link title; its line breaks become spaces.
func unescapeTitle(title []byte) string {
	return strings.Join(strings.Fields(unescapeText(title)), " ")
}

// cutEntity reads a character reference ("&amp;", "&#38;", "&#x26;") and returns its characters and the bytes read,
// 0 when there is none. References to control characters become U+FFFD as the characters themselves do.
func cutEntity(s string) (decoded string, size int) {
	end := strings.IndexByte(s[:min(len(s), 40)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if name[0] == '#' {
		if r, ok := parseCodePoint(name[1:]); ok {
			return string(r), end + 1
		}
		return "", 0
	}
	if entity, ok := util.LookUpHTML5EntityByName(name); ok {
		return string(entity.Characters), end + 1
	}
	return "", 0
}

func parseCodePoint(digits string) (rune, bool) {
	base, limit := rune(10), 7
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base, limit = digits[1:], 16, 6
	}
	if digits == "" || len(digits) > limit {
		return 0, false
	}
	var r rune
	for _, d := range digits {
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case base == 16 && 'a' <= d && d <= 'f':
			d -= 'a' - 10
		case base == 16 && 'A' <= d && d <= 'F':
			d -= 'A' - 10
		default:
			return 0, false
		}
		r = r*base + d
	}
	return cleanRune(r), true
}

// cleanRune maps what text cannot hold to what newSource makes of it.
func cleanRune(r rune) rune {
	switch {
	case r == '\r':
		return '\n'
	case r == '\f' || r == '\v':
		return ' '
	case isForeign(r) || !utf8.ValidRune(r):
		return utf8.RuneError
	}
	return r
}

// unescapeEntities resolves character references as HTML does.
func unescapeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return cleanText(html.UnescapeString(s))
}

// cleanText replaces what text cannot hold.
func cleanText(s string) string {
	if strings.IndexFunc(s, isForeign) < 0 && utf8.ValidString(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(cleanRune, strings.ToValidUTF8(s, "\uFFFD"))
}
