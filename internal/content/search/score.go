package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/places"
	"github.com/rectodocs/recto/internal/content/search/postings"
	"github.com/rectodocs/recto/internal/engine/endpoint"
)

// Weights of the fields: a word in the title says more about a page than one in its text, which holds all words.
const (
	titleWeight   float32 = 6.0
	headingWeight float32 = 2.0
	textWeight    float32 = 1.0
	// saturation says how fast further occurrences of a word stop to matter.
	saturation float32 = 1.2
	// stopShare is what a stop word counts, optionalShare what is written as one counts besides its words.
	stopShare     float32 = 0.25
	optionalShare float32 = 0.2
	// everydayShare is what a word counts that asks about anything.
	everydayShare float32 = 0.5
	hintShare     float32 = 0.1
	// hintTitle is what a word of a known name counts that is in the title: the page that is called a tells of a.b.
	hintTitle float32 = 0.8
	// hintCovers is what a word of a known name covers of what was asked for.
	hintCovers float32 = 0.3
)

// How much a long field takes away, and how many words are usual in one.
const (
	titleLength  = 0.4
	fieldLength  = 0.6
	usualTitle   = 4.0
	usualHeading = 30.0
)

// tally is how often a unit is in a document.
type tally struct {
	doc                   uint32
	title, headings, text float32
	titleLength, length   float32
	// named is how much the title has it.
	named float32
}

// counted is what is known of a document after all units were counted. There may be one for each page.
type counted struct {
	part, doc uint32
	score     float32
	// final is what documents are put in order by.
	final float32
	// has are the units that it has, as bits.
	has uint32
	// covered is the share of what was asked for, by rarity.
	covered float32
	// named is how much of what was asked for the title has, words how many words of it that are, titleLength how many
	// terms it has.
	named, words, titleLength float32
	// lacks is set when it lacks a word, ahead when it comes before all that do.
	lacks, ahead bool
	// operation is how well it describes the operation whose address was asked for; 0 when it does not.
	operation float32
	// meant is the section that its vector means, from 1; 0 for a document that words have found.
	meant uint32
}

// scored is a document that is looked at more closely.
type scored struct {
	counted
	part *part

	spans []occurrence
	// pieces are the best sections, by their numbers.
	pieces []piece
}

// ranking ranks the documents of some parts for the units of a query.
type ranking struct {
	parts *opened
	units []*unit
	// phrases are the places in order of words that have to stand together.
	phrases [][2]int
	// tallies are where in the scratch those of each unit are, by part.
	tallies [][][2]int
	length  float64 // of the text of a usual document
	words   int     // of the query
}

// tallyAll counts the units in the documents.
func (r *ranking) tallyAll(ctx context.Context) error {
	r.tallies = make([][][2]int, len(r.units))
	lengths, tallied := 0.0, 0
	s := r.parts.scratch
	for i, u := range r.units {
		r.tallies[i] = make([][2]int, len(r.parts.parts))
		if u.found == 0 {
			continue
		}
		found := 0
		for at, p := range r.parts.parts {
			if err := ctx.Err(); err != nil {
				return err
			}
			first := len(s.tallies)
			if err := p.tally(u, s); err != nil {
				return err
			}
			r.tallies[i][at] = [2]int{first, len(s.tallies)}
			found += len(s.tallies) - first
			for _, each := range s.tallies[first:] {
				lengths += float64(each.length)
			}
		}
		tallied += found
		u.found = found
		all := float64(r.parts.visible())
		u.rarity = math.Log(1 + (all-float64(found)+0.5)/(float64(found)+0.5))
	}
	r.length = max(1, lengths/float64(max(1, tallied)))
	return nil
}

// countedFields are those in which words are counted, the one first that has all of them.
var countedFields = [...]string{fieldText, fieldHeadings, fieldTitle}

