package search

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/rectodocs/recto/internal/content/search/places"
	"github.com/rectodocs/recto/internal/content/search/terms"
)

// Bounds of the second look at documents: how many are looked at, how many with a phrase, which has to be looked for in
// them, and for how many variants of a unit.
const (
	looked         = 100
	lookedPhrase   = 2000
	lookedVariants = 24
)

// occurrence is a place of a unit in a text.
type occurrence struct {
	unit       int
	place      int
	start, end int
	weight     float32
}

// piece is a section of a document with what was found in it.
type piece struct {
	number int
	score  float32
	first  int // of its occurrences
	count  int
}

// worst is a heap of documents with the one on top that comes last.
type worst []counted

func (w worst) Len() int           { return len(w) }
func (w worst) Less(i, j int) bool { return w[i].final < w[j].final }
func (w worst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worst) Push(x any)        { *w = append(*w, x.(counted)) }
func (w *worst) Pop() any {
	last := len(*w) - 1
	popped := (*w)[last]
	*w = (*w)[:last]
	return popped
}

// first returns that many documents that have enough of what was asked for, the best ones, and how many have. One with
// the operation of an API that the text names has enough.
func (r *ranking) first(text string, most int) (kept worst, total int, err error) {
	strict := isStrict(r.units)
	all := r.all()
	if err := r.preferOperation(text, all); err != nil {
		return nil, 0, err
	}
	for i := range all {
		s := &all[i]
		if s.covered < enoughCovered && s.operation == 0 {
			continue
		}
		total++
		s.final = s.score * float32(math.Sqrt(float64(s.covered)))
		switch {
		case s.lacks:
			s.final *= lackFactor
		case strict:
			s.final += aheadOfOthers
			s.ahead = true
		}
		s.final += s.operation * aheadOfOthers
		switch {
		case len(kept) < most:
			if kept = append(kept, *s); len(kept) == most {
				heap.Init(&kept)
			}
		case s.final > kept[0].final:
			kept[0] = *s
			heap.Fix(&kept, 0)
		}
	}
	return kept, total, nil
}

// locate finds out where in the texts of documents the units are.
func (r *ranking) locate(ctx context.Context, documents []scored) error {
	byPart := map[*part][]*scored{}
	for i := range documents {
		if documents[i].spans == nil {
			byPart[documents[i].part] = append(byPart[documents[i].part], &documents[i])
		}
	}
	var sought []soughtTerm
	for i, u := range r.units {
		if u.found == 0 {
			continue
		}
		variants := u.variants
		if len(variants) > lookedVariants {
			variants = slices.Clone(variants)
			slices.SortStableFunc(variants, func(a, b variant) int { return int(1000 * (b.weight - a.weight)) })
			variants = variants[:lookedVariants]
		}
		for _, each := range variants {
			sought = append(sought, soughtTerm{each, i, places.HashOf(each.term)})
		}
	}
	for p, list := range byPart {
		slices.SortFunc(list, func(a, b *scored) int { return int(a.doc) - int(b.doc) })
		if err := r.parts.scratch.locate(ctx, p, sought, list); err != nil {
			return err
		}
	}
	for i := range documents {
		slices.SortFunc(documents[i].spans, func(a, b occurrence) int {
			if a.place != b.place {
				return a.place - b.place
			}
			return a.start - b.start
		})
	}
	return nil
}

// soughtTerm is a term that is sought in texts for a unit.
type soughtTerm struct {
	variant
	unit int
	hash places.Hash
}

// maxOccurrences bounds how often a term counts in one document.
const maxOccurrences = 400

