package httpx

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// inlineTypes are the media types, by extension, of files that a browser may show in place. Everything else is offered
// as a download, so that no upload is ever taken for a page or a script of the origin that sends it.
var inlineTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".avif": "image/avif",
	".ico":  "image/x-icon", ".bmp": "image/bmp",
	".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime", ".ogv": "video/ogg",
	".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".ogg": "audio/ogg", ".wav": "audio/wav", ".flac": "audio/flac",
	".pdf": "application/pdf",
	".txt": "text/plain; charset=utf-8", ".log": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
	".csv":  "text/plain; charset=utf-8",
	".json": "text/plain; charset=utf-8", ".yaml": "text/plain; charset=utf-8", ".yml": "text/plain; charset=utf-8",
	".toml": "text/plain; charset=utf-8",
}

// downloadTypes are those of files that are saved. A drawing is one of them: as a picture of a page it shows, because
// pages take no notice of the disposition and no script runs in a picture, but whoever opens its address gets no
// document of this origin.
var downloadTypes = map[string]string{
	".svg": "image/svg+xml",
	".zip": "application/zip", ".gz": "application/gzip", ".tgz": "application/gzip", ".tar": "application/x-tar",
	".7z": "application/x-7z-compressed",
}

// filePolicy is the Content-Security-Policy of files: a document made of one has no origin and loads nothing.
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"

// SetFileHeaders sets the headers that make a file from people safe to serve from an origin that other pages share:
// its type goes by its name, and nothing in it ever runs there.
func SetFileHeaders(header http.Header, name string) {
	extension := strings.ToLower(path.Ext(name))
	contentType, inline := inlineTypes[extension]
	disposition := "inline"
	if !inline {
		disposition = "attachment"
		if contentType = downloadTypes[extension]; contentType == "" {
			contentType = "application/octet-stream"
		}
	}
	header.Set("Content-Type", contentType)
	header.Set("Content-Disposition", disposition+"; filename*=UTF-8''"+strings.ReplaceAll(url.PathEscape(name), "'",
		"%27"))
	header.Set("X-Content-Type-Options", "nosniff")
	if contentType != "application/pdf" {
		// A browser's viewer of PDF does not work in a sandbox. It runs nothing on the origin of the file.
		header.Set("Content-Security-Policy", filePolicy)
	}
}
