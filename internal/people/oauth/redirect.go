package oauth

import (
	"slices"
	"strconv"
	"strings"
)

// maxRedirectURI bounds an address that codes go to, in bytes.
const maxRedirectURI = 500

// loopbackHosts are the only hosts that a code may go to: the computer that the browser runs on.
var loopbackHosts = []string{"127.0.0.1", "[::1]", "localhost"}

// redirectURI is an address of a native program on the person's own computer (RFC 8252 §7.3).
type redirectURI struct {
	host string
	port int    // 0 for none
	rest string // path and query as they are written
}

// parseRedirectURI takes an address apart. It reads less than a browser does, on purpose: what is not plainly
// http://<loopback>[:port][/path][?query] is none, so that there is nothing to read in two ways.
func parseRedirectURI(text string) (redirectURI, bool) {
	rest, ok := strings.CutPrefix(text, "http://")
	if !ok || len(text) > maxRedirectURI {
		return redirectURI{}, false
	}
	for i := range len(rest) {
		if c := rest[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`\"<>#^|{}`+"`", c) >= 0 {
			return redirectURI{}, false
		}
	}
	authority, path := rest, ""
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	for _, host := range loopbackHosts {
		after, ok := strings.CutPrefix(authority, host)
		if !ok {
			continue
		}
		if after == "" {
			return redirectURI{host: host, rest: path}, true
		}
		digits, ok := strings.CutPrefix(after, ":")
		port, err := strconv.Atoi(digits)
		if !ok || err != nil || port < 1 || port > 65535 || strconv.Itoa(port) != digits {
			return redirectURI{}, false
		}
		return redirectURI{host: host, port: port, rest: path}, true
	}
	return redirectURI{}, false
}

// origin is the address without path and query.
func (u redirectURI) origin() string {
	if u.port == 0 {
		return "http://" + u.host
	}
	return "http://" + u.host + ":" + strconv.Itoa(u.port)
}

// registered reports whether an address is one of a client's. Ports do not count, since a program takes one that is
// free; everything else has to be the same to the letter.
func (u redirectURI) registered(client Client) bool {
	return slices.ContainsFunc(client.RedirectURIs, func(text string) bool {
		known, ok := parseRedirectURI(text)
		return ok && known.host == u.host && known.rest == u.rest
	})
}
