// Package truetype reads TrueType fonts for shaping, and cuts them down to the glyphs that a document uses.
//
// Reading is go-text's; cutting is our own, because no library of Go cuts by glyph. It knows fonts with outlines in a
// glyf table and a Unicode character map, which is what Recto ships. A broken font gives an error, never a panic.
package truetype

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// Font is a font that was read. It is for one goroutine.
type Font struct {
	// Face is the font as the shaper takes it. It has no outlines.
	Face *font.Face
	// Ascent, Descent (negative), CapHeight and Box (left, bottom, right, top of all glyphs) are in thousandths of an
	// em.
	Ascent, Descent, CapHeight int
	Box                        [4]int

	head, hhea, maxp, hmtx, loca, glyf []byte

	units    int // font units in an em
	glyphs   int
	metrics  int
	longLoca bool
}

var errBroken = errors.New("the font is broken")

// Parse reads a font file.
func Parse(data []byte) (*Font, error) {
	if !whole(data) {
		return nil, errBroken
	}
	loader, err := opentype.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the font's tables: %w", err)
	}
	f := &Font{}
	for _, each := range []struct {
		name  string
		table *[]byte
		least int
	}{
		{"head", &f.head, 54}, {"hhea", &f.hhea, 36}, {"maxp", &f.maxp, 6},
		{"hmtx", &f.hmtx, 4}, {"loca", &f.loca, 4}, {"glyf", &f.glyf, 0},
	} {
		*each.table, err = loader.RawTable(opentype.MustNewTag(each.name))
		if err != nil || len(*each.table) < each.least {
			return nil, fmt.Errorf("read table %s: %w", each.name, errBroken)
		}
	}
	f.units = int(binary.BigEndian.Uint16(f.head[18:]))
	f.longLoca = binary.BigEndian.Uint16(f.head[50:]) == 1
	f.glyphs = int(binary.BigEndian.Uint16(f.maxp[4:]))
	f.metrics = int(binary.BigEndian.Uint16(f.hhea[34:]))
	entry := 2
	if f.longLoca {
		entry = 4
	}
	if f.units == 0 || f.metrics == 0 || len(f.hmtx) < 4*f.metrics || len(f.loca) < entry*(f.glyphs+1) {
		return nil, errBroken
	}
	for i := range f.Box {
		f.Box[i] = f.thousandths(signed(f.head[36+2*i:]))
	}
	f.Ascent, f.Descent = f.thousandths(signed(f.hhea[4:])), f.thousandths(signed(f.hhea[6:]))
	f.CapHeight = f.Ascent
	if os2, err := loader.RawTable(opentype.MustNewTag("OS/2")); err == nil && len(os2) >= 90 {
		f.CapHeight = f.thousandths(signed(os2[88:]))
	}
	f.Face, err = shapeable(loader)
	return f, err
}

// whole reports whether all tables of a font lie within its file: the reader takes memory for what they claim to be.
func whole(data []byte) bool {
	if len(data) < 12 {
		return false
	}
	count := int(binary.BigEndian.Uint16(data[4:]))
	if len(data) < 12+16*count {
		return false
	}
	for i := range count {
		record := data[12+16*i:]
		offset, length := uint64(binary.BigEndian.Uint32(record[8:])), uint64(binary.BigEndian.Uint32(record[12:]))
		if offset+length > uint64(len(data)) {
			return false
		}
	}
	return true
}

// shapeable reads a font without its outlines, which take ten times the memory of the rest when they are unfolded.
func shapeable(loader *opentype.Loader) (*font.Face, error) {
	var tables []opentype.Table
	for _, tag := range loader.Tables() {
		switch tag.String() {
		case "glyf", "loca":
			continue
		}
		content, err := loader.RawTable(tag)
		if err != nil {
			return nil, fmt.Errorf("read table %s: %w", tag, err)
		}
		tables = append(tables, opentype.Table{Content: content, Tag: tag})
	}
	face, err := font.ParseTTF(bytes.NewReader(opentype.WriteTTF(tables)))
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	return face, nil
}

func signed(b []byte) int { return int(int16(binary.BigEndian.Uint16(b))) }

func (f *Font) thousandths(units int) int {
	return int(math.Round(float64(units) * 1000 / float64(f.units)))
}

// Has reports whether the font has a glyph for a character.
func (f *Font) Has(r rune) bool {
	_, ok := f.Face.NominalGlyph(r)
	return ok
}

// Advance returns how wide a glyph is, in thousandths of an em.
func (f *Font) Advance(glyph uint16) int {
	at := min(int(glyph), f.metrics-1)
	return f.thousandths(int(binary.BigEndian.Uint16(f.hmtx[4*at:])))
}

// bearing returns a glyph's left side bearing in font units.
func (f *Font) bearing(glyph uint16) uint16 {
	at := 4*int(glyph) + 2
	if int(glyph) >= f.metrics {
		at = 4*f.metrics + 2*(int(glyph)-f.metrics)
	}
	if at+2 > len(f.hmtx) {
		return 0
	}
	return binary.BigEndian.Uint16(f.hmtx[at:])
}

// outline returns the glyf entry of a glyph, empty for a blank one.
func (f *Font) outline(glyph uint16) ([]byte, error) {
	if int(glyph) >= f.glyphs {
		return nil, errBroken
	}
	var start, end uint64
	if at := 4 * int(glyph); f.longLoca {
		start, end = uint64(binary.BigEndian.Uint32(f.loca[at:])), uint64(binary.BigEndian.Uint32(f.loca[at+4:]))
	} else {
		at = 2 * int(glyph)
		start, end = 2*uint64(binary.BigEndian.Uint16(f.loca[at:])), 2*uint64(binary.BigEndian.Uint16(f.loca[at+2:]))
	}
	if start > end || end > uint64(len(f.glyf)) {
		return nil, errBroken
	}
	return f.glyf[start:end], nil
}
