package api

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/publish/site"
)

type listSitesInput struct {
	PageParams
	Organization string   `path:"organizationId"`
	Space        string   `query:"space" doc:"Only sites with this space."`
	Title        string   `query:"title" maxLength:"128" doc:"Only sites whose title contains this, in any letter case."`
	Published    string   `query:"published" enum:"true,false" doc:"Only published, or only unpublished sites."`
	Type         []string `query:"type" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
}

// listSites lists the sites of an organization.
func (a *API) listSites(ctx context.Context, in *listSitesInput) (*body[List[Site]], error) {
	filter := site.Filter{Space: in.Space, Title: in.Title, Published: boolean(in.Published)}
	for _, t := range in.Type {
		filter.Types = append(filter.Types, site.Type(t))
	}
	name := strings.Join(append([]string{"sites", in.Organization, in.Space, in.Title, in.Published}, in.Type...),
		"\x00")
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	sites, err := a.Sites.List(ctx, callerOf(ctx), in.Organization, filter, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Site]]{Body: *listed(a, name, sites, a.wireSite)}, nil
}

// boolean reads a query parameter that may be absent.
func boolean(text string) optional.Value[bool] {
	switch text {
	case "true":
		return optional.Of(true)
	case "false":
		return optional.Of(false)
	}
	return optional.Value[bool]{}
}

type createSiteInput struct {
	Organization string `path:"organizationId"`
	Body         *struct {
		Type       string   `json:"type,omitempty" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
		Title      string   `json:"title,omitempty" maxLength:"128" doc:"2 to 128 characters; that of the first space when absent."`
		Visibility string   `json:"visibility,omitempty" enum:"public,unlisted,share-link,visitor-auth" doc:"public when absent."`
		Spaces     []string `json:"spaces,omitempty" maxItems:"100" doc:"Ids of spaces to put on the site; the first is the default."`
		// CreateSpace and NewSpace are two spellings of one flag, whose name the public description leaves open.
		CreateSpace bool `json:"createSpace,omitempty" doc:"Also makes a new space with the site's title."`
		NewSpace    bool `json:"newSpace,omitempty" doc:"The same as createSpace."`
	} `required:"false"`
}

// createSite makes a site; it is not published yet.
func (a *API) createSite(ctx context.Context, in *createSiteInput) (*created[Site], error) {
	var wanted site.NewSite
	if in.Body != nil {
		wanted = site.NewSite{
			Type: site.Type(in.Body.Type), Title: in.Body.Title, Visibility: site.Visibility(in.Body.Visibility),
			Spaces: in.Body.Spaces, CreateSpace: in.Body.CreateSpace || in.Body.NewSpace,
		}
	}
	made, err := a.Sites.Create(ctx, callerOf(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	wire := a.wireSite(made)
	return &created[Site]{Location: wire.URLs.Location, Body: wire}, nil
}

// SiteParams name a site.
type SiteParams struct {
	Organization string `path:"organizationId"`
	Site         string `path:"siteId"`
}

// getSite answers one site.
func (a *API) getSite(ctx context.Context, in *SiteParams) (*body[Site], error) {
	found, err := a.Sites.Get(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	wire := a.wireSite(found)
	if wire.URLs.Published != "" {
		wire.URLs.Preview = wire.URLs.Published + "~/visitor/?ticket=" + a.PreviewTicket(callerOf(ctx), found.ID,
			previewLifetime)
	}
	return &body[Site]{Body: wire}, nil
}

type updateSiteInput struct {
	SiteParams
	Body struct {
		Title              Patch[string]    `json:"title,omitzero" required:"false" doc:"2 to 128 characters."`
		Visibility         Patch[string]    `json:"visibility,omitzero" required:"false" doc:"public, unlisted, share-link or visitor-auth."`
		Basename           Patch[string]    `json:"basename,omitzero" required:"false" doc:"First segment of the site's path: 1 to 100 characters of a-z, 0-9 and hyphen."`
		AdaptiveContent    *AdaptiveContent `json:"adaptiveContent,omitempty"`
		AgentsContext      Patch[string]    `json:"agentsContext,omitzero" required:"false" doc:"included or excluded."`
		DefaultSiteSpace   Patch[string]    `json:"defaultSiteSpace,omitzero" required:"false" doc:"Id of the site space that answers at the site's own address."`
		DefaultSiteSection Patch[string]    `json:"defaultSiteSection,omitzero" required:"false" doc:"Id of the section that answers at the site's own address."`
		Proxy              Patch[string]    `json:"proxy,omitzero" required:"false" doc:"Host and path, without a scheme, of another server that passes requests on, such as example.com/docs; null for none."`
		Hostname           Patch[string]    `json:"hostname,omitzero" required:"false" doc:"Host of the site's own, such as docs.example.com; null for none. It serves the site once hostnameProof.status is proven; sending it again looks for the proof at once."`
	}
}

// updateSite changes what the body names and leaves the rest.
func (a *API) updateSite(ctx context.Context, in *updateSiteInput) (*body[Site], error) {
	change := site.Change{
		Title: in.Body.Title.Value, Basename: in.Body.Basename.Value, DefaultSiteSpace: in.Body.DefaultSiteSpace.Value,
		DefaultSiteSection: in.Body.DefaultSiteSection.Value, Proxy: in.Body.Proxy.Value,
		Hostname:      in.Body.Hostname.Value,
		Visibility:    convert[site.Visibility](in.Body.Visibility.Value),
		AgentsContext: convert[site.AgentsContext](in.Body.AgentsContext.Value),
	}
	if in.Body.AdaptiveContent != nil {
		change.AdaptiveContent = optional.Of(in.Body.AdaptiveContent.Enabled)
	}
	changed, err := a.Sites.Update(ctx, callerOf(ctx), in.Organization, in.Site, change)
	if err != nil {
		return nil, err
	}
	return &body[Site]{Body: a.wireSite(changed)}, nil
}

// publishSite makes a site live.
func (a *API) publishSite(ctx context.Context, in *SiteParams) (*body[Site], error) {
	published, err := a.Sites.Publish(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &body[Site]{Body: a.wireSite(published)}, nil
}

// unpublishSite takes a site off the air.
func (a *API) unpublishSite(ctx context.Context, in *SiteParams) (*body[Site], error) {
	unpublished, err := a.Sites.Unpublish(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &body[Site]{Body: a.wireSite(unpublished)}, nil
}

// deleteSite deletes a site and leaves its spaces alone.
func (a *API) deleteSite(ctx context.Context, in *SiteParams) (*nothing, error) {
	return nil, a.Sites.Delete(ctx, callerOf(ctx), in.Organization, in.Site)
}

type publishedSiteInput struct {
	SiteParams
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// getPublishedSite answers the complete profile of a site.
func (a *API) getPublishedSite(ctx context.Context, in *publishedSiteInput) (*body[PublishedSite], error) {
	profile, err := a.Sites.Published(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	address, err := a.Audiences.ShareKey(ctx, profile.Site, in.ShareKey)
	if err != nil {
		return nil, err
	}
	profile.Site.PublishedURL = address(profile.Site.PublishedURL)
	profile.Structure.Readdress(address)
	structure, err := a.wireStructure(ctx, profile.Structure)
	if err != nil {
		return nil, err
	}
	return &body[PublishedSite]{Body: PublishedSite{
		Object: "published-content-site", Site: a.wireSite(profile.Site),
		Structure:      structure,
		Customizations: SiteCustomizations{Site: profile.Customization, SiteSpaces: profile.SpaceCustomizations},
		Scripts:        wireScripts(profile.Scripts),
	}}, nil
}
