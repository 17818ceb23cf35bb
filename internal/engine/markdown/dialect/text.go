package dialect

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/base/errs"
)

// UnescapeText resolves backslash escapes and character references of Markdown text.
func UnescapeText(text []byte) string {
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
			if decoded, size := CutEntity(s[i:]); size > 0 {
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

// UnescapeTitle is UnescapeText for a link title; its line breaks become spaces.
func UnescapeTitle(title []byte) string {
	return strings.Join(strings.Fields(UnescapeText(title)), " ")
}

// CutEntity reads a character reference ("&amp;", "&#38;", "&#x26;") and returns its characters and the bytes read,
// 0 when there is none. References to control characters become U+FFFD as the characters themselves do.
func CutEntity(s string) (decoded string, size int) {
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
	case IsForeign(r) || !utf8.ValidRune(r):
		return utf8.RuneError
	}
	return r
}

// UnescapeEntities resolves character references as HTML does.
func UnescapeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return CleanText(html.UnescapeString(s))
}

// CleanText replaces what text cannot hold.
func CleanText(s string) string {
	if strings.IndexFunc(s, IsForeign) < 0 && utf8.ValidString(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(cleanRune, strings.ToValidUTF8(s, "\uFFFD"))
}

// IsForeign reports control characters that CommonMark text does not need.
func IsForeign(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r == 0x7F
}

// CheckUTF8 refuses a text that is not UTF-8, naming the place.
func CheckUTF8(body []byte) error {
	if !utf8.Valid(body) {
		at := 0
		for at < len(body) {
			r, size := utf8.DecodeRune(body[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		line, column := LineAndColumn(body, at)
		return errs.New(errs.Invalid, "line %d, column %d: the text is not UTF-8; save the file as UTF-8", line, column)
	}
	return nil
}

// LineAndColumn returns the 1-based line of an offset and its column in characters.
func LineAndColumn(text []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(text))
	line = 1 + bytes.Count(text[:offset], []byte{'\n'})
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	return line, 1 + utf8.RuneCount(text[start:offset])
}

// LineStart returns the offset at which the line of an offset begins.
func LineStart(text []byte, offset int) int {
	return bytes.LastIndexByte(text[:offset], '\n') + 1
}

// LineEnd returns the offset of the line feed that ends the line of an offset, or the length of the text.
func LineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(text)
}

// TrimBlank returns a line without the spaces, tabs and line breaks around it. Other white space is text in Markdown.
func TrimBlank(line []byte) []byte { return bytes.Trim(line, " \t\r\n") }

// IsASCIILetter reports the letters of English.
func IsASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// IsWordRune reports letters and digits of any script.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// IsPlainName reports names that need no escaping anywhere.
func IsPlainName(name string) bool {
	for _, r := range name {
		if !(IsWordRune(r) && r < 0x80 || r == '-' || r == '_' || r == '$' || r == '.' || r == '#') {
			return false
		}
	}
	return name != ""
}

// IsAnchor reports what may stand as the id of an element.
func IsAnchor(id string) bool {
	return id != "" && !strings.ContainsAny(id, " \t\n\r\"'<>`&") && CleanText(id) == id
}

// OneOf returns value when it is one of the choices, and "" otherwise.
func OneOf(value string, choices ...string) string {
	if slices.Contains(choices, value) {
		return value
	}
	return ""
}

// SingleSpaced returns a text with its runs of white space as one space, none at its ends.
func SingleSpaced(s string) string { return strings.Join(strings.Fields(CleanText(s)), " ") }

// ExpressionText returns an expression on one line.
func ExpressionText(expression string) string {
	return strings.TrimSpace(strings.ReplaceAll(CleanText(expression), "\n", " "))
}

// LinkTitle returns a title that a link can have: "mention" would make it one.
func LinkTitle(title string) string {
	if title = SingleSpaced(title); title == "mention" {
		return ""
	}
	return title
}
