package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// settle makes a draft keep the invariants in the package comment, or refuses it; only the redirects are left to
// settleRedirects. fixable says of which pages the slug may be changed when a sibling has it; nil of none.
func (d *draft) settle(ctx context.Context, fixable func(id string) bool) error {
	if err := d.settleParents(ctx); err != nil {
		return err
	}
	if err := d.settleSlugs(ctx, fixable); err != nil {
		return err
	}
	for _, id := range d.order {
		e := d.after[id]
		if e == nil || entity.Equal(d.before[id], e) {
			continue
		}
		if err := e.Validate(); err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		if err := checkCondition(d.before[id], e); err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
	}
	return nil
}

// settleParents checks that parents are there, may have children and form no cycle, and that nothing stays below a page
// that is deleted or may no longer have children.
func (d *draft) settleParents(ctx context.Context) error {
	rooted := map[string]int{"": 0} // pages known to hang on the root, by the number of their ancestors
	for _, id := range d.changedPages() {
		before, after := d.before[id], d.after[id]
		if after != nil {
			if err := d.checkParent(ctx, before, after); err != nil {
				return err
			}
			if before == nil || before.Parent != after.Parent {
				if err := d.checkAncestors(ctx, after, rooted); err != nil {
					return err
				}
			}
		}
		if mayHaveChildren(before) && !mayHaveChildren(after) {
			if err := d.checkChildless(ctx, before, after); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *draft) checkParent(ctx context.Context, before, after *entity.Entry) error {
	if after.Parent == "" {
		return nil
	}
	parent, err := d.entry(ctx, after.Parent)
	switch {
	case err != nil:
		return err
	case !isPage(parent) && d.gone(after.Parent):
		return errs.Conflictf("The parent of %s has been deleted (%s); choose another place for it.", name(after),
			after.Parent)
	case !isPage(parent):
		return errs.Invalidf("parent", "there is no page %q to put %s below", after.Parent, name(after))
	case !mayHaveChildren(parent):
		return errs.Invalidf("parent", "%s is a %s page, which cannot have pages below it; %s needs another place",
			name(parent), parent.Type, name(after))
	}
	return nil
}

// checkAncestors walks from a page to the root.
func (d *draft) checkAncestors(ctx context.Context, page *entity.Entry, rooted map[string]int) error {
	var way []string
	onWay := map[string]struct{}{}
	at := page
	for {
		if _, again := onWay[at.ID]; again {
			return errs.Conflictf("%s cannot be moved below %s: the one is an ancestor of the other.", name(page),
				page.Parent)
		}
		onWay[at.ID] = struct{}{}
		way = append(way, at.ID)
		if _, known := rooted[at.Parent]; known {
			break
		}
		parent, err := d.entry(ctx, at.Parent)
		if err != nil {
			return err
		}
		if parent == nil {
			return errs.Conflictf("The page %s above %s has been deleted; choose another place for it.", at.Parent,
				name(page))
		}
		at = parent
	}
	depth := rooted[at.Parent]
	for _, id := range slices.Backward(way) {
		depth++
		rooted[id] = depth
	}
	if depth > MaxDepth+1 {
		return errs.Invalidf("parent", "%s would have %d pages above it, at most %d are allowed", name(page), depth-1,
			MaxDepth)
	}
	return nil
}

// checkChildless makes sure that nothing stays below a page that is deleted (after is nil) or has changed its type.
func (d *draft) checkChildless(ctx context.Context, before, after *entity.Entry) error {
	children, _, err := d.base.list(ctx, before.ID)
	if err != nil {
		return err
	}
	for _, c := range children {
		e, err := d.entry(ctx, c.ID)
		switch {
		case err != nil:
			return err
		case e == nil || e.Parent != before.ID:
			continue
		case after == nil:
			return errs.Conflictf("%s cannot be deleted: %s is below it now; move or delete that first.", name(before),
				name(e))
		}
		return errs.Invalidf("type", "%s has pages below it, so it cannot become a %s page; move or delete %s first",
			name(before), after.Type, name(e))
	}
	return nil
}

// place is a slug below a parent.
type place struct{ parent, slug string }

// slugs decides who has which place.
type slugs struct {
	draft   *draft
	holders map[place]string // changed pages that have their place
}

// settleSlugs makes every page's slug its own among its siblings. Pages that stay where they were come first, then
// those that name their slug, then those that left it to us, each in the order of the request.
func (d *draft) settleSlugs(ctx context.Context, fixable func(string) bool) error {
	s := slugs{draft: d, holders: map[place]string{}}
	var named, unnamed []*entity.Entry
	for _, id := range d.changedPages() {
		before, after := d.before[id], d.after[id]
		switch {
		case after == nil:
		case after.Slug == "":
			unnamed = append(unnamed, after)
		case isPage(before) && !moved(before, after):
			s.holders[place{after.Parent, after.Slug}] = id
		default:
			named = append(named, after)
		}
	}
	for _, e := range named {
		holder, err := s.holder(ctx, e.Parent, e.Slug)
		if err != nil {
			return err
		}
		if holder != "" && (fixable == nil || !fixable(e.ID)) {
			return s.clash(ctx, e, holder)
		}
		if holder != "" {
			if err := s.rename(ctx, e, e.Slug); err != nil {
				return err
			}
		}
		s.holders[place{e.Parent, e.Slug}] = e.ID
	}
	for _, e := range unnamed {
		title := e.LinkTitle
		if title == "" {
			title = e.Title
		}
		if err := s.rename(ctx, e, title); err != nil {
			return err
		}
		s.holders[place{e.Parent, e.Slug}] = e.ID
	}
	return nil
}

// holder returns the id of the page that has a place, "" when it is free.
func (s slugs) holder(ctx context.Context, parent, slug string) (string, error) {
	if holder, taken := s.holders[place{parent, slug}]; taken {
		return holder, nil
	}
	c, found, err := s.draft.base.lookup(ctx, parent, slug)
	if err != nil || !found {
		return "", err
	}
	if _, changed := s.draft.after[c.ID]; changed {
		return "", nil // deleted, or it has asked for its place and got another
	}
	return c.ID, nil
}

// rename gives a page a free slug made of a text.
func (s slugs) rename(ctx context.Context, e *entity.Entry, text string) error {
	var failure error
	e.Slug = entity.UniqueSlug(text, func(slug string) bool {
		if failure != nil {
			return false
		}
		holder, err := s.holder(ctx, e.Parent, slug)
		failure = err
		return holder != ""
	})
	return failure
}

func (s slugs) clash(ctx context.Context, e *entity.Entry, holder string) error {
	other, err := s.draft.entry(ctx, holder)
	if err != nil {
		return err
	}
	return errs.Conflictf("%s and %s cannot both have the slug %q below one page; give one of them another.", name(e),
		name(other), e.Slug)
}
