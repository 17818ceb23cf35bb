package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/engine/language"
)

// maxTerms bounds the words of one query; the rest is ignored.
const maxTerms = 16

// unit is a word of a query, or what is written in it as one.
type unit struct {
	written string // as it was typed
	term    string // folded, without the signs between its parts
	// parts are where in units the words begin that it consists of, and how many these are; 0 for a word.
	first, parts int
	// last is set when it may be unfinished.
	last bool
	// optional is set when a page lacks nothing without it.
	optional bool
	// hint is set for a word of a name that is known: a page without it lacks nothing, but is the less likely.
	hint bool
	// stop is set for a stop word.
	stop bool
	// everyday is set for a word of a question that asks about anything: a page lacks nothing without it.
	everyday bool
	// order is its place among the words of the text; -1 for one that is no single word of it.
	order int

	// same are words that are taken for the same.
	same     []variant
	variants []variant
	rarity   float64
	// itself is set when a page has the word as it was typed.
	itself bool
	// begins is set when it begins a word that a page has.
	begins bool
	// found is how many visible pages have it.
	found int
}

// variant is a term of an index that a unit stands for.
type variant struct {
	term   string
	weight float32
}

// parsed is what is understood of the text of a query.
type parsed struct {
	units []*unit
	// phrases are the places in order of the words that have to stand together.
	phrases [][2]int
	// words is how many words the text has.
	words int
}

// parse reads the text of a query: words, what is written as one, and phrases in quotes. It returns no units when the
// text has no words.
func parse(text string) parsed {
	stream := (&terms.Analyzer{}).Analyze([]byte(text))
	if len(stream) > maxTerms {
		stream = stream[:maxTerms]
	}
	p := parsed{words: len(stream)}
	// A space or a full stop behind the last word says that it is finished.
	unfinished := len(stream) > 0 && stream[len(stream)-1].End == len(strings.TrimRight(text, "\"”“«»#!?()[]<>{}*`'"))
	for i, token := range stream {
		p.units = append(p.units, &unit{written: text[token.Start:token.End], term: string(token.Term), order: i,
			last: unfinished && i == len(stream)-1})
	}
	p.addJoined(text, stream)
	p.addPhrases(text, stream)
	return p
}

// addJoined adds what is written as one.
func (p *parsed) addJoined(text string, stream analysis.TokenStream) {
	for first := 0; first < len(stream); {
		end := first + 1
		for end < len(stream) && stream[end].Start > stream[end-1].End && !language.HasCJK(string(stream[end].Term)) &&
			!language.HasCJK(string(stream[end-1].Term)) && terms.Joins(text[stream[end-1].End:stream[end].Start]) {
			end++
		}
		if end-first > 1 {
			term := writtenAsOne(stream[first:end])
			if len(term) <= language.MaxWordBytes {
				p.units = append(p.units, &unit{written: text[stream[first].Start:stream[end-1].End], term: term,
					first: first, parts: end - first, last: p.units[end-1].last, order: -1})
				p.addNames(text, stream, first, end)
			}
		}
		first = end
	}
	// Two words that others write as one.
	if len(stream) > 1 && len(stream) <= 4 && len(p.units) == len(stream) {
		for i := range len(stream) - 1 {
			a, b := string(stream[i].Term), string(stream[i+1].Term)
			if stream[i+1].Start > stream[i].End && !language.HasCJK(a) && !language.HasCJK(b) &&
				len(a)+len(b) <= language.MaxWordBytes {
				p.units = append(p.units, &unit{written: a + b, term: a + b, optional: true, order: -1})
			}
		}
	}
}

// writtenAsOne is the one word that tokens beside each other are written as.
func writtenAsOne(stream analysis.TokenStream) string {
	var term strings.Builder
	for _, token := range stream {
		term.Write(token.Term)
	}
	return term.String()
}

