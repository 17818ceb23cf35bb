package theme

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

//go:embed assets/site assets/fonts assets/icons/LICENSE* assets/icons/icons.txt.gz assets/katex assets/mermaid
var embedded embed.FS

// asset is one static file, addressed by its content: the file name holds a hash, so it may be kept for ever.
type asset struct {
	file        string // name.hash.ext, below ~/assets/
	contentType string
	etag        string
	// What is embedded is read when somebody first asks: most sites use one font of dozens, and many no diagrams.
	body func() []byte
	// The encodings are made then, too, and are nil where they would not be smaller.
	gzip, zstd func() []byte
}

// Assets is all static files of published sites.
type Assets struct {
	byFile map[string]*asset
	byName map[string]*asset
}

// assetTypes are the media types of the files that exist; nothing else is embedded.
var assetTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".woff2": "font/woff2",
	".txt":   "text/plain; charset=utf-8",
}

// loadAssets reads the embedded files, joins and shortens our own, and writes the addresses of those that others
// mention into them.
func loadAssets() (*Assets, error) {
	set := &Assets{byFile: map[string]*asset{}, byName: map[string]*asset{}}
	for _, pattern := range []string{"assets/fonts/*.woff2", "assets/katex/*.woff2"} {
		if err := set.addFiles(pattern); err != nil {
			return nil, err
		}
	}
	if err := fontSheets(set); err != nil {
		return nil, err
	}
	style, err := joinStyles("assets/site/[0-9]*.css")
	if err != nil {
		return nil, err
	}
	katex, err := embedded.ReadFile("assets/katex/katex.min.css")
	if err != nil {
		return nil, err
	}
	licences, err := joinLicences()
	if err != nil {
		return nil, err
	}
	set.add("licences.txt", licences)
	script, err := joinScripts()
	if err != nil {
		return nil, err
	}
	set.add("site.css", style)
	choices, err := joinStyles("assets/site/look.css")
	if err != nil {
		return nil, err
	}
	set.add("look.css", choices)
	set.add("site.js", script)
	set.add("katex.css", bytes.ReplaceAll(katex, []byte("url(fonts/"), []byte("url(asset:")))
	if err := set.addPacked("mermaid.js", "assets/mermaid/mermaid.min.js.gz"); err != nil {
		return nil, err
	}
	if err := set.addPacked("katex.js", "assets/katex/katex.min.js.gz"); err != nil {
		return nil, err
	}
	sources := []struct{ name, file string }{
		{"theme.js", "site/theme.js"}, {"kit.js", "site/kit.js"}, {"gitbook.js", "site/gitbook.js"},
		{"diagram.js", "site/diagram.js"},
		{"diagram.css", "site/diagram.css"},
		{"diagram.html", "site/diagram.html"},
	}
	for _, source := range sources {
		body, err := embedded.ReadFile("assets/" + source.file)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(source.file, "site/") && path.Ext(source.name) == ".js" {
			body = shortenScript(body)
		}
		set.add(source.name, body)
	}
	return set, nil
}

func (s *Assets) addFiles(pattern string) error {
	files, err := fs.Glob(embedded, pattern)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := s.addFile(path.Base(file), file); err != nil {
			return err
		}
	}
	return nil
}

// addFile takes in an embedded file as it is.
func (s *Assets) addFile(name, file string) error {
	hash, err := hashOf(file)
	if err != nil {
		return err
	}
	s.put(name, hash, sync.OnceValue(func() []byte { return read(file) }))
	return nil
}

// addPacked is addFile for a file that is embedded as gzip, in which form it is also sent.
func (s *Assets) addPacked(name, file string) error {
	hash, err := hashOf(file)
	if err != nil {
		return err
	}
	a := s.put(name, hash, sync.OnceValue(func() []byte { return unpack(file) }))
	a.gzip = sync.OnceValue(func() []byte { return read(file) })
	return nil
}

// hashOf names the content of an embedded file.
func hashOf(file string) (string, error) {
	opened, err := embedded.Open(file)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, opened); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

// read returns the content of an embedded file that is there, since its hash is known.
func read(file string) []byte {
	content, err := embedded.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return content
}

