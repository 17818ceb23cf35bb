package pub

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// secure sets what every response has. Where nothing stricter is needed, the Referrer-Policy is what browsers do by
// themselves, and is not said: a page has eight headers, and a ninth makes Go's map of headers grow, and be copied, at
// each request.
func secure(h http.Header) {
	h["X-Content-Type-Options"] = noSniff
}

// Values of headers that many responses share; nobody changes them.
var (
	noSniff      = []string{"nosniff"}
	byEncoding   = []string{"Accept-Encoding"}
	packedInGzip = []string{"gzip"}
)

// pagePolicy is the Content-Security-Policy of pages: scripts and styles of our own files only, and the one style
// element with the site's colours, named by its hash. Frames are the diagrams' and the players that an embed may open.
// more are the sources, by directive, of what the site has chosen: fonts, and scripts of integrations.
func pagePolicy(style string, frames []string, more map[string][]string) string {
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

// listPolicy is that of what is not for reading in a browser: it shows as text, and runs and loads nothing.
const listPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// diagramPolicy is that of the frame that draws diagrams: it may style itself and do nothing else, and has no origin.
const diagramPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; " +
	"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"

// programVersion identifies what pages are made with: the templates and the assets.
func programVersion(assets *assetSet) (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(templateFiles, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := templateFiles.ReadFile(path)
		hash.Write(body)
		return err
	})
	if err != nil {
		return "", err
	}
	hash.Write([]byte(assets.version()))
	return hex.EncodeToString(hash.Sum(nil)[:6]), nil
}

// encodings are the content codings that a request accepts, as far as we have them.
type encodings struct{ gzip, zstd bool }

// accepted reads Accept-Encoding. A coding with q=0 is refused; other weights do not matter to us.
func accepted(r *http.Request) (e encodings) {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if weight, weighted := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")),
			"q="); weighted {
			if q, err := strconv.ParseFloat(weight, 64); err != nil || q == 0 {
				continue
			}
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip":
			e.gzip = true
		case "zstd":
			e.zstd = true
		}
	}
	return e
}

// notModified reports whether If-None-Match names a representation of the content with a tag. The tags of its
// codings begin with the tag itself, so that whichever a cache has kept is recognised.
func notModified(r *http.Request, tag string) bool {
	header := r.Header.Get("If-None-Match")
	if header == "" {
		return false
	}
	if strings.TrimSpace(header) == "*" {
		return true
	}
	for part := range strings.SplitSeq(header, ",") {
		part = strings.Trim(strings.TrimPrefix(strings.TrimSpace(part), "W/"), `"`)
		if base, _, _ := strings.Cut(part, "-"); base == tag {
			return true
		}
	}
	return false
}

// response is a body that is kept and sent many times.
type response struct {
	header http.Header // Content-Type, policies
	tag    string      // hexadecimal, of the body
	plain  coding
	gzip   *coding // nil when it would not be smaller
	status int     // 0 means 200
}

// coding is a body in one content coding, with its headers made ahead.
type coding struct {
	body         []byte
	etag, length []string
}

func newCoding(body []byte, tag string) coding {
	return coding{body: body, etag: []string{`"` + tag + `"`}, length: []string{strconv.Itoa(len(body))}}
}

// newResponse prepares a body for being sent: its tag, and its compressed form.
func newResponse(header http.Header, body []byte) *response {
	sum := sha256.Sum256(body)
	p := &response{header: header, tag: hex.EncodeToString(sum[:12])}
	p.plain = newCoding(body, p.tag)
	if packed := smaller(body, packGzip(body, 6)); packed != nil {
		coded := newCoding(packed, p.tag+"-gzip")
		p.gzip = &coded
	}
	return p
}

// size is how many bytes are kept of it.
func (p *response) size() int {
	if p.gzip == nil {
		return len(p.plain.body)
	}
	return len(p.plain.body) + len(p.gzip.body)
}

// serve sends it, or 304 to those who have it.
func (p *response) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	maps.Copy(header, p.header)
	if vary := header["Vary"]; vary == nil {
		header["Vary"] = byEncoding
	} else {
		header.Add("Vary", "Accept-Encoding")
	}
	sent := &p.plain
	if p.gzip != nil && accepted(r).gzip {
		sent = p.gzip
		header["Content-Encoding"] = packedInGzip
	}
	if p.status == 0 {
		header["Etag"] = sent.etag
		if notModified(r, p.tag) {
			header.Del("Content-Type")
			header.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	header["Content-Length"] = sent.length
	if p.status != 0 {
		w.WriteHeader(p.status)
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(sent.body) // an error here is a reader who has left
	}
}

// serveAsset sends one of the static files.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request, file string) error {
	a, current := s.assets.find(file)
	if a == nil {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return nil
	}
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("Vary", "Accept-Encoding")
	if current {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	switch a.contentType {
	case assetTypes[".html"]:
		header.Set("Content-Security-Policy", diagramPolicy)
	case assetTypes[".woff2"]:
		header.Set("Access-Control-Allow-Origin", "*") // the frame of diagrams has no origin
	}
	body, tag, accepts := a.body, a.etag, accepted(r)
	if packed := a.zstd; accepts.zstd && packed() != nil {
		body, tag = packed(), tag+"-zstd"
		header.Set("Content-Encoding", "zstd")
	} else if packed := a.gzip; accepts.gzip && packed() != nil {
		body, tag = packed(), tag+"-gzip"
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("ETag", `"`+tag+`"`)
	if notModified(r, a.etag) {
		header.Del("Content-Type")
		header.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
	return nil
}
