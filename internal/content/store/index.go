package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// lookup finds the page with a slug below a parent in the path index.
func (v *View) lookup(ctx context.Context, parent, slug string) (pathindex.Page, bool, error) {
	if !pathindex.IsSegment(slug) {
		return pathindex.Page{}, false, nil
	}
	value, ok, err := v.paths().Get(ctx, v.revision.Paths, pathindex.PageKey(parent, slug))
	if err != nil || !ok {
		return pathindex.Page{}, false, err
	}
	c, err := pathindex.ParsePage(slug, value)
	return c, err == nil, err
}

// leftBehind finds the redirect of one segment below a page, which may be gone.
func (v *View) leftBehind(ctx context.Context, parent, slug string) (pathindex.Redirect, bool, error) {
	if !pathindex.IsSegment(slug) {
		return pathindex.Redirect{}, false, nil
	}
	value, ok, err := v.paths().Get(ctx, v.revision.Paths, pathindex.RedirectKey(parent, slug))
	if err != nil || !ok {
		return pathindex.Redirect{}, false, err
	}
	left, err := pathindex.ParseRedirect(slug, value)
	return left, err == nil, err
}

// list returns the children of a page in their order, and the redirects left below it.
func (v *View) list(ctx context.Context, parent string) ([]pathindex.Page, []pathindex.Redirect, error) {
	var children []pathindex.Page
	var redirects []pathindex.Redirect
	for item, err := range v.paths().Under(ctx, v.revision.Paths, trie.ParentPrefix(parent), trie.ParentNibbles) {
		if err != nil {
			return nil, nil, err
		}
		slug, redirect, mine := pathindex.Cut(item.Key, parent)
		if !mine {
			continue
		}
		if redirect {
			left, err := pathindex.ParseRedirect(slug, item.Value)
			if err != nil {
				return nil, nil, err
			}
			redirects = append(redirects, left)
			continue
		}
		c, err := pathindex.ParsePage(slug, item.Value)
		if err != nil {
			return nil, nil, err
		}
		children = append(children, c)
	}
	slices.SortFunc(children, pathindex.Page.Compare)
	slices.SortFunc(redirects, func(a, b pathindex.Redirect) int { return strings.Compare(a.Slug, b.Slug) })
	return children, redirects, nil
}

// find returns an entry, nil when the revision has none with that id.
func (v *View) find(ctx context.Context, id string) (*entity.Entry, error) {
	if id == "" || len(id) > trie.MaxKeySize {
		return nil, nil
	}
	value, ok, err := v.entries().Get(ctx, v.revision.Root, id)
	if err != nil || !ok {
		return nil, err
	}
	return entity.Decode(id, value)
}

// Path returns the path of a page: the slugs of its ancestors and its own, joined by "/". It is the page's own path
// also for the landing page, whose canonical path is "" (see Landing). It reads one entry per ancestor.
func (v *View) Path(ctx context.Context, pageID string) (string, error) {
	var slugs []string
	seen := map[string]struct{}{}
	for id := pageID; id != ""; {
		e, err := v.find(ctx, id)
		switch {
		case err != nil:
			return "", err
		case e == nil || e.Kind != entity.KindPage:
			return "", errs.NotFoundf("Revision %s has no page %q.", v.revision.ID, id)
		}
		if _, again := seen[id]; again {
			return "", fmt.Errorf("path of page %s: its parents form a cycle", pageID)
		}
		seen[id] = struct{}{}
		slugs = append(slugs, e.Slug)
		id = e.Parent
	}
	slices.Reverse(slugs)
	return strings.Join(slugs, "/"), nil
}

// Landing returns the landing page: the first document in the order of the tree, hidden or not. It is nil in a
// revision without documents. It reads the path index at the root, and in groups that come first; the answer is kept.
func (v *View) Landing(ctx context.Context) (*entity.Entry, error) {
	id, known := v.service.landings.Get(v.revision.Paths.String())
	if !known {
		var err error
		if id, err = v.firstDocument(ctx, ""); err != nil {
			return nil, err
		}
		v.service.landings.Set(v.revision.Paths.String(), id)
	}
	return v.find(ctx, id)
}

// firstDocument returns the id of the first document below a page, "" when there is none.
func (v *View) firstDocument(ctx context.Context, parent string) (string, error) {
	children, _, err := v.list(ctx, parent)
	if err != nil {
		return "", err
	}
	for _, c := range children {
		switch c.Type {
		case entity.PageDocument:
			return c.ID, nil
		case entity.PageGroup:
			if id, err := v.firstDocument(ctx, c.ID); err != nil || id != "" {
				return id, err
			}
		}
	}
	return "", nil
}
