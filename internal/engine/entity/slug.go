package entity

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxSlugLength is the largest length of a slug in characters.
const MaxSlugLength = 100

// emptySlug is the slug of a title without a letter or digit.
const emptySlug = "page"

// Slugify returns the slug of a title, by the rules of the dialect: lower case, "&" becomes "and", apostrophes are
// dropped, every other run of characters that are neither letters nor digits becomes one "-", none of them at the
// ends, at most MaxSlugLength characters, and "page" when nothing is left. Latin letters lose their accents ("Über"
// becomes "uber", "ß" becomes "ss"); the letters, marks and digits of other scripts stay, in the composed form
// (NFC); compatibility forms such as full-width letters become the ordinary ones (NFKC). Invisible characters are
// dropped. A slug is valid, and its own slug.
func Slugify(title string) string {
	var out strings.Builder
	length := 0
	gap, markable := false, false
	write := func(s string) {
		if gap && out.Len() > 0 {
			out.WriteByte('-')
			length++
		}
		gap = false
		out.WriteString(s)
		length += utf8.RuneCountInString(s)
	}
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(title, " ")) {
		if length > 2*MaxSlugLength {
			break
		}
		switch {
		case r == '&':
			gap = true
			write("and")
			gap, markable = true, false
		case r == '\'' || r == '’' || r == '‘' || r == 'ʼ' || unicode.In(r, unicode.Cf, unicode.Variation_Selector):
			// They leave no gap.
		case unicode.Is(unicode.M, r):
			// Accents of Latin letters go, and so do marks without a letter before them.
			if markable {
				write(string(r))
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			markable = unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
			lower := unicode.ToLower(r)
			if plain := plainLatin(lower); plain != "" {
				write(plain)
			} else {
				write(string(lower))
			}
		default:
			gap, markable = true, false
		}
	}
	slug := cutSlug(norm.NFC.String(out.String()), MaxSlugLength)
	if slug == "" {
		return emptySlug
	}
	return slug
}

// plainLatin returns the spelling in a to z of a lower-case Latin letter that has no decomposition, "" for others.
func plainLatin(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	case 'ł':
		return "l"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'ŋ':
		return "n"
	case 'ŧ':
		return "t"
	}
	return ""
}

// cutSlug shortens a slug to limit characters, at the end of a word when that costs no more than half of it.
func cutSlug(slug string, limit int) string {
	if utf8.RuneCountInString(slug) > limit {
		runes := []rune(slug)
		end := limit
		for i := limit; i > limit/2; i-- {
			if runes[i] == '-' {
				end = i
				break
			}
		}
		slug = string(runes[:end])
	}
	return strings.Trim(slug, "-")
}

// UniqueSlug returns the slug of a title, with "-1", "-2" and so on behind it when taken says that it is in use. It
// asks O(log n) times when n numbered slugs in a row are in use; the number may then leave out lower ones that are
// free.
func UniqueSlug(title string, taken func(slug string) bool) string {
	base := Slugify(title)
	if !taken(base) {
		return base
	}
	numbered := func(n int) string {
		suffix := "-" + strconv.Itoa(n)
		return cutSlug(base, MaxSlugLength-len(suffix)) + suffix
	}
	// Double until one is free, then halve the gap between a taken and a free number.
	low, high := 0, 1
	for taken(numbered(high)) {
		low, high = high, high*2
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if taken(numbered(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return numbered(high)
}

// ValidSlug reports whether s can be a slug: 1 to MaxSlugLength characters, in NFC, each a letter, a mark, a number
// or one of "-_.+", and not "." or "..". Upper case is allowed: the name of an imported file is a slug as it is.
func ValidSlug(s string) bool {
	if s == "" || s == "." || s == ".." || !utf8.ValidString(s) || utf8.RuneCountInString(s) > MaxSlugLength {
		return false
	}
	for _, r := range s {
		if !strings.ContainsRune("-_.+", r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M,
			r) {
			return false
		}
	}
	return norm.NFC.IsNormalString(s)
}
