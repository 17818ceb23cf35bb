package space

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// maxEmoji is the greatest length of an emoji as it is sent, in characters.
const maxEmoji = 50

// Code points that make one emoji of several.
const (
	zeroWidthJoiner  = 0x200D
	textStyle        = 0xFE0E
	emojiStyle       = 0xFE0F
	enclosingKeycap  = 0x20E3
	firstTag         = 0xE0020
	cancelTag        = 0xE007F
	firstSkinTone    = 0x1F3FB
	lastSkinTone     = 0x1F3FF
	firstRegionalTag = 0x1F1E6
	lastRegionalTag  = 0x1F1FF
)

// parseEmoji returns the emoji that s names: the character itself (which may be several code points, such as a flag),
// or its code points in hexadecimal with "-" or a space between them ("1f600", "U+1F468-200D-1F4BB"). Anything else is
// an errs.Invalid error.
func parseEmoji(path, s string) (string, error) {
	refused := errs.Invalidf(path,
		"is not an emoji; one emoji character or its code point in hexadecimal, like 1f600, is accepted")
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxEmoji {
		return "", refused
	}
	s = strings.TrimSpace(s)
	if decoded, ok := fromCodePoints(s); ok {
		s = decoded
	}
	if !isEmoji([]rune(s)) {
		return "", refused
	}
	return s, nil
}

// fromCodePoints reads code points in hexadecimal. Text that could be meant otherwise is no emoji in any case.
func fromCodePoints(s string) (string, bool) {
	var out strings.Builder
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == ' ' }) {
		part = strings.TrimPrefix(strings.ToLower(part), "u+")
		code, err := strconv.ParseUint(part, 16, 32)
		if err != nil || len(part) < 2 || code > unicode.MaxRune || !utf8.ValidRune(rune(code)) {
			return "", false
		}
		out.WriteRune(rune(code))
	}
	return out.String(), out.Len() > 0
}

// isEmoji reports whether the code points are one emoji: the emoji_zwj_sequence of Unicode Technical Standard 51 §1.4,
// with a rougher notion of which characters are emoji.
func isEmoji(runes []rune) bool {
	for {
		n := emojiElement(runes)
		if n == 0 {
			return false
		}
		runes = runes[n:]
		if len(runes) == 0 {
			return true
		}
		if runes[0] != zeroWidthJoiner {
			return false
		}
		runes = runes[1:]
	}
}

// emojiElement returns how many code points at the start are one element of a joined sequence; 0 when none is.
func emojiElement(runes []rune) int {
	if len(runes) == 0 {
		return 0
	}
	switch first := runes[0]; {
	case isRegional(first):
		if len(runes) > 1 && isRegional(runes[1]) {
			return 2
		}
		return 0
	case first >= '0' && first <= '9', first == '#', first == '*':
		rest, n := runes[1:], 1
		if len(rest) > 0 && rest[0] == emojiStyle {
			rest, n = rest[1:], 2
		}
		if len(rest) > 0 && rest[0] == enclosingKeycap {
			return n + 1
		}
		return 0
	case !isPictograph(first):
		return 0
	}
	n := 1
	if n < len(runes) && (runes[n] == emojiStyle || runes[n] == textStyle) {
		n++
	}
	if n < len(runes) && runes[n] >= firstSkinTone && runes[n] <= lastSkinTone {
		n++
	}
	tagged := n
	for tagged < len(runes) && runes[tagged] >= firstTag && runes[tagged] <= cancelTag {
		tagged++
	}
	if tagged > n && runes[tagged-1] != cancelTag {
		return 0
	}
	return tagged
}

func isRegional(r rune) bool { return r >= firstRegionalTag && r <= lastRegionalTag }

// isPictograph reports whether a character can be an emoji by itself. The standard library has no table of emoji: those
// are the symbols of category So above Latin-1's controls, the planes of pictographs, and the few of other categories
// that the standard names.
func isPictograph(r rune) bool {
	switch r {
	case 0x203C, 0x2049, 0x2139, 0x2194, 0x25FD, 0x25FE, 0x2934, 0x2935, 0x3030, 0x303D:
		return true
	}
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF:
		return true
	case r >= 0x25FB && r <= 0x25FE, r >= 0x2B05 && r <= 0x2B07:
		return true
	}
	return r > 0xA0 && unicode.Is(unicode.So, r)
}
