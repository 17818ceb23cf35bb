package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/pdf/output"
)

// look is how text looks.
type look struct {
	bold, italic, mono, strike bool
	size                       float64
	colour                     colour
	background                 colour
	rise                       float64
	link                       *target
}

func plain(size float64) look { return look{size: size, colour: ink, background: none} }

func (l look) face() fonts.Face {
	switch {
	case l.mono && l.bold:
		return fonts.MonoBold
	case l.mono && l.italic:
		return fonts.MonoItalic
	case l.mono:
		return fonts.Mono
	case l.bold && l.italic:
		return fonts.SansBoldItalic
	case l.bold:
		return fonts.SansBold
	case l.italic:
		return fonts.SansItalic
	}
	return fonts.Sans
}

// span is text of one look, or a picture among text.
type span struct {
	text    string
	look    look
	picture *placedPicture
}

type placedPicture struct {
	image         output.Image
	width, height float64
}

// atom is what a line does not break within: a word or a part of one, a space, a picture.
type atom struct {
	runs    []run
	width   float64
	look    look
	picture *placedPicture
	// space may be dropped at a line's end; brk ends the line; mayBreak allows a line to end before it.
	space, brk, mayBreak bool
}

// invisible characters take no part: they choose between glyphs or join them, which these fonts do not know.
func invisible(r rune) bool {
	switch {
	case r == 0xFE0F, r == 0xFE0E, r == 0x200D, r == 0x200C, r == 0x00AD, r == 0xFEFF, r == 0x2060:
		return true
	case r >= 0x1F3FB && r <= 0x1F3FF: // skin tones
		return true
	case r >= 0xE0000 && r <= 0xE007F: // tags
		return true
	}
	return r != '\t' && r != '\n' && unicode.IsControl(r)
}

// shape cuts text into runs of one font each.
func shape(set *fonts.Set, text string, l look) []run {
	var runs []run
	asked := l.face()
	start, current := 0, fonts.Face(-1)
	flush := func(end int) {
		if end > start {
			part := strings.Map(func(r rune) rune {
				if invisible(r) {
					return -1
				}
				return r
			}, text[start:end])
			if part != "" {
				runs = append(runs, run{current, part, measure(set, current, part, l.size)})
			}
		}
		start = end
	}
	for i, r := range text {
		if invisible(r) {
			continue
		}
		if face := set.Pick(asked, r); face != current {
			flush(i)
			current = face
		}
	}
	if current >= 0 {
		flush(len(text))
	}
	return runs
}

func measure(set *fonts.Set, face fonts.Face, text string, size float64) float64 {
	font := set.Font(face)
	width := 0
	for _, r := range text {
		width += font.Advance(font.Glyph(r))
	}
	return float64(width) * size / 1000
}

func widthOf(runs []run) float64 {
	width := 0.0
	for _, r := range runs {
		width += r.width
	}
	return width
}

// ideographic reports whether lines may break beside a character: those of Chinese and Japanese, and Korean syllables.
func ideographic(r rune) bool {
	return r >= 0x2E80 && r < 0xA4D0 || r >= 0xAC00 && r < 0xD7B0 || r >= 0xF900 && r < 0xFB00 || r >= 0xFF00 &&
		r < 0xFFF0 || r >= 0x20000 && r < 0x40000
}

// Characters that no line begins with, and that no line ends with.
const (
	noStart = "、。，．・：；？！）］｝〕〉》」』】’”ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)]}%"
	noEnd   = "（［｛〔〈《「『【‘“([{"
)

// longestAtom is the most bytes of an atom.
const longestAtom = 256

// atoms cuts spans where lines may break.
func atoms(set *fonts.Set, spans []span) []atom {
	var out []atom
	mayBreak := true
	last := rune(0)
	add := func(text string, l look, a atom) {
		if text != "" {
			a.runs = shape(set, text, l)
			a.width = widthOf(a.runs)
		}
		a.look = l
		out = append(out, a)
	}
	for _, s := range spans {
		if s.picture != nil {
			out = append(out, atom{picture: s.picture, width: s.picture.width, look: s.look, mayBreak: true})
			mayBreak = true
			continue
		}
		start := 0
		word := func(end int) {
			for start < end {
				// Very long words are cut, because splitting an atom costs its length.
				cut := min(end, start+longestAtom)
				for cut < end && !utf8.RuneStart(s.text[cut]) {
					cut++
				}
				add(s.text[start:cut], s.look, atom{mayBreak: mayBreak})
				mayBreak = false
				start = cut
			}
		}
		for i, r := range s.text {
			width := len(string(r))
			switch {
			case r == '\n':
				word(i)
				add("", s.look, atom{brk: true})
				start, mayBreak = i+width, true
			case r == ' ' || r == '\t' || r == '\u3000' || r == '\u200b':
				word(i)
				blank := " "
				if r == '\u200b' {
					blank = ""
				} else if r == '\u3000' {
					blank = "\u3000"
				}
				add(blank, s.look, atom{space: true})
				start, mayBreak = i+width, true
			case ideographic(r) || ideographic(last) && !strings.ContainsRune(noStart, r):
				word(i)
				if !strings.ContainsRune(noStart, r) && !strings.ContainsRune(noEnd, last) {
					mayBreak = true
				}
			case strings.ContainsRune("-/–—\\_.=&?", last) && i > start && unicode.IsLetter(r) && i-start > 8:
				// Long compounds and addresses may break behind their joints.
				word(i)
				mayBreak = true
			}
			last = r
		}
		word(len(s.text))
	}
	return out
}

// line is a line of atoms.
type line struct {
	atoms  []atom
	width  float64
	ascent float64 // above the baseline
	height float64
}

