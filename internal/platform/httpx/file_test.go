package httpx

import (
	"net/http"
	"strings"
	"testing"
)

func TestSetFileHeaders(t *testing.T) {
	tests := []struct {
		name, contentType, disposition string
		sandboxed                      bool
	}{
		{"photo.PNG", "image/png", "inline; filename*=UTF-8''photo.PNG", true},
		{"drawing.SVG", "image/svg+xml", "attachment; filename*=UTF-8''drawing.SVG", true},
		{"page.html", "application/octet-stream", "attachment; filename*=UTF-8''page.html", true},
		{"script.js", "application/octet-stream", "attachment; filename*=UTF-8''script.js", true},
		{"page.svg.xhtml", "application/octet-stream", "attachment; filename*=UTF-8''page.svg.xhtml", true},
		{"archive.zip", "application/zip", "attachment; filename*=UTF-8''archive.zip", true},
		{"paper.pdf", "application/pdf", "inline; filename*=UTF-8''paper.pdf", false},
		{"data.json", "text/plain; charset=utf-8", "inline; filename*=UTF-8''data.json", true},
		{"noextension", "application/octet-stream", "attachment; filename*=UTF-8''noextension", true},
		{"", "application/octet-stream", "attachment; filename*=UTF-8''", true},
		{"Ü \"x'; y\r\n.png", "image/png", "inline; filename*=UTF-8''%C3%9C%20%22x%27%3B%20y%0D%0A.png", true},
	}
	for _, test := range tests {
		header := http.Header{}
		SetFileHeaders(header, test.name)
		if got := header.Get("Content-Type"); got != test.contentType {
			t.Errorf("%q: the type is %q, want %q", test.name, got, test.contentType)
		}
		if got := header.Get("Content-Disposition"); got != test.disposition {
			t.Errorf("%q: the disposition is %q, want %q", test.name, got, test.disposition)
		}
		if got := strings.Contains(header.Get("Content-Security-Policy"), "sandbox"); got != test.sandboxed {
			t.Errorf("%q: sandboxed %v, want %v", test.name, got, test.sandboxed)
		}
		if header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: the type may be guessed", test.name)
		}
	}
}
