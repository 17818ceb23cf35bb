// Package typos owns comparing a misspelt word with those of a dictionary.
package typos

import (
	"fmt"
	"math/bits"
	"unicode/utf8"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/rectodocs/recto/internal/engine/language"
)

// longest is up to how many letters typos are forgiven.
const longest = 24

// Allowed says how many letters of a word may be wrong: one from three letters, two from six.
func Allowed(term string) int {
	switch letters := utf8.RuneCountInString(term); {
	case letters >= 6 && letters <= longest:
		return 2
	case letters >= 3 && letters <= longest:
		return 1
	}
	return 0
}

// Vocabulary holds the words of a dictionary in a form in which all of them are compared with a misspelt one in a
// moment.
type Vocabulary struct {
	text    []byte
	starts  []uint32 // of each word in text, and the end of the last
	letters []uint64 // which letters a word has, as bits
	lengths []uint8  // in characters
}

// New reads those of some words that may be meant by misspelt ones: no short or long ones, none that begins with a
// control character.
func New(words segment.DictionaryIterator) (*Vocabulary, error) {
	v := &Vocabulary{}
	for {
		entry, err := words.Next()
		if err != nil {
			return nil, fmt.Errorf("read the words of a field: %w", err)
		}
		if entry == nil {
			break
		}
		term := entry.Term
		letters := utf8.RuneCountInString(term)
		if term[0] < ' ' || letters < 3 || letters > longest+2 || language.HasCJK(term) {
			continue
		}
		v.starts = append(v.starts, uint32(len(v.text)))
		v.text = append(v.text, term...)
		v.letters = append(v.letters, lettersOf(term))
		v.lengths = append(v.lengths, uint8(letters))
	}
	v.starts = append(v.starts, uint32(len(v.text)))
	return v, nil
}

// lettersOf says which letters a word has: one bit for each of the Latin ones and the digits, the others share some.
func lettersOf(term string) uint64 {
	var mask uint64
	for _, r := range term {
		switch {
		case 'a' <= r && r <= 'z':
			mask |= 1 << (r - 'a')
		case '0' <= r && r <= '9':
			mask |= 1 << (26 + r - '0')
		default:
			mask |= 1 << (36 + uint32(r)*2654435761>>16%28)
		}
	}
	return mask
}

// Near calls a function with each word that is a term but for some typos, or whose beginning is the term but for one.
// It says how many there are, and whether only the beginning is meant.
func (v *Vocabulary) Near(term string, typos int, found func(term string, distance int, begins bool)) {
	wanted := []rune(term)
	mask := lettersOf(term)
	var table distances
	for i, letters := range v.letters {
		length := int(v.lengths[i])
		if missing := bits.OnesCount64(mask &^ letters); missing > typos {
			continue
		}
		whole := length-len(wanted) <= typos && len(wanted)-length <= typos && bits.OnesCount64(letters&^mask) <= typos
		begins := len(wanted) >= 4 && length > len(wanted)
		if !whole && !begins {
			continue
		}
		word := string(v.text[v.starts[i]:v.starts[i+1]])
		distance, beginning := table.between(wanted, word, typos)
		switch {
		case whole && distance <= typos:
			found(word, distance, false)
		case begins && beginning <= 1:
			found(word, beginning, true)
		}
	}
}

// distances counts typos between two words: letters that have to be added, removed, replaced or exchanged with the one
// beside them to make one of the other, none of them twice. It is kept to reuse its memory.
type distances struct {
	rows [3][]int
	word []rune
}

// between returns how many typos there are between a term and a word, and between the term and the beginning of the
// word that is nearest to it; or some numbers above most.
func (d *distances) between(term []rune, written string, most int) (whole, beginning int) {
	d.word = d.word[:0]
	for _, r := range written {
		d.word = append(d.word, r)
	}
	word := d.word
	for i := range d.rows {
		if len(d.rows[i]) < len(word)+1 {
			d.rows[i] = make([]int, len(word)+16)
		}
	}
	// Rows of the table of distances between beginnings: of the letters so far, of one less, and of two less.
	row, above, twoAbove := d.rows[0], d.rows[1], d.rows[2]
	for j := range len(word) + 1 {
		row[j] = j
	}
	for i := range term {
		row, above, twoAbove = twoAbove, row, above
		row[0] = i + 1
		least := row[0]
		for j := range word {
			replaced := above[j]
			if term[i] != word[j] {
				replaced++
			}
			row[j+1] = min(replaced, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && term[i] == word[j-1] && term[i-1] == word[j] {
				row[j+1] = min(row[j+1], twoAbove[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return least, least
		}
	}
	beginning = row[len(word)]
	for _, each := range row[:len(word)+1] {
		beginning = min(beginning, each)
	}
	return row[len(word)], beginning
}
