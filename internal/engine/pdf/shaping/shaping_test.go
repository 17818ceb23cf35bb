package shaping

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-text/typesetting/language"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

func described(run Run) string {
	var parts []string
	for _, glyph := range run.Glyphs {
		part := fmt.Sprintf("%d=%d", glyph.ID, glyph.Cluster)
		if glyph.X != 0 || glyph.Y != 0 {
			part += fmt.Sprintf("@%d,%d", glyph.X, glyph.Y)
		}
		parts = append(parts, part+fmt.Sprintf("+%d", glyph.Advance))
	}
	return strings.Join(parts, "|")
}

// TestHarfBuzz holds the glyphs of words in every script that has a font of its own against what HarfBuzz makes of them
// with the same fonts: which glyphs, in which order, where.
func TestHarfBuzz(t *testing.T) {
	golden, err := os.ReadFile("testdata/harfbuzz.txt")
	if err != nil {
		t.Fatal(err)
	}
	faces := map[string]fonts.Face{}
	set := fonts.NewSet()
	shaper := New(set, "")
	for face := fonts.Arabic; face <= fonts.Myanmar; face++ {
		faces[face.Name()] = face
	}
	seen := map[fonts.Face]bool{}
	for line := range strings.Lines(string(golden)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		text := []rune(strings.NewReplacer(`\u200c`, "\u200c", `\u200d`, "\u200d").Replace(fields[3]))
		script, err := language.ParseScript(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		face := faces["NotoSans"+fields[0]+"-Regular"]
		run := shaper.shape(text, 0, len(text), word{face: face, script: script, rightToLeft: fields[2] == "rtl"})
		if got := described(run); got != fields[4] {
			t.Errorf("%s %q\n got %s\nwant %s", fields[0], string(text), got, fields[4])
		}
		var said []string
		for characters := range run.Clusters() {
			said = append(said, string(characters))
		}
		if run.RightToLeft {
			slices.Reverse(said)
		}
		if got := strings.Join(said, ""); got != string(text) {
			t.Errorf("the glyphs of %q say %q", string(text), got)
		}
		seen[face] = true
	}
	if len(seen) != 16 {
		t.Errorf("%d scripts", len(seen))
	}
}

// line is a paragraph as it stands, "↵" where a line ends, "□" for what is no text.
func line(t *testing.T, rightToLeft bool, spans ...Span) string {
	t.Helper()
	var out strings.Builder
	pieces := New(fonts.NewSet(), "").Pieces(spans, rightToLeft)
	for len(pieces) > 0 {
		end := slices.IndexFunc(pieces, func(p Piece) bool { return p.Newline })
		if end < 0 {
			end = len(pieces)
		}
		Visual(pieces[:end], func(p Piece) int8 { return p.Level })
		for _, p := range pieces[:end] {
			if spans[p.Span].Object {
				out.WriteString("□")
				continue
			}
			for characters := range p.Clusters() {
				out.WriteString(string(characters))
			}
		}
		if end < len(pieces) {
			out.WriteString("↵")
			end++
		}
		pieces = pieces[end:]
	}
	return out.String()
}

// TestOrder holds the order in which text in both directions stands.
func TestOrder(t *testing.T) {
	plain := func(text string) Span { return Span{Text: text} }
	code := func(text string) Span { return Span{Text: text, Face: fonts.Mono, Code: true} }
	for name, test := range map[string]struct {
		rightToLeft bool
		spans       []Span
		want        string
	}{
		"a word in English":    {false, []Span{plain("The word שלום means peace.")}, "The word םולש means peace."},
		"a sentence by itself": {false, []Span{plain("שלום עולם!")}, "!םלוע םולש"},
		"spans": {
			false, []Span{plain("שלום "), {Text: "עולם", Face: fonts.SansBold}, plain("!")}, "!םלוע םולש",
		},
		"a number":           {true, []Span{plain("שנת 2026 היא")}, "איה 2026 תנש"},
		"English first":      {true, []Span{plain("Git הוא כלי.")}, ".ילכ אוה Git"},
		"English alone":      {true, []Span{plain("Hello, world!")}, "Hello, world!"},
		"brackets":           {true, []Span{plain("א (ב) ג")}, "ג )ב( א"},
		"a number of a list": {true, []Span{plain("1.")}, ".1"},
		"code ends with a sign": {
			true, []Span{plain("הפקודה "), code("cmd --all="), plain(" רצה")}, "הצר cmd --all= הדוקפה",
		},
		"strings in code":           {false, []Span{code("f("), code(`"שלום"`), code(", 42)")}, `f("םולש", 42)`},
		"a picture":                 {true, []Span{plain("א"), {Object: true}, plain("ב")}, "ב□א"},
		"an override":               {false, []Span{plain("\u202Eabc\u202C")}, "cba"},
		"lines are paragraphs":      {false, []Span{plain("abc\nשלום!")}, "abc↵!םולש"},
		"controls and soft hyphens": {false, []Span{plain("a\x00b\u00ADc\r")}, "abc"},
	} {
		got := line(t, test.rightToLeft, test.spans...)
		if got = strings.NewReplacer("\u202E", "", "\u202C", "").Replace(got); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestBreaks holds where lines may end.
func TestBreaks(t *testing.T) {
	for text, want := range map[string]string{
		"Two words":                   "Two| |words",
		"non\u00A0breaking":           "non\u00A0breaking",
		"well-known e-mail -l --all":  "well-|known| |e-mail| |-l| |--all",
		"https://example.org/a/long":  "https://|example.|org/|a/|long",
		"/usr/bin":                    "/usr/|bin",
		"internal.engine.pdf_shaping": "internal.|engine.pdf_|shaping",
		"中文，字。":                       "中|文，|字。",
		"「引」":                         "「引」",
		"한국어 글":                       "한|국|어| |글",
		"zero\u200bwidth":             "zero|\u200b|width",
		"แปลเป็นภาษาไทย": "แปล|เป็นภาษา|ไทย",
		"น้ำตก":                        "น้ำ|ตก",
		"คำและประเทศ":                  "คำ|และ|ประ|เทศ",
		"ພາສາລາວແລະໄທ":                 "ພາສາລາວ|ແລະ|ໄທ",
		"हिन्दी":                       "हिन्दी",
		"👩\u200D💻👨\u200D👩\u200D👧 🇩🇪🇫🇷": "👩\u200D💻|👨\u200D👩\u200D👧| |🇩🇪|🇫🇷",
	} {
		var parts []string
		for _, p := range New(fonts.NewSet(), "").Pieces([]Span{{Text: text}}, false) {
			if said := string(p.Text); p.MayBreak || p.Space || len(parts) == 0 {
				parts = append(parts, said)
			} else {
				parts[len(parts)-1] += said
			}
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q breaks as %q, want %q", text, got, want)
		}
	}
}

// TestJoining holds that letters join across the end of a span, and across where a line may end.
func TestJoining(t *testing.T) {
	set := fonts.NewSet()
	shaper := New(set, "ar")
	whole := slices.Clone(shaper.Pieces([]Span{{Text: "بيت"}}, true))
	parts := shaper.Pieces([]Span{{Text: "بي"}, {Text: "ت"}}, true)
	if len(whole) != 1 || len(parts) != 2 {
		t.Fatalf("%d and %d pieces", len(whole), len(parts))
	}
	var glyphs []uint16
	for _, p := range []Piece{parts[1], parts[0]} {
		for _, glyph := range p.Glyphs {
			glyphs = append(glyphs, glyph.ID)
		}
	}
	var want []uint16
	for _, glyph := range whole[0].Glyphs {
		want = append(want, glyph.ID)
	}
	if !slices.Equal(glyphs, want) {
		t.Errorf("glyphs %v in two spans, %v in one", glyphs, want)
	}
	alone, _ := set.Font(fonts.Arabic).Face.NominalGlyph('ب')
	if want[len(want)-1] == uint16(alone) {
		t.Error("the first letter stands by itself")
	}
}

// TestCut holds that a word is cut between what is read as characters, whatever the font makes of them.
func TestCut(t *testing.T) {
	shaper := New(fonts.NewSet(), "")
	for _, text := range []string{"abcdefgh", "हिन्दीमेंविद्यार्थी", "น้ำผู้ใหญ่ญี่ปุ่น", "مُحَمَّدوكِتَابٌ"} {
		piece := shaper.Pieces([]Span{{Text: text}}, false)[0]
		shaper.breaks.Init(piece.Text)
		begins := map[int]bool{len(piece.Text): true}
		for characters := shaper.breaks.GraphemeIterator(); characters.Next(); {
			begins[characters.Grapheme().Offset] = true
		}
		for width := 0; width < piece.Width; width += 50 {
			head, tail, ok := shaper.Cut(piece, width, false)
			if !ok {
				continue
			}
			if string(head.Text)+string(tail.Text) != string(piece.Text) || !begins[len(head.Text)] {
				t.Errorf("%q at %d: %q and %q", text, width, string(head.Text), string(tail.Text))
			}
			if head.Width > width {
				t.Errorf("%q at %d: the first part is %d wide", text, width, head.Width)
			}
		}
		if head, _, ok := shaper.Cut(piece, 0, true); !ok || len(head.Text) == 0 {
			t.Errorf("%q is not cut by force", text)
		}
	}
}

// TestHostile holds that no text takes long, or breaks anything.
func TestHostile(t *testing.T) {
	shaper := New(fonts.NewSet(), "")
	const n = 100_000
	for name, text := range map[string]string{
		"isolates":        strings.Repeat("\u2067", n) + "א",
		"embeddings":      strings.Repeat("\u202Ba\u202A", n/2),
		"brackets":        "א" + strings.Repeat("(", n) + strings.Repeat(")", n),
		"marks":           "a" + strings.Repeat("\u0301", n),
		"viramas":         strings.Repeat("क्", n),
		"matras":          strings.Repeat("ि", n),
		"joiners":         strings.Repeat("क\u200d", n),
		"flags":           strings.Repeat("🇩", n),
		"one word":        strings.Repeat("ب", n),
		"many scripts":    strings.Repeat("aאकกবਕકକதతಕകකລខမ中", n/16),
		"turning":         strings.Repeat("aא1", n/3),
		"private use":     strings.Repeat("\U000F0000\uE000", n/2),
		"noncharacters":   strings.Repeat("\uFFFE\uFFFF", n/2),
		"no text":         strings.Repeat("\x00\u00AD", n),
		"broken encoding": strings.Repeat("\xff\xfe", n),
	} {
		start := time.Now()
		total := 0
		for _, rightToLeft := range []bool{false, true} {
			for _, p := range shaper.Pieces([]Span{{Text: text}}, rightToLeft) {
				total += len(p.Text)
				if len(p.Text) > longest {
					t.Fatalf("%s: a piece of %d characters", name, len(p.Text))
				}
				for _, glyph := range p.Glyphs {
					if int(glyph.Cluster) >= len(p.Text) {
						t.Fatalf("%s: a glyph of character %d of %d", name, glyph.Cluster, len(p.Text))
					}
				}
			}
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s takes %s", name, took)
		}
		t.Logf("%s: %d characters in %s", name, total, time.Since(start))
	}
}
