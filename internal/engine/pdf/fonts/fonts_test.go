package fonts

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	gotext "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/rectodocs/recto/internal/engine/pdf/truetype"
)

func bytesOf(t *testing.T, face Face) []byte {
	t.Helper()
	packed, err := files.ReadFile("files/" + face.Name() + ".ttf.zst")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	data, err := reader.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFaces holds every face against another reader of fonts: the same glyph and the same width for every character.
func TestFaces(t *testing.T) {
	set := NewSet()
	for face := range faceCount {
		read := set.Font(face)
		other, err := sfnt.Parse(bytesOf(t, face))
		if err != nil {
			t.Fatalf("%s: %v", face.Name(), err)
		}
		var buffer sfnt.Buffer
		count := 0
		for r := rune(0x20); r < 0x30000; r++ {
			want, err := other.GlyphIndex(&buffer, r)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := read.Face.NominalGlyph(r); uint16(got) != uint16(want) {
				t.Fatalf("%s: glyph of %U is %d, want %d", face.Name(), r, got, want)
			}
			if want == 0 {
				continue
			}
			count++
			width, err := other.GlyphAdvance(&buffer, want, fixed.I(1000), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			if got := read.Advance(uint16(want)); got < width.Floor() || got > width.Ceil() {
				t.Fatalf("%s: %U is %d wide, want %v", face.Name(), r, got, width)
			}
		}
		least := 1000
		if face >= Arabic {
			least = 70 // a script
		}
		if count < least {
			t.Errorf("%s has %d characters", face.Name(), count)
		}
	}
}

func TestPick(t *testing.T) {
	set := NewSet()
	for r, want := range map[rune]Face{
		'a': SansBold, 'é': SansBold, 'Ж': SansBold, 'ế': SansBold, '→': Symbols, '∑': Symbols, '☃': Emoji, '😀': Emoji,
		'✅': Emoji,
		'中': EastAsian, 'の': EastAsian, '한': EastAsian, '。': EastAsian, 0x10FFFD: SansBold,
		'א': HebrewBold, 'ب': ArabicBold, 'ﷺ': ArabicBold, 'क': DevanagariBold, '।': DevanagariBold, 'ก': ThaiBold,
		'ক': Bengali,
		'த': Tamil, 'ລ': Lao, 'ខ': Khmer, 'မ': Myanmar, 'ა': Symbols, 'Ա': Symbols,
	} {
		if got := set.Pick(SansBold, SansBold, r); got != want && !(want == Symbols && got == Sans) {
			t.Errorf("%c is set in %s, want %s", r, got.Name(), want.Name())
		}
	}
	for asked, want := range map[Face]Face{
		Sans: Devanagari, SansItalic: Devanagari, Mono: Devanagari, MonoBold: DevanagariBold,
	} {
		if got := set.Pick(asked, asked, 'क'); got != want {
			t.Errorf("Devanagari where %s is asked for is set in %s", asked.Name(), got.Name())
		}
	}
	for text, want := range map[string]Face{
		"e\u0301": Sans, "1\uFE0F\u20E3": Emoji, "❤\uFE0F": Emoji, "👩\u200D💻": Emoji,
		"कि": Devanagari, "क\u0301": Devanagari,
	} {
		if got := set.PickAll(Sans, Sans, []rune(text)); got != want {
			t.Errorf("%q is set in %s, want %s", text, got.Name(), want.Name())
		}
	}
	// What several scripts share goes with the script that is there.
	if got := set.Pick(Sans, Bengali, '।'); got != Bengali {
		t.Errorf("a full stop in Bengali is set in %s", got.Name())
	}
	if got := set.Pick(Sans, Arabic, '«'); got != Sans {
		t.Errorf("a quotation mark in Arabic is set in %s", got.Name())
	}
	fresh := NewSet()
	fresh.Pick(Sans, Sans, 'a')
	fresh.Pick(Sans, Sans, 'ü')
	if fresh.fonts[EastAsian] != nil || fresh.fonts[Emoji] != nil {
		t.Error("a text in English reads fonts that it does not need")
	}
}

// TestSubset holds that cut fonts draw each glyph as it was drawn, also those that no character has by itself.
func TestSubset(t *testing.T) {
	set := NewSet()
	for _, face := range []Face{Sans, Arabic, Hebrew, Devanagari, Thai, Khmer} {
		whole, err := gotext.ParseTTF(bytes.NewReader(bytesOf(t, face)))
		if err != nil {
			t.Fatal(err)
		}
		glyphs := []uint16{0}
		for glyph := uint16(1); ; glyph += 3 {
			if _, ok := whole.GlyphDataOutline(gotext.GID(glyph)); !ok {
				break
			}
			glyphs = append(glyphs, glyph)
		}
		data, err := set.Font(face).Subset(glyphs)
		if err != nil {
			t.Fatal(err)
		}
		loader, err := opentype.NewLoader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		// A map of characters, which the reader wants and a PDF does not need.
		cmap := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0}
		tables := []opentype.Table{{Tag: opentype.MustNewTag("cmap"), Content: cmap}}
		for _, tag := range loader.Tables() {
			content, err := loader.RawTable(tag)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, opentype.Table{Tag: tag, Content: content})
		}
		cut, err := gotext.ParseTTF(bytes.NewReader(opentype.WriteTTF(tables)))
		if err != nil {
			t.Fatalf("%s: %v", face.Name(), err)
		}
		drawn := 0
		for i, glyph := range glyphs {
			want, _ := whole.GlyphDataOutline(gotext.GID(glyph))
			got, ok := cut.GlyphDataOutline(gotext.GID(i))
			if !ok || !slices.Equal(got.Segments, want.Segments) ||
				cut.HorizontalAdvance(gotext.GID(i)) != whole.HorizontalAdvance(gotext.GID(glyph)) {
				t.Fatalf("%s: glyph %d is another one when it is cut", face.Name(), glyph)
			}
			drawn += min(len(want.Segments), 1)
		}
		if drawn < 20 {
			t.Errorf("%s: %d glyphs are drawn", face.Name(), drawn)
		}
	}
}

// TestBroken holds that no change of a font's bytes makes reading it panic.
func TestBroken(t *testing.T) {
	whole := bytesOf(t, Mono)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := append([]byte(nil), whole...)
		for range 1 + random.IntN(8) {
			data[random.IntN(min(len(data), 4000))] = byte(random.Uint32())
		}
		data = data[:len(data)-random.IntN(len(data))*random.IntN(2)]
		read, err := truetype.Parse(data)
		if err != nil {
			continue
		}
		var glyphs []uint16
		for r := rune(0x20); r < 0x180; r++ {
			glyph, _ := read.Face.NominalGlyph(r)
			read.Advance(uint16(glyph))
			glyphs = append(glyphs, uint16(glyph))
		}
		if _, err := read.Subset(glyphs); err != nil {
			continue
		}
	}
}
