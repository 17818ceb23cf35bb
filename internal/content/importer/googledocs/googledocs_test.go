package googledocs

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

func loopback(t *testing.T) *fetch.Client {
	t.Helper()
	client := fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	t.Cleanup(client.CloseIdle)
	return client
}

// google serves answers by path as docs.google.com would, and returns its address.
func google(t *testing.T, answers map[string]http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := answers[r.URL.RequestURI()]; answer != nil {
			answer(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const documentID = "1AbCdEfGhIjKlMnOpQrStUvWxYz-_0123456789abcd"

func word(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for name, content := range map[string]string{
		"[Content_Types].xml": `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/document.xml":   `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Hello from a document.</w:t></w:r></w:p></w:body></w:document>`,
	} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, content)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSharedDocument(t *testing.T) {
	content := word(t)
	host := google(t, map[string]http.HandlerFunc{
		"/document/d/" + documentID + "/export?format=docx": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere/file", http.StatusTemporaryRedirect)
		},
		"/elsewhere/file": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
			w.Header().Set("Content-Disposition",
				`attachment; filename="x.docx"; filename*=UTF-8''Caf%C3%A9%20plan.docx`)
			w.Write(content)
		},
	})
	temp := t.TempDir()
	tree, err := Read(t.Context(), loopback(t), "https://docs.google.com/document/d/"+documentID+
		"/edit?usp=sharing#heading=h.x", Options{Host: host, Texts: &source.Texts{Dir: temp}})
	if err != nil {
		t.Fatal(err)
	}
	if page := tree.Pages[0]; page.Entry.Title != "Café plan" || page.Body.String() != "Hello from a document.\n" {
		t.Errorf("%q: %q", page.Entry.Title, page.Body)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

const published = `<html><head><title>Plan - Google Docs</title><style>.c1{font-weight:700}.c2{font-style:italic;color:#000}.c3{font-family:"Roboto Mono"}.c9{text-decoration:line-through}ol{margin:0}</style></head>` +
	`<body><div id="banners"><span>Published using Google Docs</span></div><div id="contents"><style>.c4{font-weight:700}</style><div class="doc-content">` +
	`<p class="c0 title" id="h.t"><span>The plan</span></p><h1 id="h.one"><span class="c1">First</span></h1>` +
	`<p><span>Some </span><span class="c1">bold</span><span> and </span><span class="c2 c4">both</span><span>, </span><span class="c3">code</span><span>, </span><span class="c9">gone</span>` +
	`<span> with </span><span><a href="https://www.google.com/url?q=https://example.org/a?b%3D1&amp;sa=D&amp;ust=1">a link</a></span><span> and </span><a href="#h.two">a jump</a>.<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p>` +
	`<ul class="c5 lst-kix_abc-0 start"><li class="c6"><span>one</span></li></ul><ul class="c5 lst-kix_abc-1 start"><li><span>deeper</span></li></ul><ul class="c5 lst-kix_abc-0"><li><span>two</span></li></ul>` +
	`<h2 id="h.two"><span>Second</span></h2><p><span><img alt="An owl" src="IMAGE" style="width: 10px"></span></p><p><span><img alt="" src="DATA"></span></p>` +
	`<table><tbody><tr><td><p><span>a</span></p></td><td><p><span>b</span></p></td></tr><tr><td><p><span>c</span></p></td><td><p><span>d</span></p></td></tr></tbody></table>` +
	`<hr class="c7"><div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a><span> A note.</span></p></div></div></div></body></html>`

func TestPublishedDocument(t *testing.T) {
	var host string
	host = google(t, map[string]http.HandlerFunc{
		"/document/d/e/2PACX-1vABC/pub": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			body := strings.Replace(published, "IMAGE", host+"/image", 1)
			io.WriteString(w, strings.Replace(body, "DATA", "data:image/png;base64,"+base64.StdEncoding.EncodeToString(
				[]byte("png")), 1))
		},
		"/image": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "image/jpeg")
			io.WriteString(w, "jpeg")
		},
	})
	temp := t.TempDir()
	tree, err := Read(t.Context(), loopback(t), "https://docs.google.com/document/d/e/2PACX-1vABC/pub",
		Options{Host: host, Texts: &source.Texts{Dir: temp}})
	if err != nil {
		t.Fatal(err)
	}
	want := `## First

Some **bold** and _**both**_, ` + "`code`" +
		`, ~~gone~~ with [a link](https://example.org/a?b=1) and [a jump](#h.two).[^1]

* one
  * deeper
* two

### Second

<figure><img src="recto-import-file:0" alt="An owl"><figcaption></figcaption></figure>

<figure><img src="recto-import-file:1" alt=""><figcaption></figcaption></figure>

<table data-header-hidden><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>

[^1]: A note.
`
	if diff := cmp.Diff(want, tree.Pages[0].Body.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if tree.Pages[0].Entry.Title != "The plan" || len(tree.Files) != 2 || tree.Files[0].Name != "image1.jpg" ||
		tree.Files[1].Name != "image2.png" {
		t.Errorf("title %q, files %v", tree.Pages[0].Entry.Title, tree.Files)
	}
	if tree.Pages[0].Anchors["h.two"] != "second" {
		t.Errorf("anchors %v", tree.Pages[0].Anchors)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDocumentsThatAreRefused(t *testing.T) {
	answer := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	path := "/document/d/" + documentID + "/export?format=docx"
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"sign in":     {answer(200, "text/html", "<html>Sign in</html>"), "share it"},
		"not there":   {answer(404, "text/plain", ""), "share it"},
		"not allowed": {answer(401, "text/plain", ""), "share it"},
		"no archive":  {answer(200, "application/octet-stream", "hello"), "ZIP"},
		"other archive": {answer(200, "application/zip", "PK\x05\x06"+strings.Repeat("\x00", 18)),
			"not a Word document"},
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			host := google(t, map[string]http.HandlerFunc{path: test.answer})
			_, err := Read(t.Context(), loopback(t), "https://docs.google.com/document/d/"+documentID+"/",
				Options{Host: host, Texts: &source.Texts{Dir: temp}})
			if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	shared := "/document/d/" + documentID + "/export?format=docx"
	for address, want := range map[string]string{
		"https://docs.google.com/document/d/" + documentID:                         shared,
		"https://docs.google.com/document/u/1/d/" + documentID + "/edit":           shared,
		"https://docs.google.com/a/example.org/document/d/" + documentID + "/view": shared,
		"https://drive.google.com/open?id=" + documentID:                           shared,
		"https://docs.google.com/document/d/e/2PACX-1vABC/pub?embedded=true":       "/document/d/e/2PACX-1vABC/pub",
		"https://docs.google.com/spreadsheets/d/" + documentID:                     "",
		"https://docs.google.com.evil.example/document/d/" + documentID:            "",
		"https://example.org/document/d/" + documentID:                             "",
		"https://docs.google.com/document/d/../../etc":                             "",
		"ftp://docs.google.com/document/d/" + documentID:                           "",
		"https://me:secret@docs.google.com/document/d/" + documentID:               "",
	} {
		got, _, err := Exported(address)
		if got != want || (want == "") != errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}
