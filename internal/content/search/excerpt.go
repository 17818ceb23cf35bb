package search

import (
	"encoding/json"
	"fmt"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/rectodocs/recto/internal/content/search/excerpt"
	"github.com/rectodocs/recto/internal/content/search/terms"
)

// maxSections is how many sections of one page a result shows.
const maxSections = 5

// storedText returns the text of a document, and where its sections are in it.
func storedText(in segment.Segment, document uint64) (text string, sections []storedSection, err error) {
	var encoded []byte
	err = in.VisitStoredFields(document, func(field string, _ byte, value []byte, _ []uint64) bool {
		switch field {
		case fieldText:
			text = string(value)
		case fieldSections:
			encoded = slices.Clone(value)
		}
		return true
	})
	if err == nil {
		err = json.Unmarshal(encoded, &sections)
	}
	for number, section := range sections {
		if section.Heading > section.Start-1 || section.Start > section.End || section.End > len(text) {
			return "", nil, fmt.Errorf("section %d lies outside the text", number)
		}
	}
	return text, sections, err
}

// sectionHits makes the sections that are shown of a document, the best first.
func (r *ranking) sectionHits(s *scored) ([]SectionHit, error) {
	text, sections, err := storedText(s.part.segment, uint64(s.doc))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.name(), err)
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
		hit := SectionHit{ID: section.ID, Title: text[section.Heading : section.Start-1]}
		if piece.number == 0 {
			hit.Title = "" // it is that of the page
			if !r.below(s, piece) {
				continue
			}
		}
		hit.Body, hit.Marks = excerpt.Of(text[section.Start:section.End], r.marks(s, piece, section),
			terms.MaxSignsBetween)
		hits = append(hits, hit)
	}
	return hits, nil
}

// below reports whether something was found below the heading of a section, or its vector was.
func (r *ranking) below(s *scored, p piece) bool {
	return p.count == 0 || slices.ContainsFunc(s.spans[p.first:p.first+p.count], func(at occurrence) bool {
		return at.place%terms.SectionPlaces >= terms.HeadingPlaces
	})
}

// marks are the words found below the heading of a section: stop words and parts of names only where there is nothing
// else.
func (r *ranking) marks(s *scored, p piece, section storedSection) []excerpt.Span {
	var spans []excerpt.Span
	for _, at := range s.spans[p.first : p.first+p.count] {
		if at.start >= section.Start && at.end <= section.End && needed(r.units[at.unit]) {
			spans = append(spans, excerpt.Span{Start: at.start - section.Start, End: at.end - section.Start})
		}
	}
	if spans == nil {
		for _, at := range s.spans[p.first : p.first+p.count] {
			if at.start >= section.Start && at.end <= section.End {
				spans = append(spans, excerpt.Span{Start: at.start - section.Start, End: at.end - section.Start})
			}
		}
	}
	return spans
}
