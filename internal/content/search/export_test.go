package search

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/places"
	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/engine/render"
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
	var all []func()
	for {
		done, err := s.turns.Take(context.Background(), 0)
		if err != nil {
			return func() {
				for _, done := range all {
					done()
				}
			}
		}
		all = append(all, done)
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
		var words []near
		if words, err = x.nearest(ctx, u); err == nil {
			_, err = x.addTypos(&misspelling{unit: u, words: words, weight: 1})
		}
	} else {
		err = x.addBeginnings(u, 1)
	}
	return len(u.variants), err
}

// Generated is an index of made-up pages without a store, to measure what finding some of them costs.
type Generated struct {
	index *spaceIndex
	pages atomic.Int64
}

// OpenGenerated makes an empty one in a directory.
func OpenGenerated(dir string) (*Generated, error) {
	if err := terms.Register(); err != nil {
		return nil, err
	}
	made, err := openIndex(dir)
	if err != nil {
		return nil, err
	}
	held, err := made.DocCount()
	if err != nil {
		return nil, err
	}
	generated := &Generated{index: &spaceIndex{space: "space_generated", bleve: made}}
	generated.pages.Store(int64(held))
	return generated, nil
}

// Pages is how many pages it has.
func (g *Generated) Pages() int { return int(g.pages.Load()) }

// Add adds pages: a title and the texts of sections each.
func (g *Generated) Add(pages [][]string) error {
	batch := g.index.bleve.NewBatch()
	for _, texts := range pages {
		var sections []render.Section
		for _, text := range texts[1:] {
			heading, below, _ := strings.Cut(text, "\n")
			sections = append(sections, render.Section{ID: "x", Title: heading, Text: below})
		}
		document, err := documentOf(texts[0], "", "", sections)
		if err != nil {
			return err
		}
		name := documentID(g.index.space, fmt.Sprintf("page_%07d", g.pages.Add(1)))
		made, err := places.Document(g.index.bleve.Mapping(), name, document, fieldText, fieldPlaces,
			func() func() { return segments.Background.Step(nil) }) // as pages of an update that nobody waits for
		if err != nil {
			return err
		}
		if err := batch.IndexAdvanced(made); err != nil {
			return err
		}
	}
	return g.index.bleve.Batch(batch)
}

// Find does all that a search does for its first eight pages, but for asking the store what they are called.
func (g *Generated) Find(ctx context.Context, text string) (total int, err error) {
	defer segments.Background.Searching()()
	e := evaluation{query: Query{Text: text, Limit: 8, Published: true}, parsed: parse(text)}
	parts := opened{scratch: takeScratch()}
	defer parts.close()
	if err := parts.open(g.index, e.query); err != nil {
		return 0, err
	}
	r, _, err := e.understand(ctx, &parts)
	if err != nil {
		return 0, err
	}
	found, total, err := e.rank(ctx, r)
	if err != nil {
		return 0, err
	}
	found = found[:min(len(found), e.query.Limit)]
	for i := range found {
		if _, err := r.sectionHits(&found[i]); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// Merge makes one piece of those that it consists of.
func (g *Generated) Merge(ctx context.Context) error {
	advanced, err := g.index.bleve.Advanced()
	if err != nil {
		return err
	}
	for {
		if err := advanced.(*scorch.Scorch).ForceMerge(ctx, nil); err != nil {
			return err
		}
		reader, err := advanced.Reader()
		if err != nil {
			return err
		}
		pieces := len(reader.(*scorch.IndexSnapshot).Segments())
		if err := reader.Close(); err != nil || pieces == 1 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond): // some of them are not written yet
		}
	}
}

// Close closes it.
func (g *Generated) Close() error { return g.index.bleve.Close() }

// Embedded reports whether all passages of some spaces that may be sent have vectors.
func (s *Service) Embedded(spaces ...id.Space) (bool, error) {
	for _, space := range spaces {
		index, err := s.acquire(space)
		if err != nil {
			return false, err
		}
		_, pieces, err := index.pieces()
		done := !index.vectors.Wants(pieces)
		s.release([]*spaceIndex{index})
		if err != nil || !done {
			return false, err
		}
	}
	return true, nil
}