// unpack is read for a file that is embedded as gzip. A test reads all of them.
func unpack(file string) []byte {
	reader, err := gzip.NewReader(bytes.NewReader(read(file)))
	if err != nil {
		panic(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	return content
}

var assetMention = regexp.MustCompile(`asset:([A-Za-z0-9_.-]+)`)

// add takes in a file. What it mentions as asset:NAME has to be there already.
func (s *Assets) add(name string, body []byte) {
	extension := path.Ext(name)
	if extension == ".css" || extension == ".html" {
		body = assetMention.ReplaceAllFunc(body, func(mention []byte) []byte {
			return []byte(s.byName[string(mention[len("asset:"):])].file)
		})
	}
	sum := sha256.Sum256(body)
	s.put(name, hex.EncodeToString(sum[:8]), func() []byte { return body })
}

// put takes in a file with the hash of its content.
func (s *Assets) put(name, hash string, body func() []byte) *asset {
	extension := path.Ext(name)
	a := &asset{
		file:        strings.TrimSuffix(name, extension) + "." + hash + extension,
		contentType: assetTypes[extension],
		etag:        hash,
		body:        body,
	}
	if extension == ".woff2" { // compressed already
		a.gzip = func() []byte { return nil }
		a.zstd = a.gzip
	} else {
		a.gzip = sync.OnceValue(func() []byte { return response.Gzip(body(), gzip.BestCompression) })
		a.zstd = sync.OnceValue(func() []byte { return response.Zstd(body()) })
	}
	s.byFile[a.file] = a
	s.byName[name] = a
	return a
}

// find returns the file of an address. An address with another hash is of another version of the program: it gets
// what there is now, and current is false, so that it is not kept.
func (s *Assets) find(file string) (a *asset, current bool) {
	if a, ok := s.byFile[file]; ok {
		return a, true
	}
	extension := path.Ext(file)
	name, _, ok := cutLast(strings.TrimSuffix(file, extension), ".")
	if !ok {
		return nil, false
	}
	return s.byName[name+extension], false
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// Version identifies all files together: a page that refers to them changes when one of them does.
func (s *Assets) Version() string {
	hash := sha256.New()
	files := make([]string, 0, len(s.byFile))
	for file := range s.byFile {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		io.WriteString(hash, file)
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
}

// joinStyles makes one sheet of ours, without comments and layout. No string in them holds what is taken out.
func joinStyles(pattern string) ([]byte, error) {
	files, err := fs.Glob(embedded, pattern)
	if err != nil {
		return nil, err
	}
	var joined []byte
	for _, file := range files {
		body, err := embedded.ReadFile(file)
		if err != nil {
			return nil, err
		}
		joined = append(joined, shortenStyle(body)...)
	}
	return joined, nil
}

// shortenStyle takes comments and layout out of a style sheet. It goes over it once, because every start of a server
// waits for it.
func shortenStyle(body []byte) []byte {
	const space = " \t\n\f\r"
	short := make([]byte, 0, len(body))
	for rest := withoutComments(body); len(rest) > 0; {
		text := bytes.TrimLeft(rest, space)
		gap := rest[:len(rest)-len(text)]
		if len(text) == 0 {
			break
		}
		var before byte
		if len(short) > 0 {
			before = short[len(short)-1]
		}
		broken := bytes.IndexByte(gap, '\n') >= 0
		switch {
		case len(gap) == 0, before == 0, before == '{', before == '}', text[0] == '{', text[0] == '}':
		case !broken:
			short = append(short, gap...)
		case before != ';' && before != ',':
			short = append(short, '\n')
		}
		if text[0] == '}' && before == ';' {
			short = short[:len(short)-1]
		}
		// Braces stand alone, so that the gap on each side of them is looked at.
		end := bytes.IndexAny(text[1:], space+"{}") + 1
		if end == 0 {
			end = len(text)
		} else if text[0] == '{' || text[0] == '}' {
			end = 1
		}
		short = append(short, text[:end]...)
		rest = text[end:]
	}
	return short
}

// withoutComments returns a style sheet without its comments. One that does not end stays.
func withoutComments(body []byte) []byte {
	var kept []byte
	for {
		before, rest, found := bytes.Cut(body, []byte("/*"))
		_, after, ended := bytes.Cut(rest, []byte("*/"))
		if !found || !ended {
			return append(kept, body...)
		}
		kept, body = append(kept, before...), after
	}
}

// joinLicences makes one text of the licences of everything that others have made.
func joinLicences() ([]byte, error) {
	files, err := fs.Glob(embedded, "assets/*/LICENSE*")
	if err != nil {
		return nil, err
	}
	var joined []byte
	for _, file := range files {
		text, err := embedded.ReadFile(file)
		if err != nil {
			return nil, err
		}
		joined = append(joined, "== "+strings.TrimPrefix(file, "assets/")+" ==\n\n"...)
		joined = append(joined, bytes.TrimSpace(text)...)
		joined = append(joined, "\n\n"...)
	}
	return joined, nil
}

// joinScripts makes one function of the parts of the script, so that none of their names is anybody else's.
func joinScripts() ([]byte, error) {
	files, err := fs.Glob(embedded, "assets/site/script/*.js")
	if err != nil {
		return nil, err
	}
	joined := []byte("(() => {\n\"use strict\";\n")
	for _, file := range files {
		body, err := embedded.ReadFile(file)
		if err != nil {
			return nil, err
		}
		joined = append(joined, shortenScript(body)...)
	}
	return append(joined, "})();\n"...), nil
}

// shortenScript leaves out indentation and lines that are comments. Our scripts hold no text of several lines.
func shortenScript(body []byte) []byte {
	var short bytes.Buffer
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		short.Write(line)
		short.WriteByte('\n')
	}
	return short.Bytes()
}

// File returns under which name a file is served below "~/assets/": its own name with a hash.
func (s *Assets) File(name string) string { return s.byName[name].file }

// Serve sends a static file, which a URL names as file.
func (s *Assets) Serve(w http.ResponseWriter, r *http.Request, file string) {
	a, current := s.find(file)
	a.serve(w, r, current)
}

// ServeNamed is Serve, and takes a file's plain name as well, whose contents change with the program.
func (s *Assets) ServeNamed(w http.ResponseWriter, r *http.Request, file string) {
	if a, ok := s.byName[file]; ok {
		a.serve(w, r, false)
		return
	}
	s.Serve(w, r, file)
}

// serve sends a file, which may be kept when it is current. A nil file is not there.
func (a *asset) serve(w http.ResponseWriter, r *http.Request, current bool) {
	if a == nil {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
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
		header.Set("Content-Security-Policy", response.DiagramPolicy)
	case assetTypes[".woff2"]:
		header.Set("Access-Control-Allow-Origin", "*") // the frame of diagrams has no origin
	}
	body, tag, accepts := a.body, a.etag, httpx.Accepted(r)
	if packed := a.zstd; accepts.Zstd && packed() != nil {
		body, tag = packed, tag+"-zstd"
		header.Set("Content-Encoding", "zstd")
	} else if packed := a.gzip; accepts.Gzip && packed() != nil {
		body, tag = packed, tag+"-gzip"
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("ETag", `"`+tag+`"`)
	if response.NotModified(r, a.etag) {
		header.Del("Content-Type")
		header.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(body())))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body())
	}
}
