package app

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/org"
	"github.com/rectodocs/recto/internal/paging"
	"github.com/rectodocs/recto/internal/site"
	"github.com/rectodocs/recto/internal/space"
	"github.com/rectodocs/recto/internal/web"
)

// landing is where a member goes who enters an organization: to the site with the space or collection that they came for, when
// they may read that, else to the site that the organization shows first.
func (a *App) landing(ctx context.Context, caller account.Caller, organization org.Organization, target org.Target) (web.Landing, error) {
	spaces, err := a.spacesOf(ctx, caller, organization, target)
	if err != nil {
		return web.Landing{}, err
	}
	ids := make([]string, len(spaces))
	for i, each := range spaces {
		ids[i] = each.ID
	}
	shown, err := a.sites.ShownAt(ctx, ids)
	if err != nil {
		return web.Landing{}, err
	}
	// Sites that everybody may read ask for nothing on the way.
	for _, address := range []func(site.Shown) string{
		func(at site.Shown) string { return at.Public }, func(at site.Shown) string { return at.Published },
	} {
		for _, each := range spaces {
			if at := address(shown[each.ID]); at != "" {
				return a.landingAt(each.Title, at), nil
			}
		}
	}
	if organization.DefaultSite == "" {
		return web.Landing{}, nil
	}
	address, _, err := a.sites.SpaceURLOn(ctx, organization.DefaultSite, "")
	if err != nil || address == "" {
		return web.Landing{}, err
	}
	return a.landingAt(organization.Title, address), nil
}

// spacesOf returns the spaces of an organization's target that the caller may read, in their order.
func (a *App) spacesOf(ctx context.Context, caller account.Caller, organization org.Organization, target org.Target) ([]space.Space, error) {
	var found []space.Space
	var err error
	switch {
	case target.Space != "":
		var one space.Space
		one, err = a.spaces.Get(ctx, caller, target.Space)
		found = []space.Space{one}
	case target.Collection != "":
		found, _, _, err = a.spaces.SpacesIn(ctx, caller, target.Collection, paging.Request{Limit: paging.MaxLimit})
	default:
		return nil, nil
	}
	if errs.Is(err, errs.NotFound) {
		return nil, nil // it was closed to them since, or is somebody else's
	}
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && found[0].Organization != organization.ID {
		return nil, nil
	}
	return found, nil
}

// landingAt tells addresses of this server from others.
func (a *App) landingAt(title, address string) web.Landing {
	landing := web.Landing{Title: title, URL: address}
	if rest, ok := strings.CutPrefix(address, a.config.Base()); ok && web.LocalPath(rest) == rest {
		landing.Path = rest
	}
	return landing
}
