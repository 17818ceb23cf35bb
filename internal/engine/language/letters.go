package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// RunEnd returns the offset behind the longest run from start whose runes all satisfy in.
func RunEnd(input []byte, start int, in func(rune) bool) int {
	at := start
	for at < len(input) {
		r, size := utf8.DecodeRune(input[at:])
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// IsWord reports whether a rune is part of a word.
func IsWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// IsCJK reports scripts written without spaces, or whose words carry endings that stemming does not know (Hangul):
// these are matched by pairs of characters.
func IsCJK(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}

// HasCJK reports whether a term has a rune of such a script.
func HasCJK(term string) bool { return strings.ContainsFunc(term, IsCJK) }

// Fold maps a word to the form in which it is compared: compatibility-decomposed, without accents, lower case.
// Hangul is recomposed afterwards, so that a syllable stays one character.
func Fold(word []byte) []byte {
	if IsPlainASCII(word) {
		out := make([]byte, len(word))
		for i, c := range word {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out[i] = c
		}
		return out
	}
	out := make([]byte, 0, len(word))
	for _, r := range string(norm.NFKD.Bytes(word)) {
		// Kana voicing marks change the consonant; other marks are accents.
		if unicode.Is(unicode.Mn, r) && r != 0x3099 && r != 0x309A {
			continue
		}
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return norm.NFC.Bytes(out)
}

// IsPlainASCII reports whether a word has ASCII alone.
func IsPlainASCII(word []byte) bool {
	for _, c := range word {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
