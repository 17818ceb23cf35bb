package output

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/pdf/shaping"
)

// face is a font as far as the file has used it. The file numbers what it shows, in the order of first use: a glyph
// that shows other characters elsewhere has another number there. 0 is the box for missing characters.
type face struct {
	index int
	// Of each number: its glyph, the characters that it shows, and how wide the glyph is.
	glyphs []uint16
	texts  []string
	widths []int
	// numbers are those of glyphs that show one character, longer those that show several or none.
	numbers map[uint64]uint16
	longer  map[longText]uint16
	// anyhow is a number of each glyph, for when there are no more numbers.
	anyhow map[uint16]uint16
}

type longText struct {
	glyph uint16
	text  string
}

// maxNumbers is how many numbers a face has in a PDF.
const maxNumbers = 0xFFFF

func (f *File) face(id fonts.Face) *face {
	used := f.faces[id]
	if used == nil {
		used = &face{
			index:   len(f.faceOrder),
			numbers: map[uint64]uint16{}, longer: map[longText]uint16{}, anyhow: map[uint16]uint16{},
		}
		used.take(0, "", f.set.Font(id).Advance(0))
		f.faces[id] = used
		f.faceOrder = append(f.faceOrder, id)
	}
	return used
}

func (u *face) take(glyph uint16, text string, width int) uint16 {
	if len(u.glyphs) == maxNumbers {
		return u.anyhow[glyph]
	}
	number := uint16(len(u.glyphs))
	u.glyphs, u.texts, u.widths = append(u.glyphs, glyph), append(u.texts, text), append(u.widths, width)
	u.anyhow[glyph] = number
	return number
}

// number returns what shows a glyph that stands for some characters.
func (f *File) number(id fonts.Face, used *face, glyph uint16, text []rune) uint16 {
	if len(text) == 1 {
		key := uint64(glyph)<<32 | uint64(text[0])
		number, known := used.numbers[key]
		if !known {
			number = used.take(glyph, string(text), f.set.Font(id).Advance(glyph))
			used.numbers[key] = number
		}
		return number
	}
	key := longText{glyph, string(text)}
	number, known := used.longer[key]
	if !known {
		number = used.take(glyph, key.text, f.set.Font(id).Advance(glyph))
		used.longer[key] = number
	}
	return number
}

// Show returns the operators that show runs, which have to be all of one face, from where the text matrix is, and the
// name of the font that has to be set before. The size is that of the font, in points.
func (f *File) Show(size float64, runs ...shaping.Run) (name, operators string) {
	id := runs[0].Face
	used := f.face(id)
	w := shower{rise: 0}
	for _, run := range runs {
		for text, glyphs := range run.Clusters() {
			// Several glyphs for one text: readers take what it says from beside the glyphs, those that know no such
			// thing from the glyphs one by one.
			if len(glyphs) > 1 {
				w.flush()
				fmt.Fprintf(&w.out, "/Span <</ActualText %s>> BDC ", textString(string(text)))
			}
			for i, glyph := range glyphs {
				shown := share(text, i, len(glyphs), run.RightToLeft)
				if rise := int(glyph.Y); rise != w.rise {
					w.flush()
					fmt.Fprintf(&w.out, "%.4g Ts ", float64(rise)*size/1000)
					w.rise = rise
				}
				number := f.number(id, used, glyph.ID, shown)
				w.show(number, int(glyph.X), int(glyph.Advance)-used.widths[number])
			}
			if len(glyphs) > 1 {
				w.flush()
				w.out.WriteString("EMC ")
			}
		}
	}
	w.flush()
	if w.rise != 0 {
		w.out.WriteString("0 Ts ")
	}
	return fmt.Sprintf("F%d", used.index), strings.TrimSuffix(w.out.String(), " ")
}

// share is what a glyph of several shows of a text: a character for each, the last one the rest.
func share(text []rune, index, count int, rightToLeft bool) []rune {
	if rightToLeft {
		index = count - 1 - index
	}
	switch {
	case index >= len(text):
		return []rune{'\u200b'}
	case index == count-1:
		return text[index:]
	}
	return text[index : index+1]
}

