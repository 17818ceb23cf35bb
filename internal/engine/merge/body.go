package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Lines is a half-open range of lines, counted from 0.
type Lines struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// BodyConflict is a place of a body that both sides changed differently: what each has there, and which lines of
// its text that is. Texts end in a newline unless they are empty. Merged is the place in the merged text.
type BodyConflict struct {
	Base        string `json:"base"`
	Ours        string `json:"ours"`
	Theirs      string `json:"theirs"`
	BaseLines   Lines  `json:"baseLines"`
	OursLines   Lines  `json:"oursLines"`
	TheirsLines Lines  `json:"theirsLines"`
	MergedLines Lines  `json:"mergedLines"`
}

// Body merges two versions of a Markdown body with their common base, by blocks and then by lines. The conflicts are
// in the order of the text; in the merged bytes each of them has what ours has there. With no conflict, Body is
// symmetric: exchanging ours and theirs gives the same bytes.
//
// Changes conflict where they overlap or touch and differ. Whether the text ends in a newline, and whether its lines
// end in LF or CRLF when each of the three texts uses one of them throughout, are merged by themselves: an editor
// that changes them all does not touch every line. A text that mixes the two is merged byte for byte.
func Body(base, ours, theirs []byte) (merged []byte, conflicts []BodyConflict) {
	return settleBody(base, ours, theirs, nil)
}

// SettleBody merges like Body and takes, in each conflict, the side that choices has at its index. Beside Base, Ours
// and Theirs it may be Both: the blocks of ours, then those of theirs (markdown.Both). It returns an errs.Invalid error
// when the number of choices is not that of the conflicts or one of them is another side.
func SettleBody(base, ours, theirs []byte, choices []Side) ([]byte, error) {
	for _, side := range choices {
		if !slices.Contains([]Side{Base, Ours, Theirs, Both}, side) {
			return nil, errs.Invalidf("choices", "%.40q is not one of base, ours, theirs, both", side)
		}
	}
	merged, conflicts := settleBody(base, ours, theirs, choices)
	if len(conflicts) != len(choices) {
		return nil, errs.Invalidf("choices", "the body has %d conflicts and there are %d choices; give one for each",
			len(conflicts), len(choices))
	}
	return merged, nil
}

// settleBody merges and takes the chosen sides, or ours, in the conflicts.
func settleBody(base, ours, theirs []byte, choices []Side) ([]byte, []BodyConflict) {
	b, o, t := string(base), string(ours), string(theirs)
	switch {
	case o == t, b == t:
		return ours, nil
	case b == o:
		return theirs, nil
	}
	ending := mergeEndings(&b, &o, &t)
	baseLines, baseNewline := splitLines(b)
	oursLines, oursNewline := splitLines(o)
	theirsLines, theirsNewline := splitLines(t)

	var out, other []string // other has theirs where the choice is Both
	var conflicts []BodyConflict
	var both [][2]Lines
	for _, r := range newComparer().diff3Lines(baseLines, oursLines, theirsLines) {
		inBase := baseLines[r.base.Start:r.base.End]
		inOurs := oursLines[r.ours.Start:r.ours.End]
		inTheirs := theirsLines[r.theirs.Start:r.theirs.End]
		switch r.origin {
		case fromBase:
			out, other = append(out, inBase...), append(other, inBase...)
		case fromOurs:
			out, other = append(out, inOurs...), append(other, inOurs...)
		case fromTheirs:
			out, other = append(out, inTheirs...), append(other, inTheirs...)
		case fromConflict:
			start, side := len(out), Ours
			if len(conflicts) < len(choices) {
				side = choices[len(conflicts)]
			}
			chosen, otherwise := inOurs, inOurs
			switch side {
			case Base:
				chosen, otherwise = inBase, inBase
			case Theirs:
				chosen, otherwise = inTheirs, inTheirs
			case Both:
				otherwise = inTheirs
				both = append(both, [2]Lines{{start, start + len(inOurs)}, {len(other), len(other) + len(inTheirs)}})
			}
			out, other = append(out, chosen...), append(other, otherwise...)
			conflicts = append(conflicts, BodyConflict{
				Base: joinLines(inBase, true), Ours: joinLines(inOurs, true), Theirs: joinLines(inTheirs, true),
				BaseLines: Lines(r.base), OursLines: Lines(r.ours), TheirsLines: Lines(r.theirs),
				MergedLines: Lines{start, len(out)},
			})
		}
	}
	newline := oursNewline
	if oursNewline == baseNewline {
		newline = theirsNewline
	}
	text := joinLines(out, newline)
	if len(both) > 0 {
		text = joinLines(splitAgain(bothOf(out, other, both), newline))
	}
	if ending == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text), conflicts
}

