// Package fonts holds the fonts that PDFs are set in, and picks one for each character.
//
// The files are subsets without hints of free fonts, compressed: Noto Sans for text, JetBrains Mono for code, DejaVu
// Sans for symbols and for scripts that those lack, Noto Emoji (in outline) and Droid Sans Fallback for Chinese,
// Japanese and Korean. files/README.md says where they come from and how they were made. A Set reads a file when a
// document first needs it, so a document in English costs no memory for the others.
package fonts

import (
	"embed"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/rectodocs/recto/internal/engine/pdf/truetype"
)

//go:embed files/*.zst
var files embed.FS

// Face is one of the fonts.
type Face int

// The faces.
const (
	Sans Face = iota
	SansBold
	SansItalic
	SansBoldItalic
	Mono
	MonoBold
	MonoItalic
	Symbols
	Emoji
	EastAsian
	faceCount
)

var names = [faceCount]string{
	"NotoSans-Regular", "NotoSans-Bold", "NotoSans-Italic", "NotoSans-BoldItalic",
	"JetBrainsMono-Regular", "JetBrainsMono-Bold", "JetBrainsMono-Italic",
	"DejaVuSans", "NotoEmoji", "DroidSansFallback",
}

// Name returns the font's name.
func (f Face) Name() string { return names[f] }

// Fallback reports whether a face stands in for all weights of the others.
func (f Face) Fallback() bool { return f >= Symbols }

// Set is the fonts of one document. It is for one goroutine.
type Set struct {
	fonts [faceCount]*truetype.Font
	known map[choice]Face
}

type choice struct {
	face Face
	r    rune
}

// NewSet returns a Set that has read nothing yet.
func NewSet() *Set { return &Set{known: map[choice]Face{}} }

// Font returns the font of a face.
func (s *Set) Font(face Face) *truetype.Font {
	if s.fonts[face] == nil {
		font, err := load(face)
		if err != nil {
			// The files are part of the program and tested; a broken one is a defect of the build.
			panic(fmt.Errorf("load font %s: %w", face.Name(), err))
		}
		s.fonts[face] = font
	}
	return s.fonts[face]
}

func load(face Face) (*truetype.Font, error) {
	packed, err := files.ReadFile("files/" + face.Name() + ".ttf.zst")
	if err != nil {
		return nil, err
	}
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	data, err := reader.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	return truetype.Parse(data)
}

// Pick returns the face to set a character in where a face is asked for: that one, or the first of the others that has
// the character. What no font has is set in the one asked for, as its box for missing characters.
func (s *Set) Pick(face Face, r rune) Face {
	if r < 0x80 {
		return face
	}
	key := choice{face, r}
	if found, ok := s.known[key]; ok {
		return found
	}
	found := face
	for _, candidate := range order(face, r) {
		if s.Font(candidate).Glyph(r) != 0 {
			found = candidate
			break
		}
	}
	s.known[key] = found
	return found
}

// order is in what order faces are asked for a character, so that large fonts are read for what only they have.
func order(face Face, r rune) []Face {
	switch {
	case r >= 0x1F000 && r < 0x20000, r >= 0x2600 && r < 0x27C0, r == 0x231A, r == 0x231B, r == 0x2B50, r == 0x2B55:
		return []Face{Emoji, face, Symbols, EastAsian}
	case r >= 0x2E80 && r < 0xA4D0, r >= 0xAC00 && r < 0xD7B0, r >= 0xF900 && r < 0xFB00, r >= 0xFE30 && r < 0xFE50,
		r >= 0xFF00 && r < 0xFFF0, r >= 0x20000:
		return []Face{EastAsian, face, Symbols}
	}
	return []Face{face, Sans, Symbols, Emoji, EastAsian}
}
