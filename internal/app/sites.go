package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/site"
)

// assembleSites makes the service that keeps sites.
func (a *App) assembleSites() {
	names := newNameService(a.config.DNSServer)
	a.sites = site.New(complete(a, site.Deps{
		DB: a.db, Spaces: a.spaces, BaseURL: a.config.Base(), SitesDomain: a.config.SitesDomain,
		LookupTXT: names.txt, LookupCNAME: names.cname, PagePath: a.pagePath, PageByPath: a.pageByPath,
	}))
}

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

// pagePath returns the path of a page of a space, "" for its landing page.
func (a *App) pagePath(ctx context.Context, spaceID, pageID string) (string, bool, error) {
	view, err := a.content.Head(ctx, spaceID)
	if err != nil {
		return "", false, err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return "", false, err
	}
	node, ok := tree.ByID[pageID]
	if !ok {
		made, err := a.made(ctx, view)
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

// pageByPath returns the id of the page at a path of a space, "" when there is none.
func (a *App) pageByPath(ctx context.Context, spaceID, path string) (string, error) {
	view, err := a.content.Head(ctx, spaceID)
	if err != nil {
		return "", err
	}
	found, err := view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) {
		made, err := a.made(ctx, view)
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