// bothOf joins two settled texts, which differ in the ranges of lines alone for which both sides were chosen.
func bothOf(ours, theirs []string, places [][2]Lines) string {
	offsets := func(lines []string) []int {
		at, sum := make([]int, 0, len(lines)+1), 0
		for _, line := range lines {
			at, sum = append(at, sum), sum+len(line)+1
		}
		return append(at, sum)
	}
	inOurs, inTheirs := offsets(ours), offsets(theirs)
	bytes := make([]markdown.Place, len(places))
	for i, place := range places {
		bytes[i] = markdown.Place{
			Ours:   doc.Span{Start: inOurs[place[0].Start], End: inOurs[place[0].End]},
			Theirs: doc.Span{Start: inTheirs[place[1].Start], End: inTheirs[place[1].End]},
		}
	}
	return string(markdown.Both([]byte(joinLines(ours, true)), []byte(joinLines(theirs, true)), bytes))
}

// splitAgain cuts a text into lines, to be joined with a newline at the end or without.
func splitAgain(text string, newline bool) ([]string, bool) {
	lines, _ := splitLines(text)
	return lines, newline
}

const mixedEndings = "mixed"

// mergeEndings decides what the lines of the merged text end in. When each text uses one line ending throughout and
// they do not all use the same, it brings the three to LF and returns the ending that the merged text is to have;
// else it leaves them alone and returns "".
func mergeEndings(base, ours, theirs *string) string {
	b, o, t := lineEnding(*base), lineEnding(*ours), lineEnding(*theirs)
	if b == mixedEndings || o == mixedEndings || t == mixedEndings {
		return ""
	}
	// A text of one line without an ending has no say; two sides that end such a text in two ways make it LF.
	if b == "" && o != "" && t != "" && o != t {
		b = "\r\n"
	}
	b = cmp.Or(b, o, t)
	o, t = cmp.Or(o, b), cmp.Or(t, b)
	if b == o && o == t && b != "\r\n" {
		return ""
	}
	for _, text := range []*string{base, ours, theirs} {
		*text = strings.ReplaceAll(*text, "\r\n", "\n")
	}
	if o == b {
		return t
	}
	return o
}

// lineEnding returns what all lines of a text end in, "\n" or "\r\n"; "" when there is none, mixedEndings
// when they differ.
func lineEnding(text string) string {
	lines := strings.Count(text, "\n")
	switch strings.Count(text, "\r\n") {
	case lines:
		if lines == 0 {
			return ""
		}
		return "\r\n"
	case 0:
		return "\n"
	}
	return mixedEndings
}

// splitLines cuts a text into lines without their newlines, and reports whether the last of them has one. An empty
// text has no lines, and counts as one that ends in a newline.
func splitLines(text string) (lines []string, newline bool) {
	if text == "" {
		return nil, true
	}
	body, newline := strings.CutSuffix(text, "\n")
	return strings.Split(body, "\n"), newline
}

// joinLines undoes splitLines. A last line that is empty keeps its newline, without which it would not be there.
func joinLines(lines []string, newline bool) string {
	if len(lines) == 0 {
		return ""
	}
	text := strings.Join(lines, "\n")
	if newline || lines[len(lines)-1] == "" {
		text += "\n"
	}
	return text
}
