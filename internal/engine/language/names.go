package language

import (
	"unicode"
	"unicode/utf8"
)

// VersionNumber is the number in a folded word such as v5, which says version 5; nil for other words.
func VersionNumber(term []byte) []byte {
	if len(term) < 2 || len(term) > 4 || term[0] != 'v' {
		return nil
	}
	for _, c := range term[1:] {
		if c < '0' || c > '9' {
			return nil
		}
	}
	return term[1:]
}

// CamelParts are the ranges of the words in a name such as HashMap, none for other words. Single letters are none.
func CamelParts(written []byte) [][2]int {
	var parts [][2]int
	start, before, beforeThat := 0, rune(0), rune(0)
	lastSize := 0
	for at := 0; at < len(written); {
		r, size := utf8.DecodeRune(written[at:])
		switch {
		case unicode.IsLower(before) && unicode.IsUpper(r):
			parts = append(parts, [2]int{start, at})
			start = at
		case unicode.IsUpper(beforeThat) && unicode.IsUpper(before) && unicode.IsLower(r) && at-lastSize > start:
			parts = append(parts, [2]int{start, at - lastSize})
			start = at - lastSize
		}
		beforeThat, before, lastSize = before, r, size
		at += size
	}
	if len(parts) == 0 {
		return nil
	}
	parts = append(parts, [2]int{start, len(written)})
	kept := parts[:0]
	for _, part := range parts {
		if part[1]-part[0] > 1 {
			kept = append(kept, part)
		}
	}
	return kept
}