// shower collects glyphs for one operator.
type shower struct {
	out     strings.Builder
	pending []byte // strings and adjustments, without the brackets
	open    bool   // a string at the end of pending
	adjust  int    // to the right, before the next glyph
	several bool   // whether pending has adjustments
	rise    int
}

// show adds a glyph that stands x to the right of its place, and whose successor stands further to the right than the
// glyph is wide. Lengths are in thousandths of an em.
func (w *shower) show(number uint16, x, further int) {
	if w.adjust += x; w.adjust != 0 {
		w.end()
		w.pending = strconv.AppendInt(w.pending, int64(-w.adjust), 10)
		w.several = true
	}
	if !w.open {
		w.pending = append(w.pending, '<')
		w.open = true
	}
	const digits = "0123456789ABCDEF"
	w.pending = append(w.pending, digits[number>>12], digits[number>>8&15], digits[number>>4&15], digits[number&15])
	w.adjust = further - x
}

func (w *shower) end() {
	if w.open {
		w.pending = append(w.pending, '>')
		w.open = false
	}
}

// flush writes what is pending. An adjustment that is left moves what comes next.
func (w *shower) flush() {
	w.end()
	switch {
	case len(w.pending) == 0:
		return
	case w.several:
		w.out.WriteByte('[')
		w.out.Write(w.pending)
		w.out.WriteString("] TJ ")
	default:
		w.out.Write(w.pending)
		w.out.WriteString(" Tj ")
	}
	w.pending, w.several = w.pending[:0], false
}

// writeFace writes a font with the glyphs that were used, how wide they are, and which characters they show, so that
// text can be copied and searched.
func (f *File) writeFace(id fonts.Face) (int, error) {
	used, font := f.faces[id], f.set.Font(id)
	// What shows other characters elsewhere is one glyph all the same.
	var glyphs []uint16
	places := map[uint16]uint16{}
	order := make([]byte, 0, 2*len(used.glyphs))
	for _, glyph := range used.glyphs {
		place, known := places[glyph]
		if !known {
			place = uint16(len(glyphs))
			places[glyph] = place
			glyphs = append(glyphs, glyph)
		}
		order = binary.BigEndian.AppendUint16(order, place)
	}
	data, err := font.Subset(glyphs)
	if err != nil {
		return 0, fmt.Errorf("cut font %s: %w", id.Name(), err)
	}
	numbering := "/Identity"
	if len(glyphs) < len(used.glyphs) {
		object := f.reserve()
		f.stream(object, "", order)
		numbering = fmt.Sprintf("%d 0 R", object)
	}
	number, descendant, descriptor, file, unicode := f.reserve(), f.reserve(), f.reserve(), f.reserve(), f.reserve()
	name := fmt.Sprintf("%s+%s", subsetTag(used.index), id.Name())
	f.object(number, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H "+
		"/DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>",
		name, descendant, unicode))
	var widths strings.Builder
	for _, width := range used.widths {
		fmt.Fprintf(&widths, "%d ", width)
	}
	f.object(descendant, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s "+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "+
		"/FontDescriptor %d 0 R /CIDToGIDMap %s /DW 1000 /W [0 [%s]] >>",
		name, descriptor, numbering, widths.String()))
	flags, angle := 4, 0
	if id.Mono() {
		flags |= 1
	}
	if id.Italic() {
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
	var entries []string
	flush := func() {
		if len(entries) > 0 {
			fmt.Fprintf(&b, "%d beginbfchar\n%sendbfchar\n", len(entries), strings.Join(entries, ""))
			entries = entries[:0]
		}
	}
	for i, text := range texts {
		if text == "" {
			continue
		}
		if entries = append(entries, fmt.Sprintf("<%04X> %s\n", i, units(text))); len(entries) == most {
			flush()
		}
	}
	flush()
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.String()
}
