package link

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/content/store"
)

// FromNothing makes the index of a revision anew, stores nothing, and returns its root and numbers.
func (s *Service) FromNothing(ctx context.Context, view *store.View) (string, error) {
	made, _, err := s.derive(ctx, nil, view, &index{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %+v", made.root, made.counts), nil
}

// Derived returns the root and numbers of the index that questions are answered from.
func (s *Service) Derived(ctx context.Context, view *store.View) (string, error) {
	found, err := s.index(ctx, view)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %+v", found.root, found.counts), nil
}

// Dump returns all items of the index.
func (s *Service) Dump(ctx context.Context, view *store.View, anew bool) (map[string]string, error) {
	items := map[string]string{}
	if anew {
		root, nodes, err := s.derive(ctx, nil, view, &index{})
		if err != nil {
			return nil, err
		}
		if err := s.saveIndex(ctx, view, root, nodes); err != nil {
			return nil, err
		}
		for item, err := range s.trie().All(ctx, root.root) {
			if err != nil {
				return nil, err
			}
			items[item.Key] = string(item.Value)
		}
		return items, nil
	}
	found, err := s.index(ctx, view)
	if err != nil {
		return nil, err
	}
	for item, err := range s.trie().All(ctx, found.root) {
		if err != nil {
			return nil, err
		}
		items[item.Key] = string(item.Value)
	}
	return items, nil
}
