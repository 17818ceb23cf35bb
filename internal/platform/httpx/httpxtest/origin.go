// Package httpxtest says where a browser goes with a Location header, and makes addresses that try to lead it away.
//
// It promises to read addresses as the URL Standard of the WHATWG has them read, which is how browsers do and net/url
// does not: a backslash is a slash, tabs and line breaks are nothing, and an address may leave slashes out after its
// scheme.
package httpxtest

import (
	"math/rand/v2"
	"net/netip"
	"net/url"
	"strings"
)

// Origin returns the scheme and host, in lower case, that a browser goes to which has asked for a page at base, an
// origin with http or https, and gets a location. Ok is false when it goes nowhere: the location is none, or of a
// scheme that is no server's.
func Origin(base, location string) (origin string, ok bool) {
	text := strings.Trim(location, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n"+
		"\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	baseScheme, _, _ := strings.Cut(base, ":")
	scheme, rest, found := cutScheme(text)
	if !found {
		scheme, rest = baseScheme, text
	}
	switch scheme {
	case "http", "https":
	case "ftp", "ws", "wss":
		return scheme + "://" + host(rest), true
	default:
		return "", false
	}
	slashes := len(rest) - len(strings.TrimLeft(rest, `/\`))
	if scheme == baseScheme && slashes < 2 {
		return strings.ToLower(base), true // relative, whether the scheme is said or not
	}
	name := host(rest)
	return scheme + "://" + name, name != ""
}

// cutScheme splits the scheme off an address, in lower case.
func cutScheme(text string) (scheme, rest string, found bool) {
	before, after, found := strings.Cut(text, ":")
	if !found || before == "" {
		return "", text, false
	}
	for i := range len(before) {
		c := before[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(before[i]))) {
			return "", text, false
		}
	}
	return strings.ToLower(before), after, true
}

// host is what stands for the server behind the slashes of an address.
func host(rest string) string {
	rest = strings.TrimLeft(rest, `/\`)
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if decoded, err := url.PathUnescape(rest); err == nil {
		rest = decoded
	}
	if address, err := netip.ParseAddr(strings.Trim(rest, "[]")); err == nil {
		return address.String()
	}
	return strings.ToLower(rest)
}

// HostilePaths are paths, as a request may have them, that have led browsers away from some server or other.
var HostilePaths = []string{
	"//evil.example", `/\evil.example`, `\\evil.example`, `\/evil.example`, "///evil.example", "/%2fevil.example",
	"/%2Fevil.example/..", "/%5cevil.example", "/%5C%5Cevil.example",
	"%2f%2fevil.example", "/%09/evil.example", "/%0d%0aLocation:%20https://evil.example", "/\t/evil.example",
	"/\r\n/evil.example", "/./\\/evil.example", "/.//evil.example", "/..//evil.example",
	"/%2e%2e//evil.example", "/..%2f/evil.example", "/%252fevil.example", "https://evil.example", "https:evil.example",
	"https:/evil.example", `https:\\evil.example`, "HTTPS://evil.example",
	"//user:word@evil.example", "//docs.example.com@evil.example", "//evil.example#@docs.example.com",
	"//evil.example?x=docs.example.com", "/;//evil.example", "/;@evil.example", "/@evil.example",
	"//evil%E3%80%82example", "//evil。example", "/／evil.example", "//[::1]/", "//127.1/", "//0x7f000001",
	"javascript:alert(1)", "data:text/html,x", "/%00//evil.example", " //evil.example",
	"/ /evil.example", "/\x00/evil.example", "/%20//evil.example", "//evil.example/%2e%2e", "/a/../..//evil.example",
	"/%ff//evil.example", "?//evil.example", "#//evil.example", "",
}

// pieces are what hostile paths are put together of.
var pieces = []string{
	"/", "/", "/", `\`, "//", "%2f", "%2F", "%5c", "%5C", "%09", "%0a", "%0d", "%00", "\t", "\r", "\n", " ", "%20", ".",
	"..", "%2e", ";", ":", "@", "?", "#", "&", "=", "https:", "http:", "javascript:", "mailto:",
	"evil.example", "evil.example", "docs.example.com", "user:word@", "。", "／", "é", "%ff", "%", "%%", "*", "[::1]",
	"127.1", "~", "index.html", "a",
}

// HostilePath returns a path put together at random.
func HostilePath(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(9) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}
