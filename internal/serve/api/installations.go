package api

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// pageRequest asks for a page of a list.
type pageRequest = paging.Request

type installIntegrationInput struct {
	IntegrationParams
	Body struct {
		Organization string `json:"organization" minLength:"1" doc:"Id or hostname of the organization."`
	}
}

// installIntegration installs an integration in an organization.
func (a *API) installIntegration(ctx context.Context,
	in *installIntegrationInput) (*created[IntegrationInstallation], error) {
	installed, err := a.Integrations.Install(ctx, callerOf(ctx), in.Integration, in.Body.Organization)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireInstallation(installed)
	return &created[IntegrationInstallation]{Location: wire.URLs.Location, Body: wire}, err
}

type listInstallationsInput struct {
	IntegrationParams
	PageParams
	ExternalID string `query:"externalId" maxLength:"255" doc:"Only those with this external id."`
}

// listInstallations lists the installations of an integration in the organizations of the caller.
func (a *API) listInstallations(ctx context.Context,
	in *listInstallationsInput) (*body[List[IntegrationInstallation]], error) {
	name := "installations/" + callerOf(ctx).User.ID + "/" + in.Integration + "\x00" + in.ExternalID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := a.Integrations.Installations(ctx, callerOf(ctx), in.Integration, in.ExternalID, request)
	if err != nil {
		return nil, err
	}
	wire := make([]IntegrationInstallation, len(found.Items))
	for i, each := range found.Items {
		if wire[i], err = a.wireInstallation(each); err != nil {
			return nil, err
		}
	}
	return &body[List[IntegrationInstallation]]{Body: *listed(a, name, paging.WithItems(found, wire),
		func(i IntegrationInstallation) IntegrationInstallation { return i })}, nil
}

// InstallationParams name an organization's installation of an integration.
type InstallationParams struct {
	IntegrationParams
	Installation string `path:"installationId"`
}

// getInstallation answers an installation.
func (a *API) getInstallation(ctx context.Context, in *InstallationParams) (*body[IntegrationInstallation], error) {
	return a.answerInstallation(a.Integrations.Installation(ctx, callerOf(ctx), in.Integration, in.Installation))
}

func (a *API) answerInstallation(found integration.Installation, err error) (*body[IntegrationInstallation], error) {
	if err != nil {
		return nil, err
	}
	wire, err := a.wireInstallation(found)
	return &body[IntegrationInstallation]{Body: wire}, err
}

type updateInstallationInput struct {
	InstallationParams
	Body struct {
		Configuration  Patch[JSONObject] `json:"configuration,omitzero" required:"false" doc:"Replaces the whole; checked against the configurations of the integration."`
		ExternalIDs    Patch[[]string]   `json:"externalIds,omitzero" required:"false" doc:"At most 5."`
		SpaceSelection Patch[string]     `json:"space_selection,omitzero" required:"false" doc:"all or selected."`
		SiteSelection  Patch[string]     `json:"site_selection,omitzero" required:"false" doc:"all or selected."`
	}
}

// updateInstallation changes an organization's installation.
func (a *API) updateInstallation(ctx context.Context,
	in *updateInstallationInput) (*body[IntegrationInstallation], error) {
	change := integration.Change{
		Configuration: rawObject(in.Body.Configuration), ExternalIDs: in.Body.ExternalIDs.Value,
		SpaceSelection: convert[integration.Selection](in.Body.SpaceSelection.Value),
		SiteSelection:  convert[integration.Selection](in.Body.SiteSelection.Value),
	}
	return a.answerInstallation(a.Integrations.UpdateInstallation(ctx, callerOf(ctx), in.Integration, in.Installation,
		change))
}

func rawObject(sent Patch[JSONObject]) optional.Value[json.RawMessage] {
	switch object, ok := sent.Get(); {
	case ok:
		return optional.Of(json.RawMessage(object))
	case sent.IsNull():
		return optional.Null[json.RawMessage]()
	}
	return optional.Value[json.RawMessage]{}
}

