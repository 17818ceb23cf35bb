package pdf_test

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// keep writes a PDF into the folder that PDF_OUT names, for looking at.
func keep(t *testing.T, name string, data []byte) {
	t.Helper()
	if dir := os.Getenv("PDF_OUT"); dir != "" {
		if err := os.WriteFile(dir+"/"+name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEverything(t *testing.T) {
	source := shelf{
		pages: map[string]string{
			"intro": "Welcome. See [tables](every#tables), [the end](last#no-such-heading) and [nothing](nowhere). " +
				"[No](javascript:alert(1)).\n",
			"every": everything(t), "last": "The end. Back to [start](intro).",
		},
		images: map[string][]byte{"diagram.png": drawing(t, 1800, 600, false), "icon.png": drawing(t, 24, 24, true)},
	}
	book := pdf.Book{
		Title: "The Recto manual", Subtitle: "Everything that a page can hold", Notes: []string{"November 20, 2026"},
		Language: "en", Created: created,
		Pages: []pdf.Page{
			{ID: "intro", Title: "👋 Introduction"}, {ID: "g", Title: "Reference", Group: true},
			{ID: "every", Title: "Everything", Description: "One of each kind of block.", Level: 1},
			{ID: "last", Title: "The last page", Level: 1}, {ID: "go", Title: "Go", Address: "https://go.dev"},
		},
	}
	var out bytes.Buffer
	report, err := pdf.Write(t.Context(), &out, book, source)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "every.pdf", out.Bytes())
	f := pdftest.Read(t, out.Bytes())
	if report.Sheets != len(f.Kids) || report.Images != 2 || report.Missing != 1 {
		t.Errorf("report %+v of %d pages", report, len(f.Kids))
	}

	// Cover, contents, the introduction, everything, the end.
	if got := f.Text(1); !strings.Contains(got, "The Recto manual") || !strings.Contains(got, "November 20, 2026") {
		t.Errorf("the cover says %q", got)
	}
	if got := f.Text(2); !strings.Contains(got, "Contents👋 Introduction1") || !strings.Contains(got, "Reference2") ||
		!strings.Contains(got, "Go") {
		t.Errorf("the contents say %q", got)
	}
	inside, outside := f.Links(2)
	if diff := cmp.Diff([]string{"3 page/intro", "4 page/g", "4 page/every", "8 page/last"}, inside); diff != "" ||
		len(outside) != 1 || outside[0] != "https://go.dev" {
		t.Errorf("links of the contents, also %q:\n%s", outside, diff)
	}
	// A heading, a page whose heading is not there, and neither a page that is not there nor a script.
	inside, outside = f.Links(3)
	if diff := cmp.Diff([]string{"5 page/every#tables", "8 page/last#no-such-heading"}, inside); diff != "" ||
		len(outside) != 0 {
		t.Errorf("links of the introduction, also %q:\n%s", outside, diff)
	}
	want := []string{
		"👋 Introduction", "Reference", "  Everything", "    Lists", "    Quotes and hints", "      A third level",
		"    Code", "    Tables", "    Images",
		"    Blocks that open", "      Get it", "      Start it", "    An update", "  The last page",
	}
	if diff := cmp.Diff(want, f.Outline()); diff != "" {
		t.Errorf("outline:\n%s", diff)
	}

	var all strings.Builder
	for page := range f.Kids {
		all.WriteString(f.Text(page + 1))
	}
	for _, text := range []string{
		"春眠不觉晓，处处闻啼鸟。", "吾輩は猫である。", "모든 인간은", "😀", "🚀", "Tiếng Việt", "Ελληνικά", "Кириллица", "→ ⇒ ≤ ∑", "bold",
		"use std::collections::HashMap;",
		"The id of the thing, which is unique", "First card", "The caption of the diagram",
		"Image not shown: missing.svg", "An expandable, printed open.",
		"Linux", "Get it", "video: ", "Left column.", "November 1, 2026", "The text of the note.", "\\int_0^\\infty",
		"├── └──", "✓", "Warning",
	} {
		if !strings.Contains(all.String(), text) {
			t.Errorf("the PDF does not say %q", text)
		}
	}
	for _, font := range f.All("/Subtype /CIDFontType2") {
		program := f.Unpacked(f.Pointed(f.Pointed(font, "/FontDescriptor"), "/FontFile2"))
		if !bytes.HasPrefix(program, []byte{0, 1, 0, 0}) {
			t.Errorf("no font program in %.80s", font)
		}
	}
	if got := len(f.All("/Subtype /Image")); got != 3 { // one of them a mask
		t.Errorf("%d images", got)
	}
	if out.Len() > 1<<20 {
		t.Errorf("%d bytes: fonts are embedded whole?", out.Len())
	}
}

// TestBook makes the real book, whole.
func TestBook(t *testing.T) {
	book, source := bookOf(t)
	var out bytes.Buffer
	report, err := pdf.Write(t.Context(), &out, book, source)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "book.pdf", out.Bytes())
	f := pdftest.Read(t, out.Bytes())
	if len(f.Kids) != report.Sheets || report.Sheets < 300 || report.Images < 28 || report.Missing > 0 {
		t.Errorf("%+v, %d pages in the file", report, len(f.Kids))
	}
	links := 0
	for page := range f.Kids {
		inside, _ := f.Links(page + 1) // none leads nowhere
		links += len(inside)
	}
	if links < 130 {
		t.Errorf("%d links within the book", links)
	}
	titles := strings.Join(f.Outline(), "\n")
	for _, page := range book.Pages {
		if !strings.Contains(titles, page.Title) {
			t.Errorf("the outline lacks %q", page.Title)
		}
	}
	var text strings.Builder
	for page := range 12 {
		text.WriteString(f.Text(page + 1))
	}
	if !strings.Contains(text.String(), "The Rust Programming Language") || !strings.Contains(text.String(),
		"has come a long way in a few short years") {
		t.Errorf("the beginning is %.3000q", text.String())
	}
}

// TestMemory holds that a book of over 300 pages with large images fits into 256 MB, whatever GOMEMLIMIT says.
func TestMemory(t *testing.T) {
	book, source := bookOf(t)
	large := drawing(t, 4200, 3600, false) // 15 megapixels, 60 MB when decoded
	for i := range 8 {
		name := "large" + string(rune('a'+i)) + ".png"
		source.images[name] = large
		source.pages[book.Pages[i].ID] += "\n\n![](" + name + ")\n"
	}
	runtime.GC()
	var peak atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), now.Sys-now.HeapReleased))
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	var size counter
	report, err := pdf.Write(t.Context(), &size, book, source)
	close(stop)
	<-stopped
	if err != nil || report.Images < 36 {
		t.Fatalf("%+v, %v", report, err)
	}
	const most = 256 << 20
	if peak.Load() > most {
		t.Errorf("the peak is %d MB", peak.Load()>>20)
	}
	t.Logf("%d pages, %d bytes, %d MB at the peak", report.Sheets, size, peak.Load()>>20)
}

// counter is a writer that only counts.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
