package search

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/postings"
	"github.com/rectodocs/recto/internal/content/search/typos"
	"github.com/rectodocs/recto/internal/engine/language"
)

// part is one of the immutable pieces that an index consists of, with the documents in it that a query may find.
type part struct {
	segment segment.Segment
	space   id.Space
	// index and number name the part among those of all indexes; index is 0 for one whose lists are not kept.
	index, number uint64
	// allowed are the documents that may be found, as bits, and visible is how many these are.
	allowed []uint64
	visible int

	// vocabulary returns the words of the part, which are made once for all queries.
	vocabulary func(segment.TermDictionary) (*typos.Vocabulary, error)

	dictionaries map[string]segment.TermDictionary
	list         segment.PostingsList
	iterator     segment.PostingsIterator
	read         []postings.Entry
}

// opened are the parts of some indexes, as they are at one moment.
type opened struct {
	parts   []*part
	readers []index.IndexReader
	scratch *scratch
}

func (o *opened) close() {
	if o.scratch != nil {
		o.scratch.give()
	}
	for _, reader := range o.readers {
		_ = reader.Close() // it counts down, and says that it does
	}
}

// words are the words of the part as they are compared with misspelt ones.
func (p *part) words() (*typos.Vocabulary, error) {
	dictionary, err := p.dictionary(fieldText)
	if err != nil {
		return nil, err
	}
	return p.vocabulary(dictionary)
}

// open adds the parts of an index with the documents that the query may find.
func (o *opened) open(target *spaceIndex, q Query) error {
	advanced, err := target.bleve.Advanced()
	if err != nil {
		return fmt.Errorf("open index %s: %w", target.space, err)
	}
	reader, err := advanced.Reader()
	if err != nil {
		return fmt.Errorf("read index %s: %w", target.space, err)
	}
	o.readers = append(o.readers, reader)
	snapshot, ok := reader.(*scorch.IndexSnapshot)
	if !ok {
		return errors.New("the search library keeps another kind of index")
	}
	number, pieces := target.numbered(), snapshot.Segments()
	target.words.Forget(func(number uint64) bool {
		return !slices.ContainsFunc(pieces, func(piece *scorch.SegmentSnapshot) bool { return piece.Id() == number })
	})
	for _, piece := range pieces {
		words := func(dictionary segment.TermDictionary) (*typos.Vocabulary, error) {
			return target.words.Of(piece.Id(), dictionary)
		}
		p := &part{segment: piece.Segment(), space: target.space, index: number, number: piece.Id(), vocabulary: words}
		if err := o.add(p, piece.Deleted(), q); err != nil {
			return err
		}
	}
	return nil
}

// add adds a part without the documents that were deleted from it.
func (o *opened) add(p *part, deleted *roaring.Bitmap, q Query) error {
	p.dictionaries = map[string]segment.TermDictionary{}
	count := int(p.segment.Count())
	if count == 0 {
		return nil
	}
	p.allowed = make([]uint64, (count+63)/64)
	for i := range p.allowed {
		p.allowed[i] = ^uint64(0)
	}
	if rest := count % 64; rest > 0 {
		p.allowed[len(p.allowed)-1] = 1<<rest - 1
	}
	if deleted != nil {
		for iterator := deleted.Iterator(); iterator.HasNext(); {
			p.forbid(uint64(iterator.Next()))
		}
	}
	if q.Published {
		for _, field := range []string{fieldHidden, fieldUnlisted, fieldVisitor} {
			for document, err := range p.documents(field, "true") {
				if err != nil {
					return err
				}
				p.forbid(document)
			}
		}
	}
	if without := q.Without[p.space]; len(without) > 0 {
		names := make([]string, 0, len(without))
		for _, page := range without {
			names = append(names, documentID(p.space, page))
		}
		found, err := p.segment.DocNumbers(names)
		if err != nil {
			return fmt.Errorf("find the pages that are left out: %w", err)
		}
		for iterator := found.Iterator(); iterator.HasNext(); {
			p.forbid(uint64(iterator.Next()))
		}
	}
	for _, word := range p.allowed {
		p.visible += bits.OnesCount64(word)
	}
	if p.visible > 0 {
		o.parts = append(o.parts, p)
	}
	return nil
}

func (p *part) forbid(doc uint64) { p.allowed[doc/64] &^= 1 << (doc % 64) }

func (p *part) allows(doc uint64) bool { return p.allowed[doc/64]>>(doc%64)&1 == 1 }

// dictionary returns the terms of a field.
func (p *part) dictionary(field string) (segment.TermDictionary, error) {
	if known, ok := p.dictionaries[field]; ok {
		return known, nil
	}
	dictionary, err := p.segment.Dictionary(field)
	if err != nil {
		return nil, fmt.Errorf("read the words of a field: %w", err)
	}
	p.dictionaries[field] = dictionary
	return dictionary, nil
}

