package edition

import (
	"context"
	"fmt"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/cache"
)

const (
	materialCacheSize = 400_000 // pages of the materials of all revisions that are kept
	editionCacheSize  = 400_000 // pages of all editions that are kept
)

// Store prepares editions and keeps them. It is safe for use by many goroutines.
type Store struct {
	// Kept is the editions, by revision and outcomes.
	Kept cache.Cache[*Edition]

	content   *store.Service
	specs     *spec.Service
	materials cache.Cache[*material] // by revision
	preparing singleflight.Group
}

// NewStore returns a Store of the content's revisions.
func NewStore(content *store.Service, specs *spec.Service) *Store {
	return &Store{
		content: content, specs: specs,
		Kept: cache.Weighted(editionCacheSize, func(_ string, e *Edition) uint32 {
			return uint32(len(e.Tree.Ordered)) + 1
		}),
		materials: cache.Weighted(materialCacheSize, func(_ string, m *material) uint32 {
			return uint32(len(m.Tree.Ordered)) + 1
		}),
	}
}

// For returns a revision prepared for a visitor, from the cache when it is there. specs is the state of the API
// specifications; most revisions do not depend on it and are kept without.
func (s *Store) For(ctx context.Context, revision id.Revision, specs string, visitor *Visitor) (*Edition, error) {
	m, key, err := s.material(ctx, revision, specs)
	if err != nil {
		return nil, err
	}
	outcomes := m.decide(visitor)
	key += "\x00" + ShortKey(outcomes)
	if kept, ok := s.Kept.Get(key); ok {
		return kept, nil
	}
	made, err, _ := s.preparing.Do("\x00"+key, func() (any, error) {
		e := newEdition(m, outcomes)
		s.Kept.Set(key, e)
		return e, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(*Edition), nil
}

// material returns what the editions of a revision share, and the key under which it is kept.
func (s *Store) material(ctx context.Context, revision id.Revision, specs string) (*material, string, error) {
	if kept, ok := s.materials.Get(string(revision)); ok {
		return kept, string(revision), nil
	}
	key := string(revision) + " " + specs
	if kept, ok := s.materials.Get(key); ok {
		return kept, key, nil
	}
	made, err, _ := s.preparing.Do(key, func() (any, error) {
		// Others wait for this too: it does not end with one reader's request.
		ctx := context.WithoutCancel(ctx)
		v, err := s.content.View(ctx, revision)
		if err != nil {
			return nil, err
		}
		m, err := newMaterial(ctx, v, s.specs)
		if err != nil {
			return nil, fmt.Errorf("prepare revision %s: %w", revision, err)
		}
		if m.depends {
			s.materials.Set(key, m)
		} else {
			s.materials.Set(string(revision), m)
		}
		return m, nil
	})
	if err != nil {
		return nil, "", err
	}
	m := made.(*material)
	if !m.depends {
		key = string(revision)
	}
	return m, key, nil
}
