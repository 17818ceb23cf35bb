// Package excerpt owns cutting the part of a text that shows what was found in it.
package excerpt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a range of bytes in a text.
type Span struct{ Start, End int }

// joined are spans in order and without overlaps.
func joined(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	kept := spans[:0]
	for _, s := range spans {
		if last := len(kept) - 1; last >= 0 && s.Start < kept[last].End {
			kept[last].End = max(kept[last].End, s.End)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// excerptBytes is about how long an excerpt is.
const excerptBytes = 220

// Of cuts the part of a text around its densest matches, on word boundaries. It returns the marks in that part, in
// order and without overlaps: what is apart by no more than so many signs is marked as one.
func Of(text string, spans []Span, signs int) (string, [][2]int) {
	spans = joined(spans)
	start := 0
	if len(spans) > 0 {
		best, bestCount := 0, 0
		for i := range spans {
			count := 0
			for j := i; j < len(spans) && spans[j].End-spans[i].Start <= excerptBytes; j++ {
				count++
			}
			if count > bestCount {
				best, bestCount = i, count
			}
		}
		start = max(0, spans[best].Start-excerptBytes/4)
	}
	start = wordStart(text, start)
	end := wordEnd(text, min(len(text), start+excerptBytes))

	// The lead and the newlines go, keeping offsets true: a newline becomes a space of the same length.
	cut := strings.NewReplacer("\n", " ", "\t", " ").Replace(text[start:end])
	trimmed := strings.TrimLeft(cut, " ")
	start += len(cut) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " ")

	prefix := ""
	if strings.TrimSpace(text[:start]) != "" {
		prefix = "… "
	}
	suffix := ""
	if strings.TrimSpace(text[end:]) != "" {
		suffix = " …"
	}
	marks := [][2]int{}
	for _, s := range spans {
		if s.Start < start || s.End > start+len(trimmed) {
			continue
		}
		mark := [2]int{s.Start - start + len(prefix), s.End - start + len(prefix)}
		// What is written as one word is marked as one.
		if last := len(marks) - 1; last >= 0 && mark[0]-marks[last][1] <= signs &&
			!strings.ContainsFunc(text[s.Start-(mark[0]-marks[last][1]):s.Start], unicode.IsSpace) {
			marks[last][1] = mark[1]
			continue
		}
		marks = append(marks, mark)
	}
	return prefix + trimmed + suffix, marks
}

// wordStart moves a cut back to the start of a word, at most 40 bytes, and never into a character.
func wordStart(text string, at int) int {
	for back := at; back > 0 && at-back < 40; back-- {
		if text[back-1] == ' ' || text[back-1] == '\n' {
			return back
		}
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// wordEnd moves a cut forward to the end of a word, at most 40 bytes, and never into a character.
func wordEnd(text string, at int) int {
	for forward := at; forward < len(text) && forward-at < 40; forward++ {
		if text[forward] == ' ' || text[forward] == '\n' {
			return forward
		}
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
