package app

import (
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/web"
)

// doors lead members into their organizations.
type doors struct{ *App }

// landing is where a member goes who enters an organization: to the site with the space or collection that they came
// for, when they may read that, else to the site that the organization shows first. A site that asks its visitors for
// something shows them the space as a preview, which is for those who may read it.
func (d doors) landing(ctx context.Context, caller account.Caller, organization org.Organization,
	target invite.Target) (web.Landing, error) {
	spaces, err := d.spacesOf(ctx, caller, organization, target)
	if err != nil {
		return web.Landing{}, err
	}
	ids := make([]id.Space, len(spaces))
	for i, each := range spaces {
		ids[i] = each.ID
	}
	shown, err := d.sites.ShownAt(ctx, ids)
	if err != nil {
		return web.Landing{}, err
	}
	// Sites that everybody may read ask for nothing on the way.
	for _, each := range spaces {
		if address := shown[each.ID].Public; address != "" {
			return d.landingAt(each.Title, address), nil
		}
	}
	for _, each := range spaces {
		if address := shown[each.ID].Published; address != "" {
			return d.previewAt(ctx, caller, each, address)
		}
	}
	if organization.DefaultSite == "" {
		return web.Landing{}, nil
	}
	address, _, err := d.sites.SpaceURLOn(ctx, organization.DefaultSite, "")
	if err != nil || address == "" {
		return web.Landing{}, err
	}
	return d.landingAt(organization.Title, address), nil
}

// spacesOf returns the spaces of an organization's target that the caller may read, in their order.
func (d doors) spacesOf(ctx context.Context, caller account.Caller, organization org.Organization,
	target invite.Target) ([]space.Space, error) {
	var found []space.Space
	var err error
	switch {
	case target.Space != "":
		var one space.Space
		one, err = d.spaces.Get(ctx, caller, target.Space)
		found = []space.Space{one}
	case target.Collection != "":
		var list paging.Page[space.Space]
		list, err = d.spaces.SpacesIn(ctx, caller, target.Collection, paging.Request{Limit: paging.MaxLimit})
		found = list.Items
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

// previewAt is the live content of a space on its site, for who may read the space.
func (d doors) previewAt(ctx context.Context, caller account.Caller, of space.Space,
	address string) (web.Landing, error) {
	seen, err := access.New(d.db).Space(ctx, caller, of.ID)
	if err != nil || seen.Head == "" {
		return web.Landing{}, err
	}
	query := url.Values{"ticket": {d.previews.Ticket(caller, string(of.ID))}}
	return d.landingAt(of.Title, address+"~/revisions/"+string(seen.Head)+"/?"+query.Encode()), nil
}

// landingAt tells addresses of this server from others.
func (d doors) landingAt(title, address string) web.Landing {
	landing := web.Landing{Title: title, URL: address}
	if rest, ok := strings.CutPrefix(address, d.config.Base()); ok && web.LocalPath(rest) == rest {
		landing.Path = rest
	}
	return landing
}
