// Package shaping turns paragraphs into glyphs in their places.
//
// A paragraph is cut into pieces of one style, font, script and direction, within which no line ends: directions by the
// Unicode bidirectional algorithm (UAX 9), ends of lines by the Unicode line breaking algorithm (UAX 14), fonts by what
// is read as one character (UAX 29). go-text's port of HarfBuzz shapes each piece: it joins letters, reorders them and
// puts marks in their places as the font says. Words that come again are shaped once.
//
// Thai, Lao, Khmer and Burmese have no spaces between words, and there is no dictionary here: lines of Thai and Lao end
// where a syllable surely does, others between characters, never within one.
package shaping

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

// Glyph is a glyph of a font and where it stands. Lengths are in thousandths of an em.
type Glyph struct {
	ID uint16
	// Cluster is the index of the first character that the glyph shows. Glyphs that show the same stand together.
	Cluster uint16
	// Advance is how far the next glyph is, X and Y where this one stands beside its place, upwards and to the right.
	Advance, X, Y int16
}

// Run is a stretch of glyphs of one font.
type Run struct {
	Face fonts.Face
	// Text is what the glyphs show, in the order of reading; RightToLeft says that they stand the other way round.
	Text        []rune
	RightToLeft bool
	// Glyphs are in the order in which they stand, from left to right.
	Glyphs []Glyph
	// Width is the sum of the advances.
	Width int
}

// Clusters returns the glyphs from left to right, each time those that show the same characters with these.
func (r Run) Clusters() iter.Seq2[[]rune, []Glyph] {
	return func(yield func([]rune, []Glyph) bool) {
		before := len(r.Text) // where the cluster before begins
		for start := 0; start < len(r.Glyphs); {
			end := start + 1
			for end < len(r.Glyphs) && r.Glyphs[end].Cluster == r.Glyphs[start].Cluster {
				end++
			}
			from, to := int(r.Glyphs[start].Cluster), len(r.Text)
			switch {
			case r.RightToLeft:
				to = before
			case end < len(r.Glyphs):
				to = int(r.Glyphs[end].Cluster)
			}
			if !yield(r.Text[from:max(from, to)], r.Glyphs[start:end]) {
				return
			}
			before, start = from, end
		}
	}
}

// Span is text of one style in a paragraph, or something that is no text.
type Span struct {
	Text string
	Face fonts.Face
	// Object says that the span is something else, which stands as one character.
	Object bool
	// Code says that the span runs from left to right, whatever is around it, and as if that were not there.
	Code bool
}

// Piece is a part of a paragraph that is in one font and one direction.
type Piece struct {
	Run
	// Span is the index of the span that the piece is from.
	Span int
	// Level is the embedding level: odd ones run from right to left.
	Level int8
	// Space says that the piece is blank, Newline that it ends a line. MayBreak allows a line to end before the piece.
	Space, Newline, MayBreak bool

	script language.Script
}

// object stands for what is no text.
const object = '\uFFFC'

// longest is the most characters of a piece: very long words are cut, because cutting a piece costs its length.
const longest = 256

// Shaper shapes the text of one document. It is for one goroutine.
type Shaper struct {
	set      *fonts.Set
	language language.Language
	buffer   *harfbuzz.Buffer
	fonts    map[fonts.Face]*harfbuzz.Font
	known    map[word]Run

	breaks    segmenter.Segmenter
	paragraph bidi.Paragraph
	// Of each character of the paragraph at hand: what it belongs to, and what begins with it.
	text    []rune
	spans   []int
	levels  []int8
	starts  []uint8
	offsets []int
	pieces  []Piece
}

// word is what is shaped alike.
type word struct {
	text        string
	face        fonts.Face
	script      language.Script
	rightToLeft bool
}

// maxKnown and maxWord bound the words that are remembered: their number, and the bytes of one.
const (
	maxKnown = 50_000
	maxWord  = 48
)

// What begins with a character.
const (
	beginsCharacter uint8 = 1 << iota // one that is read as such, of several code points maybe
	beginsSpan
	mayBreak
)

// New returns a Shaper for documents in a language, given as in "en"; "" is for one that nobody knows.
func New(set *fonts.Set, tag string) *Shaper {
	return &Shaper{
		set: set, language: language.NewLanguage(tag), buffer: harfbuzz.NewBuffer(),
		fonts: map[fonts.Face]*harfbuzz.Font{}, known: map[word]Run{},
	}
}

