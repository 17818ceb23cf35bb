package search

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/vectors"
)

// Status says how far the indexes of some spaces have come, on this machine.
type Status struct {
	// Spaces are how many were asked about. Current are those whose index holds their live content, Reading those that
	// are being read, Failed those whose last reading has failed; the next search reads the rest.
	Spaces, Current, Reading, Failed int
	// Pages are those of the indexes that were open since the server began.
	Pages int
	// Refreshing says that Refresh goes on for one of them.
	Refreshing bool
	// Vectors says how far their passages are embedded; nil where words answer alone.
	Vectors *vectors.Status
	// EmbedAll says that all pages may be sent, not only those that everybody may find.
	EmbedAll bool
}

// indexState is what is known of an index, open or closed.
type indexState struct {
	revision        id.Revision // "" while it is brought to another one
	pages           int
	reading, failed bool
}

// Status returns how far the indexes of spaces have come. It asks nothing of the content but the heads, and of the
// indexes what they know anyway.
func (s *Service) Status(ctx context.Context, spaces []id.Space) (Status, error) {
	heads, err := s.deps.Content.Heads(ctx, spaces)
	if err != nil {
		return Status{}, fmt.Errorf("read the heads: %w", err)
	}
	status := Status{Spaces: len(heads), EmbedAll: s.deps.EmbedAll}
	names := make([]string, 0, len(heads))
	for space, head := range heads {
		names = append(names, string(space))
		index, err := s.stateOf(space)
		if err != nil {
			return Status{}, err
		}
		status.Current += boolInt(index.revision == head && !index.reading)
		status.Reading += boolInt(index.reading)
		status.Failed += boolInt(index.failed && !index.reading)
		status.Pages += index.pages
	}
	s.mu.Lock()
	status.Refreshing = slices.ContainsFunc(spaces, func(space id.Space) bool { return s.refreshing[space] })
	s.mu.Unlock()
	if s.vectors != nil {
		vectors := s.vectors.Status(names)
		status.Vectors = &vectors
	}
	return status, nil
}

// stateOf returns what is known of the index of a space without opening it.
func (s *Service) stateOf(space id.Space) (indexState, error) {
	s.mu.Lock()
	element, open := s.open[space]
	if !open {
		defer s.mu.Unlock()
		return s.shut[space], nil
	}
	index := element.Value.(*spaceIndex)
	index.users++
	state := indexState{reading: index.updating != nil, failed: index.failed}
	s.mu.Unlock()
	defer s.release([]*spaceIndex{index})
	err := index.describe(&state)
	return state, err
}

// describe adds what an open index says of itself.
func (i *spaceIndex) describe(state *indexState) error {
	pages, err := i.bleve.DocCount()
	if err != nil {
		return fmt.Errorf("count the pages of index %s: %w", i.space, err)
	}
	state.pages = int(pages)
	unfinished, err := i.unfinished()
	if err != nil || len(unfinished) > 0 {
		return err
	}
	state.revision, err = i.revision()
	return err
}

// Refresh brings the indexes of spaces to their live content in the background, one after the other, and has what
// lacks vectors embedded, although the endpoint has failed before. It begins no second time while it goes on for one of
// them.
func (s *Service) Refresh(ctx context.Context, spaces []id.Space) error {
	heads, err := s.deps.Content.Heads(ctx, spaces)
	if err != nil {
		return fmt.Errorf("read the heads: %w", err)
	}
	if s.vectors != nil {
		s.vectors.Retry()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || slices.ContainsFunc(spaces, func(space id.Space) bool { return s.refreshing[space] }) {
		return nil
	}
	for space := range heads {
		s.refreshing[space] = true
	}
	s.builds.Go(func() {
		for space, head := range heads {
			if err := s.refreshOne(s.stop, space, head); err != nil && s.stop.Err() == nil {
				s.deps.Log.Error("refresh search index", slog.String("space", string(space)), slog.Any("error", err))
			}
			s.mu.Lock()
			delete(s.refreshing, space)
			s.mu.Unlock()
		}
	})
	return nil
}

// refreshOne brings the index of a space to a revision, and has its passages embedded behind that.
func (s *Service) refreshOne(ctx context.Context, space id.Space, head id.Revision) error {
	view, err := s.deps.Content.View(ctx, head)
	if err != nil {
		return fmt.Errorf("open revision %s: %w", head, err)
	}
	index, err := s.acquire(space)
	if err != nil {
		return err
	}
	indexes := []*spaceIndex{index}
	defer s.release(indexes)
	held, err := s.holds(ctx, index, view)
	if err != nil {
		return err
	}
	if !held {
		update := s.startUpdate(index, view)
		select {
		case <-update.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if update.err != nil {
			return update.err
		}
	}
	if s.vectors == nil {
		return nil
	}
	return s.wantVectors(indexes)
}