// listOf returns the documents that have a term in a field, nil for none. The next call takes it back.
func (p *part) listOf(field, term string) (segment.PostingsList, error) {
	dictionary, err := p.dictionary(field)
	if err != nil {
		return nil, err
	}
	list, err := dictionary.PostingsList([]byte(term), nil, p.list)
	if err != nil {
		return nil, fmt.Errorf("look for a word: %w", err)
	}
	p.list = list
	if list.Count() == 0 {
		return nil, nil
	}
	return list, nil
}

// documents yields the documents that have a term in a field, those that may not be found among them, or an error at
// last.
func (p *part) documents(field, term string) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		list, err := p.listOf(field, term)
		if err != nil {
			yield(0, err)
			return
		}
		if list == nil {
			return
		}
		postings := list.Iterator(false, false, false, nil)
		for {
			posting, err := postings.Next()
			if err != nil {
				yield(0, fmt.Errorf("read where a word is: %w", err))
				return
			}
			if posting == nil || !yield(posting.Number(), nil) {
				return
			}
		}
	}
}

// seen counts the documents that may be found and have a term, up to a number that says enough.
func (p *part) seen(term string, enough int) (int, error) {
	count := 0
	for document, err := range p.documents(fieldText, term) {
		if err != nil {
			return 0, err
		}
		if p.allows(document) {
			count++
		}
		if count >= enough {
			break
		}
	}
	return count, nil
}

// seen counts the documents of all parts that may be found and have a term, up to a number that says enough.
func (o *opened) seen(term string, enough int) (int, error) {
	count := 0
	for _, p := range o.parts {
		here, err := p.seen(term, enough-count)
		if err != nil {
			return 0, err
		}
		if count += here; count >= enough {
			break
		}
	}
	return count, nil
}

// having returns the documents that may be found and have one of some units in a field, as bits.
func (p *part) having(field string, units []*unit) ([]uint64, error) {
	found := make([]uint64, len(p.allowed))
	for _, u := range units {
		for _, each := range u.variants {
			entries, err := p.entries(field, each.term)
			if err != nil {
				return nil, err
			}
			for _, entry := range entries {
				found[entry.Doc/64] |= 1 << (entry.Doc % 64)
			}
		}
	}
	for i := range found {
		found[i] &= p.allowed[i]
	}
	return found, nil
}

// hasAmong reports whether one of some documents, which are bits, has a term in a field.
func (p *part) hasAmong(field, term string, among []uint64) (bool, error) {
	for document, err := range p.documents(field, term) {
		if err != nil {
			return false, err
		}
		if among[document/64]>>(document%64)&1 == 1 {
			return true, nil
		}
	}
	return false, nil
}

// visible is how many documents may be found.
func (o *opened) visible() int {
	count := 0
	for _, p := range o.parts {
		count += p.visible
	}
	return count
}

// languages are those of the documents, as bits in the order of languages.
func (o *opened) languages() (uint32, error) {
	held := uint32(0)
	for _, p := range o.parts {
		for i, each := range language.Known {
			if held>>i&1 == 1 {
				continue
			}
			list, err := p.listOf(fieldLanguage, each.Name)
			if err != nil {
				return 0, err
			}
			if list != nil {
				held |= 1 << i
			}
		}
	}
	return held, nil
}

// lists are those of all indexes of this process.
var lists postings.Cache

// numbers counts the indexes that were opened.
var numbers atomic.Uint64

// numbered returns the number of the index among all that were opened.
func (s *spaceIndex) numbered() uint64 {
	s.numbering.Do(func() { s.number = numbers.Add(1) })
	return s.number
}

// entries returns the list of a term in a field. It is true until the next call and is not to be changed.
func (p *part) entries(field, term string) ([]postings.Entry, error) {
	key := postings.Key{Index: p.index, Piece: p.number, Field: field, Term: term}
	if p.index != 0 {
		if known, ok := lists.Get(key); ok {
			return known, nil
		}
	}
	list, err := p.listOf(field, term)
	if err != nil || list == nil {
		return nil, err
	}
	keep := p.index != 0 && lists.Wants(list.Count())
	read := p.read[:0]
	if keep {
		read = make([]postings.Entry, 0, list.Count())
	}
	p.iterator = list.Iterator(true, true, false, p.iterator)
	if read, err = postings.Append(read, p.iterator); err != nil {
		return nil, err
	}
	if keep {
		lists.Set(key, read)
	} else {
		p.read = read
	}
	return read, nil
}
