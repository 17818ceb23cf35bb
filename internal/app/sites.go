package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// proveHostnames takes up hosts of sites whose owners have set the record meanwhile.
func (a *App) proveHostnames() {
	a.every("site.hostnames", 10*time.Minute, func(ctx context.Context) error {
		proven, err := a.sites.ProveHostnames(ctx)
		if proven > 0 {
			a.log.InfoContext(ctx, "hostnames of sites are proven", slog.Int("hostnames", proven))
		}
		return err
	})
}

// sitePages finds pages for the redirects of sites.
type sitePages struct {
	content *store.Service
	made    store.MadePages
}

// path returns the path of a page of a space, "" for its landing page.
func (s sitePages) path(ctx context.Context, spaceID id.Space, pageID string) (string, bool, error) {
	view, err := s.content.Head(ctx, spaceID)
	if err != nil {
		return "", false, err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return "", false, err
	}
	node, ok := tree.ByID[pageID]
	if !ok {
		made, err := s.made(ctx, view)
		if err != nil {
			return "", false, err
		}
		if page := made.Page(pageID); page != nil {
			return page.Path, true, nil
		}
	}
	if !ok || node.Entry.Type == entity.PageLink {
		return "", false, nil
	}
	if node == tree.Landing {
		return "", true, nil
	}
	return node.Path, true, nil
}

// byPath returns the id of the page at a path of a space, "" when there is none.
func (s sitePages) byPath(ctx context.Context, spaceID id.Space, path string) (string, error) {
	view, err := s.content.Head(ctx, spaceID)
	if err != nil {
		return "", err
	}
	found, err := view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) {
		made, err := s.made(ctx, view)
		if err != nil {
			return "", err
		}
		for id, page := range made.Pages {
			if page.Path == path {
				return id, nil
			}
		}
		return "", nil
	}
	if err != nil || found.Entry == nil {
		return "", err
	}
	return found.Entry.ID, nil
}
