package search

import (
	"context"
	"time"

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

// WordsFor returns how many words of a space's index a term stands for, as a beginning or with typos.
func (s *Service) WordsFor(ctx context.Context, space id.Space, term string, typos bool) (int, error) {
	held, err := s.acquire(space)
	if err != nil {
		return 0, err
	}
	defer s.release([]*spaceIndex{held})
	var parts opened
	defer parts.close()
	if err := parts.open(held, Query{}); err != nil {
		return 0, err
	}
	x := expansion{parts: &parts}
	u := &unit{written: term, term: term, last: true}
	if typos {
		_, err = x.addTypos(ctx, u, 1)
	} else {
		err = x.addBeginnings(u, 1)
	}
	return len(u.variants), err
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

// Mistakes returns how many typos there are between two words, or some number above most.
func Mistakes(term, word string, most int) int {
	var table distances
	whole, _ := table.between([]rune(term), word, most)
	return whole
}
