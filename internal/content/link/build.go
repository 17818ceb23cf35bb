package link

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Prepare makes the index of a revision when it has none yet, and keeps it. Questions do so by themselves; this is for
// who wants the first of them to be answered soon.
func (s *Service) Prepare(ctx context.Context, view *store.View) error {
	_, err := s.index(ctx, view)
	return err
}

// index returns the index of a revision, made if it has to be. Callers at one time share the work.
func (s *Service) index(ctx context.Context, view *store.View) (*index, error) {
	root := view.Revision().Root
	if root.IsZero() {
		return &index{}, nil
	}
	if found, ok := s.indexes.Get(root.String()); ok && s.now().UnixMicro()-found.used < refresh.Microseconds() {
		return found, nil
	}
	// Inside a transaction nothing can be saved, and waiting for somebody who saves could be for ever.
	nested := s.deps.DB.Snapshot(ctx, func(context.Context, db.Querier) error { return nil })
	if errors.Is(nested, db.ErrNested) {
		if found, err := s.findIndex(ctx, root); found != nil || err != nil {
			return found, err
		}
		return s.unsaved(ctx, view)
	}
	if nested != nil {
		return nil, nested
	}
	load := func(ctx context.Context) (*index, error) {
		found, err := s.findIndex(ctx, root)
		if found != nil || err != nil {
			return found, err
		}
		return s.make(ctx, view)
	}
	found, err := s.indexes.Load(ctx, root.String(), load)
	// The work is done under the context of one caller; the others do not end with it.
	for errors.Is(err, context.Canceled) && ctx.Err() == nil {
		found, err = s.indexes.Load(ctx, root.String(), load)
	}
	if err != nil {
		return nil, err
	}
	kept, err := s.keepAlive(ctx, root, found)
	if err != nil || kept {
		return found, err
	}
	if found, err = s.make(ctx, view); err != nil {
		return nil, err
	}
	s.indexes.Set(root.String(), found)
	return found, nil
}

// unsaved makes an index for a question that is asked inside a transaction, where nothing else can be written.
func (s *Service) unsaved(ctx context.Context, view *store.View) (*index, error) {
	before, from, err := s.nearest(ctx, view)
	if err != nil {
		return nil, err
	}
	made, nodes, err := s.derive(ctx, before, view, from)
	if err != nil {
		return nil, err
	}
	s.pinned.add(nodes)
	return made, nil
}

// make derives the index from the nearest one there is.
func (s *Service) make(ctx context.Context, view *store.View) (*index, error) {
	before, from, err := s.nearest(ctx, view)
	if err != nil {
		return nil, err
	}
	made, nodes, err := s.derive(ctx, before, view, from)
	if errors.Is(err, errMissing) && before != nil {
		// What it was to be derived from is damaged: away with that, and from nothing.
		if err := s.forget(ctx, before.Revision().Root); err != nil {
			return nil, err
		}
		made, nodes, err = s.derive(ctx, nil, view, &index{})
	}
	if err != nil {
		return nil, err
	}
	if err := s.saveIndex(ctx, view, made, nodes); err != nil {
		return nil, err
	}
	for hash, encoded := range nodes {
		if decoded, err := trie.Decode(hash, encoded); err == nil {
			s.nodes.Set(string(hash[:]), decoded)
		}
	}
	return made, nil
}

// maxAncestors is how many ancestors are looked at for an index.
const maxAncestors = 64

// nearest finds the revision to derive the index from: the nearest ancestor that has one, else the revision of the
// space that was indexed last; nil and an empty index when there is none.
func (s *Service) nearest(ctx context.Context, view *store.View) (*store.View, *index, error) {
	revision := view.Revision()
	queue, seen := revision.Parents, map[id.Revision]bool{}
	for len(queue) > 0 && len(seen) < maxAncestors {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		before, from, err := s.indexed(ctx, id)
		if err != nil || from != nil {
			return before, from, err
		}
		if before != nil {
			queue = append(queue, before.Revision().Parents...)
		}
	}
	id, err := s.latest(ctx, revision.Space)
	if err != nil || id == "" {
		return nil, &index{}, err
	}
	before, from, err := s.indexed(ctx, id)
	if err != nil || from == nil {
		return nil, &index{}, err
	}
	return before, from, nil
}

// indexed returns a revision and its index; either is nil when it is not there. The index is marked as in use, so that
// it is there for as long as deriving from it takes.
func (s *Service) indexed(ctx context.Context, id id.Revision) (*store.View, *index, error) {
	view, err := s.deps.Content.View(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	root := view.Revision().Root
	if root.IsZero() {
		return view, nil, nil
	}
	found, known := s.indexes.Get(root.String())
	if !known {
		if found, err = s.findIndex(ctx, root); err != nil || found == nil {
			return view, nil, err
		}
	}
	kept, err := s.keepAlive(ctx, root, found)
	if err != nil || !kept {
		return view, nil, err
	}
	return view, found, nil
}
