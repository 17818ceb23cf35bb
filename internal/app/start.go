package app

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/web"
)

// maxListedSites bounds each list of sites on the start page, and of how many organizations it asks.
const maxListedSites = 100

// listSites returns the published sites that a visitor of the start page may open: those of the organizations that
// they are a member of, and those of others that everybody may read. Sites that do not want to be found are not there.
func (a *App) listSites(ctx context.Context, caller account.Caller) (web.SiteList, error) {
	var list web.SiteList
	own := map[id.Site]bool{}
	if caller.User.ID != "" {
		memberships, err := a.organizations.ListForUser(ctx, caller, paging.Request{Limit: maxListedSites})
		if err != nil {
			return list, err
		}
		for _, membership := range memberships.Items {
			if membership.Role == org.RoleGuest {
				continue
			}
			sites, err := a.sites.List(ctx, caller, membership.Organization.ID,
				site.Filter{Published: optional.Of(true)}, paging.Request{Limit: maxListedSites})
			if err != nil {
				return list, err
			}
			for _, each := range sites.Items {
				own[each.ID] = true
				if len(list.Own) < maxListedSites {
					list.Own = append(list.Own, listedSite(each, membership.Organization.Title))
				}
			}
		}
	}
	public, err := a.sites.ListPublic(ctx, maxListedSites)
	for _, each := range public {
		if !own[each.ID] {
			list.Public = append(list.Public, listedSite(each.Site, each.OrganizationTitle))
		}
	}
	return list, err
}

func listedSite(of site.Site, organization string) web.ListedSite {
	restricted := of.Visibility == site.VisibilityShareLink || of.Visibility == site.VisibilityVisitorAuth
	return web.ListedSite{Title: of.Title, Organization: organization, URL: of.PublishedURL, Restricted: restricted}
}

// hostOf returns the host of an address of this server, with its port when it has one.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "" // the settings were checked
	}
	return parsed.Host
}

// setupCode returns the code that sets the server up; it is the same in every process on the database.
func setupCode(ctx context.Context, d *db.DB) (string, error) {
	secret, err := db.Secret(ctx, d, "setup")
	if err != nil {
		return "", err
	}
	return web.SetupCode(secret), nil
}

// inviteFirst prints where the server is set up when it has nobody yet. The log leaves secrets in addresses out, and
// this one is for whoever started the server.
func (a *App) inviteFirst(ctx context.Context, stdout io.Writer) error {
	begun, err := a.organizations.IsSetUp(ctx)
	if err != nil || begun {
		return err
	}
	_, err = fmt.Fprintf(stdout, "\nNobody has an account here yet. Open this link to begin:\n\n    %s\n\n",
		web.SetupAddress(a.config.Base(), a.pages.SetupCode))
	return err
}
