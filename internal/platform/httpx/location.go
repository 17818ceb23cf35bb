package httpx

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Location is where an answer sends a browser. The zero value is the root of the origin that was asked. Whether it may
// lead to another origin is decided where it is made, and nowhere else.
type Location struct{ address string }

// LocalLocation returns the location of a path, with its query and fragment, on the origin that was asked. It is one
// whatever the path is: browsers take a backslash for a slash, two slashes for the beginning of a host, and drop tabs
// and line breaks before they read an address, so the result begins with one slash that no other follows, and holds
// none of the rest as it is.
func LocalLocation(path string) Location {
	for path != "" && (path[0] <= ' ' || path[0] == '/' || path[0] == '\\' || path[0] == 0x7f) {
		path = path[1:]
	}
	return Location{"/" + escapeLocation(path)}
}

// ChosenLocation returns the location of an address that a person has set down: the author of a redirect or of a link,
// or an administrator who has said where people sign in. It may be on any server. What is no address of another one,
// with http, https or mailto in front, is one of this origin.
func ChosenLocation(address string) Location {
	parsed, err := url.Parse(address)
	if err != nil {
		return LocalLocation(address)
	}
	switch strings.ToLower(parsed.Scheme) {
	case "mailto":
		return Location{escapeLocation(address)}
	case "http", "https":
		if parsed.Host != "" {
			return Location{escapeLocation(address)}
		}
	}
	return LocalLocation(address)
}

// String returns the text of the Location header.
func (l Location) String() string {
	if l.address == "" {
		return "/"
	}
	return l.address
}

// WithQuery returns the location with the parameters of a request, encoded, unless it has some of its own.
func (l Location) WithQuery(query string) Location {
	text := l.String()
	if query == "" || strings.Contains(text, "?") {
		return l
	}
	before, fragment, found := strings.Cut(text, "#")
	text = before + "?" + escapeLocation(strings.ReplaceAll(query, "#", "%23"))
	if found {
		text += "#" + fragment
	}
	return Location{text}
}

// Redirect answers with a location and no body. Headers about caches are set by the caller, before.
func Redirect(w http.ResponseWriter, status int, to Location) {
	w.Header().Set("Location", to.String())
	w.WriteHeader(status)
}

// escapeLocation encodes what browsers read otherwise than it is written, and what headers cannot hold.
func escapeLocation(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ' || c >= 0x7f || c == '\\' || c == '"' || c == '<' || c == '>':
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
