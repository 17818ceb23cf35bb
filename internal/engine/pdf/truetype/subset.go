package truetype

import (
	"encoding/binary"
	"slices"

	"github.com/go-text/typesetting/font/opentype"
)

// Flags of a part of a composite glyph.
const (
	wordArguments = 1 << 0
	hasScale      = 1 << 3
	moreParts     = 1 << 5
	hasTwoScales  = 1 << 6
	hasMatrix     = 1 << 7
)

// Subset returns a font file with the glyphs named, in that order: the one at index i gets the number i. The first has
// to be 0, the glyph for what is missing. What composite glyphs are made of follows behind. The file has what a PDF
// needs: no character map, no names.
func (f *Font) Subset(glyphs []uint16) ([]byte, error) {
	order := slices.Clone(glyphs)
	numbers := make(map[uint16]int, len(order))
	for i, glyph := range order {
		numbers[glyph] = i
	}
	var outlines []byte
	loca := make([]byte, 0, 4*(len(order)+1))
	for i := 0; i < len(order); i++ {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(outlines)))
		outline, err := f.outline(order[i])
		if err != nil {
			return nil, err
		}
		start := len(outlines)
		outlines = append(outlines, outline...)
		if err := renumber(outlines[start:], func(part uint16) uint16 {
			number, known := numbers[part]
			if !known {
				number = len(order)
				numbers[part] = number
				order = append(order, part)
			}
			return uint16(number)
		}); err != nil {
			return nil, err
		}
		for len(outlines)%4 != 0 {
			outlines = append(outlines, 0)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(outlines)))
	hmtx := make([]byte, 0, 4*len(order))
	for _, glyph := range order {
		at := min(int(glyph), f.metrics-1)
		hmtx = append(hmtx, f.hmtx[4*at:4*at+2]...)
		hmtx = binary.BigEndian.AppendUint16(hmtx, f.bearing(glyph))
	}
	head, hhea, maxp := slices.Clone(f.head), slices.Clone(f.hhea), slices.Clone(f.maxp)
	binary.BigEndian.PutUint32(head[8:], 0)
	binary.BigEndian.PutUint16(head[50:], 1)
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(order)))
	binary.BigEndian.PutUint16(maxp[4:], uint16(len(order)))
	named := func(name string, content []byte) opentype.Table {
		return opentype.Table{Tag: opentype.MustNewTag(name), Content: content}
	}
	return assemble([]opentype.Table{
		named("glyf", outlines), named("head", head), named("hhea", hhea), named("hmtx", hmtx), named("loca", loca),
		named("maxp", maxp),
	}), nil
}

// renumber replaces the numbers of the glyphs that a composite glyph is made of.
func renumber(outline []byte, number func(uint16) uint16) error {
	if len(outline) < 10 || signed(outline) >= 0 {
		return nil
	}
	for at := 10; ; {
		if at+4 > len(outline) {
			return errBroken
		}
		flags := binary.BigEndian.Uint16(outline[at:])
		binary.BigEndian.PutUint16(outline[at+2:], number(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&hasScale != 0:
			at += 2
		case flags&hasTwoScales != 0:
			at += 4
		case flags&hasMatrix != 0:
			at += 8
		}
		if flags&moreParts == 0 {
			return nil
		}
	}
}

// assemble writes a font file of tables, which are sorted by name. Each begins at a multiple of four bytes.
func assemble(tables []opentype.Table) []byte {
	head := 12 + 16*len(tables) // where the table begins that holds the checksum of all
	found := false
	for i := range tables {
		for len(tables[i].Content)%4 != 0 {
			tables[i].Content = append(tables[i].Content, 0)
		}
		found = found || tables[i].Tag == opentype.MustNewTag("head")
		if !found {
			head += len(tables[i].Content)
		}
	}
	file := opentype.WriteTTF(tables)
	var sum uint32
	for at := 0; at < len(file); at += 4 {
		sum += binary.BigEndian.Uint32(file[at:])
	}
	binary.BigEndian.PutUint32(file[head+8:], 0xB1B0AFBA-sum)
	return file
}
