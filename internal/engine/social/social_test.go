package social

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"
)

// cards are pictures of texts in several scripts, and of what nobody should write.
var cards = map[string]Card{
	"plain": {Site: "Handbook", Title: "Install Recto", Mark: "H",
		Description: "Two commands do all set-up on a fresh machine."},
	"nothing": {},
	"long": {Site: "The handbook of everything that anybody has ever asked about the machines of the department",
		Title:       strings.Repeat("A title that goes on, ", 30),
		Description: strings.Repeat("Words about the page that do not end where they should. ", 40), Mark: "T"},
	"arabic": {Site: "دليل المستخدم", Title: "تثبيت البرنامج على لينكس (Debian 12) خطوة بخطوة",
		Description: "أمران فقط يكفيان لإعداد كل شيء على جهاز جديد.", Mark: "د", Language: "ar"},
	"hebrew": {Site: "המדריך", Title: "התקנת התוכנה", Description: "שתי פקודות.", Mark: "ה", Language: "he"},
	"chinese": {Site: "用户手册", Title: "在全新的服务器上安装并发布您的第一个文档站点，无需任何其他软件",
		Description: "两条命令即可完成所有设置。", Mark: "用", Language: "zh"},
	"hindi": {Site: "पुस्तिका", Title: "हिन्दी में शीर्षक", Description: "विवरण", Mark: "प", Language: "hi"},
	"emoji": {Site: "Rockets", Title: "Launch 🚀 with `code`", Description: "👩‍💻 and ✅", Mark: "🚀"},
	"hostile": {Site: "a\x00b\u202Ec", Title: strings.Repeat("W", 10_000), Mark: "\x00",
		Description: strings.Repeat("\u202E\x07\u0301ש", 5000)},
	"marks": {Site: "z", Title: "e" + strings.Repeat("\u0301", 9999), Description: "\xff\xfe", Mark: "e\u0301"},
	"blank": {Title: strings.Repeat("\u00a0 \n", 10_000), Mark: "x"},
}

func drawn(t *testing.T, card Card) image.Image {
	t.Helper()
	card.Fill, card.Ink = color.RGBA{0x2f, 0x55, 0xd4, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}
	data, err := Draw(t.Context(), card)
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("RECTO_SOCIAL_PICTURES"); folder != "" {
		if err := os.WriteFile(folder+"/"+strings.ReplaceAll(t.Name(), "/", "-")+".png", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(data) > 200_000 {
		t.Errorf("the picture has %d bytes", len(data))
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// inked returns the box around all pixels of an area that are as dark as text.
func inked(picture image.Image, area image.Rectangle) image.Rectangle {
	var found image.Rectangle
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r+g+b < 3*0x9000 {
				found = found.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return found
}

// below is the picture without the mark and the stripe.
var below = image.Rect(0, markTop+markSize+6, Width, Height-stripe)

// TestPictures holds that every card comes to a picture of the right size soon, with its text within the margins.
func TestPictures(t *testing.T) {
	for name, card := range cards {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			picture := drawn(t, card)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if got := picture.Bounds(); got != image.Rect(0, 0, Width, Height) {
				t.Fatalf("the picture is %v", got)
			}
			text := inked(picture, below)
			if strings.TrimSpace(card.Title) == "" {
				if !text.Empty() {
					t.Errorf("no text stands at %v", text)
				}
				return
			}
			if text.Empty() {
				t.Fatal("there is no text")
			}
			within := image.Rect(margin-12, below.Min.Y+1, Width-margin+12, below.Max.Y-20)
			if !text.In(within) {
				t.Errorf("text stands at %v, which is not within %v", text, within)
			}
		})
	}
}

// TestDirection holds that text and mark stand where reading begins.
func TestDirection(t *testing.T) {
	left, right := drawn(t, cards["plain"]), drawn(t, cards["hebrew"])
	if text := inked(left, below); text.Min.X > margin+12 {
		t.Errorf("text in English begins at %d", text.Min.X)
	}
	if text := inked(right, below); text.Max.X < Width-margin-12 {
		t.Errorf("text in Hebrew begins at %d", text.Max.X)
	}
	fill := color.RGBA{0x2f, 0x55, 0xd4, 0xff}
	for picture, at := range map[image.Image]int{left: margin + 5, right: Width - margin - 5} {
		if got := color.RGBAModel.Convert(picture.At(at, markTop+markSize/2)); got != fill {
			t.Errorf("the mark is not at %d: %v", at, got)
		}
	}
}

// TestTexts holds that each text is drawn: another one makes another picture.
func TestTexts(t *testing.T) {
	base := Card{Site: "Handbook", Title: "Install", Description: "Text.", Mark: "H", Fill: strong, Ink: paper}
	draw := func(card Card) string {
		data, err := Draw(t.Context(), card)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	plain := draw(base)
	for name, change := range map[string]func(*Card){
		"site": func(c *Card) { c.Site = "Other" }, "title": func(c *Card) { c.Title = "Remove" },
		"description": func(c *Card) { c.Description = "More." }, "mark": func(c *Card) { c.Mark = "X" },
		"fill": func(c *Card) { c.Fill = muted },
	} {
		card := base
		change(&card)
		if draw(card) == plain {
			t.Errorf("another %s makes the same picture", name)
		}
	}
	if draw(base) != plain {
		t.Error("the same card makes two pictures")
	}
}

func TestTidy(t *testing.T) {
	for text, want := range map[string]string{
		"  a\n\tb\x00c ":                  "a bc",
		"\u202Eabc\u202C\u2066d":          "abcd",
		strings.Repeat("x", 30):           strings.Repeat("x", 10) + "…",
		"\xff\xfea":                       "a",
		"e" + strings.Repeat("\u0301", 8): "e" + strings.Repeat("\u0301", 5),
	} {
		if got := tidy(text, 10); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestDrawingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Draw(ctx, cards["plain"]); err == nil {
		t.Error("a picture that nobody waits for is drawn")
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, name := range []string{"plain", "arabic", "chinese", "hostile"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Draw(b.Context(), cards[name]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
