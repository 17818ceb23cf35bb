package store

import (
	"context"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// draft is a revision with changes on top, on which the rules of a space are checked and kept.
type draft struct {
	base *View
	// before is how the base has the changed entries, nil when it has not; after is how they will be, nil when deleted.
	before, after map[string]*entity.Entry
	// order is the ids of the changed entries in the order in which they came.
	order []string
	// bases keeps entries of the base that were read and have not changed.
	bases map[string]*entity.Entry
}

func newDraft(base *View) *draft {
	return &draft{base: base, before: map[string]*entity.Entry{}, after: map[string]*entity.Entry{},
		bases: map[string]*entity.Entry{}}
}

// clone returns a draft that can be changed further without changing d. Both share their entries.
func (d *draft) clone() *draft {
	c := *d
	c.before, c.after, c.bases = maps.Clone(d.before), maps.Clone(d.after), maps.Clone(d.bases)
	c.order = slices.Clone(d.order)
	return &c
}

// entry returns an entry as it will be, nil when there is none.
func (d *draft) entry(ctx context.Context, id string) (*entity.Entry, error) {
	if changed, ok := d.after[id]; ok {
		return changed, nil
	}
	return d.original(ctx, id)
}

// original returns an entry as the base has it, nil when there is none.
func (d *draft) original(ctx context.Context, id string) (*entity.Entry, error) {
	if e, ok := d.before[id]; ok {
		return e, nil
	}
	if e, ok := d.bases[id]; ok {
		return e, nil
	}
	e, err := d.base.find(ctx, id)
	if err != nil {
		return nil, err
	}
	d.bases[id] = e
	return e, nil
}

// set changes an entry, which becomes the draft's; a nil entry deletes it.
func (d *draft) set(ctx context.Context, id string, e *entity.Entry) error {
	if _, changed := d.after[id]; !changed {
		before, err := d.original(ctx, id)
		if err != nil {
			return err
		}
		if before == nil && e == nil {
			return nil
		}
		d.before[id] = before
		delete(d.bases, id)
		d.order = append(d.order, id)
	}
	d.after[id] = e
	return nil
}

// gone reports whether an entry is deleted by the draft.
func (d *draft) gone(id string) bool {
	e, changed := d.after[id]
	return changed && e == nil
}

// arrivals returns the living changed pages by the parent that they will have, in the order of the changes.
func (d *draft) arrivals() map[string][]*entity.Entry {
	below := map[string][]*entity.Entry{}
	for _, id := range d.order {
		if e := d.after[id]; e != nil && e.Kind == entity.KindPage {
			below[e.Parent] = append(below[e.Parent], e)
		}
	}
	return below
}

// changes returns what really differs from the base, nil for deleted.
func (d *draft) changes() map[string]*entity.Entry {
	changes := maps.Clone(d.after)
	maps.DeleteFunc(changes, func(id string, e *entity.Entry) bool { return entity.Equal(d.before[id], e) })
	return changes
}

// changedPages returns the ids of changed entries that are or were pages, in the order in which they came.
func (d *draft) changedPages() []string {
	return slices.DeleteFunc(slices.Clone(d.order), func(id string) bool {
		return !isPage(d.before[id]) && !isPage(d.after[id])
	})
}

func isPage(e *entity.Entry) bool { return e != nil && e.Kind == entity.KindPage }

// moved reports whether a page will be at another place than in the base, or is new.
func moved(before, after *entity.Entry) bool {
	return before == nil || before.Parent != after.Parent || before.Slug != after.Slug
}

// mayHaveChildren reports whether pages can stand below a page.
func mayHaveChildren(e *entity.Entry) bool {
	return isPage(e) && (e.Type == entity.PageDocument || e.Type == entity.PageGroup)
}