// Pieces cuts a paragraph into pieces, in the order of reading. RightToLeft is how the page runs: a paragraph on it
// runs so when it has any letter that does. On other pages the first letter counts. The slice is used again for the
// next paragraph.
func (s *Shaper) Pieces(spans []Span, rightToLeft bool) []Piece {
	out := s.pieces[:0]
	s.text, s.spans, s.starts = s.text[:0], s.spans[:0], s.starts[:0]
	var all strings.Builder
	s.offsets = s.offsets[:0]
	add := func(r rune, span int, begins uint8) {
		s.text, s.spans, s.starts = append(s.text, r), append(s.spans, span), append(s.starts, begins)
		s.offsets = append(s.offsets, all.Len())
		all.WriteRune(r)
	}
	flush := func() {
		s.offsets = append(s.offsets, all.Len())
		out = s.cut(out, spans, all.String(), rightToLeft)
		s.text, s.spans, s.starts, s.offsets = s.text[:0], s.spans[:0], s.starts[:0], s.offsets[:0]
		all.Reset()
	}
	for i, span := range spans {
		begins := beginsSpan
		if span.Object {
			add(object, i, begins)
			continue
		}
		for _, r := range span.Text {
			switch {
			case r == '\n' || r == '\u2028' || r == '\u2029':
				flush()
				out = append(out, Piece{Span: i, Newline: true})
				continue
			case r == '\t':
				r = ' '
			case dropped(r):
				continue
			}
			add(r, i, begins)
			begins = 0
		}
	}
	flush()
	s.pieces = out
	return out
}

// dropped reports whether a character takes no part: controls, soft hyphens, which nothing here breaks at, and skin
// tones, which the emoji that there are do not have.
func dropped(r rune) bool {
	return r == 0x00AD || r >= 0x1F3FB && r <= 0x1F3FF || unicode.IsControl(r)
}

// cut appends the pieces of the text at hand, which has no ends of lines.
func (s *Shaper) cut(out []Piece, spans []Span, all string, rightToLeft bool) []Piece {
	if len(s.text) == 0 {
		return out
	}
	s.setLevels(spans, rightToLeft)
	s.setBreaks()
	var script language.Script
	for _, r := range s.text {
		if script = language.LookupScript(r); script.Strong() {
			break // what several scripts share belongs to the one before it, at the beginning to the one after it
		}
	}
	if !script.Strong() {
		script = language.Common
	}
	var (
		current Piece
		start   = 0
		beside  = spans[0].Face
		breaks  = true
		before  = 0 // the span of the text before
	)
	flush := func(end int) {
		if end > start {
			current.MayBreak, breaks = breaks, current.Space
			current.Run = s.run(current, start, end, all[s.offsets[start]:s.offsets[end]])
			out = append(out, current)
			start = end
		}
	}
	for i := 0; i < len(s.text); {
		end := i + 1
		for end < len(s.text) && s.starts[end]&(beginsCharacter|beginsSpan) == 0 {
			end++
		}
		if s.starts[i]&mayBreak != 0 {
			flush(i)
			breaks = true
		}
		next := Piece{Span: s.spans[i], Level: s.levels[i], Space: blank(s.text[i])}
		asked := spans[next.Span]
		if found := scriptOf(s.text[i]); found.Strong() {
			script = found
		}
		next.script = script
		next.Face = asked.Face
		if !next.Space && !asked.Object {
			if next.Span != before {
				before, beside = next.Span, asked.Face
			}
			next.Face = s.set.PickAll(asked.Face, beside, s.text[i:end])
			if s.text[i] >= 0x80 {
				beside = next.Face
			}
		}
		alone := next.Space || current.Space || asked.Object || spans[current.Span].Object
		alike := next.Span == current.Span && next.Level == current.Level &&
			next.Face == current.Face && next.script == current.script
		if alone || !alike || end-start > longest {
			flush(i)
		}
		for end-i > longest {
			// More marks on one letter than anybody reads.
			current = next
			flush(i + longest)
			i += longest
		}
		current = next
		i = end
	}
	flush(len(s.text))
	return out
}

func blank(r rune) bool { return r == ' ' || r == '\u3000' || r == '\u200b' }

func scriptOf(r rune) language.Script {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return language.Latin
	case r < 0x80:
		return language.Common
	}
	return language.LookupScript(r)
}

