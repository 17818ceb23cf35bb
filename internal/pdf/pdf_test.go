package pdf_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/markdown"
	"github.com/rectodocs/recto/internal/pdf"
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

func TestEverything(t *testing.T) {
	source := shelf{
		pages:  map[string]string{"intro": "Welcome. See [everything](every#tables) and [the last page](last).\n", "every": everything(t), "last": "The end. Back to [start](intro)."},
		images: map[string][]byte{"diagram.png": drawing(t, 1800, 600, false), "icon.png": drawing(t, 24, 24, true)},
	}
	book := pdf.Book{
		Title: "The Recto manual", Subtitle: "Everything that a page can hold", Notes: []string{"Example organization", "November 20, 2026"}, Language: "en", Created: created,
		Pages: []pdf.Page{
			{ID: "intro", Title: "👋 Introduction"}, {ID: "g", Title: "Reference", Group: true},
			{ID: "every", Title: "Everything", Description: "One of each kind of block, to see them together.", Level: 1}, {ID: "last", Title: "The last page", Level: 1},
		},
	}
	var out bytes.Buffer
	report, err := pdf.Write(t.Context(), &out, book, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v %d bytes", report, out.Len())
	if dir := os.Getenv("PDF_OUT"); dir != "" {
		os.WriteFile(dir+"/every.pdf", out.Bytes(), 0o600)
	}
}
