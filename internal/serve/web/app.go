package web

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// appPolicy is the Content-Security-Policy of the app. Pictures that are being uploaded are shown from memory.
const appPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// app is what the build of the app made: one page for all of its addresses, and the files that the page loads.
type app struct {
	page  []byte
	files map[string]asset
}

// loadApp reads the files of the app: index.html, and those below assets, whose names hold hashes of their contents.
func loadApp(files fs.FS) (app, error) {
	page, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return app{}, fmt.Errorf("read the page of the app: %w", err)
	}
	loaded := app{page: page, files: map[string]asset{}}
	names, err := fs.Glob(files, "assets/*")
	if err != nil {
		return app{}, err
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return app{}, fmt.Errorf("read a file of the app: %w", err)
		}
		loaded.add(path.Base(name), body)
	}
	return loaded, nil
}

func (a app) add(file string, body []byte) {
	a.files[file] = asset{contentType: contentType(file), body: body}
}

// serveAppFile sends a file of the app, which may be kept for ever. Nothing in it is a secret, so nobody is asked who
// they are.
func (s *Server) serveAppFile(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	found, ok := s.app.files[file]
	if !ok {
		// A page that was open while the program was replaced asks for a file of before.
		http.Error(w, "There is no such file. Reload the page.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", found.contentType)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if !httpx.NotModified(w, r, httpx.ETag(file)) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.body))
	}
}

// appPage answers every address of the app with its page; what the address shows is asked of the API.
func (s *Server) appPage(w http.ResponseWriter, r *http.Request, _ account.Caller) error {
	w.Header().Set("Content-Security-Policy", appPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(s.app.page)))
	return nil
}
