package web

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// appPolicy is the Content-Security-Policy of the app. Pictures that are being uploaded are shown from memory,
// and diagrams are drawn in a frame of the server's own. Blocks of integrations show pages of theirs, in frames that
// are sandboxed and never have the origin of the app.
const appPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; frame-src 'self' https: http:; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serveDrawing sends a file that draws formulas or diagrams. Diagrams are drawn in a frame of the app, whose own policy
// says who may show it.
func (s *Server) serveDrawing(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	if path.Ext(file) == ".html" {
		w.Header().Del("X-Frame-Options")
	}
	s.Drawing(w, r, file)
}

// serveAppFile sends a file of the app, which may be kept for ever, since its name holds a hash of its contents. Texts
// are there compressed, and sent so to whoever takes that. Nothing in the files is a secret, so nobody is asked who
// they are.
func (s *Server) serveAppFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	file, packed, err := s.openAppFile(name)
	if err != nil {
		// A page that was open while the program was replaced asks for a file of before.
		http.Error(w, "There is no such file. Reload the page.", http.StatusNotFound)
		return
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Vary", "Accept-Encoding")
	if httpx.NotModified(w, r, httpx.ETag(name)) {
		return
	}
	if packed && !httpx.Accepted(r).Gzip {
		s.unpackAppFile(w, r, file)
		return
	}
	if packed {
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = io.Copy(w, file) // the client went away
}

// openAppFile opens a file of the app, and says whether it is there compressed.
func (s *Server) openAppFile(name string) (file fs.File, packed bool, err error) {
	if path.Ext(name) == packedSuffix {
		return nil, false, fs.ErrNotExist
	}
	file, err = s.App.Open(appFiles + name + packedSuffix)
	if err == nil {
		return file, true, nil
	}
	file, err = s.App.Open(appFiles + name)
	return file, false, err
}

// Where the files of the app are, and how those end that are compressed.
const (
	appFiles     = "assets/"
	packedSuffix = ".gz"
)

// unpackAppFile sends a compressed file as it was.
func (s *Server) unpackAppFile(w http.ResponseWriter, r *http.Request, file io.Reader) {
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		s.Refuse(w, r, fmt.Errorf("read a file of the app: %w", err))
		return
	}
	_, _ = io.Copy(w, unpacked) // the client went away
}

// appPage answers every address of the app with its page; what the address shows is asked of the API.
func (s *Server) appPage(w http.ResponseWriter, r *http.Request, _ account.Caller) error {
	w.Header().Set("Content-Security-Policy", appPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page, err := fs.ReadFile(s.App, "index.html")
	if err != nil {
		return fmt.Errorf("read the page of the app: %w", err)
	}
	_, _ = w.Write(page) // the client went away
	return nil
}