// tally counts a unit in the documents of a part that may be found, behind the tallies that are there.
func (p *part) tally(u *unit, s *scratch) error {
	first, slots := len(s.tallies), s.slotsFor(len(p.allowed)*64)
	for _, each := range u.variants {
		for _, field := range countedFields {
			entries, err := p.entries(field, each.term)
			if err != nil {
				s.slots = nil // they are not zero
				return err
			}
			for _, entry := range entries {
				if p.allowed[entry.Doc/64]>>(entry.Doc%64)&1 == 0 {
					continue
				}
				slot := slots[entry.Doc]
				if slot == 0 {
					s.tallies = append(s.tallies, tally{doc: entry.Doc})
					slot = int32(len(s.tallies) - first)
					slots[entry.Doc] = slot
				}
				s.tallies[first+int(slot)-1].count(field, each.weight, entry)
			}
		}
	}
	for _, each := range s.tallies[first:] {
		slots[each.doc] = 0
	}
	return nil
}

// count adds what a list says of the document.
func (t *tally) count(field string, weight float32, e postings.Entry) {
	switch field {
	case fieldText:
		t.text += weight * e.Times()
		t.length = e.Length()
	case fieldHeadings:
		t.headings += weight * e.Times() * lengthFactor(e.Length(), usualHeading, fieldLength)
	case fieldTitle:
		t.titleLength = e.Length()
		// It counts once: who says a word twice in a title means no more by it.
		t.named = max(t.named, weight)
		t.title = max(t.title, weight*lengthFactor(t.titleLength, usualTitle, titleLength))
	}
}

// scratch is memory that one query after the other uses for what it counts.
type scratch struct {
	slots   []int32 // zero between uses
	tallies []tally // of all units and parts of a query
	counted []counted
	wanted  places.Wanted
}

// keptScratch bounds how many tallies and documents a scratch has room for when it is kept: a query that counts far
// more than others do leaves no memory behind.
const keptScratch = 1 << 20

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

// give lets another query have the memory.
func (s *scratch) give() {
	s.tallies, s.counted = s.tallies[:0], s.counted[:0]
	if cap(s.tallies) > keptScratch {
		s.tallies = nil
	}
	if cap(s.counted) > keptScratch {
		s.counted = nil
	}
	scratches.Put(s)
}

// slotsFor returns a zero for each of some documents. They are made zero again by who asks.
func (s *scratch) slotsFor(documents int) []int32 {
	if len(s.slots) < documents {
		s.slots = make([]int32, documents)
	}
	return s.slots[:documents]
}

func lengthFactor(length float32, usual, share float64) float32 {
	return float32(1 / (1 - share + share*float64(length)/usual))
}

// value is what a unit adds to the score of a document.
func (r *ranking) value(u *unit, t tally) float32 {
	times := titleWeight*t.title + headingWeight*t.headings +
		textWeight*t.text*lengthFactor(t.length, r.length, fieldLength)
	of := share(u)
	if u.hint && t.title > 0 {
		of = hintTitle
	}
	return float32(u.rarity) * of * times / (times + saturation)
}

func share(u *unit) float32 {
	switch {
	case u.optional:
		return optionalShare
	case u.hint:
		return hintShare
	case u.stop:
		return stopShare
	case u.everyday:
		return everydayShare
	}
	return 1
}

// needed reports whether a document lacks something without the unit.
func needed(u *unit) bool { return !u.optional && !u.stop && !u.hint && !u.everyday }

