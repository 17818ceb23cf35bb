// Package language owns what is known of the words of languages: which letters make one, how words are folded so that
// they compare, which are too common to tell texts apart, what their stems are, and which language a text is in.
package language

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Language is what is known of the words of a language.
type Language struct {
	// Name is its code, such as "en".
	Name      string
	stem      func(*snowballstem.Env) bool
	stopWords []byte // as the library lists them, with remarks
}

// Known are those whose words are stemmed and whose stop words are known, by their code. English comes first: it
// is what a text without other signs is in.
var Known = []Language{
	{"en", english.Stem, en.EnglishStopWords}, {"de", german.Stem, de.GermanStopWords},
	{"fr", french.Stem, fr.FrenchStopWords}, {"es", spanish.Stem, es.SpanishStopWords},
	{"it", italian.Stem, it.ItalianStopWords}, {"pt", portuguese.Stem, pt.PortugueseStopWords},
	{"nl", dutch.Stem, nl.DutchStopWords}, {"sv", swedish.Stem, sv.SwedishStopWords},
	{"da", danish.Stem, da.DanishStopWords}, {"no", norwegian.Stem, no.NorwegianStopWords},
	{"fi", finnish.Stem, fi.FinnishStopWords}, {"ru", russian.Stem, ru.RussianStopWords},
	{"hu", hungarian.Stem, hu.HungarianStopWords}, {"ro", romanian.Stem, ro.RomanianStopWords},
	{"tr", turkish.Stem, tr.TurkishStopWords},
}

// asked are English words that people put around what they look for, and that the library does not list.
const asked = "can could should would may might must will shall get gets got want need needs please help using use " +
	"used way ways many much without someone somebody something anyone anybody anything everyone everything thing " +
	"things possible able lot"

// StopWords maps each stop word, folded, to the languages that have it, as bits in the order of Known.
var StopWords = sync.OnceValue(func() map[string]uint32 {
	words := map[string]uint32{}
	for i, each := range Known {
		for line := range bytes.Lines(each.stopWords) {
			if at := bytes.IndexAny(line, "|#"); at >= 0 {
				line = line[:at]
			}
			for word := range bytes.FieldsSeq(line) {
				// With an apostrophe it is two words of a text.
				for _, part := range bytes.FieldsFunc(word, func(r rune) bool { return !IsWord(r) }) {
					words[string(Fold(part))] |= 1 << i
				}
			}
		}
	}
	for word := range bytes.FieldsSeq([]byte(asked)) {
		words[string(word)] |= 1
	}
	return words
})

// irregular maps forms of English words that no rule leads to their base to it.
var irregular = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for line := range strings.Lines(irregularForms) {
		words := strings.Fields(line)
		for _, form := range words[min(1, len(words)):] {
			forms[form] = words[0]
		}
	}
	return forms
})

// irregularForms has one base in each line, with its forms.
const irregularForms = `
become became
begin began begun
bind bound
break broke broken
build built
buy bought
catch caught
choose chose chosen
deal dealt
draw drew drawn
drive drove driven
fall fell fallen
feed fed
find found
forget forgot forgotten
freeze froze frozen
give gave given
grow grew grown
hide hid hidden
hold held
index indices
keep kept
know knew known
lead led
lose lost
matrix matrices
mean meant
overwrite overwrote overwritten
pay paid
rebuild rebuilt
rewrite rewrote rewritten
run ran
seek sought
sell sold
send sent
shake shook shaken
speak spoke spoken
spend spent
steal stole stolen
swap swapped
teach taught
tell told
think thought
throw threw thrown
undo undid undone
vertex vertices
win won
write wrote written
`

// MaxWordBytes bounds a word; longer runs (encoded data) are cut, since nobody searches for them whole.
const MaxWordBytes = 64

// detected bounds how much of a text is looked at to find out its language, in words.
const detected = 400

// Of says which language a text is most likely in, by the stop words that it has.
func Of(text string) string {
	known := StopWords()
	var counts [32]int
	words := 0
	for at := 0; at < len(text) && words < detected; {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) || IsCJK(r) {
			at += size
			continue
		}
		end := RunEnd([]byte(text[at:min(len(text), at+MaxWordBytes)]), 0, IsWord)
		words++
		for i, bits := 0, known[string(Fold([]byte(text[at:at+end])))]; bits != 0; i, bits = i+1, bits>>1 {
			counts[i] += int(bits & 1)
		}
		at += max(end, size)
	}
	best := 0
	for i := range Known {
		if counts[i] > counts[best] {
			best = i
		}
	}
	if counts[best] < 3 {
		return Known[0].Name
	}
	return Known[best].Name
}

// Stemmer reduces words of a language to their stems.
type Stemmer struct {
	stem    func(*snowballstem.Env) bool
	env     *snowballstem.Env
	english bool
}

// StemmerOf returns a stemmer of a language; it is for one goroutine.
func StemmerOf(name string) Stemmer {
	for _, each := range Known {
		if each.Name == name {
			return Stemmer{each.stem, snowballstem.NewEnv(""), name == "en"}
		}
	}
	return Stemmer{Known[0].stem, snowballstem.NewEnv(""), true}
}

// Stem returns the stem of a word in lower case, folded. Stemming looks at accents, which folding takes away.
func (s Stemmer) Stem(lower string) string {
	if base, ok := irregular()[lower]; ok && s.english {
		lower = base
	}
	s.env.SetCurrent(lower)
	s.stem(s.env)
	stem := s.env.Current()
	if IsPlainASCII([]byte(stem)) {
		return stem
	}
	return string(Fold([]byte(stem)))
}
