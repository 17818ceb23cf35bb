package httpx

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// compressFrom is the size in bytes from which compression pays.
const compressFrom = 1024

// Compress returns a handler that compresses what next answers, with zstd or gzip as the client accepts, when it is
// text and over a kilobyte. An answer that has a Content-Encoding passes through, so handlers can send bytes that were
// compressed before. Strong entity tags get a suffix, which NotModified knows.
func Compress(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(compressFrom),
		gzhttp.EnableZstd(true),
		gzhttp.PreferZstd(true),
		gzhttp.CompressionLevel(gzip.DefaultCompression),
		gzhttp.SuffixETag(compressedSuffix),
		gzhttp.ContentTypeFilter(compressible),
	)
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	return wrap(next), nil
}

// compressible reports whether a content type is text of some kind; pictures, fonts and archives are compressed
// already.
func compressible(contentType string) bool {
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	mediaType = strings.TrimSpace(mediaType)
	if strings.HasPrefix(mediaType, "text/") || strings.HasSuffix(mediaType, "+json") || strings.HasSuffix(mediaType,
		"+xml") {
		return true
	}
	switch mediaType {
	case "application/json", "application/javascript", "application/xml", "application/yaml", "application/x-ndjson",
		"application/wasm":
		return true
	default:
		return false
	}
}