// all scores each document that has one of the units, in no order. What it returns is true until it is called again.
func (r *ranking) all() []counted {
	sum, needs := float32(0), uint32(0)
	for i, u := range r.units {
		sum += r.part(u)
		if needed(u) {
			needs |= 1 << i
		}
	}
	out := r.parts.scratch.counted[:0]
	for at, p := range r.parts.parts {
		slots := r.parts.scratch.slotsFor(len(p.allowed) * 64)
		first := len(out)
		for i, u := range r.units {
			bit, weight, asked := uint32(1)<<i, r.weight(u), r.part(u)
			for _, t := range r.parts.scratch.tallies[r.tallies[i][at][0]:r.tallies[i][at][1]] {
				if slots[t.doc] == 0 {
					out = append(out, counted{part: uint32(at), doc: t.doc})
					slots[t.doc] = int32(len(out) - first)
				}
				s := &out[first+int(slots[t.doc])-1]
				s.score += r.value(u, t)
				s.has |= bit
				s.covered += asked
				if t.named > 0 {
					s.titleLength = t.titleLength
					if u.parts == 0 && u.order >= 0 {
						s.words += min(1, t.named)
					}
					if needed(u) {
						s.named += min(1, t.named) * weight
					}
				}
			}
		}
		for _, each := range out[first:] {
			slots[each.doc] = 0
		}
	}
	r.parts.scratch.counted = out
	for i := range out {
		out[i].lacks = needs&^out[i].has != 0
		if sum > 0 {
			out[i].covered /= sum
		}
	}
	return out
}

// part is what a unit counts of all that was asked for.
func (r *ranking) part(u *unit) float32 {
	switch {
	case u.optional || u.stop:
		return 0
	case u.hint:
		return hintCovers * r.weight(u)
	case u.everyday:
		return everydayShare * r.weight(u)
	}
	return r.weight(u)
}

// weight is what a unit counts when it is asked how much of a query a page has: a word that is nowhere counts as well,
// but not more than one that is rare.
func (r *ranking) weight(u *unit) float32 {
	if u.found == 0 {
		return float32(math.Log(1+float64(r.parts.visible()))) * 0.5
	}
	return float32(u.rarity) + 0.1
}

// order is the order of documents with the same score: the same on every machine and in every part.
func order(a, b scored) int {
	return cmp.Or(-cmp.Compare(a.final, b.final), cmp.Compare(a.part.space, b.part.space),
		cmp.Compare(a.name(), b.name()))
}

// name is the name of the document in its index.
func (s scored) name() string {
	name, err := s.part.segment.DocID(uint64(s.doc))
	if err != nil {
		return ""
	}
	return string(name)
}

func (s scored) page() (id.Space, string) {
	_, page := splitDocumentID(s.name())
	return s.part.space, page
}

// fewWords is up to how many words a query has in which each is meant.
const fewWords = 3

// isStrict reports whether pages that lack a word come behind all that lack none. In a question, and where there are
// many words, some are said in other words on the page that answers.
func isStrict(units []*unit) bool {
	words, stops := 0, 0
	for _, u := range units {
		words += boolInt(needed(u) || u.everyday)
		stops += boolInt(u.stop && !u.hint)
	}
	return words <= fewWords && stops == 0
}

// sortAll sorts documents, best first.
func sortAll(all []scored) { slices.SortFunc(all, order) }

// operations tells how well documents of a part describe the operation that was asked for.
func (p *part) operations(asked endpoint.Address) (map[uint32]float32, error) {
	dictionary, err := p.dictionary(fieldOperations)
	if err != nil {
		return nil, err
	}
	found := map[uint32]float32{}
	terms := dictionary.AutomatonIterator(nil, nil, nil)
	for {
		entry, err := terms.Next()
		if err != nil || entry == nil {
			return found, err
		}
		score := asked.Match(entry.Term)
		if score == 0 {
			continue
		}
		for document, err := range p.documents(fieldOperations, entry.Term) {
			if err != nil {
				return nil, err
			}
			if p.allows(document) {
				found[uint32(document)] = max(found[uint32(document)], score)
			}
		}
	}
}

// preferOperation puts pages with the operation that the text asks for ahead of all others.
func (r *ranking) preferOperation(text string, all []counted) error {
	asked, ok := endpoint.Parse(text)
	if !ok {
		return nil
	}
	found := make([]map[uint32]float32, len(r.parts.parts))
	for i, p := range r.parts.parts {
		var err error
		if found[i], err = p.operations(asked); err != nil {
			return err
		}
	}
	for i := range all {
		if score := found[all[i].part][all[i].doc]; score > 0 {
			all[i].operation, all[i].lacks = score, false
		}
	}
	return nil
}
