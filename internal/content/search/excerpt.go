package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a range of bytes in a text.
type span struct{ start, end int }

// maxSections is how many sections of one page a result shows.
const maxSections = 5

// sectionHits makes the sections that are shown of a document, the best first.
func (r *ranking) sectionHits(s *scored) ([]SectionHit, error) {
	var text, encoded string
	err := s.part.segment.VisitStoredFields(uint64(s.doc), func(field string, _ byte, value []byte, _ []uint64) bool {
		switch field {
		case fieldText:
			text = string(value)
		case fieldSections:
			encoded = string(value)
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read the text of %s: %w", s.name(), err)
	}
	var sections []storedSection
	if err := json.Unmarshal([]byte(encoded), &sections); err != nil {
		return nil, fmt.Errorf("read the sections of %s: %w", s.name(), err)
	}
	hits := make([]SectionHit, 0, min(len(s.pieces), maxSections))
	for _, piece := range s.pieces {
		if len(hits) == maxSections {
			break
		}
		if piece.number >= len(sections) {
			return nil, fmt.Errorf("%s has no section %d", s.name(), piece.number)
		}
		section := sections[piece.number]
		if section.Heading > section.Start-1 || section.Start > section.End || section.End > len(text) {
			return nil, fmt.Errorf("section %d of %s lies outside its text", piece.number, s.name())
		}
		hit := SectionHit{ID: section.ID, Title: text[section.Heading : section.Start-1]}
		if piece.number == 0 {
			hit.Title = "" // it is that of the page
			if !r.below(s, piece) {
				continue
			}
		}
		hit.Body, hit.Marks = excerpt(text[section.Start:section.End], r.marks(s, piece, section))
		hits = append(hits, hit)
	}
	return hits, nil
}

// below reports whether something was found below the heading of a section.
func (r *ranking) below(s *scored, p piece) bool {
	return slices.ContainsFunc(s.spans[p.first:p.first+p.count], func(at occurrence) bool {
		return at.place%sectionPlaces >= headingPlaces
	})
}

// marks are the words found below the heading of a section, in order and without overlaps: stop words and parts of
// names only where there is nothing else.
func (r *ranking) marks(s *scored, p piece, section storedSection) []span {
	var spans []span
	for _, at := range s.spans[p.first : p.first+p.count] {
		if at.start >= section.Start && at.end <= section.End && needed(r.units[at.unit]) {
			spans = append(spans, span{at.start - section.Start, at.end - section.Start})
		}
	}
	if spans == nil {
		for _, at := range s.spans[p.first : p.first+p.count] {
			if at.start >= section.Start && at.end <= section.End {
				spans = append(spans, span{at.start - section.Start, at.end - section.Start})
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	joined := spans[:0]
	for _, s := range spans {
		if last := len(joined) - 1; last >= 0 && s.start < joined[last].end {
			joined[last].end = max(joined[last].end, s.end)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// excerptBytes is about how long an excerpt is.
const excerptBytes = 220

// excerpt cuts the part of a section around its densest matches, on word boundaries, and shifts the marks with it.
func excerpt(text string, spans []span) (string, [][2]int) {
	start := 0
	if len(spans) > 0 {
		best, bestCount := 0, 0
		for i := range spans {
			count := 0
			for j := i; j < len(spans) && spans[j].end-spans[i].start <= excerptBytes; j++ {
				count++
			}
			if count > bestCount {
				best, bestCount = i, count
			}
		}
		start = max(0, spans[best].start-excerptBytes/4)
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
		if s.start < start || s.end > start+len(trimmed) {
			continue
		}
		mark := [2]int{s.start - start + len(prefix), s.end - start + len(prefix)}
		// What is written as one word is marked as one.
		if last := len(marks) - 1; last >= 0 && mark[0]-marks[last][1] <= maxSignsBetween &&
			!strings.ContainsFunc(text[s.start-(mark[0]-marks[last][1]):s.start], unicode.IsSpace) {
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