// leading is the height of a line as a share of the size of its text.
const leading = 1.5

// lines breaks atoms into lines of at most a width.
func lines(set *fonts.Set, parts []atom, width float64, base look) []line {
	var out []line
	current := line{}
	finish := func() {
		for len(current.atoms) > 0 && current.atoms[len(current.atoms)-1].space {
			current.width -= current.atoms[len(current.atoms)-1].width
			current.atoms = current.atoms[:len(current.atoms)-1]
		}
		size := base.size
		picture := 0.0
		for _, a := range current.atoms {
			if a.picture != nil {
				picture = max(picture, a.picture.height)
			}
		}
		current.atoms = visual(set, current.atoms)
		current.height = size * leading
		current.ascent = size * 1.1
		if picture > current.ascent {
			current.height += picture - current.ascent
			current.ascent = picture
		}
		out = append(out, current)
		current = line{}
	}
	for at := 0; at < len(parts); {
		if parts[at].brk {
			finish()
			at++
			continue
		}
		// What stays together: up to the next place where a line may end.
		end, group := at+1, parts[at].width
		if !parts[at].space {
			for end < len(parts) && !parts[end].space && !parts[end].brk && !parts[end].mayBreak {
				group += parts[end].width
				end++
			}
		}
		if parts[at].space {
			if len(current.atoms) > 0 || at == 0 {
				current.atoms = append(current.atoms, parts[at])
				current.width += parts[at].width
			}
			at++
			continue
		}
		if current.width+group > width+0.01 && len(current.atoms) > 0 {
			finish()
		}
		for _, a := range parts[at:end] {
			for a.picture == nil && current.width+a.width > width+0.01 {
				head, tail, ok := split(set, a, width-current.width, len(current.atoms) == 0)
				if ok {
					current.atoms = append(current.atoms, head)
					current.width += head.width
				}
				if !ok && len(current.atoms) == 0 {
					break // one character is wider than the line
				}
				finish()
				a = tail
				if len(a.runs) == 0 {
					break
				}
			}
			if len(a.runs) > 0 || a.picture != nil {
				current.atoms = append(current.atoms, a)
				current.width += a.width
			}
		}
		at = end
	}
	if len(current.atoms) > 0 || len(out) == 0 {
		finish()
	}
	return out
}

// split cuts an atom so that the first part is at most a width; with force it has one character at least. It reports
// whether there is a first part.
func split(set *fonts.Set, a atom, width float64, force bool) (head, tail atom, ok bool) {
	var text strings.Builder
	for _, r := range a.runs {
		text.WriteString(r.text)
	}
	all := text.String()
	used, cut := 0.0, 0
	asked := a.look.face()
	for i, r := range all {
		face := set.Pick(asked, r)
		used += measure(set, face, string(r), a.look.size)
		if used > width && (i > 0 || !force) {
			break
		}
		cut = i + len(string(r))
	}
	make := func(part string) atom {
		runs := shape(set, part, a.look)
		return atom{runs: runs, width: widthOf(runs), look: a.look, mayBreak: true}
	}
	if cut == 0 {
		return atom{}, a, false
	}
	return make(all[:cut]), make(all[cut:]), true
}

// draw draws a line with its upper edge at y.
func (s *sheet) line(x, y float64, l line) {
	baseline := y + l.ascent
	at := x
	for i, a := range l.atoms { // backgrounds first: they reach a little under their neighbours
		top, height := baseline-a.look.size*0.95, a.look.size*1.3
		if a.look.background != none && len(a.runs) > 0 {
			left, right := at, at+a.width
			if i == 0 || l.atoms[i-1].look.background == none {
				left--
			}
			if i == len(l.atoms)-1 || l.atoms[i+1].look.background == none {
				right++
			}
			s.fill(left, top-a.look.rise, right-left, height, a.look.background)
		}
		at += a.width
	}
	at = x
	for i, a := range l.atoms {
		switch {
		case a.picture != nil:
			s.image(at, baseline-a.picture.height, a.picture.width, a.picture.height, a.picture.image)
			s.link(at, baseline-a.picture.height, a.width, a.picture.height, a.look.link)
		case i == 0 || l.atoms[i-1].picture != nil || l.atoms[i-1].look != a.look:
			// Neighbours of one look are drawn as one text, which is smaller and is copied as it reads.
			s.text(at, baseline, joined(l.atoms[i:]), a.look)
		}
		if a.look.strike {
			s.fill(at, baseline-a.look.size*0.3, a.width, a.look.size*0.06, a.look.colour)
		}
		at += a.width
	}
	s.lineLinks(x, baseline, l)
}

// joined returns the runs of the first atoms of one look, with those of one font made one.
func joined(atoms []atom) []run {
	var out []run
	for _, a := range atoms {
		if a.picture != nil || a.look != atoms[0].look {
			break
		}
		for _, r := range a.runs {
			if last := len(out) - 1; last >= 0 && out[last].face == r.face {
				out[last].text += r.text
				out[last].width += r.width
				continue
			}
			out = append(out, r)
		}
	}
	return out
}

// lineLinks makes one area of neighbours that lead to the same place.
func (s *sheet) lineLinks(x, baseline float64, l line) {
	at := x
	for i := 0; i < len(l.atoms); {
		to, start := l.atoms[i].look.link, at
		size := l.atoms[i].look.size
		for ; i < len(l.atoms) && l.atoms[i].look.link == to; i++ {
			at += l.atoms[i].width
		}
		if to != nil {
			s.link(start, baseline-size, at-start, size*1.3, to)
		}
	}
}
