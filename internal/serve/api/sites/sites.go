package sites

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listSitesInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
	Space        id.Space        `query:"space" doc:"Only sites with this space."`
	Title        string          `query:"title" maxLength:"128" doc:"Only sites whose title contains this, in any letter case."`
	Published    string          `query:"published" enum:"true,false" doc:"Only published, or only unpublished sites."`
	Type         []string        `query:"type" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
}

// listSites lists the sites of an organization.
func (h *Handlers) listSites(ctx context.Context, in *listSitesInput) (*operation.Body[wire.List[wire.Site]], error) {
	filter := site.Filter{Space: in.Space, Title: in.Title, Published: wire.Boolean(in.Published)}
	for _, t := range in.Type {
		filter.Types = append(filter.Types, site.Type(t))
	}
	name := strings.Join(append([]string{"sites", string(in.Organization), string(in.Space), in.Title, in.Published},
		in.Type...),
		"\x00")
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	sites, err := h.Sites.List(ctx, operation.Caller(ctx), in.Organization, filter, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.Site]]{Body: *wire.Listed(h.Lists, name, sites, h.Wire.Site)}, nil
}

type createSiteInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         *struct {
		Type       string     `json:"type,omitempty" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
		Title      string     `json:"title,omitempty" maxLength:"128" doc:"2 to 128 characters; that of the first space when absent."`
		Visibility string     `json:"visibility,omitempty" enum:"public,unlisted,share-link,visitor-auth" doc:"public when absent."`
		Spaces     []id.Space `json:"spaces,omitempty" maxItems:"100" doc:"Ids of spaces to put on the site; the first is the default."`
		// CreateSpace and NewSpace are two spellings of one flag, whose name the public description leaves open.
		CreateSpace bool `json:"createSpace,omitempty" doc:"Also makes a new space with the site's title."`
		NewSpace    bool `json:"newSpace,omitempty" doc:"The same as createSpace."`
	} `required:"false"`
}

