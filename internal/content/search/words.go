package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	blevesearch "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	"github.com/blevesearch/bleve/v2/search/searcher"
	index "github.com/blevesearch/bleve_index_api"
)

// Bounds of what one word of a query may stand for, in each field of each index. The library has none of its own: a
// letter stood for every word that begins with it.
const (
	// shortestPrefix is how many letters a word needs to stand for those that begin with it. A Chinese character is a
	// word.
	shortestPrefix = 2
	// maxVisited bounds how many words of the index are looked at, maxAlike how many of them are searched for, those
	// that most pages have. Two letters are a beginning of too much to say anything.
	maxVisited    = 4000
	maxAlike      = 100
	maxAlikeShort = 25
	// longestTypo is up to how many letters typos are forgiven: what finds them grows with the letters.
	longestTypo = 24
	// fewKnown is up to how many words of an index are compared with a misspelt one themselves. Preparing the library's
	// way, which looks at no more than it has to, takes as long as comparing hundreds.
	fewKnown = 256
	// fewWords is up to how many words of a query may be misspelt words as well. In a longer query only a word that is
	// nowhere is taken for one.
	fewWords = 4
)

// alike matches the words in a field that begin like a term, or that are it but for some typos.
type alike struct {
	field, term string
	boost       float64
	// typos is how many letters may be wrong; 0 makes it a beginning.
	typos int
	// missing wants the term to be nowhere in the index: one that is there is not misspelt.
	missing bool
}

// Searcher implements the library's query.
func (a alike) Searcher(ctx context.Context, reader index.IndexReader, _ mapping.IndexMapping,
	options blevesearch.SearcherOptions) (blevesearch.Searcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.missing {
		known, err := a.isKnown(ctx, reader)
		if err != nil || known {
			return noneUnless(err, reader)
		}
	}
	if _, ok := reader.(index.IndexReaderFuzzy); a.typos > 0 && !ok {
		// An index in memory, which has few pages.
		_, first := utf8.DecodeRuneInString(a.term)
		return searcher.NewFuzzySearcher(ctx, reader, a.term, first, a.typos, a.field, a.boost, options)
	}
	found, err := a.words(reader)
	if err != nil || len(found) == 0 {
		return noneUnless(err, reader)
	}
	terms, distances := make([]string, 0, len(found)), make([]uint8, 0, len(found))
	for _, word := range found {
		terms, distances = append(terms, word.Term), append(distances, word.EditDistance)
	}
	if a.typos > 0 {
		return searcher.NewMultiTermSearcherBoosted(ctx, reader, terms, a.field, a.boost, distances, options, false)
	}
	return searcher.NewMultiTermSearcher(ctx, reader, terms, a.field, a.boost, options, false)
}

func noneUnless(err error, reader index.IndexReader) (blevesearch.Searcher, error) {
	if err != nil {
		return nil, err
	}
	return searcher.NewMatchNoneSearcher(reader)
}

// isKnown reports whether a page has the term as it is.
func (a alike) isKnown(ctx context.Context, reader index.IndexReader) (bool, error) {
	for _, field := range []string{fieldTitlePlain, fieldHeadingPlain, fieldBodyPlain} {
		found, err := reader.TermFieldReader(ctx, []byte(a.term), field, false, false, false)
		if err != nil {
			return false, fmt.Errorf("look for a word: %w", err)
		}
		count := found.Count()
		if err := found.Close(); err != nil {
			return false, err
		}
		if count > 0 {
			return true, nil
		}
	}
	return false, nil
}

