package link

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// touched collects what of all that resolving looks at is different between two revisions.
type touched struct {
	service       *Service
	before, after *store.View
	// paths says that there are links by path, so that it matters what is where in the Markdown tree.
	paths bool
	what  map[string]struct{}
	// walked are the pages whose new address has been dealt with.
	walked map[string]struct{}
	// parents are the pages that may have got or lost their first child.
	parents map[string]struct{}
}

func newTouched(s *Service, before, after *store.View, paths bool) *touched {
	return &touched{
		service: s, before: before, after: after, paths: paths,
		what: map[string]struct{}{}, walked: map[string]struct{}{}, parents: map[string]struct{}{},
	}
}

func (t *touched) add(what string) { t.what[what] = struct{}{} }

// entry adds what the change of one entry touches.
func (t *touched) entry(ctx context.Context, c store.Change) error {
	if redirects(c) {
		return nil
	}
	if kindOf(c.Before) != kindOf(c.After) {
		t.add(lookedEntity(c.ID))
		t.add(lookedInclude(c.ID))
	}
	if c.Before != nil && c.After != nil && c.Before.Body != c.After.Body {
		if err := t.body(ctx, c); err != nil {
			return err
		}
	}
	if !t.paths {
		return nil
	}
	t.claim(c)
	if isPage(c.Before) || isPage(c.After) {
		return t.page(ctx, c)
	}
	return nil
}

func redirects(c store.Change) bool {
	return (c.Before == nil || c.Before.Kind == entity.KindRedirect) &&
		(c.After == nil || c.After.Kind == entity.KindRedirect)
}

func isPage(e *entity.Entry) bool { return e != nil && e.Kind == entity.KindPage }

func kindOf(e *entity.Entry) string {
	if e == nil {
		return ""
	}
	return string(e.Kind) + " " + string(e.Type)
}

// body adds the anchors that came or went with a body, and what it includes.
func (t *touched) body(ctx context.Context, c store.Change) error {
	old, err := t.service.read(ctx, t.before, c.Before)
	if err != nil {
		return err
	}
	now, err := t.service.read(ctx, t.after, c.After)
	if err != nil {
		return err
	}
	for anchor := range old.anchors {
		if _, still := now.anchors[anchor]; !still {
			t.add(lookedAnchor(c.ID, anchor))
		}
	}
	for anchor := range now.anchors {
		if _, already := old.anchors[anchor]; !already {
			t.add(lookedAnchor(c.ID, anchor))
		}
	}
	if includes(old) != includes(now) {
		t.add(lookedIncludes(c.ID))
	}
	return nil
}

// includes lists what a body includes, in order.
func includes(r *reading) string {
	var list strings.Builder
	for _, i := range r.includes {
		list.WriteString(r.references[i].written + "\x00")
	}
	return list.String()
}

// claim adds the paths in the Markdown tree that an entry came to or left.
func (t *touched) claim(c store.Change) {
	old, now := claimKey(c.Before), claimKey(c.After)
	if old == now && (old == "" || label(c.Before) == label(c.After)) {
		return
	}
	for _, claim := range []string{old, now} {
		if claim != "" {
			t.add(lookedName(claim[1:]))
		}
	}
	t.add(lookedFolder(c.ID))
}

// page adds the names that a page, and those below it, have left or come to.
func (t *touched) page(ctx context.Context, c store.Change) error {
	for _, e := range []*entity.Entry{c.Before, c.After} {
		if isPage(e) && e.Parent != "" && (!isPage(c.Before) || !isPage(c.After) || c.Before.Parent != c.After.Parent) {
			t.parents[e.Parent] = struct{}{}
		}
	}
	switch {
	case !isPage(c.After):
		return t.names(ctx, t.before, c.ID)
	case !isPage(c.Before):
		return t.names(ctx, t.after, c.ID)
	}
	if c.Before.Parent != c.After.Parent || c.Before.Position != c.After.Position {
		t.add(lookedOrder)
	}
	if (c.Before.Type == entity.PageLink) != (c.After.Type == entity.PageLink) {
		if err := t.names(ctx, t.after, c.ID); err != nil {
			return err
		}
	}
	if c.Before.Parent != c.After.Parent || c.Before.Slug != c.After.Slug {
		return t.moved(ctx, c.ID)
	}
	return nil
}

// names adds the names of a page in one of the revisions.
func (t *touched) names(ctx context.Context, view *store.View, id string) error {
	address, err := view.Path(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the address of %s: %w", id, err)
	}
	for _, name := range pagefile.Paths(address) {
		t.add(lookedName(name))
	}
	return nil
}

// moved adds the names of a page with a new address, and of all pages below it, which have one too.
func (t *touched) moved(ctx context.Context, id string) error {
	if _, done := t.walked[id]; done {
		return nil
	}
	t.walked[id] = struct{}{}
	t.add(lookedFolder(id))
	for _, view := range []*store.View{t.before, t.after} {
		if err := t.names(ctx, view, id); err != nil {
			return err
		}
	}
	children, err := t.after.Children(ctx, id)
	if err != nil {
		return fmt.Errorf("read the pages below %s: %w", id, err)
	}
	for _, child := range children {
		if err := t.moved(ctx, child.ID); err != nil {
			return err
		}
	}
	return nil
}

// finish adds what only shows when all entries are known: the folders of pages that got or lost their first child, and
// the landing page.
func (t *touched) finish(ctx context.Context) error {
	if !t.paths {
		return nil
	}
	for id := range t.parents {
		old, err := t.before.HasChildren(ctx, id)
		if err != nil {
			return err
		}
		now, err := t.after.HasChildren(ctx, id)
		if err != nil {
			return err
		}
		if old != now {
			t.add(lookedFolder(id))
		}
	}
	old, err := t.before.Landing(ctx)
	if err != nil {
		return err
	}
	now, err := t.after.Landing(ctx)
	if err != nil {
		return err
	}
	if (old == nil) != (now == nil) || old != nil && old.ID != now.ID {
		t.add(lookedName(pagefile.Readme))
	}
	return nil
}