// locate finds terms in the texts of documents of a part, which are in order.
func (s *scratch) locate(ctx context.Context, p *part, sought []soughtTerm, documents []*scored) error {
	has := make([][]int, len(documents)) // which of the terms each document has
	for number, term := range sought {
		if err := ctx.Err(); err != nil {
			return err
		}
		list, err := p.listOf(fieldText, term.term)
		if err != nil {
			return err
		}
		if list == nil {
			continue
		}
		postings := list.Iterator(false, false, false, nil)
		var posting segment.Posting
		for i, document := range documents {
			if document.has>>term.unit&1 == 0 {
				continue
			}
			if posting == nil || posting.Number() < uint64(document.doc) {
				if posting, err = postings.Advance(uint64(document.doc)); err != nil {
					return fmt.Errorf("read where a word is: %w", err)
				}
				if posting == nil {
					break
				}
			}
			if posting.Number() == uint64(document.doc) {
				has[i] = append(has[i], number)
			}
		}
	}
	for i, document := range documents {
		if err := s.locateIn(document, sought, has[i]); err != nil {
			return err
		}
	}
	return nil
}

// locateIn finds terms in the text of a document that has them.
func (s *scratch) locateIn(document *scored, sought []soughtTerm, has []int) error {
	if len(has) == 0 {
		return nil
	}
	s.wanted.Reset()
	for _, number := range has {
		s.wanted.Add(sought[number].hash, number)
	}
	times := make(map[int]int, len(has))
	var failed error
	err := document.part.segment.VisitStoredFields(uint64(document.doc),
		func(field string, _ byte, value []byte, _ []uint64) bool {
			if field != fieldPlaces {
				return true
			}
			failed = s.wanted.Find(value, func(number int, at places.Place) {
				if times[number]++; times[number] <= maxOccurrences {
					document.spans = append(document.spans, occurrence{unit: sought[number].unit, place: at.Place,
						start: at.Start, end: at.End, weight: sought[number].weight})
				}
			})
			return false
		})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("read where the words of %s are: %w", document.name(), err)
	}
	return nil
}

// Weights of what the second look finds.
const (
	sectionShare   float32 = 1.0  // the best section beside the whole page
	headingFactor  float32 = 3.5  // an occurrence in a heading beside one in a text
	togetherShare  float32 = 0.5  // words in the order of the query, next to each other
	nearShare      float32 = 1.2  // words near each other
	earlyShare     float32 = 0.05 // in the first sections of a page
	titleShare     float32 = 0.8  // words that the title has
	wholeTitle     float32 = 1.3  // a title that consists of them
	titleTerms     float32 = 1.5  // how many terms a word of a title makes
	sectionHalf    float32 = 1.0  // occurrences in a section at which half is reached
	coverageWeight float32 = 0.5  // how strongly a section without some of the words falls back
	lackFactor     float32 = 0.9
	aboutShare     float32 = 0.35 // a section whose heading begins with what was asked for
)

// look makes the final score of documents from where the units are in them.
func (r *ranking) look(documents []scored) {
	whole := float32(0)
	for _, u := range r.units {
		if needed(u) && u.found > 0 {
			whole += r.weight(u)
		}
	}
	whole = max(whole, 0.1)
	for i := range documents {
		s := &documents[i]
		r.divide(s, whole)
		top := float32(0)
		if len(s.pieces) > 0 {
			top = s.pieces[0].score
		}
		filled := float32(0)
		if s.titleLength > 0 {
			filled = min(1, s.words*titleTerms/s.titleLength)
		}
		title := s.named / whole
		s.final += sectionShare*top + whole*titleShare*title*(1+wholeTitle*filled*title)
	}
}

