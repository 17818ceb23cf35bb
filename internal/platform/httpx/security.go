package httpx

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// SecurityHeaders are the headers that keep a browser from doing more with a page than it should, and others from
// framing it.
type SecurityHeaders struct {
	// ContentSecurityPolicy is sent as it is; empty sends none.
	ContentSecurityPolicy string
	// HSTS sends Strict-Transport-Security for a year: for origins that are only reachable over HTTPS.
	HSTS bool
}

// GuardData returns a handler that sets what answers need that are data and not pages: no guessing at types, and no
// frames. The other headers would tell a browser nothing about them, and cost: Go's map of headers grows with the
// ninth, and is copied once, at each request. A handler that answers with a page sets SecurityHeaders itself.
func GuardData(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header["X-Content-Type-Options"], header["X-Frame-Options"] = noSniff, noFrames
		next.ServeHTTP(w, r)
	})
}

// Values of headers that all answers of data share; nobody changes them.
var noSniff, noFrames = []string{"nosniff"}, []string{"DENY"}

// Set writes the headers.
func (s SecurityHeaders) Set(header http.Header) {
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	if s.ContentSecurityPolicy != "" {
		header.Set("Content-Security-Policy", s.ContentSecurityPolicy)
	}
	if s.HSTS {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
	header.Set("X-Frame-Options", "DENY")
}

// RequireBearer returns a handler that answers only requests with "Authorization: Bearer TOKEN", and 401 to others. An
// empty token asks for nothing.
func RequireBearer(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	// Hashes are of one length, so that the comparison does not tell that of the token either.
	wanted := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		given := sha256.Sum256([]byte(strings.TrimSpace(credentials)))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(given[:], wanted[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="Recto"`)
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "This address wants the header Authorization: Bearer TOKEN with the server's token for it.",
				http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
