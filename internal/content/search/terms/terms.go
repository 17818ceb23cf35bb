// Package terms owns how a text becomes the terms of a search index, and how the words of a query are cut out of it:
// the same way, so that what is written is found.
package terms

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/registry"

	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/engine/language"
)

// StemMark stands before a stem. Terms of an index are folded words. A word whose stem is another one has the stem as a
// second term at the same place, with this mark before it, so that other forms of a word are found and are told from
// the word itself. A name of code has further terms: its parts, and what is written as one without the signs between.
const StemMark = '\x01'

// SectionSign and HeadingSign are in indexed texts and in no others: before a section, and between its heading and what
// it says.
const (
	SectionSign = '\x1e'
	HeadingSign = '\x1f'
)

// SectionPlaces and HeadingPlaces make the place of a word say in which section it is, and whether in its heading: a
// section begins at a multiple of SectionPlaces, and its text HeadingPlaces later. A word behind them all counts as the
// last.
const (
	SectionPlaces = 1 << 16
	HeadingPlaces = 1 << 8
)

// AnalyzerPrefix is what the name of an analyzer begins with, before that of its language. PlainAnalyzer takes words as
// they are.
const (
	AnalyzerPrefix = "recto_"
	PlainAnalyzer  = AnalyzerPrefix + "plain"
)

// Register makes the analyzers and our segments known to bleve, whose registries are process-wide.
var Register = sync.OnceValue(func() error {
	segments.Register()
	register := func(name string, made func() analysis.Analyzer) error {
		err := registry.RegisterAnalyzer(name, func(map[string]any, *registry.Cache) (analysis.Analyzer, error) {
			return made(), nil
		})
		if err != nil {
			return fmt.Errorf("register analyzer %s: %w", name, err)
		}
		return nil
	}
	for _, each := range language.Known {
		err := register(AnalyzerPrefix+each.Name, func() analysis.Analyzer { return &Analyzer{language: each.Name} })
		if err != nil {
			return err
		}
	}
	return register(PlainAnalyzer, func() analysis.Analyzer { return &Analyzer{} })
})

// Analyzer cuts text into words and CJK bigrams with their exact byte offsets in the input, so that a hit can be
// highlighted in the text as written.
type Analyzer struct {
	language string // "" takes words as they are: no stems, no parts, nothing joined
}

// MaxSignsBetween is how many signs are between two words of one name.
const MaxSignsBetween = 3

// Bounds of what is joined: words in one name, and how many of them make a term that is not the whole name.
const (
	maxJoined      = 8
	maxPartsJoined = 3
)

// Analyze implements analysis.Analyzer.
func (a *Analyzer) Analyze(input []byte) analysis.TokenStream {
	c := cutter{input: input, stream: make(analysis.TokenStream, 0, len(input)/5+1), place: 1}
	if a.language != "" {
		c.stems, c.stemming = language.StemmerOf(a.language), true
	}
	for at := 0; at < len(input); {
		r, size := utf8.DecodeRune(input[at:])
		switch {
		case r == SectionSign && c.stemming:
			c.join()
			c.place = (c.place/SectionPlaces + 1) * SectionPlaces
			at += size
		case r == HeadingSign && c.stemming:
			c.join()
			c.place = c.place/SectionPlaces*SectionPlaces + HeadingPlaces
			at += size
		case language.IsCJK(r):
			c.join()
			end := language.RunEnd(input, at, language.IsCJK)
			emitBigrams(input, at, end, func(term []byte, start, end int, kind analysis.TokenType) {
				c.emit(term, start, end, kind)
				c.next()
			})
			at = end
		case language.IsWord(r):
			end := language.RunEnd(input, at, func(r rune) bool { return language.IsWord(r) && !language.IsCJK(r) })
			if end-at > language.MaxWordBytes {
				end = at + cutAt(input[at:end], language.MaxWordBytes)
			}
			c.word(at, end)
			at = end
		default:
			at += size
		}
	}
	c.join()
	return c.stream
}

// cutter is the state of one Analyze.
type cutter struct {
	input    []byte
	stream   analysis.TokenStream
	stems    language.Stemmer
	stemming bool
	place    int
	// chain are the words of what is written as one so far.
	chain []chained
}