// uninstallIntegration removes an installation.
func (a *API) uninstallIntegration(ctx context.Context, in *InstallationParams) (*nothing, error) {
	if err := a.Integrations.Uninstall(ctx, callerOf(ctx), in.Integration, in.Installation); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// Extended says in which form a space or site is wanted.
type Extended struct {
	Extended bool `query:"extended" doc:"The whole space or site in place of its id."`
}

// spaceInstallations turns installations on spaces into their wire form.
func (a *API) spaceInstallations(ctx context.Context, extended bool,
	found ...integration.ContentInstallation) ([]SpaceInstallation, error) {
	wire := make([]SpaceInstallation, len(found))
	for i, each := range found {
		base, err := a.wireContentInstallation(integration.OnSpaces, each)
		if err != nil {
			return nil, err
		}
		wire[i] = SpaceInstallation{ContentInstallation: base, Space: IDOr[Space]{ID: each.Content}}
		if !extended {
			continue
		}
		space, err := a.Spaces.Get(ctx, callerOf(ctx), each.Content)
		if errs.Is(err, errs.NotFound) {
			continue // gone since the list was read
		}
		if err != nil {
			return nil, err
		}
		whole, err := a.oneSpace(ctx, space)
		if err != nil {
			return nil, err
		}
		wire[i].Space.Resource = &whole
	}
	return wire, nil
}

// siteInstallations turns installations on sites into their wire form.
func (a *API) siteInstallations(ctx context.Context, extended bool,
	found ...integration.ContentInstallation) ([]SiteInstallation, error) {
	wire := make([]SiteInstallation, len(found))
	for i, each := range found {
		base, err := a.wireContentInstallation(integration.OnSites, each)
		if err != nil {
			return nil, err
		}
		wire[i] = SiteInstallation{ContentInstallation: base, Site: IDOr[Site]{ID: each.Content}}
		if !extended {
			continue
		}
		site, err := a.Sites.Get(ctx, callerOf(ctx), each.Organization, each.Content)
		if errs.Is(err, errs.NotFound) {
			continue // gone since the list was read
		}
		if err != nil {
			return nil, err
		}
		wire[i].Site.Resource = new(a.wireSite(site))
	}
	return wire, nil
}

// contentLister is a list of installations on spaces or sites.
type contentLister func(page pageRequest) (paging.Page[integration.ContentInstallation], error)

// listedContent answers a page of installations on spaces or sites.
func listedContent[T any](ctx context.Context, a *API, name string, params PageParams, extended bool,
	find contentLister,
	wire func(context.Context, bool, ...integration.ContentInstallation) ([]T, error)) (*body[List[T]], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	found, err := find(request)
	if err != nil {
		return nil, err
	}
	items, err := wire(ctx, extended, found.Items...)
	if err != nil {
		return nil, err
	}
	return &body[List[T]]{Body: *listed(a, name, paging.WithItems(found, items), func(item T) T { return item })}, nil
}

type listInstallationContentInput struct {
	InstallationParams
	PageParams
	Extended
}

func (in *listInstallationContentInput) lister(ctx context.Context, a *API,
	kind integration.Kind) (name string, find contentLister) {
	return "installed on " + string(kind) + "/" + callerOf(ctx).User.ID + "/" + in.Installation,
		func(page pageRequest) (paging.Page[integration.ContentInstallation], error) {
			return a.Integrations.ContentOf(ctx, callerOf(ctx), in.Integration, in.Installation, kind, page)
		}
}

// listInstallationSpaces lists the spaces of an installation.
func (a *API) listInstallationSpaces(ctx context.Context,
	in *listInstallationContentInput) (*body[List[SpaceInstallation]], error) {
	name, find := in.lister(ctx, a, integration.OnSpaces)
	return listedContent(ctx, a, name, in.PageParams, in.Extended.Extended, find, a.spaceInstallations)
}

// listInstallationSites lists the sites of an installation.
func (a *API) listInstallationSites(ctx context.Context,
	in *listInstallationContentInput) (*body[List[SiteInstallation]], error) {
	name, find := in.lister(ctx, a, integration.OnSites)
	return listedContent(ctx, a, name, in.PageParams, in.Extended.Extended, find, a.siteInstallations)
}

type listIntegrationContentInput struct {
	IntegrationParams
	PageParams
	Extended
	ExternalID string `query:"externalId" maxLength:"255" doc:"Only those with this external id."`
}

func (in *listIntegrationContentInput) lister(ctx context.Context, a *API,
	kind integration.Kind) (name string, find contentLister) {
	name = "all installed on " + string(kind) + "/" + callerOf(ctx).User.ID + "/" + in.Integration + "\x00" +
		in.ExternalID
	return name, func(page pageRequest) (paging.Page[integration.ContentInstallation], error) {
		return a.Integrations.ContentOfAll(ctx, callerOf(ctx), in.Integration, kind, in.ExternalID, page)
	}
}

// listIntegrationSpaces lists the spaces of all installations of an integration that the caller may list.
func (a *API) listIntegrationSpaces(ctx context.Context,
	in *listIntegrationContentInput) (*body[List[SpaceInstallation]], error) {
	name, find := in.lister(ctx, a, integration.OnSpaces)
	return listedContent(ctx, a, name, in.PageParams, in.Extended.Extended, find, a.spaceInstallations)
}

// listIntegrationSites lists the sites of all installations of an integration that the caller may list.
func (a *API) listIntegrationSites(ctx context.Context,
	in *listIntegrationContentInput) (*body[List[SiteInstallation]], error) {
	name, find := in.lister(ctx, a, integration.OnSites)
	return listedContent(ctx, a, name, in.PageParams, in.Extended.Extended, find, a.siteInstallations)
}

type installOnSpaceInput struct {
	InstallationParams
	Extended
	Body struct {
		Space string `json:"space" minLength:"1"`
	}
}

// installOnSpace puts an integration on a space.
func (a *API) installOnSpace(ctx context.Context, in *installOnSpaceInput) (*created[SpaceInstallation], error) {
	installed, err := a.Integrations.InstallOn(ctx, callerOf(ctx), in.Integration, in.Installation,
		integration.OnSpaces, in.Body.Space)
	if err != nil {
		return nil, err
	}
	wire, err := a.spaceInstallations(ctx, in.Extended.Extended, installed)
	if err != nil {
		return nil, err
	}
	return &created[SpaceInstallation]{Location: wire[0].URLs.Location, Body: wire[0]}, nil
}

type installOnSiteInput struct {
	InstallationParams
	Extended
	Body struct {
		Site string `json:"siteId" minLength:"1"`
	}
}

// installOnSite puts an integration on a site.
func (a *API) installOnSite(ctx context.Context, in *installOnSiteInput) (*created[SiteInstallation], error) {
	installed, err := a.Integrations.InstallOn(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSites,
		in.Body.Site)
	if err != nil {
		return nil, err
	}
	wire, err := a.siteInstallations(ctx, in.Extended.Extended, installed)
	if err != nil {
		return nil, err
	}
	return &created[SiteInstallation]{Location: wire[0].URLs.Location, Body: wire[0]}, nil
}

// SpaceInstallationParams name the installation on a space.
type SpaceInstallationParams struct {
	InstallationParams
	Extended
	Space string `path:"spaceId"`
}

// SiteInstallationParams name the installation on a site.
type SiteInstallationParams struct {
	InstallationParams
	Extended
	Site string `path:"siteId"`
}

// getSpaceInstallation answers the installation on a space.
func (a *API) getSpaceInstallation(ctx context.Context, in *SpaceInstallationParams) (*body[SpaceInstallation], error) {
	found, err := a.Integrations.OnContent(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSpaces,
		in.Space)
	return oneOf(ctx, in.Extended, found, err, a.spaceInstallations)
}

// getSiteInstallation answers the installation on a site.
func (a *API) getSiteInstallation(ctx context.Context, in *SiteInstallationParams) (*body[SiteInstallation], error) {
	found, err := a.Integrations.OnContent(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSites,
		in.Site)
	return oneOf(ctx, in.Extended, found, err, a.siteInstallations)
}

// oneOf answers one installation on a space or site.
func oneOf[T any](ctx context.Context, extended Extended, found integration.ContentInstallation, err error,
	wire func(context.Context, bool, ...integration.ContentInstallation) ([]T, error)) (*body[T], error) {
	if err != nil {
		return nil, err
	}
	all, err := wire(ctx, extended.Extended, found)
	if err != nil {
		return nil, err
	}
	return &body[T]{Body: all[0]}, nil
}

// ContentInstallationChange is what an installation on a space or site can be changed to.
type ContentInstallationChange struct {
	Configuration Patch[JSONObject] `json:"configuration,omitzero" required:"false" doc:"Replaces the whole; checked against the configurations of the integration."`
	ExternalIDs   Patch[[]string]   `json:"externalIds,omitzero" required:"false" doc:"At most 5."`
}

func (c ContentInstallationChange) change() integration.Change {
	return integration.Change{Configuration: rawObject(c.Configuration), ExternalIDs: c.ExternalIDs.Value}
}

type updateSpaceInstallationInput struct {
	SpaceInstallationParams
	Body ContentInstallationChange
}

// updateSpaceInstallation changes the installation on a space.
func (a *API) updateSpaceInstallation(ctx context.Context,
	in *updateSpaceInstallationInput) (*body[SpaceInstallation], error) {
	changed, err := a.Integrations.UpdateOn(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSpaces,
		in.Space, in.Body.change())
	return oneOf(ctx, in.Extended, changed, err, a.spaceInstallations)
}

type updateSiteInstallationInput struct {
	SiteInstallationParams
	Body ContentInstallationChange
}

// updateSiteInstallation changes the installation on a site.
func (a *API) updateSiteInstallation(ctx context.Context,
	in *updateSiteInstallationInput) (*body[SiteInstallation], error) {
	changed, err := a.Integrations.UpdateOn(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSites,
		in.Site, in.Body.change())
	return oneOf(ctx, in.Extended, changed, err, a.siteInstallations)
}

// uninstallFromSpace takes an integration off a space.
func (a *API) uninstallFromSpace(ctx context.Context, in *SpaceInstallationParams) (*nothing, error) {
	err := a.Integrations.UninstallFrom(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSpaces,
		in.Space)
	if err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// uninstallFromSite takes an integration off a site.
func (a *API) uninstallFromSite(ctx context.Context, in *SiteInstallationParams) (*nothing, error) {
	err := a.Integrations.UninstallFrom(ctx, callerOf(ctx), in.Integration, in.Installation, integration.OnSites,
		in.Site)
	if err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

type listOrganizationInstallationsInput struct {
	IntegrationSearch
	Organization string `path:"organizationId"`
}

// listOrganizationInstallations lists what is installed in an organization.
func (a *API) listOrganizationInstallations(ctx context.Context,
	in *listOrganizationInstallationsInput) (*body[List[OrganizationInstallation]], error) {
	name := "organization installations/" + in.Organization + "\x00" + in.Search
	return listedInstalled(ctx, a, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Installed], error) {
			return a.Integrations.InOrganization(ctx, callerOf(ctx), in.Organization, in.Search, page)
		}, func(i Integration, installed integration.Installed) (OrganizationInstallation, error) {
			wire, err := a.wireInstallation(installed.Installation)
			return OrganizationInstallation{Integration: i, Installation: wire}, err
		})
}

type listInstallationStatusesInput struct {
	PageParams
	Organization string `path:"organizationId"`
	Target       string `query:"target" enum:"organization,space,site" doc:"Only integrations that can be put on spaces, or on sites; organization, as when absent, leaves all."`
}

// listInstallationStatuses lists the installed integrations of an organization with their status.
func (a *API) listInstallationStatuses(ctx context.Context,
	in *listInstallationStatusesInput) (*body[List[InstalledIntegration]], error) {
	name := "installation statuses/" + in.Organization + "/" + in.Target
	return listedInstalled(ctx, a, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Installed], error) {
			return a.Integrations.StatusesInOrganization(ctx, callerOf(ctx), in.Organization,
				integration.Target(in.Target),
				page)
		}, func(i Integration, installed integration.Installed) (InstalledIntegration, error) {
			return InstalledIntegration{Status: string(installed.Installation.Status), Integration: i}, nil
		})
}

