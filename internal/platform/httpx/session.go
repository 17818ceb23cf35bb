package httpx

import (
	"net/http"
	"net/url"
	"time"
)

// SessionCookie is how a browser keeps the secret of a session: out of reach of scripts, sent with no request that
// another site makes but a link, and on HTTPS bound to exactly this host.
type SessionCookie struct {
	// Secure says that people reach the server over HTTPS.
	Secure bool
}

// Name is the cookie's name.
func (c SessionCookie) Name() string {
	if c.Secure {
		return "__Host-recto_session"
	}
	return "recto_session"
}

// Read returns the secret that a request carries; "" when there is none.
func (c SessionCookie) Read(r *http.Request) string {
	cookie, err := r.Cookie(c.Name())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Set hands a secret to the browser, which keeps it until expires.
func (c SessionCookie) Set(w http.ResponseWriter, secret string, expires time.Time) {
	http.SetCookie(w, c.cookie(secret, expires))
}

// Clear takes the secret away from the browser.
func (c SessionCookie) Clear(w http.ResponseWriter) {
	cookie := c.cookie("", time.Unix(1, 0))
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}

func (c SessionCookie) cookie(value string, expires time.Time) *http.Cookie {
	return &http.Cookie{
		Name: c.Name(), Value: value, Path: "/", Expires: expires, Secure: c.Secure, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
}

// SameOrigin reports whether a page of this very origin made the request, or a person did by its address. Browsers say
// so in Sec-Fetch-Site; where they do not, because the connection is not safe, Origin has to name this host, which
// requests that only read may leave out. What cannot be told apart from another site's request is not of this origin.
func SameOrigin(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin":
		return true
	case "none":
		return reads
	case "":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return reads
	}
	address, err := url.Parse(origin)
	return err == nil && address.Host != "" && address.Host == r.Host
}
