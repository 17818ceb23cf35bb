package response

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// Secure sets what every response has. Where nothing stricter is needed, the Referrer-Policy is what browsers do by
// themselves, and is not said: a page has eight headers, and a ninth makes Go's map of headers grow, and be copied, at
// each request.
func Secure(h http.Header) {
	h["X-Content-Type-Options"] = noSniff
}

// Values of headers that many responses share; nobody changes them.
var (
	noSniff      = []string{"nosniff"}
	byEncoding   = []string{"Accept-Encoding"}
	packedInGzip = []string{"gzip"}
)

// PagePolicy is the Content-Security-Policy of pages: scripts and styles of our own files only, and the one style
// element with the site's colours, named by its hash. Frames are the diagrams' and the players that an embed may open.
// more are the sources, by directive, of what the site has chosen: fonts, and scripts of integrations.
func PagePolicy(style string, frames []string, more map[string][]string) string {
	sum := sha256.Sum256([]byte(style))
	with := func(directive, sources string) string {
		return strings.Join(append([]string{directive, sources}, more[directive]...), " ") + "; "
	}
	return "default-src 'none'; " + with("script-src", "'self'") + with("style-src",
		"'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") +
		with("img-src", "'self' data: https: http:") + with("media-src", "'self' https:") + with("font-src", "'self'") +
		with("connect-src", "'self'") +
		with("frame-src", "'self' "+strings.Join(frames, " ")) +
		"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
}

// ListPolicy is that of what is not for reading in a browser: it shows as text, and runs and loads nothing.
const ListPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// DiagramPolicy is that of the frame that draws diagrams: it may style itself and do nothing else, and has no origin.
const DiagramPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; " +
	"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"

// Before returns a writer that sets headers of an answer right before it is sent, over what its handler has set.
func Before(w http.ResponseWriter, set func(http.Header)) http.ResponseWriter {
	return &beforeWriter{ResponseWriter: w, set: set}
}

type beforeWriter struct {
	http.ResponseWriter
	set   func(http.Header)
	wrote bool
}

// WriteHeader sends the header.
func (w *beforeWriter) WriteHeader(status int) {
	if !w.wrote {
		w.wrote = true
		w.set(w.Header())
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *beforeWriter) Write(p []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *beforeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Replace sets a header in place of what a handler has set. Taken out first, it takes no more room: a full map of Go
// grows, and is copied, also when a key is set that it has.
func Replace(h http.Header, name string, values ...string) {
	delete(h, name)
	h[name] = values
}

// VaryBy says of an answer that it depends on a header of its request, beside what a handler has said.
func VaryBy(h http.Header, name string) {
	Replace(h, "Vary", append(slices.Clip(h["Vary"]), name)...) // others may share what is there
}

// Private returns a writer that makes an answer one that only its reader's own cache may keep, whatever the handler
// says.
func Private(w http.ResponseWriter) http.ResponseWriter {
	return Before(w, func(header http.Header) {
		Replace(header, "Cache-Control", "private, no-cache")
		VaryBy(header, "Cookie")
		header.Set("X-Robots-Tag", "noindex")
		header.Set("Referrer-Policy", "same-origin")
	})
}
