package edit

import (
	"cmp"
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// work is a revision with the changes of a batch on top, as far as they have been applied.
type work struct {
	service *Service
	view    *store.View
	target  target
	names   names

	// entries are those that the batch has changed, nil for deleted; order is their ids in the order of the changes.
	entries map[string]*entity.Entry
	order   []string
	// bodies are the new bodies by id.
	bodies map[string][]byte
	// siblings are the places of the revision's pages by parent, read once.
	siblings map[string][]store.Place
	// assets are the files of the revision by the place where an export puts them, nil before they are needed.
	assets map[string]string
	// includes are the reusable contents in the same way.
	includes map[string]string
}

func newWork(s *Service, view *store.View, at target, n names) *work {
	return &work{
		service: s, view: view, target: at, names: n,
		entries: map[string]*entity.Entry{}, bodies: map[string][]byte{}, siblings: map[string][]store.Place{},
	}
}

// find returns an entry as it is now, nil when there is none.
func (w *work) find(ctx context.Context, id string) (*entity.Entry, error) {
	if e, changed := w.entries[id]; changed {
		return e, nil
	}
	e, err := w.view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return e, err
}

// page returns the page with an id or reference, to be changed. path says where in the change it is named.
func (w *work) page(ctx context.Context, path, reference string) (*entity.Entry, error) {
	if reference == "" {
		return nil, errs.Invalidf(path, "is missing: name a page")
	}
	e, err := w.find(ctx, w.names.resolve(reference))
	if err != nil {
		return nil, err
	}
	if e == nil || e.Kind != entity.KindPage {
		return nil, noPage(path, reference)
	}
	return e.Clone(), nil
}

// noPage refuses a reference that names no page.
func noPage(path, reference string) error {
	refusal := errs.NotFoundf("%s: there is no page %.80q here. List the pages to see their ids; a reference names "+
		"what a change before this one has inserted.", path, reference)
	refusal.Details = []errs.Detail{{Path: path, Message: "there is no such page"}}
	return refusal
}

// set puts an entry in the place of what was there.
func (w *work) set(e *entity.Entry) {
	w.note(e.ID)
	w.entries[e.ID] = e
}

func (w *work) note(id string) {
	if _, changed := w.entries[id]; !changed {
		w.order = append(w.order, id)
	}
}

// remove deletes a page and everything below it, and returns the ids of these.
func (w *work) remove(ctx context.Context, id string) ([]string, error) {
	var removed []string
	pending := []string{id}
	for len(pending) > 0 {
		last := len(pending) - 1
		id, pending = pending[last], pending[:last]
		below, err := w.children(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, child := range below {
			pending = append(pending, child.ID)
		}
		w.drop(id)
		removed = append(removed, id)
	}
	return removed, nil
}

// drop deletes an entry.
func (w *work) drop(id string) {
	w.note(id)
	w.entries[id] = nil
	delete(w.bodies, id)
}

// children returns where the pages below a page stand now, in their order.
func (w *work) children(ctx context.Context, parent string) ([]store.Place, error) {
	stored, known := w.siblings[parent]
	if !known {
		var err error
		if stored, err = w.view.Places(ctx, parent); err != nil {
			return nil, err
		}
		w.siblings[parent] = stored
	}
	below := make([]store.Place, 0, len(stored))
	for _, child := range stored {
		if _, changed := w.entries[child.ID]; !changed {
			below = append(below, child)
		}
	}
	for _, id := range w.order {
		if e := w.entries[id]; e != nil && e.Kind == entity.KindPage && e.Parent == parent {
			below = append(below, store.Place{ID: e.ID, Slug: e.Slug, Position: e.Position})
		}
	}
	slices.SortFunc(below, func(a, b store.Place) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	return below, nil
}

// longPosition is the length from which siblings are given new positions: they grow where pages are put between the
// same two again and again.
const longPosition = 200

// place gives a page its position below its parent: behind the first at siblings, behind all when at is nil.
func (w *work) place(ctx context.Context, e *entity.Entry, at *int) error {
	below, err := w.children(ctx, e.Parent)
	if err != nil {
		return err
	}
	below = slices.DeleteFunc(below, func(sibling store.Place) bool { return sibling.ID == e.ID })
	index := len(below)
	if at != nil {
		if *at < 0 {
			return errs.Invalidf("at", "is %d; 0 and more are accepted", *at)
		}
		index = min(*at, len(below))
	}
	before, after := "", ""
	if index > 0 {
		before = below[index-1].Position
	}
	if index < len(below) {
		after = below[index].Position
	}
	e.Position = entity.Between(before, after)
	// Two siblings may have come to one position in a merge; nothing fits between them.
	if len(e.Position) <= longPosition && (after == "" || after > before) {
		return nil
	}
	positions := entity.Positions(len(below) + 1)
	e.Position = positions[index]
	for i, sibling := range below {
		if i >= index {
			i++
		}
		found, err := w.find(ctx, sibling.ID)
		if err != nil {
			return err
		}
		moved := found.Clone()
		moved.Position = positions[i]
		w.set(moved)
	}
	return nil
}

// isBelow reports whether a page is another one or below it.
func (w *work) isBelow(ctx context.Context, id, ancestor string) (bool, error) {
	for range store.MaxDepth + MaxChanges {
		if id == ancestor {
			return true, nil
		}
		e, err := w.find(ctx, id)
		if err != nil || e == nil || e.Parent == "" {
			return false, err
		}
		id = e.Parent
	}
	return false, nil
}

// changes returns what is to be committed. What the batch has both made and deleted is no part of it.
func (w *work) changes(ctx context.Context) (put []store.Put, remove []string, err error) {
	for _, id := range w.order {
		if e := w.entries[id]; e != nil {
			put = append(put, store.Put{Entry: e, Body: w.bodies[id]})
			continue
		}
		switch _, err := w.view.Entry(ctx, id); {
		case err == nil:
			remove = append(remove, id)
		case !errs.Is(err, errs.NotFound):
			return nil, nil, err
		}
	}
	return put, remove, nil
}
