package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/engine/language"
)

// Bounds of what one word of a query may stand for, in each part of each index.
const (
	// shortestPrefix is how many letters a word needs to stand for those that begin with it. A Chinese character is a
	// word.
	shortestPrefix = 2
	// maxVisited bounds how many words of a part are looked at, maxAlike how many of them are searched for, those that
	// most pages have. Two letters are a beginning of too much to say anything.
	maxVisited    = 4000
	maxAlike      = 48
	maxAlikeShort = 16
)

// Weights of what a word stands for besides itself.
const (
	formWeight      float32 = 0.85 // another form of the word
	beginningKnown  float32 = 0.4  // a word that begins with it, when it is one itself
	beginningWeight float32 = 0.8  // a word that begins with it, when it is none
)

// expansion finds out what the words of a query stand for in the parts of some indexes.
type expansion struct {
	parts *opened
	stems []language.Stemmer
	// units are the words of the query.
	units []*unit
}

// expand fills in the variants of a unit: itself, its other forms, and words that begin with it. It reports whether
// any page has one of them.
func (x *expansion) expand(ctx context.Context, u *unit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.variants = append(u.variants[:0], variant{u.term, 1})
	x.addForms(u, u.written, u.term, formWeight)
	for _, each := range u.same {
		u.variants = append(u.variants, each)
		x.addForms(u, each.term, each.term, each.weight*formWeight)
	}
	itself, err := x.parts.seen(u.term, 1)
	if err != nil {
		return err
	}
	u.itself = itself > 0
	known, err := x.known(u)
	if err != nil {
		return err
	}
	if u.optional {
		u.found = boolInt(known)
		return nil
	}
	letters := utf8.RuneCountInString(u.term)
	if !known && letters > shortestPrefix || u.last && (letters >= shortestPrefix || language.HasCJK(u.term)) {
		weight := beginningWeight
		if u.itself {
			weight = beginningKnown
		}
		if err := x.addBeginnings(u, weight); err != nil {
			return err
		}
	}
	if known, err = x.known(u); err != nil {
		return err
	}
	u.found = boolInt(known)
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// known reports whether a page that may be found has one of the variants of a unit.
func (x *expansion) known(u *unit) (bool, error) {
	for _, each := range u.variants {
		seen, err := x.parts.seen(each.term, 1)
		if err != nil || seen > 0 {
			return seen > 0, err
		}
	}
	return false, nil
}

func (x *expansion) addForms(u *unit, written, term string, weight float32) {
	if language.HasCJK(term) || u.parts > 0 {
		return
	}
	add := func(term string, weight float32) {
		if !slices.ContainsFunc(u.variants, func(v variant) bool { return v.term == term }) {
			u.variants = append(u.variants, variant{term, weight})
		}
	}
	lower := strings.ToLower(written)
	for _, stemmer := range x.stems {
		for _, stem := range []string{stemmer.Stem(term), stemmer.Stem(lower)} {
			if stem != term {
				add(stem, weight)
			}
			add(string(terms.StemMark)+stem, weight)
		}
	}
}

// addBeginnings adds the words that begin with a unit and that most pages have.
func (x *expansion) addBeginnings(u *unit, weight float32) error {
	counts := map[string]uint64{}
	start := []byte(u.term)
	for _, p := range x.parts.parts {
		dictionary, err := p.dictionary(fieldText)
		if err != nil {
			return err
		}
		words := terms.Between(dictionary, start, terms.BehindPrefix(start))
		for range maxVisited {
			entry, err := words.Next()
			if err != nil {
				return fmt.Errorf("read the words of a field: %w", err)
			}
			if entry == nil {
				break
			}
			list, err := p.listOf(fieldText, entry.Term)
			if err != nil {
				return err
			}
			if list != nil {
				counts[entry.Term] += list.Count()
			}
		}
	}
	delete(counts, u.term)
	most := maxAlike
	if utf8.RuneCountInString(u.term) <= shortestPrefix && !language.HasCJK(u.term) {
		most = maxAlikeShort
	}
	terms := make([]string, 0, len(counts))
	for term := range counts {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int {
		return cmp.Or(-cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b))
	})
	letters := float32(utf8.RuneCountInString(u.term))
	for _, term := range terms {
		if most == 0 {
			break
		}
		if seen, err := x.parts.seen(term, 1); err != nil || seen == 0 {
			if err != nil {
				return err
			}
			continue
		}
		most--
		// The fewer letters are missing, the more likely it is meant.
		share := letters / float32(utf8.RuneCountInString(term))
		u.variants = append(u.variants, variant{term, weight * (0.4 + 0.6*share)})
		u.begins = true
	}
	return nil
}