type chained struct {
	term              []byte
	start, end, place int
}

func (c *cutter) emit(term []byte, start, end int, kind analysis.TokenType) {
	c.stream = append(c.stream, &analysis.Token{Term: term, Start: start, End: end, Position: c.place, Type: kind})
}

// next goes on to the next place. Neither a heading nor a section grows into what follows it.
func (c *cutter) next() {
	if !c.stemming {
		c.place++
		return
	}
	if at := c.place % SectionPlaces; at != HeadingPlaces-1 && at != SectionPlaces-1 {
		c.place++
	}
}

// word takes a word of the text.
func (c *cutter) word(start, end int) {
	written := c.input[start:end]
	term := language.Fold(written)
	if len(term) == 0 {
		return
	}
	c.emit(term, start, end, analysis.AlphaNumeric)
	if !c.stemming {
		c.next()
		return
	}
	for _, stem := range c.stemsOf(written, term) {
		c.emit([]byte(string(StemMark)+stem), start, end, analysis.AlphaNumeric)
	}
	for _, part := range language.CamelParts(written) {
		c.emit(language.Fold(written[part[0]:part[1]]), start+part[0], start+part[1], analysis.AlphaNumeric)
	}
	if number := language.VersionNumber(term); number != nil {
		c.emit(number, start, end, analysis.AlphaNumeric)
	}
	if n := len(c.chain); n > 0 && (n == maxJoined || !Joins(string(c.input[c.chain[n-1].end:start]))) {
		c.join()
	}
	c.chain = append(c.chain, chained{term, start, end, c.place})
	c.next()
}

// stemsOf returns the stems of a word that are not the word: that of it as it is written, and that of it without
// accents, as people type it.
func (c *cutter) stemsOf(written, term []byte) []string {
	folded := string(term)
	first := c.stems.Stem(folded)
	var stems []string
	if first != folded {
		stems = append(stems, first)
	}
	if !language.IsPlainASCII(written) {
		if second := c.stems.Stem(strings.ToLower(string(written))); second != first && second != folded {
			stems = append(stems, second)
		}
	}
	return stems
}

// join emits what is written as one, and neighbours in it, without the signs between.
func (c *cutter) join() {
	words := c.chain
	c.chain = c.chain[:0]
	if len(words) < 2 || !c.stemming {
		return
	}
	place := c.place
	for first := range words {
		for last := first + 1; last < len(words); last++ {
			if last-first >= maxPartsJoined && (first > 0 || last < len(words)-1) {
				continue
			}
			if term := joined(words[first : last+1]); term != nil {
				c.place = words[first].place
				c.emit(term, words[first].start, words[last].end, analysis.AlphaNumeric)
			}
		}
	}
	c.place = place
}

func joined(words []chained) []byte {
	var term []byte
	for _, word := range words {
		term = append(term, word.term...)
	}
	if len(term) > language.MaxWordBytes {
		return nil
	}
	return term
}

// Joins reports whether signs between two words make one name of them.
func Joins(between string) bool {
	if len(between) == 0 || len(between) > MaxSignsBetween {
		return false
	}
	for _, r := range between {
		if !strings.ContainsRune("_-.:'’<>&@#~^+$", r) {
			return false
		}
	}
	return true
}

// emitBigrams emits overlapping pairs of a run of CJK characters, and the character itself for a run of one.
func emitBigrams(input []byte, start, end int, emit func([]byte, int, int, analysis.TokenType)) {
	var bounds []int
	for at := start; at < end; {
		bounds = append(bounds, at)
		_, size := utf8.DecodeRune(input[at:])
		at += size
	}
	bounds = append(bounds, end)
	if len(bounds) == 2 {
		emit(language.Fold(input[start:end]), start, end, analysis.Single)
		return
	}
	for i := 0; i+2 < len(bounds); i++ {
		emit(language.Fold(input[bounds[i]:bounds[i+2]]), bounds[i], bounds[i+2], analysis.Double)
	}
}

// cutAt returns the largest rune boundary of text that is at most limit and more than zero.
func cutAt(text []byte, limit int) int {
	for limit > 1 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}
