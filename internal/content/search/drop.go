package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/vectors"
)

// clearDirectory removes what no running process needs from the directory of the indexes, which is all but some names:
// those of previews, and those of other layouts.
func clearDirectory(dir string, keep []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if slices.Contains(keep, entry.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Sweep removes the indexes of spaces that are gone for good, and returns how many. Each process has indexes of its
// own, so each calls it from time to time. What a query uses at this moment stays until the next call.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	spaces, err := s.indexed()
	if err != nil {
		return 0, fmt.Errorf("list the search indexes: %w", err)
	}
	removed := 0
	for some := range slices.Chunk(spaces, 500) {
		// Read after the folder: a space whose index was in it had a head before.
		heads, err := s.deps.Content.Heads(ctx, some)
		if err != nil {
			return removed, fmt.Errorf("read the heads: %w", err)
		}
		for _, space := range some {
			if _, exists := heads[space]; exists {
				continue
			}
			dropped, err := s.drop(space)
			if err != nil {
				return removed, err
			}
			if dropped {
				removed++
			}
		}
	}
	return removed, nil
}

// indexed returns the ids of the spaces that have an index here: on disk, or in the place of a preview.
func (s *Service) indexed() ([]id.Space, error) {
	var spaces []id.Space
	for _, folder := range []string{Layout, vectors.Folder} {
		entries, err := os.ReadDir(filepath.Join(s.deps.Dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			spaces = append(spaces, id.Space(strings.TrimSuffix(entry.Name(), vectors.NewFile)))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, preview := range s.previews {
		spaces = append(spaces, preview.space)
	}
	slices.Sort(spaces)
	return slices.Compact(spaces), nil
}

// drop removes the index of a space that is gone for good, and those of its previews. It reports false when one of them
// is in use and has to wait.
func (s *Service) drop(space id.Space) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := false
	for at := len(s.previews) - 1; at >= 0; at-- {
		if index := s.previews[at]; index.space != space {
			continue
		} else if index.users > 0 {
			waits = true
		} else {
			s.dropPreview(at)
		}
	}
	if element, ok := s.open[space]; ok {
		index := element.Value.(*spaceIndex)
		if index.users > 0 {
			return false, nil
		}
		s.recent.Remove(element)
		delete(s.open, space)
		if err := index.bleve.Close(); err != nil {
			return false, fmt.Errorf("close search index: %w", err)
		}
	}
	delete(s.shut, space)
	if err := os.RemoveAll(filepath.Join(s.deps.Dir, Layout, string(space))); err != nil {
		return false, fmt.Errorf("remove search index: %w", err)
	}
	if s.vectors != nil {
		if err := s.vectors.Drop(string(space)); err != nil {
			return false, fmt.Errorf("remove the vectors of a space: %w", err)
		}
	}
	return !waits, nil
}
