// Package fonts holds the fonts that PDFs are set in, and picks one for each character.
//
// The files are subsets without hints of free fonts, compressed: Noto Sans for text, also of the scripts whose letters
// depend on their neighbours, JetBrains Mono for code, DejaVu Sans for symbols and for what those lack, Noto Emoji (in
// outline) and Droid Sans Fallback for Chinese, Japanese and Korean. README.md says where they come from and how they
// were made. A Set reads a file when a document first needs it, so a document in English costs no memory for the
// others.
package fonts

import (
	"embed"
	"fmt"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/klauspost/compress/zstd"

	"github.com/rectodocs/recto/internal/engine/pdf/truetype"
)

//go:embed files/*.zst
var files embed.FS

// Face is one of the fonts.
type Face uint8

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
	Arabic
	ArabicBold
	Hebrew
	HebrewBold
	Devanagari
	DevanagariBold
	Thai
	ThaiBold
	Bengali
	Gurmukhi
	Gujarati
	Oriya
	Tamil
	Telugu
	Kannada
	Malayalam
	Sinhala
	Lao
	Khmer
	Myanmar
	faceCount
)

// design is what a font's own letters are like.
type design struct {
	name               string
	bold, italic, mono bool
}

var designs = [faceCount]design{
	Sans:           {name: "NotoSans-Regular"},
	SansBold:       {name: "NotoSans-Bold", bold: true},
	SansItalic:     {name: "NotoSans-Italic", italic: true},
	SansBoldItalic: {name: "NotoSans-BoldItalic", bold: true, italic: true},
	Mono:           {name: "JetBrainsMono-Regular", mono: true},
	MonoBold:       {name: "JetBrainsMono-Bold", mono: true, bold: true},
	MonoItalic:     {name: "JetBrainsMono-Italic", mono: true, italic: true},
	Symbols:        {name: "DejaVuSans"},
	Emoji:          {name: "NotoEmoji"},
	EastAsian:      {name: "DroidSansFallback"},
	Arabic:         {name: "NotoSansArabic-Regular"},
	ArabicBold:     {name: "NotoSansArabic-Bold", bold: true},
	Hebrew:         {name: "NotoSansHebrew-Regular"},
	HebrewBold:     {name: "NotoSansHebrew-Bold", bold: true},
	Devanagari:     {name: "NotoSansDevanagari-Regular"},
	DevanagariBold: {name: "NotoSansDevanagari-Bold", bold: true},
	Thai:           {name: "NotoSansThai-Regular"},
	ThaiBold:       {name: "NotoSansThai-Bold", bold: true},
	Bengali:        {name: "NotoSansBengali-Regular"},
	Gurmukhi:       {name: "NotoSansGurmukhi-Regular"},
	Gujarati:       {name: "NotoSansGujarati-Regular"},
	Oriya:          {name: "NotoSansOriya-Regular"},
	Tamil:          {name: "NotoSansTamil-Regular"},
	Telugu:         {name: "NotoSansTelugu-Regular"},
	Kannada:        {name: "NotoSansKannada-Regular"},
	Malayalam:      {name: "NotoSansMalayalam-Regular"},
	Sinhala:        {name: "NotoSansSinhala-Regular"},
	Lao:            {name: "NotoSansLao-Regular"},
	Khmer:          {name: "NotoSansKhmer-Regular"},
	Myanmar:        {name: "NotoSansMyanmar-Regular"},
}

// Name returns the font's name.
func (f Face) Name() string { return designs[f].name }

// Bold reports whether the font's letters are bold.
func (f Face) Bold() bool { return designs[f].bold }

// Italic reports whether the font's letters lean.
func (f Face) Italic() bool { return designs[f].italic }

// Mono reports whether the font's letters are of one width.
func (f Face) Mono() bool { return designs[f].mono }

