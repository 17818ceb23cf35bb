package output

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

// face is a font as far as the file has used it. Glyphs are numbered in the order of their first use; 0 is the box for
// missing characters.
type face struct {
	index   int
	glyphs  []uint16
	texts   []string
	numbers map[rune]uint16
}

// Glyphs returns the operands that show a text, which has to be all of one face: the name of the font, and the string.
func (f *File) Glyphs(id fonts.Face, text string) (name, operand string) {
	used := f.faces[id]
	if used == nil {
		used = &face{index: len(f.faceOrder), glyphs: []uint16{0}, texts: []string{""}, numbers: map[rune]uint16{}}
		f.faces[id] = used
		f.faceOrder = append(f.faceOrder, id)
	}
	var b strings.Builder
	b.WriteByte('<')
	for _, r := range text {
		number, known := used.numbers[r]
		if !known {
			number = uint16(len(used.glyphs))
			if len(used.glyphs) == 0xFFFF {
				number = 0 // more characters than a font can have
			} else {
				used.glyphs = append(used.glyphs, f.set.Font(id).Glyph(r))
				used.texts = append(used.texts, string(r))
				used.numbers[r] = number
			}
		}
		fmt.Fprintf(&b, "%04X", number)
	}
	b.WriteByte('>')
	return fmt.Sprintf("F%d", used.index), b.String()
}

// writeFace writes a font with the glyphs that were used, how wide they are, and which characters they show, so that
// text can be copied and searched.
func (f *File) writeFace(id fonts.Face) (int, error) {
	used, font := f.faces[id], f.set.Font(id)
	data, err := font.Subset(used.glyphs)
	if err != nil {
		return 0, fmt.Errorf("cut font %s: %w", id.Name(), err)
	}
	number, descendant, descriptor, file, unicode := f.reserve(), f.reserve(), f.reserve(), f.reserve(), f.reserve()
	name := fmt.Sprintf("%s+%s", subsetTag(used.index), id.Name())
	f.object(number, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H "+
		"/DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>",
		name, descendant, unicode))
	var widths strings.Builder
	for _, glyph := range used.glyphs {
		fmt.Fprintf(&widths, "%d ", font.Advance(glyph))
	}
	f.object(descendant, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << "+
		"/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /DW "+
		"1000 /W [0 [%s]] >>",
		name, descriptor, widths.String()))
	flags, angle := 4, 0
	switch id {
	case fonts.Mono, fonts.MonoBold:
		flags |= 1
	case fonts.MonoItalic:
		flags, angle = flags|1|64, -12
	case fonts.SansItalic, fonts.SansBoldItalic:
		flags, angle = flags|64, -12
	}
	f.object(descriptor, fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags %d /FontBBox [%d %d %d %d] "+
		"/ItalicAngle %d /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R >>",
		name, flags, font.Box[0], font.Box[1], font.Box[2], font.Box[3], angle, font.Ascent, font.Descent,
		font.CapHeight, file))
	f.stream(file, fmt.Sprintf("/Length1 %d", len(data)), data)
	f.stream(unicode, "", []byte(characterMap(used.texts)))
	return number, nil
}

// subsetTag is the six letters that a cut font's name begins with.
func subsetTag(index int) string {
	return "RECTO" + string(rune('A'+index%26))
}

// characterMap says which characters the glyphs show.
func characterMap(texts []string) string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS " +
		"def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const most = 100 // entries of one list
	for start := 1; start < len(texts); start += most {
		end := min(start+most, len(texts))
		fmt.Fprintf(&b, "%d beginbfchar\n", end-start)
		for i := start; i < end; i++ {
			fmt.Fprintf(&b, "<%04X> <", i)
			for _, unit := range utf16.Encode([]rune(texts[i])) {
				fmt.Fprintf(&b, "%04X", unit)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.String()
}