// listedInstalled answers a page of what is installed in an organization.
func listedInstalled[T any](ctx context.Context, a *API, name string, params PageParams,
	find func(page pageRequest) (paging.Page[integration.Installed], error),
	wire func(Integration, integration.Installed) (T, error)) (*body[List[T]], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	installed, err := find(request)
	if err != nil {
		return nil, err
	}
	integrations := make([]integration.Integration, len(installed.Items))
	for i, each := range installed.Items {
		integrations[i] = each.Integration
	}
	wireIntegrations, err := a.wireIntegrations(ctx, integrations)
	if err != nil {
		return nil, err
	}
	items := make([]T, len(installed.Items))
	for i, each := range installed.Items {
		if items[i], err = wire(wireIntegrations[i], each); err != nil {
			return nil, err
		}
	}
	return &body[List[T]]{Body: *listed(a, name, paging.WithItems(installed, items), func(item T) T { return item })},
		nil
}

type installationStatusInput struct {
	IntegrationParams
	Organization string `path:"organizationId"`
}

// getInstallationStatus answers the status of an integration in an organization.
func (a *API) getInstallationStatus(ctx context.Context,
	in *installationStatusInput) (*body[InstallationStatus], error) {
	status, err := a.Integrations.StatusIn(ctx, callerOf(ctx), in.Organization, in.Integration)
	if err != nil {
		return nil, err
	}
	return &body[InstallationStatus]{Body: InstallationStatus{Status: string(status)}}, nil
}
