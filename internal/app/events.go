package app

import (
	"cmp"
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/gitsync"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/endpoints"
)

// This file lets integrations and the renderer know of what happens to content, in the transaction in which it happens.

// tellContent tells of a new revision of a space. The addresses of people are nobody's business.
func (a *App) tellContent(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Branch.Kind != store.MainBranch {
		return nil
	}
	revision := moved.After.Revision()
	return a.integrations.TellSpace(ctx, q, revision.Space, integration.ScopeContent, func() (map[string]any, error) {
		authors, err := a.accounts.UsersByIDs(ctx, []id.User{revision.Author})
		if err != nil {
			return nil, err
		}
		by := []map[string]any{}
		for _, author := range authors {
			by = append(by, map[string]any{"object": "user", "id": author.ID, "displayName": author.DisplayName,
				"urls": map[string]string{"location": a.config.Base() + "/v1/users/" + string(author.ID)}})
		}
		return map[string]any{"type": "space_content_updated", "revisionId": revision.ID, "updatedBy": by}, nil
	})
}

// tellRenderer tells of a new revision of a space.
func (a *App) tellRenderer(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Branch.Kind != store.MainBranch {
		return nil
	}
	return a.renderer.SpaceChanged(ctx, q, moved.After.Revision().Space)
}

// spaceChanged tells the renderer of a space that is another one itself, and of the sites that name it.
func (a *App) spaceChanged(ctx context.Context, q db.Querier, spaceID id.Space) error {
	if a.config.RendererURL == "" {
		return nil
	}
	sites, err := site.SitesOf(ctx, q, spaceID)
	if err != nil {
		return err
	}
	for _, siteID := range sites {
		if err := a.renderer.SiteChanged(ctx, q, siteID); err != nil {
			return err
		}
	}
	return a.renderer.SpaceChanged(ctx, q, spaceID)
}

// tellSync tells that the content of a space is being brought in from a commit of a Git repository, and how that ended.
func (a *App) tellSync(ctx context.Context, q db.Querier, sync gitsync.Sync) error {
	return a.integrations.TellSpace(ctx, q, sync.Space, integration.ScopeGit, func() (map[string]any, error) {
		event := map[string]any{"type": "space_gitsync_started", "revisionId": sync.Revision, "commitId": sync.Commit}
		if sync.State != gitsync.Started {
			event["type"], event["state"] = "space_gitsync_completed", sync.State
		}
		return event, nil
	})
}

// spaceMoved tells that a space has moved into a collection or out of one. While a published site shows it, others see
// it as before.
func (a *App) spaceMoved(ctx context.Context, q db.Querier, spaceID id.Space, before, after space.Visibility) error {
	shown, err := site.VisibilityOf(ctx, q, spaceID)
	if err != nil || shown != "" {
		return err
	}
	return a.tellVisibility(ctx, q, spaceID, before, after)
}

// spaceShown tells that published sites have begun or ceased to show a space, or show it to others. Without them it is
// seen as where it stands says.
func (a *App) spaceShown(ctx context.Context, q db.Querier, spaceID id.Space, before, after site.Visibility) error {
	alone, err := space.VisibilityAlone(ctx, q, spaceID)
	if err != nil {
		return err
	}
	return a.tellVisibility(ctx, q, spaceID, cmp.Or(space.Visibility(before), alone),
		cmp.Or(space.Visibility(after), alone))
}

// tellVisibility tells that other people come to see a space.
func (a *App) tellVisibility(ctx context.Context, q db.Querier, spaceID id.Space,
	before, after space.Visibility) error {
	return a.integrations.TellSpace(ctx, q, spaceID, integration.ScopeMetadata, func() (map[string]any, error) {
		return map[string]any{"type": "space_visibility_updated", "previousVisibility": before,
			"visibility": after}, nil
	})
}

// siteScripts are what integrations put on the pages of a site.
func (a *App) siteScripts(ctx context.Context, siteID id.Site) (scripts []site.Script, watched bool, err error) {
	found, watched, err := a.integrations.SiteScripts(ctx, siteID)
	for _, each := range found {
		scripts = append(scripts, site.Script{URL: each.Script, ContentSecurityPolicy: each.Policy,
			Cookies: each.Cookies, Asks: each.Asks})
	}
	return scripts, watched, err
}

// visitorBackends are the integrations that may let visitors in to a site.
func (a *App) visitorBackends(ctx context.Context, siteID id.Site) ([]audience.Backend, error) {
	found, err := a.integrations.Backends(ctx, siteID)
	var list []audience.Backend
	for _, each := range found {
		at := a.integrations.InstallationEndpointURL(each.Name, each.Installation) + "/sites/" + string(siteID) + "/"
		list = append(list, audience.Backend{Integration: each.Integration, Name: each.Name,
			Installation: each.Installation,
			Key:          a.integrations.SigningSecret(each.Installation, string(siteID)),
			SignIn:       at + endpoints.SignInPath, SignOut: at + endpoints.SignOutPath})
	}
	return list, err
}

// siteHomes are the addresses at which a published site is.
func (a *App) siteHomes(ctx context.Context, siteID id.Site) ([]string, error) {
	served, err := a.sites.ResolveID(ctx, siteID)
	if err != nil {
		return nil, err
	}
	return []string{served.Site.PublishedURL, served.Site.DirectURL}, nil
}
