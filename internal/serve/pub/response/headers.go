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

// Sources are the servers that a page may load from, besides its own.
type Sources struct {
	// Frames are those of what it shows in frames, Fonts of the fonts that the site has chosen.
	Frames, Fonts []string
	// Scripts are those that scripts of integrations come from; none for a page without such scripts.
	Scripts []string
}

// PagePolicy is the Content-Security-Policy of pages: scripts and styles of our own files only, and the one style
// element with the site's colours, named by its hash. Frames are the diagrams' and the players that an embed may open.
//
// A script of an integration can do on a page whatever the page can, so the policy does not guard against it, and what
// it loads from any server over HTTPS is not refused (ADR 67). What is guarded against stays: nothing runs that stands
// in a page, no text is run as a program, and forms and relative addresses lead nowhere else.
func PagePolicy(style string, from Sources) string {
	sum := sha256.Sum256([]byte(style))
	with := func(directive, own string, others []string, forScripts string) string {
		parts := append([]string{directive, own}, others...)
		if len(from.Scripts) > 0 {
			parts = append(parts, forScripts)
		}
		return strings.TrimSpace(strings.Join(parts, " ")) + "; "
	}
	styles, workers := "'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", ""
	if len(from.Scripts) > 0 {
		// A hash would make browsers pass over 'unsafe-inline', which what widgets bring of their own needs.
		styles, workers = "'self'", "worker-src 'self' blob:; "
	}
	return "default-src 'none'; " + with("script-src", "'self'", from.Scripts, "https:") +
		with("style-src", styles, nil, "'unsafe-inline' https:") +
		with("img-src", "'self' data: https: http:", nil, "blob:") + with("media-src", "'self' https:", nil, "blob:") +
		with("font-src", "'self'", from.Fonts, "https: data:") + with("connect-src", "'self'", nil, "https: wss:") +
		with("frame-src", "'self'", from.Frames, "https:") + workers +
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
