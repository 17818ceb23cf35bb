package terms

import (
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// BehindPrefix is the first term behind all those with a prefix; nil for none.
func BehindPrefix(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}

// Between returns the terms of a dictionary from one up to another, nil for no bound, without their counts: behind
// a term that one document has once, the library says of every term that one document has it.
func Between(dictionary segment.TermDictionary, start, end []byte) segment.DictionaryIterator {
	if quick, ok := dictionary.(interface {
		AutomatonIteratorOmitCount(segment.Automaton, []byte, []byte) segment.DictionaryIterator
	}); ok {
		return quick.AutomatonIteratorOmitCount(nil, start, end)
	}
	return dictionary.AutomatonIterator(nil, start, end)
}
