package typos

import (
	"maps"
	"sync"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/rectodocs/recto/internal/content/search/terms"
)

// Kept is the vocabularies of the parts of an index. A part never changes and has a number of its own. The zero value
// is empty and ready; it is safe for use by many goroutines.
type Kept struct {
	mu           sync.Mutex
	vocabularies map[uint64]*Vocabulary
}

// Forget lets go of the parts that are gone.
func (k *Kept) Forget(gone func(number uint64) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.vocabularies, func(number uint64, _ *Vocabulary) bool { return gone(number) })
}

// Of returns the vocabulary of the part with a number, which is made of its dictionary when it is asked for first.
func (k *Kept) Of(number uint64, dictionary segment.TermDictionary) (*Vocabulary, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.vocabularies[number]; known != nil {
		return known, nil
	}
	made, err := New(terms.Between(dictionary, nil, nil))
	if err != nil {
		return nil, err
	}
	if k.vocabularies == nil {
		k.vocabularies = map[uint64]*Vocabulary{}
	}
	k.vocabularies[number] = made
	return made, nil
}
