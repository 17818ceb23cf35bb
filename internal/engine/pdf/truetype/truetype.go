// Package truetype reads TrueType fonts and cuts them down to the glyphs that a document uses.
//
// It knows fonts with outlines in a glyf table and a Unicode character map, which is what Recto ships. A broken font
// gives an error, never a panic.
package truetype

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

// Font is a font that was read. It is safe for use by many goroutines.
type Font struct {
	tables map[string][]byte
	// Units is the number of font units in an em.
	Units int
	// Ascent, Descent (negative), CapHeight and Box (left, bottom, right, top of all glyphs) are in thousandths of an
	// em.
	Ascent, Descent, CapHeight int
	Box                        [4]int

	glyphs   int
	metrics  int
	longLoca bool
	ranges   []charRange
}

// charRange maps characters to glyphs: of each by adding, or of one by one from a list.
type charRange struct {
	first, last rune
	glyph       uint32
	list        []byte // two bytes for each character; nil adds to glyph
	delta       uint16
}

var errBroken = errors.New("the font is broken")

// Parse reads a font file. The font keeps the bytes, which must not be changed.
func Parse(data []byte) (*Font, error) {
	if len(data) < 12 {
		return nil, errBroken
	}
	f := &Font{tables: map[string][]byte{}}
	count := int(binary.BigEndian.Uint16(data[4:]))
	if len(data) < 12+16*count {
		return nil, errBroken
	}
	for i := range count {
		record := data[12+16*i:]
		offset, length := uint64(binary.BigEndian.Uint32(record[8:])), uint64(binary.BigEndian.Uint32(record[12:]))
		if offset+length > uint64(len(data)) {
			return nil, errBroken
		}
		f.tables[string(record[:4])] = data[offset : offset+length]
	}
	for name, least := range map[string]int{"head": 54, "hhea": 36, "maxp": 6, "hmtx": 4, "loca": 4, "glyf": 0,
		"cmap": 4} {
		if table, ok := f.tables[name]; !ok || len(table) < least {
			return nil, fmt.Errorf("read table %s: %w", name, errBroken)
		}
	}
	head, hhea := f.tables["head"], f.tables["hhea"]
	f.Units = int(binary.BigEndian.Uint16(head[18:]))
	f.longLoca = binary.BigEndian.Uint16(head[50:]) == 1
	f.glyphs = int(binary.BigEndian.Uint16(f.tables["maxp"][4:]))
	f.metrics = int(binary.BigEndian.Uint16(hhea[34:]))
	entry := 2
	if f.longLoca {
		entry = 4
	}
	if f.Units == 0 || f.metrics == 0 || len(f.tables["hmtx"]) < 4*f.metrics ||
		len(f.tables["loca"]) < entry*(f.glyphs+1) {
		return nil, errBroken
	}
	for i := range f.Box {
		f.Box[i] = f.thousandths(signed(head[36+2*i:]))
	}
	f.Ascent, f.Descent = f.thousandths(signed(hhea[4:])), f.thousandths(signed(hhea[6:]))
	f.CapHeight = f.Ascent
	if os2 := f.tables["OS/2"]; len(os2) >= 90 {
		f.CapHeight = f.thousandths(signed(os2[88:]))
	}
	return f, f.readCharacters()
}

func signed(b []byte) int { return int(int16(binary.BigEndian.Uint16(b))) }

func (f *Font) thousandths(units int) int { return units * 1000 / f.Units }

// readCharacters reads the best Unicode map: one of all planes, else one of the first.
func (f *Font) readCharacters() error {
	cmap := f.tables["cmap"]
	count := int(binary.BigEndian.Uint16(cmap[2:]))
	var best []byte
	for i := range count {
		if len(cmap) < 12+8*i {
			return errBroken
		}
		offset := uint64(binary.BigEndian.Uint32(cmap[8+8*i:]))
		if offset+16 > uint64(len(cmap)) {
			continue
		}
		switch table := cmap[offset:]; binary.BigEndian.Uint16(table) {
		case 12:
			best = table
		case 4:
			if best == nil {
				best = table
			}
		}
	}
	switch {
	case best == nil:
		return fmt.Errorf("find a Unicode character map: %w", errBroken)
	case binary.BigEndian.Uint16(best) == 12:
		return f.readGroups(best)
	}
	return f.readSegments(best)
}

