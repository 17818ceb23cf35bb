package fonts

import (
	"math/rand/v2"
	"testing"

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
			if got := read.Glyph(r); got != uint16(want) {
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
			if got := read.Advance(uint16(want)); got < width.Floor()-1 || got > width.Ceil() {
				t.Fatalf("%s: %U is %d wide, want %v", face.Name(), r, got, width)
			}
		}
		if count < 1000 {
			t.Errorf("%s has %d characters", face.Name(), count)
		}
	}
}

func TestPick(t *testing.T) {
	set := NewSet()
	for r, want := range map[rune]Face{
		'a': SansBold, 'é': SansBold, 'Ж': SansBold, 'ế': SansBold, '→': Symbols, '∑': Symbols, '☃': Emoji, '😀': Emoji,
		'✅': Emoji,
		'中': EastAsian, 'の': EastAsian, '한': EastAsian, '。': EastAsian, 'א': Symbols, 0x10FFFD: SansBold,
	} {
		if got := set.Pick(SansBold, r); got != want && !(want == Symbols && got == Sans) {
			t.Errorf("%c is set in %s, want %s", r, got.Name(), want.Name())
		}
	}
	fresh := NewSet()
	fresh.Pick(Sans, 'a')
	fresh.Pick(Sans, 'ü')
	if fresh.fonts[EastAsian] != nil || fresh.fonts[Emoji] != nil {
		t.Error("a text in English reads fonts that it does not need")
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
			glyph := read.Glyph(r)
			read.Advance(glyph)
			glyphs = append(glyphs, glyph)
		}
		if _, err := read.Subset(glyphs); err != nil {
			continue
		}
	}
}
