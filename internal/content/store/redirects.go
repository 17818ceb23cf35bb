package store

import (
	"context"

	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// settleRedirects leaves a redirect wherever a page has been, and takes away those that lead to where they are.
//
//   - A page that moves or is renamed leaves one at the place that it had; its descendants leave none, because their
//     old paths lead over it.
//   - A page that comes back to a place takes away the redirect to itself there. One to another page stays: as long as
//     somebody lives there it is not seen, and afterwards the old path works again.
//   - A deleted page leaves one, to its own id, only when something that is alive was once below it: then old paths
//     through it go on working.
//
// A redirect remembers when it was left; see walker.
//
// So a path at which a page lives leads to that page after the commit, too, unless another page has come to one of the
// places on it; and it goes on doing so until a later tenant of one of them has left a redirect in turn, or the page is
// deleted.
// A fast-forward merge and a rollback take over content as it is, with the redirects that it has.
func (d *draft) settleRedirects(ctx context.Context, now int64) error {
	// Later redirects have later times, also when the clock stands still or goes back.
	now = max(now, d.base.revision.CreatedAt.UnixMicro()+1)
	explicit := map[string]struct{}{}
	for id := range d.after {
		if e := d.after[id]; e != nil && e.Kind == entity.KindRedirect {
			explicit[id] = struct{}{}
		}
	}
	pages := d.changedPages()
	for _, id := range pages {
		before, after := d.before[id], d.after[id]
		if after == nil || !isPage(before) || !moved(before, after) {
			continue
		}
		if err := d.leave(ctx, before, explicit, now); err != nil {
			return err
		}
	}
	trail := trails{draft: d, known: map[string]bool{}}
	for _, id := range pages {
		before := d.before[id]
		if d.after[id] != nil || !isPage(before) {
			continue
		}
		needed, err := trail.needed(ctx, id, 0)
		if err != nil {
			return err
		}
		if needed {
			if err := d.leave(ctx, before, explicit, now); err != nil {
				return err
			}
		}
	}
	for _, id := range pages {
		after := d.after[id]
		if after == nil || !moved(d.before[id], after) {
			continue
		}
		if err := d.dropOwn(ctx, after.Parent, after.Slug, id); err != nil {
			return err
		}
	}
	for id := range explicit {
		if err := d.dropIfHome(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// leave puts the redirect to a page at the place that it had, unless somebody puts one there by hand.
func (d *draft) leave(ctx context.Context, before *entity.Entry, explicit map[string]struct{}, now int64) error {
	redirect := &entity.Entry{
		ID: entity.RedirectID(before.Parent, before.Slug), Kind: entity.KindRedirect, Parent: before.Parent,
		Path:   before.Slug,
		Target: &doc.Ref{Kind: doc.RefPage, Page: before.ID}, CreatedAt: now,
	}
	if _, taken := explicit[redirect.ID]; taken && d.after[redirect.ID].CreatedAt == 0 {
		return nil // made by hand; one that comes with a merge tells of another branch's past
	}
	return d.set(ctx, redirect.ID, redirect)
}

// dropOwn deletes the redirect at a place when it leads to the page that lives there.
func (d *draft) dropOwn(ctx context.Context, parent, slug, id string) error {
	redirect, err := d.entry(ctx, entity.RedirectID(parent, slug))
	if err != nil || redirect == nil || pathindex.TargetPage(redirect.Target) != id {
		return err
	}
	return d.set(ctx, redirect.ID, nil)
}

// dropIfHome deletes a redirect of one segment that leads to the page that lives at its place.
func (d *draft) dropIfHome(ctx context.Context, id string) error {
	redirect := d.after[id]
	if redirect == nil {
		return nil
	}
	target, err := d.entry(ctx, pathindex.TargetPage(redirect.Target))
	if err != nil || !isPage(target) || target.Parent != redirect.Parent || target.Slug != redirect.Path {
		return err
	}
	return d.set(ctx, id, nil)
}

// trails finds out which deleted pages old paths have to lead through.
type trails struct {
	draft *draft
	known map[string]bool
	left  map[string][]*entity.Entry // redirects that the draft adds, by parent
	went  map[string][]string        // deleted pages, by the parent that they had
}

// maxTrail bounds how many dead pages in a row an old path may lead through.
const maxTrail = 64

// needed reports whether a redirect below a page that is gone leads to something alive, be it through further pages
// that are gone.
func (t *trails) needed(ctx context.Context, id string, depth int) (bool, error) {
	if known, ok := t.known[id]; ok || depth > maxTrail {
		return known, nil
	}
	t.known[id] = false // ends cycles
	t.index()
	_, redirects, err := t.draft.base.list(ctx, id)
	if err != nil {
		return false, err
	}
	targets := make([]string, 0, len(redirects)+len(t.left[id])+len(t.went[id]))
	for _, redirect := range redirects {
		if !t.draft.gone(entity.RedirectID(id, redirect.Slug)) {
			targets = append(targets, redirect.Target)
		}
	}
	for _, redirect := range t.left[id] {
		targets = append(targets, pathindex.TargetPage(redirect.Target))
	}
	for _, target := range targets {
		// A redirect to something else than a page has no page and is alive.
		if target == "" {
			return t.found(id), nil
		}
		page, err := t.draft.entry(ctx, target)
		if err != nil {
			return false, err
		}
		if isPage(page) {
			return t.found(id), nil
		}
	}
	for _, target := range append(targets, t.went[id]...) {
		if needed, err := t.needed(ctx, target, depth+1); err != nil || needed {
			return t.found(id), err
		}
	}
	return false, nil
}

func (t *trails) found(id string) bool {
	t.known[id] = true
	return true
}

func (t *trails) index() {
	if t.left != nil {
		return
	}
	t.left, t.went = map[string][]*entity.Entry{}, map[string][]string{}
	for _, id := range t.draft.order {
		before, after := t.draft.before[id], t.draft.after[id]
		if after != nil && after.Kind == entity.KindRedirect {
			t.left[after.Parent] = append(t.left[after.Parent], after)
		}
		if after == nil && isPage(before) {
			t.went[before.Parent] = append(t.went[before.Parent], id)
		}
	}
}
