package pdf

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/pdf/output"
	"github.com/rectodocs/recto/internal/engine/pdf/shaping"
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

// typesetter sets the text of pages.
type typesetter struct {
	shaper *shaping.Shaper
	// language is that of the book; "" for one that nobody knows.
	language string
	// rightToLeft says that the page at hand runs from right to left.
	rightToLeft bool
}

// turn makes what follows run as some texts do, or as the language of the book when they have no letters.
func (t *typesetter) turn(texts ...string) {
	runs := direction.OfText(texts...)
	if runs == "" {
		runs = direction.OfLanguage(t.language)
	}
	t.rightToLeft = runs == direction.RightToLeft
}

// atom is what a line does not break within: a word or a part of one, a space, a picture.
type atom struct {
	shaping.Piece
	width   float64
	look    look
	picture *placedPicture
}

func atomOf(p shaping.Piece, l look) atom {
	return atom{Piece: p, width: float64(p.Width) * l.size / 1000, look: l}
}

// atoms cuts spans where lines may break.
func (t *typesetter) atoms(spans []span) []atom {
	parts := make([]shaping.Span, len(spans))
	for i, s := range spans {
		parts[i] = shaping.Span{Text: s.text, Face: s.look.face(), Object: s.picture != nil, Code: s.look.mono}
	}
	pieces := t.shaper.Pieces(parts, t.rightToLeft)
	out := make([]atom, len(pieces))
	for i, p := range pieces {
		from := spans[p.Span]
		out[i] = atomOf(p, from.look)
		if from.picture != nil {
			out[i].picture, out[i].width = from.picture, from.picture.width
		}
	}
	return out
}

// words is a text of one look on one line.
type words struct {
	runs  []shaping.Run // as they stand, from left to right
	width float64
}

func single(r shaping.Run, size float64) words {
	return words{[]shaping.Run{r}, float64(r.Width) * size / 1000}
}

// shape sets a text on one line, however wide it gets.
func (t *typesetter) shape(text string, l look) words {
	atoms := t.atoms([]span{{text: strings.ReplaceAll(text, "\n", " "), look: l}})
	shaping.Visual(atoms, func(a atom) int8 { return a.Level })
	out := words{runs: make([]shaping.Run, len(atoms))}
	for i, a := range atoms {
		out.runs[i] = a.Run
		out.width += a.width
	}
	return out
}

// fit sets a text on one line and cuts it, with an ellipsis, to a width.
func (t *typesetter) fit(text string, l look, width float64) words {
	text = strings.Join(strings.Fields(text), " ")
	const longest = 2000 // characters that a line could have
	characters := []rune(text)
	characters = characters[:min(len(characters), longest)]
	fitting := t.shape(string(characters), l)
	for fitting.width > width && len(characters) > 1 {
		characters = characters[:len(characters)*9/10]
		fitting = t.shape(strings.TrimSpace(string(characters))+"…", l)
	}
	return fitting
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
func (t *typesetter) lines(parts []atom, width float64, base look) []line {
	var out []line
	current := line{}
	finish := func() {
		for len(current.atoms) > 0 && current.atoms[len(current.atoms)-1].Space {
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
		shaping.Visual(current.atoms, func(a atom) int8 { return a.Level })
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
		if parts[at].Newline {
			finish()
			at++
			continue
		}
		// What stays together: up to the next place where a line may end.
		end, group := at+1, parts[at].width
		if !parts[at].Space {
			for end < len(parts) && !parts[end].Space && !parts[end].Newline && !parts[end].MayBreak {
				group += parts[end].width
				end++
			}
		}
		if parts[at].Space {
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
				head, tail, ok := t.split(a, width-current.width, len(current.atoms) == 0)
				if ok {
					current.atoms = append(current.atoms, head)
					current.width += head.width
				}
				if !ok && len(current.atoms) == 0 {
					break // one character is wider than the line
				}
				finish()
				a = tail
				if len(a.Text) == 0 {
					break
				}
			}
			if len(a.Text) > 0 || a.picture != nil {
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
func (t *typesetter) split(a atom, width float64, force bool) (head, tail atom, ok bool) {
	first, second, ok := t.shaper.Cut(a.Piece, int(width*1000/a.look.size), force)
	return atomOf(first, a.look), atomOf(second, a.look), ok
}

// line draws a line with its upper edge at y. Its atoms stand from left to right, however the sheet runs.
func (s *sheet) line(x, y float64, l line) {
	x = s.left(x, l.width)
	rightToLeft := s.rightToLeft
	s.rightToLeft = false
	defer func() { s.rightToLeft = rightToLeft }()
	baseline := y + l.ascent
	at := x
	for i, a := range l.atoms { // backgrounds first: they reach a little under their neighbours
		top, height := baseline-a.look.size*0.95, a.look.size*1.3
		if a.look.background != none && a.picture == nil {
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

// joined returns the text of the first atoms of one look.
func joined(atoms []atom) words {
	end := slices.IndexFunc(atoms, func(a atom) bool { return a.picture != nil || a.look != atoms[0].look })
	if end < 0 {
		end = len(atoms)
	}
	out := words{runs: make([]shaping.Run, end)}
	for i, a := range atoms[:end] {
		out.runs[i] = a.Run
		out.width += a.width
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
