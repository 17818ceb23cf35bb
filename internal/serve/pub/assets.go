package pub

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed assets/site assets/fonts assets/icons assets/katex assets/mermaid
var embedded embed.FS

// asset is one static file, addressed by its content: the file name holds a hash, so it may be kept for ever.
type asset struct {
	file        string // name.hash.ext, below ~/assets/
	contentType string
	etag        string
	body        []byte
	// The encodings are made when somebody first asks, and are nil where they would not be smaller.
	gzip, zstd func() []byte
}

// assetSet is all static files of published sites.
type assetSet struct {
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
func loadAssets() (*assetSet, error) {
	set := &assetSet{byFile: map[string]*asset{}, byName: map[string]*asset{}}
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
	mermaid, err := readPacked("assets/mermaid/mermaid.min.js.gz")
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
	set.add("mermaid.js", mermaid)
	sources := []struct{ name, file string }{
		{"katex.js", "katex/katex.min.js"}, {"theme.js", "site/theme.js"},
		{"diagram.js", "site/diagram.js"}, {"diagram.css", "site/diagram.css"}, {"diagram.html", "site/diagram.html"},
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

func (s *assetSet) addFiles(pattern string) error {
	files, err := fs.Glob(embedded, pattern)
	if err != nil {
		return err
	}
	for _, file := range files {
		body, err := embedded.ReadFile(file)
		if err != nil {
			return err
		}
		s.add(path.Base(file), body)
	}
	return nil
}

var assetMention = regexp.MustCompile(`asset:([A-Za-z0-9_.-]+)`)

// add takes in a file. What it mentions as asset:NAME has to be there already.
func (s *assetSet) add(name string, body []byte) {
	extension := path.Ext(name)
	if extension == ".css" || extension == ".html" {
		body = assetMention.ReplaceAllFunc(body, func(mention []byte) []byte {
			return []byte(s.byName[string(mention[len("asset:"):])].file)
		})
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:8])
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
		a.gzip = sync.OnceValue(func() []byte { return smaller(body, packGzip(body, gzip.BestCompression)) })
		a.zstd = sync.OnceValue(func() []byte { return smaller(body, packZstd(body)) })
	}
	s.byFile[a.file] = a
	s.byName[name] = a
}

// find returns the file of an address. An address with another hash is of another version of the program: it gets
// what there is now, and current is false, so that it is not kept.
func (s *assetSet) find(file string) (a *asset, current bool) {
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

// version identifies all files together: a page that refers to them changes when one of them does.
func (s *assetSet) version() string {
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

func readPacked(file string) ([]byte, error) {
	packed, err := embedded.Open(file)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	return io.ReadAll(reader)
}

var (
	styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	styleBreak   = regexp.MustCompile(`\s*\n\s*`)
	styleEnd     = regexp.MustCompile(`;?\s*}\s*`)
	styleStart   = regexp.MustCompile(`\s*{\s*`)
)

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
		body = styleComment.ReplaceAll(body, nil)
		body = styleBreak.ReplaceAll(body, []byte("\n"))
		body = styleStart.ReplaceAll(body, []byte("{"))
		body = styleEnd.ReplaceAll(body, []byte("}"))
		body = bytes.ReplaceAll(body, []byte(";\n"), []byte(";"))
		body = bytes.ReplaceAll(body, []byte(",\n"), []byte(","))
		joined = append(joined, bytes.TrimSpace(body)...)
	}
	return joined, nil
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

func smaller(plain, packed []byte) []byte {
	if len(packed) >= len(plain) {
		return nil
	}
	return packed
}

// packGzip compresses bytes at a level of compress/gzip.
func packGzip(body []byte, level int) []byte {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, level)
	if err != nil {
		panic(err) // the level is one of compress/gzip's constants
	}
	// Writing to a bytes.Buffer does not fail.
	_, _ = writer.Write(body)
	_ = writer.Close()
	return packed.Bytes()
}

func packZstd(body []byte) []byte {
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constants
	}
	return writer.EncodeAll(body, nil)
}
