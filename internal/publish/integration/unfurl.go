package integration

import (
	"regexp"
	"strings"
)

// Unfurls reports whether a link becomes this block. Of a pattern, two stars stand for any text, and one star for text
// without a slash; one without stars that ends with a slash is all below it. Case counts behind the host alone.
func (b *Block) Unfurls(link string) bool {
	link = lowerHost(link)
	for _, pattern := range b.URLUnfurl {
		if matcher, err := regexp.Compile(expression(lowerHost(pattern))); err == nil && matcher.MatchString(link) {
			return true
		}
	}
	return false
}

// expression turns a pattern into a regular expression, which takes time in proportion to what it is tried on.
func expression(pattern string) string {
	if strings.HasSuffix(pattern, "/") && !strings.Contains(pattern, "*") {
		pattern += "**" // a folder is all in it
	}
	parts := strings.Split(pattern, "**")
	for i, part := range parts {
		between := strings.Split(part, "*")
		for j := range between {
			between[j] = regexp.QuoteMeta(between[j])
		}
		parts[i] = strings.Join(between, `[^/]*`)
	}
	return `\A(?s:` + strings.Join(parts, `.*`) + `)\z`
}

// lowerHost writes the scheme and the host of an address in lower case.
func lowerHost(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(scheme+"://"+rest[:end]) + rest[end:]
}