// words are the words of the index that the term stands for: the nearest ones, then those of most pages.
func (a alike) words(reader index.IndexReader) ([]index.DictEntry, error) {
	if a.typos > 0 {
		if found, few, err := a.compare(reader); err != nil || few {
			return found, err
		}
	}
	dictionary, err := a.dictionary(reader)
	if err != nil {
		return nil, fmt.Errorf("read the words of a field: %w", err)
	}
	defer dictionary.Close()
	most := maxAlike
	if a.typos == 0 && utf8.RuneCountInString(a.term) <= shortestPrefix {
		most = maxAlikeShort
	}
	var found []index.DictEntry
	for range maxVisited {
		entry, err := dictionary.Next()
		if err != nil {
			return nil, fmt.Errorf("read the words of a field: %w", err)
		}
		if entry == nil {
			break
		}
		found = append(found, *entry)
	}
	return nearest(found, most), nil
}

// nearest returns that many words at most.
func nearest(found []index.DictEntry, most int) []index.DictEntry {
	if len(found) <= most {
		return found
	}
	slices.SortFunc(found, func(x, y index.DictEntry) int {
		return cmp.Or(cmp.Compare(x.EditDistance, y.EditDistance), -cmp.Compare(x.Count, y.Count),
			cmp.Compare(x.Term, y.Term))
	})
	return found[:most]
}

// compare is words where few words of the index begin with the term's first letter; few is false where many do.
func (a alike) compare(reader index.IndexReader) (found []index.DictEntry, few bool, err error) {
	_, first := utf8.DecodeRuneInString(a.term)
	dictionary, err := reader.FieldDictPrefix(a.field, []byte(a.term[:first]))
	if err != nil {
		return nil, false, fmt.Errorf("read the words of a field: %w", err)
	}
	defer dictionary.Close()
	term := []rune(a.term)
	for range fewKnown {
		entry, err := dictionary.Next()
		if err != nil {
			return nil, false, fmt.Errorf("read the words of a field: %w", err)
		}
		if entry == nil {
			return nearest(found, maxAlike), true, nil
		}
		if wrong := mistakes(term, []rune(entry.Term), a.typos); wrong <= a.typos {
			found = append(found, index.DictEntry{Term: entry.Term, EditDistance: uint8(wrong)})
		}
	}
	return nil, false, nil
}

// mistakes is how many letters have to be added, removed, replaced or exchanged with the one beside them to make one
// word of another, none of them twice; or some number above most.
func mistakes(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	// Rows of the table of distances between beginnings: of the letters so far, of one less, and of two less.
	row, above, twoAbove := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		row, above, twoAbove = twoAbove, row, above
		row[0] = i + 1
		least := row[0]
		for j := range b {
			replaced := above[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoAbove[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return least
		}
	}
	return row[len(b)]
}

func (a alike) dictionary(reader index.IndexReader) (index.FieldDict, error) {
	if a.typos == 0 {
		return reader.FieldDictPrefix(a.field, []byte(a.term))
	}
	_, first := utf8.DecodeRuneInString(a.term)
	fuzzy, ok := reader.(index.IndexReaderFuzzy)
	if !ok {
		return nil, errors.New("the index finds no misspelt words")
	}
	dictionary, _, err := fuzzy.FieldDictFuzzyAutomaton(a.field, a.term, a.typos, a.term[:first])
	return dictionary, err
}

// beginnings matches the words of a field that begin with a term; nil for one that is too short to say anything.
func beginnings(term, field string, boost float64) query.Query {
	if utf8.RuneCountInString(term) < shortestPrefix && !hasCJK(term) {
		return nil
	}
	return alike{field: field, term: term, boost: boost}
}

// misspelt matches the words of a field that are a term but for the typos that its length allows; nil when it allows
// none.
func misspelt(term, field string, boost float64, many bool) query.Query {
	typos := typosAllowed(term)
	if typos == 0 || hasCJK(term) || utf8.RuneCountInString(term) > longestTypo {
		return nil
	}
	return alike{field: field, term: term, boost: boost, typos: typos, missing: many}
}

var _ query.Query = alike{}

// only narrows a query to documents, without changing how much they fit.
func only(ids []string, within query.Query) query.Query {
	these := bleve.NewDocIDQuery(ids)
	these.SetBoost(0)
	return bleve.NewConjunctionQuery(these, within)
}
