// Package field owns the rules that the text fields of all inputs share: valid UTF-8 without control characters, a
// length in characters, a list of accepted words, an http address.
//
// Its functions return errs.Invalid errors that name the field and say what is accepted. What passes them can be
// stored by both databases.
package field

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// MaxURL is the greatest length of an address, in characters.
const MaxURL = 2048

// Text returns s without the white space around it. It refuses text that is not valid UTF-8, has control characters
// (line breaks are some), or has fewer than min or more than max characters. Characters are Unicode code points.
func Text(path, s string, min, max int) (string, error) {
	if !utf8.ValidString(s) {
		return "", errs.Invalidf(path, "has to be valid UTF-8")
	}
	s = strings.TrimSpace(s)
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", errs.Invalidf(path, "may not contain line breaks or other control characters")
	}
	if n := utf8.RuneCountInString(s); n < min || n > max {
		return "", errs.Invalidf(path, "has %d characters; from %d to %d are accepted", n, min, max)
	}
	return s, nil
}

// URL returns an absolute http or https address as it was given, without the white space around it. Addresses with a
// user name or password are refused.
func URL(path, s string) (string, error) {
	s, err := Text(path, s, 1, MaxURL)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.ContainsAny(s,
		" \"<>\\^`{|}") {
		return "", errs.Invalidf(path, "is not an address; one that starts with https:// or http:// is accepted")
	}
	if u.User != nil {
		return "", errs.Invalidf(path, "may not hold a user name or password")
	}
	return s, nil
}

// OneOf refuses a word that is not among the accepted ones.
func OneOf[T ~string](path string, word T, accepted ...T) error {
	if slices.Contains(accepted, word) {
		return nil
	}
	words := make([]string, len(accepted))
	for i, a := range accepted {
		words[i] = string(a)
	}
	return errs.Invalidf(path, "%q is not accepted; one of %s is", clip(string(word)), strings.Join(words, ", "))
}

// Storable reports whether a text given to look something up can be in a database at all. One that cannot (it is not
// valid UTF-8 or holds a NUL) is found nowhere, and one of the databases refuses to be asked.
func Storable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

// clip shortens text that a message quotes.
func clip(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