// addNames adds the names in what is written as one: a.b_c has b_c.
func (p *parsed) addNames(text string, stream analysis.TokenStream, first, end int) {
	for from := first; from < end; {
		to := from + 1
		for to < end && strings.Trim(text[stream[to-1].End:stream[to].Start], "_-") == "" {
			to++
		}
		if to-from > 1 && to-from < end-first {
			term := writtenAsOne(stream[from:to])
			p.units = append(p.units, &unit{written: text[stream[from].Start:stream[to-1].End], term: term, first: from,
				parts: to - from, hint: true, last: p.units[to-1].last, order: -1})
		}
		from = to
	}
}

// quotes are the signs that phrases stand between.
const quotes = `"“”„«»`

// addPhrases notes what stands between quotes.
func (p *parsed) addPhrases(text string, stream analysis.TokenStream) {
	open := -1
	for at, r := range text {
		if !strings.ContainsRune(quotes, r) {
			continue
		}
		if open < 0 {
			open = at
			continue
		}
		first, end := -1, 0
		for i, token := range stream {
			if token.Start > open && token.End <= at {
				if first < 0 {
					first = i
				}
				end = i + 1
			}
		}
		if end-first > 1 && first >= 0 {
			p.phrases = append(p.phrases, [2]int{first, end})
		}
		open = -1
	}
}

// settle says which units are stop words of the languages of the indexes, and which have to be on a page: the words of
// the text, or in the place of some of them what is written as one, when it is known. A word in capitals is no stop
// word: WITHOUT is a name in SQL. In a longer text that has nothing but capitals they say nothing.
func (p *parsed) settle(languages uint32) {
	known := language.StopWords()
	shouted := p.words > fewWords && !slices.ContainsFunc(p.units, func(u *unit) bool {
		return u.order >= 0 && strings.ToUpper(u.written) != u.written
	})
	meaning := 0
	for _, u := range p.units {
		if u.parts == 0 && !u.optional {
			letter := utf8.RuneCountInString(u.term) == 1 && !language.HasCJK(u.term) &&
				!unicode.IsDigit(rune(u.term[0]))
			u.stop = letter || known[u.term]&languages != 0 && (shouted || !inCapitals(u.written))
			if !u.stop {
				meaning++
			}
		}
	}
	// Where all words are stop words, they are what is looked for. So are those in quotes.
	for _, u := range p.units {
		if meaning == 0 && u.parts == 0 {
			u.stop = false
		}
	}
	for _, phrase := range p.phrases {
		for _, u := range p.units[phrase[0]:phrase[1]] {
			u.stop = false
		}
	}
	p.settleEveryday(languages)
}

// inCapitals reports whether a word has capitals alone, and more than one.
func inCapitals(word string) bool {
	return utf8.RuneCountInString(word) > 1 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// settleEveryday says which words of a question ask about anything, unless all do. Where few pages have such a word,
// that says more of how they were written than of what they are about.
func (p *parsed) settleEveryday(languages uint32) {
	if isStrict(p.units) {
		return
	}
	var common []*unit
	meaning := 0
	for _, u := range p.units {
		switch {
		case u.stop || u.optional || u.parts > 0:
		case language.IsEveryday(u.term, languages) && !p.inPhrase(u.order):
			common = append(common, u)
		default:
			meaning++
		}
	}
	if meaning == 0 {
		return
	}
	for _, u := range common {
		u.everyday = true
	}
}

func (p *parsed) inPhrase(order int) bool {
	return slices.ContainsFunc(p.phrases, func(phrase [2]int) bool { return order >= phrase[0] && order < phrase[1] })
}

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
			short := len(terms) > 1 && utf8.RuneCountInString(term) < 3 && !language.HasCJK(term)
			known := slices.ContainsFunc(u.same, func(v variant) bool { return v.term == term })
			if short || known || term == u.term || len(u.same) == maxSynonyms {
				continue
			}
			u.same = append(u.same, variant{term, weight})
		}
	}
}

// termsOf are the words of a text as they are searched for.
func termsOf(text string) []string {
	var found []string
	for _, token := range (&terms.Analyzer{}).Analyze([]byte(text)) {
		found = append(found, string(token.Term))
	}
	return found
}
