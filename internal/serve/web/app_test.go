package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestAppLeadsThroughSigningIn(t *testing.T) {
	b := start(t).browser()
	address := "/app/spaces/space_1/pages/page_2?view=diff"
	escaped := "%2Fapp%2Fspaces%2Fspace_1%2Fpages%2Fpage_2%3Fview%3Ddiff"
	b.want(b.get(address), http.StatusOK, "/signin?next="+escaped)
	b.want(b.get("/signin/sso?next="+escaped), http.StatusOK, address, "<title>The app</title>")
	page := b.get("/app")
	b.want(page, http.StatusOK, "/app", "<title>The app</title>")
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("policy of the app: %s", policy)
	}
	if caching := page.header.Get("Cache-Control"); caching != "no-store" {
		t.Errorf("the page of the app is kept: %s", caching)
	}
}

func TestFilesOfTheApp(t *testing.T) {
	b := start(t).browser()
	const forever = "public, max-age=31536000, immutable"
	for _, test := range []struct {
		path, contentType, caching, text string
		status                           int
	}{
		{"/app/assets/index-0123abcd.js", "text/javascript; charset=utf-8", forever, "start()", 200},
		{"/app/assets/inter-0123abcd.woff2", "font/woff2", forever, "a font", 200},
		{"/app/assets/index-0123abcd.js.gz", "text/plain; charset=utf-8", "no-store", "Reload the page", 404},
		{"/app/assets/index-other.js", "text/plain; charset=utf-8", "no-store", "Reload the page", 404},
		{"/app/assets/..%2Findex.html", "text/plain; charset=utf-8", "no-store", "Reload the page", 404},
	} {
		answer := b.get(test.path)
		b.want(answer, test.status, test.path, test.text)
		if answer.header.Get("Content-Type") != test.contentType || answer.header.Get("Cache-Control") != test.caching {
			t.Errorf("%s: %s, %s", test.path, answer.header.Get("Content-Type"), answer.header.Get("Cache-Control"))
		}
	}
}

func TestFilesThatDraw(t *testing.T) {
	b := start(t).browser()
	for file, frames := range map[string]string{"katex.js": "DENY", "diagram.html": ""} {
		answer := b.get("/-/drawing/" + file)
		b.want(answer, http.StatusOK, "/-/drawing/"+file, "draws with "+file)
		if answer.header.Get("X-Frame-Options") != frames || answer.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %v", file, answer.header)
		}
	}
}

// packed is a text as the build of the app leaves it.
func packed(text string) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, text) // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

func TestFilesOfTheAppCompressed(t *testing.T) {
	b := start(t).browser()
	for accepted, want := range map[string]string{"gzip, br": "gzip", "gzip;q=0": "", "identity": ""} {
		answer := b.do(http.MethodGet, "/app/assets/index-0123abcd.js", nil, http.Header{"Accept-Encoding": {accepted}})
		body := answer.body
		if want == "gzip" {
			unpacked, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(unpacked)
			if err != nil {
				t.Fatal(err)
			}
			body = string(text)
		}
		if answer.header.Get("Content-Encoding") != want || body != "start()" ||
			answer.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("to %s: %q, coding %q, Vary %q", accepted, body, answer.header.Get("Content-Encoding"),
				answer.header.Get("Vary"))
		}
	}
}