// divide scores the sections of a document.
func (r *ranking) divide(s *scored, whole float32) {
	s.pieces = s.pieces[:0]
	for first := 0; first < len(s.spans); {
		number := s.spans[first].place / terms.SectionPlaces
		end := first
		for end < len(s.spans) && s.spans[end].place/terms.SectionPlaces == number {
			end++
		}
		s.pieces = append(s.pieces, piece{number: number, score: r.section(s.spans[first:end], whole), first: first,
			count: end - first})
		first = end
	}
	slices.SortStableFunc(s.pieces, func(a, b piece) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
}

// section scores what was found in one section.
func (r *ranking) section(spans []occurrence, whole float32) float32 {
	var times [2 * maxTerms]float32
	var has uint32
	together := uint32(0)
	for i, at := range spans {
		factor := float32(1)
		if at.place%terms.SectionPlaces < terms.HeadingPlaces {
			factor = headingFactor
		}
		times[at.unit] += factor * at.weight
		has |= 1 << at.unit
		u := r.units[at.unit]
		if u.order < 0 {
			continue
		}
		for _, next := range spans[i+1:] {
			if next.place > at.place+1 {
				break
			}
			if next.place == at.place+1 && r.units[next.unit].order == u.order+1 {
				together |= 1 << u.order
			}
		}
	}
	score, covered, words := float32(0), float32(0), 0
	for n, u := range r.units {
		if u.order >= 0 {
			words++
		}
		if has>>n&1 == 0 {
			continue
		}
		score += float32(u.rarity) * share(u) * times[n] / (times[n] + sectionHalf)
		if needed(u) {
			covered += r.weight(u)
		}
	}
	score *= 1 - coverageWeight + coverageWeight*covered/whole
	if words > 1 {
		score *= 1 + togetherShare*float32(bits.OnesCount32(together))/float32(words-1)
	}
	if needs, window := r.window(spans, has); needs > 1 {
		score *= 1 + nearShare*float32(needs)/float32(max(window, needs))*covered/whole
	}
	if number := spans[0].place / terms.SectionPlaces; number < 2 {
		score *= 1 + earlyShare
	}
	if r.isAbout(spans) {
		score += aboutShare * whole
	}
	return score
}

// isAbout reports whether the heading of a section begins with the words of the query as they were typed, but for one
// word: a class, a directive or a function is described there, which other pages only use.
func (r *ranking) isAbout(spans []occurrence) bool {
	next, place := 0, 1
	for _, at := range spans {
		here, u := at.place%terms.SectionPlaces, r.units[at.unit]
		if here >= terms.HeadingPlaces || next == r.words {
			break
		}
		if u.order != next || at.weight < 1 {
			continue
		}
		if next == 0 && here <= place || next > 0 && here == place+1 {
			next, place = next+1, here
		}
	}
	return next == r.words
}

// window is how many needed units a section has, and the length of its shortest stretch that has all of them.
func (r *ranking) window(spans []occurrence, has uint32) (needs, shortest int) {
	wanted := uint32(0)
	for n, u := range r.units {
		if has>>n&1 == 1 && needed(u) {
			wanted |= 1 << n
			needs++
		}
	}
	if needs < 2 {
		return needs, 0
	}
	var last [2 * maxTerms]int
	seen := uint32(0)
	shortest = terms.SectionPlaces
	for _, at := range spans {
		if wanted>>at.unit&1 == 0 {
			continue
		}
		seen |= 1 << at.unit
		last[at.unit] = at.place
		if seen != wanted {
			continue
		}
		first := at.place
		for n := range r.units {
			if wanted>>n&1 == 1 {
				first = min(first, last[n])
			}
		}
		shortest = min(shortest, at.place-first+1)
	}
	return needs, shortest
}

// hasPhrases reports whether the words of each phrase stand next to each other in a document, in one section.
func (r *ranking) hasPhrases(s *scored, phrases [][2]int) bool {
	for _, phrase := range phrases {
		if !r.hasPhrase(s, phrase) {
			return false
		}
	}
	return true
}

func (r *ranking) hasPhrase(s *scored, phrase [2]int) bool {
	places := map[[2]int]bool{}
	for _, at := range s.spans {
		if order := r.units[at.unit].order; order >= phrase[0] && order < phrase[1] {
			places[[2]int{order, at.place}] = true
		}
	}
	for at := range places {
		if at[0] != phrase[0] {
			continue
		}
		together := true
		for order := phrase[0] + 1; order < phrase[1] && together; order++ {
			together = places[[2]int{order, at[1] + order - phrase[0]}]
		}
		if together {
			return true
		}
	}
	return false
}