// createSite makes a site; it is not published yet.
func (h *Handlers) createSite(ctx context.Context, in *createSiteInput) (*operation.Created[wire.Site], error) {
	var wanted site.NewSite
	if in.Body != nil {
		wanted = site.NewSite{
			Type: site.Type(in.Body.Type), Title: in.Body.Title, Visibility: site.Visibility(in.Body.Visibility),
			Spaces: in.Body.Spaces, CreateSpace: in.Body.CreateSpace || in.Body.NewSpace,
		}
	}
	created, err := h.Sites.Create(ctx, operation.Caller(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Site(created)
	return &operation.Created[wire.Site]{Location: answer.URLs.Location, Body: answer}, nil
}

// getSite answers one site.
func (h *Handlers) getSite(ctx context.Context, in *wire.SiteParams) (*operation.Body[wire.Site], error) {
	found, err := h.Sites.Get(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Site(found)
	if answer.URLs.Published != "" {
		answer.URLs.Preview = answer.URLs.Published + "~/visitor/?ticket=" + h.Previews.Ticket(operation.Caller(ctx),
			string(found.ID))
	}
	return &operation.Body[wire.Site]{Body: answer}, nil
}

type updateSiteInput struct {
	wire.SiteParams
	Body struct {
		Title              wire.Patch[string]       `json:"title,omitzero" required:"false" doc:"2 to 128 characters."`
		Visibility         wire.Patch[string]       `json:"visibility,omitzero" required:"false" doc:"public, unlisted, share-link or visitor-auth."`
		Basename           wire.Patch[string]       `json:"basename,omitzero" required:"false" doc:"First segment of the site's path: 1 to 100 characters of a-z, 0-9 and hyphen."`
		AdaptiveContent    *wire.AdaptiveContent    `json:"adaptiveContent,omitempty"`
		AgentsContext      wire.Patch[string]       `json:"agentsContext,omitzero" required:"false" doc:"included or excluded."`
		DefaultSiteSpace   wire.Patch[id.SiteSpace] `json:"defaultSiteSpace,omitzero" required:"false" doc:"Id of the site space that answers at the site's own address."`
		DefaultSiteSection wire.Patch[id.Section]   `json:"defaultSiteSection,omitzero" required:"false" doc:"Id of the section that answers at the site's own address."`
		Proxy              wire.Patch[string]       `json:"proxy,omitzero" required:"false" doc:"Host and path, without a scheme, of another server that passes requests on, such as example.com/docs; null for none."`
		Hostname           wire.Patch[string]       `json:"hostname,omitzero" required:"false" doc:"Host of the site's own, such as docs.example.com; null for none. It serves the site once hostnameProof.status is proven; sending it again looks for the proof at once."`
	}
}

// updateSite changes what the body names and leaves the rest.
func (h *Handlers) updateSite(ctx context.Context, in *updateSiteInput) (*operation.Body[wire.Site], error) {
	change := site.Change{
		Title: in.Body.Title.Value, Basename: in.Body.Basename.Value, DefaultSiteSpace: in.Body.DefaultSiteSpace.Value,
		DefaultSiteSection: in.Body.DefaultSiteSection.Value, Proxy: in.Body.Proxy.Value,
		Hostname:      in.Body.Hostname.Value,
		Visibility:    wire.Convert[site.Visibility](in.Body.Visibility.Value),
		AgentsContext: wire.Convert[site.AgentsContext](in.Body.AgentsContext.Value),
	}
	if in.Body.AdaptiveContent != nil {
		change.AdaptiveContent = optional.Of(in.Body.AdaptiveContent.Enabled)
	}
	changed, err := h.Sites.Update(ctx, operation.Caller(ctx), in.Organization, in.Site, change)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Site]{Body: h.Wire.Site(changed)}, nil
}

// publishSite makes a site live.
func (h *Handlers) publishSite(ctx context.Context, in *wire.SiteParams) (*operation.Body[wire.Site], error) {
	published, err := h.Sites.Publish(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Site]{Body: h.Wire.Site(published)}, nil
}

// unpublishSite takes a site off the air.
func (h *Handlers) unpublishSite(ctx context.Context, in *wire.SiteParams) (*operation.Body[wire.Site], error) {
	unpublished, err := h.Sites.Unpublish(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Site]{Body: h.Wire.Site(unpublished)}, nil
}

// deleteSite deletes a site and leaves its spaces alone.
func (h *Handlers) deleteSite(ctx context.Context, in *wire.SiteParams) (*operation.Nothing, error) {
	return nil, h.Sites.Delete(ctx, operation.Caller(ctx), in.Organization, in.Site)
}

type publishedSiteInput struct {
	wire.SiteParams
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// getPublishedSite answers the complete profile of a site.
func (h *Handlers) getPublishedSite(ctx context.Context,
	in *publishedSiteInput) (*operation.Body[PublishedSite], error) {
	profile, err := h.Sites.Published(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	address, err := h.Audiences.ShareKey(ctx, profile.Site, in.ShareKey)
	if err != nil {
		return nil, err
	}
	profile.Site.PublishedURL = address(profile.Site.PublishedURL)
	profile.Structure.Readdress(address)
	structure, err := h.wireStructure(ctx, profile.Structure)
	if err != nil {
		return nil, err
	}
	// The mark is this program's. Another one that shows the site would put the mark of its own maker there.
	profile.Customization.Trademark.Enabled = false
	for at, one := range profile.SpaceCustomizations {
		one.Trademark.Enabled = false
		profile.SpaceCustomizations[at] = one
	}
	return &operation.Body[PublishedSite]{Body: PublishedSite{
		Object: "published-content-site", Site: h.Wire.Site(profile.Site),
		Structure:      structure,
		Customizations: SiteCustomizations{Site: profile.Customization, SiteSpaces: profile.SpaceCustomizations},
		Scripts:        wireScripts(profile.Scripts),
	}}, nil
}