// setLevels finds the embedding level of each character.
func (s *Shaper) setLevels(spans []Span, rightToLeft bool) {
	s.levels = slices.Grow(s.levels[:0], len(s.text))[:len(s.text)]
	clear(s.levels)
	reordered := slices.ContainsFunc(s.text, backwards)
	if !reordered && (!rightToLeft || slices.ContainsFunc(s.text, unicode.IsLetter)) {
		return
	}
	base := bidi.Neutral
	if rightToLeft {
		base = bidi.RightToLeft
	}
	if s.directed() > maxDirected {
		return
	}
	around := slices.Clone(s.text) // with something neutral for code
	for i, span := range s.spans {
		if spans[span].Code {
			around[i] = object
		}
	}
	s.addLevels(0, around, base)
	for start := 0; start < len(s.text); {
		end := start + 1
		for end < len(s.text) && s.spans[end] == s.spans[start] {
			end++
		}
		if spans[s.spans[start]].Code {
			for at := start; at < end; at++ {
				s.levels[at] += s.levels[at] % 2
			}
			s.addLevels(start, s.text[start:end], bidi.LeftToRight)
		}
		start = end
	}
}

// maxDirected is how many characters of a paragraph may begin or end a part in another direction: putting them in order
// costs the square of their number. A paragraph that has more stands as it comes.
const maxDirected = 1000

func (s *Shaper) directed() int {
	count := 0
	for _, r := range s.text {
		if r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			count++
		}
	}
	return count
}

// addLevels adds the levels of a text to those of the characters from start on.
func (s *Shaper) addLevels(start int, text []rune, base bidi.Direction) {
	runs := s.paragraph.Segment(text, base)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for at := run.Start; at < run.End; at++ {
			s.levels[start+at] += int8(run.Level)
		}
	}
}

