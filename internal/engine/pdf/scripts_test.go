package pdf_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// inScript makes a PDF of a page of testdata in one of the scripts whose letters depend on their neighbours. Its third
// sheet is the page.
func inScript(t *testing.T, name, title string) (*pdftest.File, []byte) {
	t.Helper()
	markdown, err := os.ReadFile("testdata/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	book, source := one(string(markdown), nil)
	book.Title, book.Pages[0].Title = title, title
	var out bytes.Buffer
	if _, err := pdf.Write(t.Context(), &out, book, source); err != nil {
		t.Fatal(err)
	}
	keep(t, name+".pdf", out.Bytes())
	return pdftest.Read(t, out.Bytes()), out.Bytes()
}

// TestScripts holds that pages in these scripts say what they say, in the order in which it stands, with a glyph for
// every character.
func TestScripts(t *testing.T) {
	for name, test := range map[string]struct {
		title       string
		rightToLeft bool
		says        []string
	}{
		"arabic": {"دليل ريكتو", true, []string{
			"عيرسلا ءدبلا", "مداخلا", "recto serve --listen :8080", "نصية", "2026", "٢٠٢٦", "fmt.Println",
		}},
		"hebrew": {"המדריך", true, []string{"הריהמ הלחתה", "לאמשל ןימימ", "Markdown", "recto export", "34"}},
		"hindi": {"मार्गदर्शिका", false, []string{
			"मार्गदर्शिका में आपका स्वागत है।", "क्ष, त्र, ज्ञ", "कि, की, कु",
			"विद्यार्थी, राष्ट्रीय", "फ़ोल्डर या Git", "१२",
		}},
		"thai": {"คู่มือ", false, []string{
			"ผู้ใหญ่ เก้าอี้ ปี่ ฟ้า ญี่ปุ่น", "เริ่มต้นอย่างรวดเร็ว", "ที่ นี่ ยิ่ง ซื้อ มื้อ ชั้น", "๑๒",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f, file := inScript(t, name, test.title)
			text := f.Text(3)
			for _, want := range test.says {
				if reversed := backwards(want); !strings.Contains(text, want) && !strings.Contains(text, reversed) {
					t.Errorf("the page does not say %q: %q", want, text)
				}
			}
			if strings.Contains(text, "\uFFFD") {
				t.Errorf("characters are missing: %q", text)
			}
			if got := bytes.Contains(file, []byte("/Direction /R2L")); got != test.rightToLeft {
				t.Errorf("read from right to left: %t", got)
			}
			if len(file) > 64<<10 {
				t.Errorf("%d bytes: fonts are embedded whole?", len(file))
			}
		})
	}
}

// TestNoLetters holds that a book that leaves open how it runs does as its language.
func TestNoLetters(t *testing.T) {
	for language, want := range map[string]bool{"": false, "en": false, "he": true} {
		book, source := one("1. 2\n", nil)
		book.Title, book.Pages[0].Title, book.Language = "2026", "2026", language
		var out bytes.Buffer
		if _, err := pdf.Write(t.Context(), &out, book, source); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(out.Bytes(), []byte("/Direction /R2L")); got != want {
			t.Errorf("a book in %q runs from right to left: %t", language, got)
		}
	}
}

// backwards is a text in the order in which it stands when it is written from right to left.
func backwards(text string) string {
	characters := []rune(text)
	slices.Reverse(characters)
	return string(characters)
}

// TestMirrored holds that a page that is written from right to left stands so: text begins at the right, tables and
// lists with it, but code does not.
func TestMirrored(t *testing.T) {
	const sheet = 595.28
	f, _ := inScript(t, "hebrew", "המדריך")
	at := func(text string) pdftest.Shown {
		t.Helper()
		for _, each := range f.Shown(3) {
			if strings.Contains(each.Text, text) {
				return each
			}
		}
		t.Fatalf("%q is nowhere", text)
		return pdftest.Shown{}
	}
	if heading := at("הריהמ"); heading.X < sheet/2 {
		t.Errorf("a heading begins at %v", heading.X)
	}
	if bullet, item := at("•"), at("המישר"); bullet.X < item.X || bullet.Y != item.Y {
		t.Errorf("the sign of an item is at %v, its text at %v", bullet, item)
	}
	if first, second, third := at("הדוקפ"), at("רואית"), at("תומכ"); !(first.X > second.X && second.X > third.X) ||
		first.Y != second.Y && second.Y != third.Y {
		t.Errorf("the columns of a table are at %v, %v and %v", first.X, second.X, third.X)
	}
	if code := at("fmt."); code.X > 80 {
		t.Errorf("code begins at %v", code.X)
	}
	// The number of the sheet is at the other side, at the left.
	if !slices.Contains(f.Shown(3), pdftest.Shown{Text: "1", X: 62, Y: 38}) {
		t.Error("the number of the sheet is not at the left of its foot")
	}
	english, source := one("The end.\n\n* One\n", nil)
	var out bytes.Buffer
	if _, err := pdf.Write(t.Context(), &out, english, source); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(pdftest.Read(t, out.Bytes()).Shown(2), pdftest.Shown{Text: "The end.", X: 62, Y: 706.89}) {
		t.Errorf("English does not begin at the left: %v", pdftest.Read(t, out.Bytes()).Shown(2))
	}
}
