package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Weights of words that are taken for the same: of one word, and of each of several that stand for one together.
const (
	synonymWeight float32 = 0.8
	sharedWeight  float32 = 0.5
)

// maxSynonyms bounds what one word of a query is taken for.
const maxSynonyms = 12

// addSynonyms adds to each word of the query what is taken for the same. Where several words are one of a group
// together, each of them stands for what the group has besides.
func (p *parsed) addSynonyms(groups []string) {
	var words []*unit
	for _, u := range p.units {
		if u.order >= 0 {
			words = append(words, u)
		}
	}
	for _, group := range groups {
		var members [][]string
		for member := range strings.SplitSeq(group, ",") {
			if terms := termsOf(member); len(terms) > 0 {
				members = append(members, terms)
			}
		}
		for i, member := range members {
			for first := 0; first+len(member) <= len(words); first++ {
				found := words[first : first+len(member)]
				if !slices.EqualFunc(found, member, func(u *unit, term string) bool { return u.term == term }) {
					continue
				}
				for other, terms := range members {
					if other != i {
						addSame(found, terms)
					}
				}
			}
		}
	}
}

// addSame makes words stand for the terms of another member of their group.
func addSame(words []*unit, terms []string) {
	weight := synonymWeight
	if len(terms) > 1 {
		weight = sharedWeight
	}
	for _, u := range words {
		if u.stop && len(words) > 1 {
			continue
		}
		for _, term := range terms {
			// Short words between others say nothing by themselves.
			if len(terms) > 1 && utf8.RuneCountInString(term) < 3 && !hasCJK(term) || term == u.term ||
				len(u.same) == maxSynonyms || slices.ContainsFunc(u.same, func(v variant) bool { return v.term == term }) {
				continue
			}
			u.same = append(u.same, variant{term, weight})
		}
	}
}

// termsOf are the words of a text as they are searched for.
func termsOf(text string) []string {
	var terms []string
	for _, token := range (&analyzer{}).Analyze([]byte(text)) {
		terms = append(terms, string(token.Term))
	}
	return terms
}