func (f *Font) readGroups(table []byte) error {
	count := uint64(binary.BigEndian.Uint32(table[12:]))
	if 16+12*count > uint64(len(table)) {
		return errBroken
	}
	for i := range count {
		group := table[16+12*i:]
		f.ranges = append(f.ranges, charRange{
			first: rune(binary.BigEndian.Uint32(group)), last: rune(binary.BigEndian.Uint32(group[4:])),
			glyph: binary.BigEndian.Uint32(group[8:]),
		})
	}
	return nil
}

func (f *Font) readSegments(table []byte) error {
	twice := int(binary.BigEndian.Uint16(table[6:])) &^ 1
	if len(table) < 16+4*twice {
		return errBroken
	}
	ends, starts, deltas, offsets := table[14:], table[16+twice:], table[16+2*twice:], table[16+3*twice:]
	for at := 0; at < twice; at += 2 {
		r := charRange{first: rune(binary.BigEndian.Uint16(starts[at:])),
			last: rune(binary.BigEndian.Uint16(ends[at:])), delta: binary.BigEndian.Uint16(deltas[at:])}
		if r.last < r.first || r.first == 0xFFFF {
			continue
		}
		offset := int(binary.BigEndian.Uint16(offsets[at:]))
		if offset == 0 {
			r.glyph = uint32(uint16(r.first) + r.delta)
			// Glyph numbers wrap round at 65536; cut the range where they do.
			if wrapped := uint32(1<<16) - r.glyph; uint32(r.last-r.first) >= wrapped && r.glyph != 0 {
				f.ranges = append(f.ranges, charRange{first: r.first, last: r.first + rune(wrapped) - 1,
					glyph: r.glyph})
				r.first, r.glyph = r.first+rune(wrapped), 0
			}
			f.ranges = append(f.ranges, charRange{first: r.first, last: r.last, glyph: r.glyph})
			continue
		}
		length := 2 * int(r.last-r.first+1)
		if at+offset+length > len(offsets) {
			return errBroken
		}
		r.list = offsets[at+offset : at+offset+length]
		f.ranges = append(f.ranges, r)
	}
	return nil
}

// Glyph returns the number of a character's glyph, 0 when the font has none.
func (f *Font) Glyph(r rune) uint16 {
	at := sort.Search(len(f.ranges), func(i int) bool { return f.ranges[i].last >= r })
	if at == len(f.ranges) || f.ranges[at].first > r {
		return 0
	}
	found := f.ranges[at]
	glyph := found.glyph + uint32(r-found.first)
	if found.list != nil {
		if glyph = uint32(binary.BigEndian.Uint16(found.list[2*(r-found.first):])); glyph != 0 {
			glyph = uint32(uint16(glyph) + found.delta)
		}
	}
	if glyph >= uint32(f.glyphs) {
		return 0
	}
	return uint16(glyph)
}

// Advance returns how wide a glyph is, in thousandths of an em.
func (f *Font) Advance(glyph uint16) int {
	at := min(int(glyph), f.metrics-1)
	return f.thousandths(int(binary.BigEndian.Uint16(f.tables["hmtx"][4*at:])))
}

// bearing returns a glyph's left side bearing in font units.
func (f *Font) bearing(glyph uint16) uint16 {
	hmtx, at := f.tables["hmtx"], 4*int(glyph)+2
	if int(glyph) >= f.metrics {
		at = 4*f.metrics + 2*(int(glyph)-f.metrics)
	}
	if at+2 > len(hmtx) {
		return 0
	}
	return binary.BigEndian.Uint16(hmtx[at:])
}

// outline returns the glyf entry of a glyph, empty for a blank one.
func (f *Font) outline(glyph uint16) ([]byte, error) {
	if int(glyph) >= f.glyphs {
		return nil, errBroken
	}
	loca, glyf := f.tables["loca"], f.tables["glyf"]
	var start, end uint64
	if f.longLoca {
		start, end = uint64(binary.BigEndian.Uint32(loca[4*int(glyph):])),
			uint64(binary.BigEndian.Uint32(loca[4*int(glyph)+4:]))
	} else {
		start, end = 2*uint64(binary.BigEndian.Uint16(loca[2*int(glyph):])),
			2*uint64(binary.BigEndian.Uint16(loca[2*int(glyph)+2:]))
	}
	if start > end || end > uint64(len(glyf)) {
		return nil, errBroken
	}
	return glyf[start:end], nil
}
