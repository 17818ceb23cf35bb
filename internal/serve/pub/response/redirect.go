package response

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Redirect answers with another path of the origin, which holds for as long as the content says so: it is not to be
// kept.
func Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	return RedirectAs(w, r, httpx.LocalLocation(to), http.StatusPermanentRedirect)
}

// RedirectAs is Redirect to a location that may be one that an author has chosen.
func RedirectAs(w http.ResponseWriter, r *http.Request, to httpx.Location, status int) error {
	w.Header().Set("Cache-Control", "no-cache")
	httpx.Redirect(w, status, to.WithQuery(r.URL.RawQuery))
	return nil
}

// Sendable reports whether an address may be the target of a redirect or a link in navigation.
func Sendable(address string) bool {
	if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "#") {
		return true
	}
	parsed, err := url.Parse(address)
	return err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https" || parsed.Scheme == "mailto")
}
