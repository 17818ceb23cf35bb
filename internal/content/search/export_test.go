package search

import (
	"context"
	"errors"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/rectodocs/recto/internal/base/id"
)

// Unfinished returns the revisions of which the index of a space may hold pages besides its own.
func (s *Service) Unfinished(space id.Space) ([]id.Revision, error) {
	index, err := s.acquire(space)
	if err != nil {
		return nil, err
	}
	defer s.release([]*spaceIndex{index})
	return index.unfinished()
}

// Occupy takes all turns, until the function that it returns is called.
func (s *Service) Occupy() (free func()) {
	for range cap(s.turns.free) {
		s.turns.free <- struct{}{}
	}
	return func() {
		for range cap(s.turns.free) {
			<-s.turns.free
		}
	}
}

// WordsFor returns how many words of a space's index a term stands for in bodies, as a beginning and with typos, and
// how many it would stand for without bounds.
func (s *Service) WordsFor(space id.Space, term string, typos int) (words, all int, err error) {
	opened, err := s.acquire(space)
	if err != nil {
		return 0, 0, err
	}
	defer s.release([]*spaceIndex{opened})
	advanced, err := opened.bleve.Advanced()
	if err != nil {
		return 0, 0, err
	}
	reader, err := advanced.Reader()
	if err != nil {
		return 0, 0, err
	}
	defer reader.Close()
	a := alike{field: fieldBodyPlain, term: term, typos: typos}
	dictionary, err := a.dictionary(reader)
	if err != nil {
		return 0, 0, err
	}
	defer dictionary.Close()
	for {
		entry, err := dictionary.Next()
		if err != nil {
			return 0, 0, err
		}
		if entry == nil {
			break
		}
		all++
	}
	found, err := a.words(reader)
	return len(found), all, err
}

// NewTurns returns turns for a number of processors.
func NewTurns(processors int) interface {
	Take(ctx context.Context, patience time.Duration) (func(), error)
} {
	return exportedTurns{newTurns(processors)}
}

type exportedTurns struct{ turns }

func (e exportedTurns) Take(ctx context.Context, patience time.Duration) (func(), error) {
	return e.take(ctx, patience)
}

// MaxWaiting is how many queries wait for their turn.
const MaxWaiting = maxWaiting

// Misspelt returns the words of a space's bodies that a term stands for with typos, and those that the library finds.
func (s *Service) Misspelt(space id.Space, term string, typos int) (own, library []index.DictEntry, err error) {
	opened, err := s.acquire(space)
	if err != nil {
		return nil, nil, err
	}
	defer s.release([]*spaceIndex{opened})
	advanced, err := opened.bleve.Advanced()
	if err != nil {
		return nil, nil, err
	}
	reader, err := advanced.Reader()
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	a := alike{field: fieldBodyPlain, term: term, typos: typos}
	own, few, err := a.compare(reader)
	if err != nil || !few {
		return nil, nil, errors.Join(err, errors.New("the space has to have few words"))
	}
	dictionary, err := a.dictionary(reader)
	if err != nil {
		return nil, nil, err
	}
	defer dictionary.Close()
	for {
		entry, err := dictionary.Next()
		if err != nil || entry == nil {
			return own, library, err
		}
		library = append(library, *entry)
	}
}
