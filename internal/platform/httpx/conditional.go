package httpx

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
)

// compressedSuffix is what Compress adds to the entity tag of an answer that it compresses, with a dash and the name of
// the encoding behind it: another form of the same thing needs another strong tag (RFC 9110 §8.8.3.3).
const compressedSuffix = "-z"

// ETag returns a strong entity tag, in its quotes, that depends on the parts and their order.
func ETag(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		// With its length, or ("a", "bc") would be ("ab", "c").
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		sum.Write([]byte(part))
	}
	return `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:18]) + `"`
}

// NotModified sets the entity tag of the answer to a GET or HEAD request and reports whether the client has it already;
// then it has answered 304 and nothing else is to be written. Headers that a 304 repeats (Cache-Control, Vary) are set
// before.
func NotModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	w.Header().Set("ETag", tag)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if !Matches(r.Header.Values("If-None-Match"), tag) {
		return false
	}
	// The answer that is not sent would have had these.
	w.Header().Del("Content-Type")
	w.Header().Del("Content-Length")
	w.WriteHeader(http.StatusNotModified)
	return true
}

// Matches reports whether a list of entity tags, as the values of If-None-Match hold it, has the tag or is "*". It
// compares weakly (RFC 9110 §8.8.3.2), and takes the tags of compressed forms for the tag itself.
func Matches(headers []string, tag string) bool {
	want := opaque(tag)
	for _, header := range headers {
		for rest := header; rest != ""; {
			rest = strings.TrimLeft(rest, " \t,")
			if strings.HasPrefix(rest, "*") {
				return true
			}
			candidate, ok := leadingTag(rest)
			if !ok {
				break
			}
			rest = rest[len(candidate):]
			if opaque(candidate) == want {
				return true
			}
		}
	}
	return false
}

// leadingTag returns the entity tag that a text begins with. Commas are allowed inside the quotes.
func leadingTag(text string) (string, bool) {
	start := 0
	if strings.HasPrefix(text, "W/") {
		start = 2
	}
	if len(text) <= start || text[start] != '"' {
		return "", false
	}
	end := strings.IndexByte(text[start+1:], '"')
	if end < 0 {
		return "", false
	}
	return text[:start+1+end+1], true
}

// opaque returns what a tag says without its weakness, its quotes and the mark of a compressed form.
func opaque(tag string) string {
	text := strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)
	for _, encoding := range []string{"-gzip", "-zstd"} {
		if plain, ok := strings.CutSuffix(text, compressedSuffix+encoding); ok {
			return plain
		}
	}
	return text
}
