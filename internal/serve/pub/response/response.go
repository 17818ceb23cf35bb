// Package response owns how published sites answer over HTTP: bodies that are kept and sent many times, their content
// codings and entity tags, the policies of what a page may load and run, and redirects.
//
// It knows nothing of sites. Every Content-Security-Policy of a published site is in headers.go.
package response

import (
	"bytes"

	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/rectodocs/recto/internal/platform/httpx"
)

// NotModified reports whether If-None-Match names a representation of the content with a tag. The tags of its
// codings begin with the tag itself, so that whichever a cache has kept is recognised.
func NotModified(r *http.Request, tag string) bool {
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

// Response is a body that is kept and sent many times.
type Response struct {
	Header http.Header // Content-Type, policies
	Status int         // 0 means 200
	// Page is the id of the page that it shows, "" for none.
	Page string
	// Until is when it has to be made anew; zero is never.
	Until time.Time

	tag   string // hexadecimal, of the body
	plain coding
	gzip  *coding // nil when it would not be smaller
}

// coding is a body in one content coding, with its headers made ahead.
type coding struct {
	body         []byte
	etag, length []string
}

func newCoding(body []byte, tag string) coding {
	return coding{body: body, etag: []string{`"` + tag + `"`}, length: []string{strconv.Itoa(len(body))}}
}

// New prepares a body for being sent: its tag, and its compressed form.
func New(header http.Header, body []byte) *Response {
	sum := sha256.Sum256(body)
	p := &Response{Header: header, tag: hex.EncodeToString(sum[:12])}
	p.plain = newCoding(body, p.tag)
	if packed := Gzip(body, 6); packed != nil {
		coded := newCoding(packed, p.tag+"-gzip")
		p.gzip = &coded
	}
	return p
}

// Stale reports whether it has to be made anew.
func (p *Response) Stale() bool { return !p.Until.IsZero() && !time.Now().Before(p.Until) }

// Body returns the body as it is without a content coding; it is not to be changed.
func (p *Response) Body() []byte { return p.plain.body }

// Size is how many bytes are kept of it.
func (p *Response) Size() int {
	if p.gzip == nil {
		return len(p.plain.body)
	}
	return len(p.plain.body) + len(p.gzip.body)
}

// Serve sends it, or 304 to those who have it.
func (p *Response) Serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	maps.Copy(header, p.Header)
	if vary := header["Vary"]; vary == nil {
		header["Vary"] = byEncoding
	} else {
		header.Add("Vary", "Accept-Encoding")
	}
	sent := &p.plain
	if p.gzip != nil && httpx.Accepted(r).Gzip {
		sent = p.gzip
		header["Content-Encoding"] = packedInGzip
	}
	if p.Status == 0 {
		header["Etag"] = sent.etag
		if NotModified(r, p.tag) {
			header.Del("Content-Type")
			header.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	header["Content-Length"] = sent.length
	if p.Status != 0 {
		w.WriteHeader(p.Status)
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(sent.body) // an error here is a reader who has left
	}
}

// gzipWriters has writers by their levels: a new one takes longer than compressing a page.
var gzipWriters [gzip.BestCompression + 1]sync.Pool

// Gzip compresses bytes at a level from 1 to 9. It returns nil where that makes them no smaller.
func Gzip(body []byte, level int) []byte {
	var packed bytes.Buffer
	writer, ok := gzipWriters[level].Get().(*gzip.Writer)
	if ok {
		writer.Reset(&packed)
	} else {
		var err error
		if writer, err = gzip.NewWriterLevel(&packed, level); err != nil {
			panic(err) // the level is one of the constants
		}
	}
	// Writing to a bytes.Buffer does not fail.
	_, _ = writer.Write(body)
	_ = writer.Close()
	writer.Reset(nil)
	gzipWriters[level].Put(writer)
	return smaller(body, packed.Bytes())
}

// Zstd compresses bytes as much as it can. It returns nil where that makes them no smaller.
func Zstd(body []byte) []byte {
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constants
	}
	return smaller(body, writer.EncodeAll(body, nil))
}

func smaller(plain, packed []byte) []byte {
	if len(packed) >= len(plain) {
		return nil
	}
	return packed
}