// blocks are the characters of the scripts that have fonts of their own, in order.
var blocks = []struct {
	first, last   rune
	regular, bold Face
}{
	{0x0590, 0x05FF, Hebrew, HebrewBold},
	{0x0600, 0x06FF, Arabic, ArabicBold},
	{0x0750, 0x077F, Arabic, ArabicBold},
	{0x0870, 0x08FF, Arabic, ArabicBold},
	{0x0900, 0x097F, Devanagari, DevanagariBold},
	{0x0980, 0x09FF, Bengali, Bengali},
	{0x0A00, 0x0A7F, Gurmukhi, Gurmukhi},
	{0x0A80, 0x0AFF, Gujarati, Gujarati},
	{0x0B00, 0x0B7F, Oriya, Oriya},
	{0x0B80, 0x0BFF, Tamil, Tamil},
	{0x0C00, 0x0C7F, Telugu, Telugu},
	{0x0C80, 0x0CFF, Kannada, Kannada},
	{0x0D00, 0x0D7F, Malayalam, Malayalam},
	{0x0D80, 0x0DFF, Sinhala, Sinhala},
	{0x0E00, 0x0E7F, Thai, ThaiBold},
	{0x0E80, 0x0EFF, Lao, Lao},
	{0x1000, 0x109F, Myanmar, Myanmar},
	{0x1780, 0x17FF, Khmer, Khmer},
	{0x19E0, 0x19FF, Khmer, Khmer},
	{0x1CD0, 0x1CFF, Devanagari, DevanagariBold},
	{0xA8E0, 0xA8FF, Devanagari, DevanagariBold},
	{0xA9E0, 0xA9FF, Myanmar, Myanmar},
	{0xAA60, 0xAA7F, Myanmar, Myanmar},
	{0xFB1D, 0xFB4F, Hebrew, HebrewBold},
	{0xFB50, 0xFDFF, Arabic, ArabicBold},
	{0xFE70, 0xFEFC, Arabic, ArabicBold},
}

// Set is the fonts of one document. It is for one goroutine.
type Set struct {
	fonts [faceCount]*truetype.Font
	known map[choice]Face
}

type choice struct {
	face, beside Face
	r            rune
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
	data, err := File(face)
	if err != nil {
		return nil, err
	}
	return truetype.Parse(data)
}

// File returns the file of a font, for who draws its outlines. It is unpacked each time.
func File(face Face) ([]byte, error) {
	packed, err := files.ReadFile("files/" + face.Name() + ".ttf.zst")
	if err != nil {
		return nil, err
	}
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return reader.DecodeAll(packed, nil)
}

// Pick returns the face to set a character in where a face is asked for: that one, or the first of the others that has
// the character. Beside is the face of the text before: when it is that of a script, it is taken for what several
// scripts share and the one asked for lacks. What no font has is set in the one asked for, as its box for missing
// characters.
func (s *Set) Pick(asked, beside Face, r rune) Face {
	if r < 0x80 {
		return asked
	}
	if beside < Arabic {
		beside = asked
	}
	key := choice{asked, beside, r}
	if found, ok := s.known[key]; ok {
		return found
	}
	found := asked
	for _, candidate := range order(asked, beside, r) {
		if s.Font(candidate).Has(r) {
			found = candidate
			break
		}
	}
	s.known[key] = found
	return found
}

// PickAll returns the face to set several code points in that are read as one character: the first that has all of
// them, or else the one that has the first.
func (s *Set) PickAll(asked, beside Face, character []rune) Face {
	picked := s.Pick(asked, beside, character[0])
	if len(character) == 1 || s.hasAll(picked, character) {
		return picked
	}
	for _, candidate := range order(asked, beside, character[0]) {
		if s.hasAll(candidate, character) {
			return candidate
		}
	}
	return picked
}

func (s *Set) hasAll(face Face, character []rune) bool {
	font := s.Font(face)
	for _, r := range character {
		if !font.Has(r) && !harfbuzz.IsDefaultIgnorable(r) {
			return false
		}
	}
	return true
}

// order is in what order faces are asked for a character, so that large fonts are read for what only they have.
func order(asked, beside Face, r rune) []Face {
	switch {
	case r >= 0x1F000 && r < 0x20000, r >= 0x2600 && r < 0x27C0, r == 0x231A, r == 0x231B, r == 0x2B50, r == 0x2B55:
		return []Face{Emoji, asked, Symbols, EastAsian}
	case r >= 0x2E80 && r < 0xA4D0, r >= 0xAC00 && r < 0xD7B0, r >= 0xF900 && r < 0xFB00, r >= 0xFE30 && r < 0xFE50,
		r >= 0xFF00 && r < 0xFFF0, r >= 0x20000:
		return []Face{EastAsian, asked, Symbols}
	}
	faces := []Face{asked, beside}
	for _, block := range blocks {
		if r < block.first || r > block.last {
			continue
		}
		if designs[asked].bold {
			return append(faces, block.bold, Symbols)
		}
		return append(faces, block.regular, Symbols)
	}
	return append(faces, Sans, Symbols, Emoji, EastAsian)
}
