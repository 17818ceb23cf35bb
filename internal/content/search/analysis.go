package search

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/registry"
	"golang.org/x/text/unicode/norm"
)

// Names of the two analyzers. Both cut text alike; the stemming one also reduces English words to their stems, so that
// "installing" finds "install". The plain one keeps words whole for prefixes and typos.
const (
	stemmingAnalyzer = "recto_stemming"
	plainAnalyzer    = "recto_plain"
)

// registerAnalyzers makes the analyzers known to bleve, whose registry is process-wide.
var registerAnalyzers = sync.OnceValue(func() error {
	for _, name := range []string{stemmingAnalyzer, plainAnalyzer} {
		stemming := name == stemmingAnalyzer
		err := registry.RegisterAnalyzer(name, func(map[string]any, *registry.Cache) (analysis.Analyzer, error) {
			return newAnalyzer(stemming), nil
		})
		if err != nil {
			return fmt.Errorf("register analyzer %s: %w", name, err)
		}
	}
	return nil
})

// analyzer cuts text into words and CJK bigrams with their exact byte offsets in the input, so that a hit can be
// highlighted in the text as written.
type analyzer struct {
	stemmer analysis.TokenFilter // nil when words stay whole
}

func newAnalyzer(stemming bool) *analyzer {
	if !stemming {
		return &analyzer{}
	}
	return &analyzer{stemmer: en.NewEnglishStemmerFilter()}
}

// maxWordBytes bounds a term; longer runs (encoded data) are cut, since nobody searches for them whole.
const maxWordBytes = 64

// Analyze implements analysis.Analyzer.
func (a *analyzer) Analyze(input []byte) analysis.TokenStream {
	var stream analysis.TokenStream
	position := 1
	emit := func(term []byte, start, end int, kind analysis.TokenType) {
		stream = append(stream, &analysis.Token{Term: term, Start: start, End: end, Position: position, Type: kind})
		position++
	}
	for at := 0; at < len(input); {
		r, size := utf8.DecodeRune(input[at:])
		switch {
		case isCJK(r):
			end := runEnd(input, at, isCJK)
			emitBigrams(input, at, end, emit)
			at = end
		case isWord(r):
			end := runEnd(input, at, func(r rune) bool { return isWord(r) && !isCJK(r) })
			if end-at > maxWordBytes {
				end = at + cutAt(input[at:end], maxWordBytes)
			}
			if term := fold(input[at:end]); len(term) > 0 {
				emit(term, at, end, analysis.AlphaNumeric)
			}
			at = end
		default:
			at += size
		}
	}
	if a.stemmer != nil {
		stream = a.stemmer.Filter(stream)
	}
	return stream
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
		emit(fold(input[start:end]), start, end, analysis.Single)
		return
	}
	for i := 0; i+2 < len(bounds); i++ {
		emit(fold(input[bounds[i]:bounds[i+2]]), bounds[i], bounds[i+2], analysis.Double)
	}
}

// runEnd returns the offset behind the longest run from start whose runes all satisfy in.
func runEnd(input []byte, start int, in func(rune) bool) int {
	at := start
	for at < len(input) {
		r, size := utf8.DecodeRune(input[at:])
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// cutAt returns the largest rune boundary of text that is at most limit and more than zero.
func cutAt(text []byte, limit int) int {
	for limit > 1 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isCJK reports scripts written without spaces, or whose words carry endings that stemming does not know (Hangul):
// these are matched by pairs of characters.
func isCJK(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}

// fold maps a word to the form in which it is compared: compatibility-decomposed, without accents, lower case.
// Hangul is recomposed afterwards, so that a syllable stays one character.
func fold(word []byte) []byte {
	if isPlainASCII(word) {
		out := make([]byte, len(word))
		for i, c := range word {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out[i] = c
		}
		return out
	}
	out := make([]byte, 0, len(word))
	for _, r := range string(norm.NFKD.Bytes(word)) {
		// Kana voicing marks change the consonant; other marks are accents.
		if unicode.Is(unicode.Mn, r) && r != 0x3099 && r != 0x309A {
			continue
		}
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return norm.NFC.Bytes(out)
}

func isPlainASCII(word []byte) bool {
	for _, c := range word {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