// backwards reports whether a character runs from right to left, or may turn others.
func backwards(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFEFF ||
		r >= 0x10800 && r < 0x11000 || r >= 0x1E800 && r < 0x1F000 ||
		r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// setBreaks finds where characters begin, and before which of them a line may end.
func (s *Shaper) setBreaks() {
	s.breaks.Init(s.text)
	for characters := s.breaks.GraphemeIterator(); characters.Next(); {
		s.starts[characters.Grapheme().Offset] |= beginsCharacter
	}
	word := 0 // where it begins
	for lines := s.breaks.LineIterator(); lines.Next(); {
		at := lines.Line().Offset
		// An option or the beginning of a path is too short to break.
		if at > 0 && !(strings.ContainsRune("-/", s.text[at-1]) && at-word < 4) {
			s.starts[at] |= mayBreak
		}
		for i := at; i < at+len(lines.Line().Text); i++ {
			switch {
			case blank(s.text[i]):
				word = i + 1
			case i > word && s.syllable(i):
				s.starts[i] |= mayBreak
			case i-word > 8 && strings.ContainsRune("-/–—\\_.=&?", s.text[i-1]) && unicode.IsLetter(s.text[i]):
				// Long compounds and addresses may break behind their joints.
				s.starts[i] |= mayBreak
				word = i
			}
		}
	}
}

// syllable reports whether a syllable of Thai or Lao surely begins at a character: with a vowel that stands before its
// consonant, or after a vowel or a mark that ends one.
func (s *Shaper) syllable(at int) bool {
	r, before := s.text[at], s.text[at-1]
	if r < 0x0E01 || r > 0x0EDF || s.starts[at]&beginsCharacter == 0 || before < 0x0E01 || before > 0x0EDF {
		return false
	}
	leading := r >= 0x0E40 && r <= 0x0E44 || r >= 0x0EC0 && r <= 0x0EC4
	switch before {
	case 0x0E30, 0x0E33, 0x0E46, 0x0EB0, 0x0EB3, 0x0EC6: // a, am and the sign of repetition
		// A final consonant may come, the sign of repetition or of silence.
		return leading || r >= 0x0E01 && r <= 0x0E2E || r >= 0x0E81 && r <= 0x0EAE
	}
	return leading && (before < 0x0E40 || before > 0x0E44) && (before < 0x0EC0 || before > 0x0EC4)
}

// joining are the scripts whose letters depend on neighbours across the end of a piece.
func joining(script language.Script) bool {
	switch script {
	case language.Arabic, language.Syriac, language.Mongolian, language.Nko, language.Mandaic, language.Adlam:
		return true
	}
	return false
}

// run shapes a piece of the text at hand. Words that do not depend on their neighbours are remembered.
func (s *Shaper) run(p Piece, start, end int, text string) Run {
	key := word{text: text, face: p.Face, script: p.script, rightToLeft: p.Level%2 == 1}
	alone := !joining(p.script) || (start == 0 || blank(s.text[start-1])) && (end == len(s.text) || blank(s.text[end]))
	if alone && len(text) <= maxWord {
		if known, ok := s.known[key]; ok {
			return known
		}
	}
	shaped := s.shape(s.text, start, end, key)
	if alone && len(text) <= maxWord {
		if len(s.known) >= maxKnown {
			clear(s.known)
		}
		key.text = strings.Clone(text)
		s.known[key] = shaped
	}
	return shaped
}

// shape shapes the characters of a text from start to end; those around them decide how they join.
func (s *Shaper) shape(text []rune, start, end int, w word) Run {
	font := s.fonts[w.face]
	if font == nil {
		font = harfbuzz.NewFont(s.set.Font(w.face).Face)
		font.XScale, font.YScale = 1000, 1000
		s.fonts[w.face] = font
	}
	s.buffer.Clear()
	s.buffer.Flags = harfbuzz.RemoveDefaultIgnorables
	s.buffer.Props = harfbuzz.SegmentProperties{Language: s.language, Script: w.script, Direction: harfbuzz.LeftToRight}
	if w.rightToLeft {
		s.buffer.Props.Direction = harfbuzz.RightToLeft
	}
	s.buffer.AddRunes(text, start, end-start)
	s.buffer.Shape(font, nil)
	shaped := Run{
		Face: w.face, Text: slices.Clone(text[start:end]), RightToLeft: w.rightToLeft,
		Glyphs: make([]Glyph, len(s.buffer.Info)),
	}
	for i, info := range s.buffer.Info {
		at := s.buffer.Pos[i]
		shaped.Glyphs[i] = Glyph{
			ID: uint16(info.Glyph), Cluster: uint16(info.Cluster - start),
			Advance: int16(at.XAdvance), X: int16(at.XOffset), Y: int16(at.YOffset),
		}
		shaped.Width += int(at.XAdvance)
	}
	return shaped
}

// Single shapes a text in one face, whether it has its characters or not, from left to right.
func (s *Shaper) Single(text string, face fonts.Face) Run {
	characters := []rune(text)
	return s.shape(characters, 0, len(characters), word{face: face, script: language.Common})
}

// Cut cuts a piece between two characters, so that the first part is at most a width; with force it has one character
// at least. It reports whether there is a first part. The second has no text when the first has all.
func (s *Shaper) Cut(p Piece, width int, force bool) (head, tail Piece, ok bool) {
	widths := make([]int, len(p.Text)+1) // of each cluster, at its first character
	for _, glyph := range p.Glyphs {
		widths[glyph.Cluster] += int(glyph.Advance)
	}
	s.breaks.Init(p.Text)
	var ends []int // of the characters that fit
	used := 0
	for characters := s.breaks.GraphemeIterator(); characters.Next(); {
		character := characters.Grapheme()
		end := character.Offset + len(character.Text)
		for at := character.Offset; at < end; at++ {
			used += widths[at]
		}
		if used > width && (len(ends) > 0 || !force) {
			break
		}
		ends = append(ends, end)
	}
	part := func(text []rune) Piece {
		piece := p
		piece.MayBreak = true
		piece.Run = Run{Face: p.Face}
		if len(text) > 0 {
			piece.Run = s.shape(text, 0, len(text), word{face: p.Face, script: p.script, rightToLeft: p.Level%2 == 1})
		}
		return piece
	}
	// The letter that is the last one now may be wider than it was within the word.
	for at := len(ends) - 1; at >= 0; at-- {
		head = part(p.Text[:ends[at]])
		if head.Width <= width || at == 0 && force {
			return head, part(p.Text[ends[at]:]), true
		}
	}
	return Piece{}, p, false
}

// Visual puts what stands on a line into the order in which it stands, from left to right, by its embedding levels.
func Visual[T any](line []T, level func(T) int8) {
	highest := int8(0)
	for _, each := range line {
		highest = max(highest, level(each))
	}
	for at := highest; at > 0; at-- {
		for start := 0; start < len(line); start++ {
			end := start
			for end < len(line) && level(line[end]) >= at {
				end++
			}
			slices.Reverse(line[start:end])
			start = max(start, end-1)
		}
	}
}
