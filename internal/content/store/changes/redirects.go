package changes

import (
	"cmp"
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// redirects is the attribute of a page that has the addresses which lead to it.
const redirects = "redirects"

// addresses collects what people have made lead to pages, or have taken away, by page. What pages leave behind where
// they were, or take away when they come back, follows from their move; so do the redirects of a page that is new or
// gone.
type addresses struct {
	older, newer *places
	pages        []*entity.Entry
	before       map[string][]string
	after        map[string][]string
}

func newAddresses(older, newer *places) addresses {
	return addresses{older: older, newer: newer, before: map[string][]string{}, after: map[string][]string{}}
}

// note takes in the difference of a redirect, and nothing of other entries. With the id of a page it takes those to
// that page alone.
func (a *addresses) note(ctx context.Context, d store.Change, only string) error {
	redirect := cmp.Or(d.After, d.Before)
	if redirect.Kind != entity.KindRedirect || only != "" && (redirect.Target == nil || redirect.Target.Page != only) {
		return nil
	}
	if redirect.Target == nil || redirect.Target.Space != "" || d.After != nil && d.After.CreatedAt != 0 {
		return nil
	}
	page, err := a.newer.page(ctx, redirect.Target.Page)
	if err != nil || page == nil {
		return err
	}
	if before, err := a.older.page(ctx, page.ID); err != nil || before == nil {
		return err
	}
	address := redirect.Path
	if redirect.Parent != "" {
		parent, err := a.newer.page(ctx, redirect.Parent)
		if err != nil || parent == nil {
			return err
		}
		above, err := a.newer.path(ctx, parent)
		if err != nil {
			return err
		}
		address = above + "/" + address
	}
	// Who lives there now has taken the redirect away by coming.
	if living, err := a.newer.view.At(ctx, address); err != nil || d.After == nil && living != "" {
		return err
	}
	if a.before[page.ID] == nil && a.after[page.ID] == nil {
		a.pages = append(a.pages, page)
	}
	if d.Before != nil {
		a.before[page.ID] = append(a.before[page.ID], address)
	}
	if d.After != nil {
		a.after[page.ID] = append(a.after[page.ID], address)
	}
	return nil
}

// into adds what was collected to what was edited of the pages.
func (a *addresses) into(ctx context.Context, found []Change) ([]Change, error) {
	for _, page := range a.pages {
		attribute := Attribute{Name: redirects, Before: sorted(a.before[page.ID]), After: sorted(a.after[page.ID])}
		at := slices.IndexFunc(found, func(c Change) bool { return c.Entry.ID == page.ID && c.Kind == PageEdited })
		if at < 0 {
			path, err := a.newer.path(ctx, page)
			if err != nil {
				return nil, err
			}
			found, at = append(found, Change{Kind: PageEdited, Entry: page, Path: path}), len(found)
		}
		found[at].Attributes = append(found[at].Attributes, attribute)
	}
	return found, nil
}

// sorted returns addresses in their order as a value of an attribute, nil for none.
func sorted(addresses []string) any {
	if len(addresses) == 0 {
		return nil
	}
	slices.Sort(addresses)
	return addresses
}

// page returns a page of the revision, nil when there is none.
func (p *places) page(ctx context.Context, id string) (*entity.Entry, error) {
	e, err := p.view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) || err == nil && e.Kind != entity.KindPage {
		return nil, nil
	}
	return e, err
}
