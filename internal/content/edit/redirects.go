package edit

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// insertRedirect makes an address lead to a page. One that does so already is left as it is.
func (w *work) insertRedirect(ctx context.Context, change Change) (string, error) {
	page, err := w.page(ctx, "page", change.Page)
	if err != nil {
		return "", err
	}
	if page.Type == entity.PageLink {
		return "", errs.Invalidf("page", "a link has no address of its own that another one could lead to")
	}
	path := strings.Trim(strings.TrimSpace(change.Path), "/")
	if path == "" {
		return "", errs.Invalidf("path", "is empty; name the address that leads to the page, such as old/place")
	}
	if at := strings.IndexAny(path, "?#*\\"); at >= 0 {
		return "", errs.Invalidf("path", "has a %q, which no path of a page has; leave it out", path[at])
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return "", errs.Invalidf("path", "has a part %q between slashes; leave it out", segment)
		}
	}
	if living, err := w.livesAt(ctx, path); err != nil {
		return "", err
	} else if living != nil {
		return "", errs.Invalidf("path", "is the address of the page %.80q, which wins over a redirect; "+
			"take another address, or move that page first", living.Title)
	}
	redirect := &entity.Entry{
		ID: entity.RedirectID("", path), Kind: entity.KindRedirect, Path: path,
		Target: &doc.Ref{Kind: doc.RefPage, Page: page.ID},
	}
	leads, err := w.leadsTo(ctx, redirect.ID, path)
	switch {
	case err != nil:
		return "", err
	case leads != nil && leads.ID == page.ID:
		return redirect.ID, nil
	case leads != nil:
		return "", errs.Invalidf("path", "leads to the page %.80q already; take it away there first", leads.Title)
	}
	if err := redirect.Validate(); err != nil {
		return "", err
	}
	w.set(redirect)
	return redirect.ID, nil
}

// livesAt returns the page at a path, nil when there is none that answers there.
func (w *work) livesAt(ctx context.Context, path string) (*entity.Entry, error) {
	var at *entity.Entry
	for slug := range strings.SplitSeq(path, "/") {
		parent := ""
		if at != nil {
			parent = at.ID
		}
		below, err := w.children(ctx, parent)
		if err != nil {
			return nil, err
		}
		at = nil
		for _, place := range below {
			if place.Slug != slug {
				continue
			}
			if at, err = w.find(ctx, place.ID); err != nil {
				return nil, err
			}
		}
		if at == nil {
			return nil, nil
		}
	}
	if at.Type == entity.PageLink {
		return nil, nil
	}
	return at, nil
}

// leadsTo returns the page that a path without a page of its own leads to, nil for none. id is that of the redirect
// of the whole path. What the batch takes away does not count.
func (w *work) leadsTo(ctx context.Context, id, path string) (*entity.Entry, error) {
	redirect, err := w.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if redirect != nil && redirect.Target != nil && redirect.Target.Space == "" {
		if page, err := w.find(ctx, redirect.Target.Page); err != nil || page != nil {
			return page, err
		}
	}
	for _, changed := range w.order {
		if strings.HasPrefix(changed, "redirect:") && w.entries[changed] == nil {
			return nil, nil
		}
	}
	resolved, err := w.view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil || resolved.Entry == nil || !resolved.Redirected {
		return nil, err
	}
	return w.find(ctx, resolved.Entry.ID)
}

// deleteRedirect takes away an address that leads to a page.
func (w *work) deleteRedirect(ctx context.Context, id string) (string, error) {
	if id == "" {
		return "", errs.Invalidf("redirect", "is missing: name a redirect")
	}
	e, err := w.find(ctx, id)
	if err != nil {
		return "", err
	}
	if e == nil || e.Kind != entity.KindRedirect {
		refusal := errs.NotFoundf("redirect: there is no redirect %.80q here. List the redirects of a page to see "+
			"their ids.", id)
		refusal.Details = []errs.Detail{{Path: "redirect", Message: "there is no such redirect"}}
		return "", refusal
	}
	w.drop(e.ID)
	return e.ID, nil
}
