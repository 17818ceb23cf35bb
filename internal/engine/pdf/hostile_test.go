package pdf_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// bomb is a PNG that claims to be huge.
func bomb() []byte {
	header := append([]byte("IHDR"), 0, 0, 0x70, 0, 0, 0, 0x70, 0, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(header))
}

func one(markdown string, images map[string][]byte) (pdf.Book, shelf) {
	return pdf.Book{Title: "Book", Created: created, Pages: []pdf.Page{{ID: "page", Title: "The page"}}},
		shelf{pages: map[string]string{"page": markdown}, images: images}
}

// TestHostile holds that content of any form gives a PDF, or an error that names the page.
func TestHostile(t *testing.T) {
	wide := "| " + strings.Repeat("column with words | ", 60) + "\n|" + strings.Repeat(" --- |", 60) + "\n" +
		strings.Repeat("| "+strings.Repeat("cell | ", 60)+"\n", 20)
	tall := "| a | b |\n| --- | --- |\n| " + strings.Repeat("many words ", 4000) + " | short |\n"
	for name, markdown := range map[string]string{
		"nothing":       "",
		"one long word": strings.Repeat("x", 100_000),
		"invisible":     strings.Repeat("\u200d\ufe0f\u200b", 5000),
		"control":       "a\x01\x02\x7f\u0085b",
		"private use":   "\ue000\U000f0000\U0010fffd",
		"right to left": "שלום עולם, مرحبا بالعالم",
		"deep lists": func() string {
			var b strings.Builder
			for i := range 40 {
				fmt.Fprintf(&b, "%s* x\n", strings.Repeat("  ", i))
			}
			return b.String()
		}(),
		"deep quotes":    strings.Repeat("> ", 60) + "x",
		"wide table":     wide,
		"tall row":       tall,
		"long code":      "```go\n" + strings.Repeat("x := 1 // y\n", 3000) + "```\n",
		"long line":      "```\n" + strings.Repeat("abc ", 20_000) + "\n```\n",
		"all headings":   strings.Repeat("# H\n\n", 500),
		"many notes":     strings.Repeat("a[^1] ", 50) + "\n\n[^1]: note[^1]\n",
		"raw":            "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n<img>\n",
		"broken images":  "![](bomb.png)\n\n![](cut.png)\n\n![](text.png)\n\n![](empty.png)\n",
		"strange images": "<figure><img src=\"cut.png\" width=\"99999999\" alt=\"\"></figure>",
	} {
		t.Run(name, func(t *testing.T) {
			whole := drawing(t, 300, 200, false)
			book, source := one(markdown, map[string][]byte{"bomb.png": bomb(), "cut.png": whole[:len(whole)/2],
				"text.png": []byte("hello"), "empty.png": {}})
			var out bytes.Buffer
			report, err := pdf.Write(t.Context(), &out, book, source)
			if err != nil {
				t.Fatal(err)
			}
			if f := pdftest.Read(t, out.Bytes()); len(f.Kids) != report.Sheets || report.Sheets < 2 &&
				name != "nothing" {
				t.Errorf("%+v, %d pages", report, len(f.Kids))
			}
			if bytes.Contains(out.Bytes(), []byte("/JavaScript")) || report.Images != 0 {
				t.Errorf("%+v", report)
			}
			keep(t, strings.ReplaceAll(name, " ", "-")+".pdf", out.Bytes())
		})
	}
}

// TestLimits holds that every limit refuses with the name of the page.
func TestLimits(t *testing.T) {
	table := "| a | b |\n| --- | --- |\n" + strings.Repeat("| 1 | 2 |\n", 30)
	for name, test := range map[string]struct {
		markdown string
		limits   pdf.Limits
	}{
		"sheets": {strings.Repeat("Text.\n\n", 500), pdf.Limits{Sheets: 3}},
		"cells":  {table, pdf.Limits{Cells: 10}},
		"nodes":  {strings.Repeat("Text.\n\n", 500), pdf.Limits{Nodes: 100}},
		"depth":  {strings.Repeat("> ", 20) + "x", pdf.Limits{Depth: 10}},
	} {
		book, source := one(test.markdown, nil)
		book.Limits = test.limits
		_, err := pdf.Write(t.Context(), io.Discard, book, source)
		if !errs.Is(err, errs.TooLarge) || !strings.Contains(err.Error(), "The page") {
			t.Errorf("%s: %v", name, err)
		}
	}
	book, source := one("![](a.png)\n\n![](b.png)\n", map[string][]byte{"a.png": drawing(t, 40, 40, false),
		"b.png": drawing(t, 40, 40, false)})
	for name, limits := range map[string]pdf.Limits{"bytes": {ImageBytes: 10}, "pixels": {ImagePixels: 100}} {
		book.Limits = limits
		if report, err := pdf.Write(t.Context(), io.Discard, book, source); err != nil || report.Missing != 2 {
			t.Errorf("%s of images: %+v, %v", name, report, err)
		}
	}
	book.Limits = pdf.Limits{Images: 1}
	if report, err := pdf.Write(t.Context(), io.Discard, book, source); err != nil || report.Images != 1 ||
		report.Missing != 1 {
		t.Errorf("number of images: %+v, %v", report, err)
	}
}

// trouble is a source that fails.
type trouble struct {
	shelf
	fail func() error
}

func (s trouble) Document(context.Context, string) (*doc.Document, error) { return nil, s.fail() }

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFailures holds that a failure ends in an error, never in a panic.
func TestFailures(t *testing.T) {
	book, source := one("Text.", nil)
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("the disk is gone") },
		"panic": func() error { panic("the disk is gone") },
	} {
		_, err := pdf.Write(t.Context(), io.Discard, book, trouble{source, fail})
		if err == nil || !strings.Contains(err.Error(), "The page") || !strings.Contains(err.Error(),
			"the disk is gone") {
			t.Errorf("%s: %v", name, err)
		}
	}
	long, longSource := one(strings.Repeat("Text.\n\n", 20_000), nil)
	if _, err := pdf.Write(t.Context(), fullDisk{}, long, longSource); err == nil || !strings.Contains(err.Error(),
		"no space left") {
		t.Errorf("a full disk: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pdf.Write(ended, io.Discard, book, source); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// TestKitchen makes a PDF of the page with which package render shows every block and inline.
func TestKitchen(t *testing.T) {
	source, err := os.ReadFile("../render/testdata/kitchen.md")
	if err != nil {
		t.Fatal(err)
	}
	book, pages := one(string(source), nil)
	var out bytes.Buffer
	report, err := pdf.Write(t.Context(), &out, book, pages)
	if err != nil || report.Sheets < 4 {
		t.Fatalf("%+v, %v", report, err)
	}
	keep(t, "kitchen.pdf", out.Bytes())
	pdftest.Read(t, out.Bytes())
}

// TestDirection holds that what is written from right to left stands so on paper.
func TestDirection(t *testing.T) {
	book, source := one("The word שלום means peace.\n\nשלום **עולם**!\n", nil)
	var out bytes.Buffer
	if _, err := pdf.Write(t.Context(), &out, book, source); err != nil {
		t.Fatal(err)
	}
	got := pdftest.Read(t, out.Bytes()).Text(2)
	for _, want := range []string{"The word םולש means peace.", "!םלוע םולש"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
