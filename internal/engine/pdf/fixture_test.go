package pdf_test

import (
	"archive/zip"
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pdf"
)

// shelf is a source of pages in Markdown, by id, and images by the destination that names them.
type shelf struct {
	pages  map[string]string
	images map[string][]byte
}

func (s shelf) Document(_ context.Context, pageID string) (*doc.Document, error) {
	return markdown.Parse([]byte(s.pages[pageID]))
}

func (s shelf) Resolve(_ context.Context, pageID string, ref doc.Ref) pdf.Target {
	if ref.Kind != doc.RefURL {
		return pdf.Target{Title: ref.Destination()}
	}
	if ref.IsExternal() {
		return pdf.Target{URL: ref.URL}
	}
	place, anchor, _ := strings.Cut(ref.URL, "#")
	if place == "" {
		place = pageID
	}
	if _, ok := s.pages[place]; ok {
		return pdf.Target{Page: place, Anchor: anchor, Title: place}
	}
	return pdf.Target{}
}

func (s shelf) Image(_ context.Context, _ string, ref doc.Ref) (io.ReadCloser, error) {
	data, ok := s.images[ref.Destination()]
	if !ok {
		return nil, errs.NotFoundf("no image")
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func drawing(t testing.TB, width, height int, transparent bool) []byte {
	t.Helper()
	pixels := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			alpha := uint8(255)
			if transparent && (x/20+y/20)%2 == 0 {
				alpha = 0
			}
			pixels.Set(x, y, color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 160, alpha})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, pixels); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// everything is a page with every kind of block.
func everything(t testing.TB) string {
	t.Helper()
	source, err := os.ReadFile("testdata/everything.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

var created = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// bookOf reads the real book, in the order of its summary.
func bookOf(t testing.TB) (pdf.Book, shelf) {
	t.Helper()
	archive, err := zip.OpenReader("../../content/importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string]string{}
	source := shelf{pages: map[string]string{}, images: map[string][]byte{}}
	for _, file := range archive.File {
		name, ok := strings.CutPrefix(file.Name, "src/")
		if !ok || strings.HasSuffix(name, "/") {
			continue
		}
		reader, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
		source.images[name] = data
	}
	book := pdf.Book{Title: "The Rust Programming Language", Subtitle: "The whole book", Created: created}
	for line := range strings.SplitSeq(files["SUMMARY.md"], "\n") {
		entry := regexp.MustCompile(`^( *)(?:- )?\[(.*)\]\((.*)\)$`).FindStringSubmatch(line)
		if entry == nil {
			continue
		}
		_, body, _ := strings.Cut(files[entry[3]], "\n") // its first line is its title
		source.pages[entry[3]] = body
		book.Pages = append(book.Pages, pdf.Page{ID: entry[3], Title: strings.ReplaceAll(entry[2], "`", ""),
			Level: len(entry[1]) / 2})
	}
	return book, source
}
