package httpx

import "net/http"

// SecurityHeaders are the headers that keep a browser from doing more with an answer than it should. A handler that
// needs other values sets them itself, which replaces these.
type SecurityHeaders struct {
	// ContentSecurityPolicy is sent as it is; empty sends none.
	ContentSecurityPolicy string
	// HSTS sends Strict-Transport-Security for a year: for origins that are only reachable over HTTPS.
	HSTS bool
	// AllowFraming leaves it to the Content-Security-Policy who may show the page in a frame; otherwise nobody may.
	AllowFraming bool
}

// Wrap returns a handler that sets the headers before next runs.
func (s SecurityHeaders) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Set(w.Header())
		next.ServeHTTP(w, r)
	})
}

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
	if !s.AllowFraming {
		header.Set("X-Frame-Options", "DENY")
	}
}
