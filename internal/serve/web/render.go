package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

//go:embed templates assets
var embedded embed.FS

// pages are the templates by name, each within the layout.
type pages map[string]*template.Template

// loadPages reads the templates; address gives the address of a static file.
func loadPages(address func(name string) (string, error)) (pages, error) {
	functions := template.FuncMap{"asset": address, "date": date, "moment": moment}
	layout, err := template.New("layout.html").Funcs(functions).ParseFS(embedded, "templates/layout.html")
	if err != nil {
		return nil, fmt.Errorf("read the layout: %w", err)
	}
	files, err := fs.Glob(embedded, "templates/*.html")
	if err != nil {
		return nil, err
	}
	loaded := pages{}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "layout" {
			continue
		}
		page, err := template.Must(layout.Clone()).ParseFS(embedded, file)
		if err != nil {
			return nil, fmt.Errorf("read the page %s: %w", name, err)
		}
		loaded[name] = page
	}
	return loaded, nil
}

// view is what the layout shows.
type view struct {
	// Title is the page's name in the browser.
	Title string
	// Caller is who is signed in; it makes the frame of the account pages, in which Tab is the open one.
	Caller *account.Caller
	Tab    string
	// Refresh is an address that the page leads on to by itself; empty for none.
	Refresh string
	// Done is a message that something worked.
	Done string
	// Script is the name of the page's script; empty for none.
	Script string
	// Content is for the page itself.
	Content any
}

// render answers with a page.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, page string, v view) {
	var body bytes.Buffer
	if err := s.pages[page].ExecuteTemplate(&body, "layout.html", v); err != nil {
		// A template that does not fit its view is a defect; there is no page left to say so on.
		s.Log.ErrorContext(r.Context(), "render page", "page", page, "error", err)
		http.Error(w, "The page could not be made; the server's log says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.Bytes()) // the client went away
	}
}

// moment writes a time as a machine reads it, for the attribute of a time element.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// assets are the static files by their file name, which holds a hash.
type assets struct {
	byFile map[string]asset
	byName map[string]string
}

type asset struct {
	contentType string
	body        []byte
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	".woff2": "font/woff2",
}

// contentType returns the media type of a static file.
func contentType(file string) string {
	return cmp.Or(assetTypes[path.Ext(file)], "application/octet-stream")
}

// usedFonts are the files of Inter that the pages use.
var usedFonts = []string{
	"inter-latin-wght-normal.woff2", "inter-latin-ext-wght-normal.woff2", "inter-cyrillic-wght-normal.woff2",
	"inter-greek-wght-normal.woff2",
}

// loadAssets reads the static files and writes the addresses of fonts into the style sheet.
func loadAssets(fonts fs.FS) (assets, error) {
	loaded := assets{byFile: map[string]asset{}, byName: map[string]string{}}
	for _, name := range usedFonts {
		body, err := fs.ReadFile(fonts, name)
		if err != nil {
			return assets{}, fmt.Errorf("read the font: %w", err)
		}
		loaded.add(name, body)
	}
	files, err := fs.Glob(embedded, "assets/*")
	if err != nil {
		return assets{}, err
	}
	for _, file := range files {
		body, err := embedded.ReadFile(file)
		if err != nil {
			return assets{}, err
		}
		for _, name := range usedFonts {
			body = bytes.ReplaceAll(body, []byte("asset:"+name), []byte(loaded.byName[name]))
		}
		loaded.add(path.Base(file), body)
	}
	return loaded, nil
}

func (a assets) add(name string, body []byte) {
	extension := path.Ext(name)
	sum := sha256.Sum256(body)
	file := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:8]) + extension
	a.byFile[file] = asset{contentType: contentType(file), body: body}
	a.byName[name] = file
}

// address returns where a static file is.
func (a assets) address(name string) (string, error) {
	file, ok := a.byName[name]
	if !ok {
		return "", fmt.Errorf("there is no static file %s", name)
	}
	return "/-/" + file, nil
}

// serveAsset sends a static file; its name holds its hash, so it may be kept for ever.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) {
	found, ok := s.assets.byFile[r.PathValue("file")]
	if !ok {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", found.contentType)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if !httpx.NotModified(w, r, httpx.ETag(r.PathValue("file"))) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.body))
	}
}
