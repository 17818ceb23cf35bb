package pdf

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

// rightToLeft reports whether text has letters that are written from right to left.
func rightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00
	})
}

// visual puts the atoms of a line into the order in which they stand on paper. Most lines have nothing to be moved.
func visual(set *fonts.Set, atoms []atom) []atom {
	var text strings.Builder
	var owner []int // the atom of each character
	for i, a := range atoms {
		part := "\uFFFC" // a picture is neutral
		if a.picture == nil {
			part = atomText(a)
		}
		text.WriteString(part)
		for range utf8.RuneCountInString(part) {
			owner = append(owner, i)
		}
	}
	if !rightToLeft(text.String()) {
		return atoms
	}
	var paragraph bidi.Paragraph
	if _, err := paragraph.SetString(text.String()); err != nil {
		return atoms
	}
	order, err := paragraph.Order()
	if err != nil {
		return atoms
	}
	characters := []rune(text.String())
	var out []atom
	for i := range order.NumRuns() {
		run := order.Run(i)
		start, end := run.Pos() // in characters; the last one belongs to the run
		var parts []atom
		for from := start; from <= end && from < len(owner); {
			to := from
			for to <= end && to < len(owner) && owner[to] == owner[from] {
				to++
			}
			parts = append(parts, directed(set, atoms[owner[from]], string(characters[from:to]), run.Direction()))
			from = to
		}
		if run.Direction() == bidi.RightToLeft {
			slices.Reverse(parts)
		}
		out = append(out, parts...)
	}
	return out
}

func atomText(a atom) string {
	var b strings.Builder
	for _, r := range a.runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// directed is the part of an atom that has a text, in the order of a direction.
func directed(set *fonts.Set, a atom, text string, direction bidi.Direction) atom {
	if a.picture != nil {
		return a
	}
	if direction == bidi.RightToLeft {
		text = bidi.ReverseString(text)
	}
	a.runs = shape(set, text, a.look)
	a.width = widthOf(a.runs)
	return a
}
