package integrations

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// pageRequest asks for a page of a list.
type pageRequest = paging.Request

type installIntegrationInput struct {
	IntegrationParams
	Body struct {
		Organization id.Organization `json:"organization" minLength:"1" doc:"Id or hostname of the organization."`
	}
}

// installIntegration installs an integration in an organization.
func (h *Handlers) installIntegration(ctx context.Context,
	in *installIntegrationInput) (*operation.Created[IntegrationInstallation], error) {
	installed, err := h.Integrations.Install(ctx, operation.Caller(ctx), in.Integration, in.Body.Organization)
	if err != nil {
		return nil, err
	}
	wire, err := h.wireInstallation(installed)
	return &operation.Created[IntegrationInstallation]{Location: wire.URLs.Location, Body: wire}, err
}

type listInstallationsInput struct {
	IntegrationParams
	wire.PageParams
	ExternalID string `query:"externalId" maxLength:"255" doc:"Only those with this external id."`
}

// listInstallations lists the installations of an integration in the organizations of the caller.
func (h *Handlers) listInstallations(ctx context.Context,
	in *listInstallationsInput) (*operation.Body[wire.List[IntegrationInstallation]], error) {
	name := "installations/" + string(operation.Caller(ctx).User.ID) + "/" + in.Integration + "\x00" + in.ExternalID
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Integrations.Installations(ctx, operation.Caller(ctx), in.Integration, in.ExternalID, request)
	if err != nil {
		return nil, err
	}
	answer := make([]IntegrationInstallation, len(found.Items))
	for i, each := range found.Items {
		if answer[i], err = h.wireInstallation(each); err != nil {
			return nil, err
		}
	}
	return &operation.Body[wire.List[IntegrationInstallation]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(found, answer),
		func(i IntegrationInstallation) IntegrationInstallation { return i })}, nil
}

// InstallationParams name an organization's installation of an integration.
type InstallationParams struct {
	IntegrationParams
	Installation string `path:"installationId"`
}

// getInstallation answers an installation.
func (h *Handlers) getInstallation(ctx context.Context,
	in *InstallationParams) (*operation.Body[IntegrationInstallation], error) {
	return h.answerInstallation(h.Integrations.Installation(ctx, operation.Caller(ctx), in.Integration,
		in.Installation))
}

func (h *Handlers) answerInstallation(found integration.Installation,
	err error) (*operation.Body[IntegrationInstallation], error) {
	if err != nil {
		return nil, err
	}
	wire, err := h.wireInstallation(found)
	return &operation.Body[IntegrationInstallation]{Body: wire}, err
}

type updateInstallationInput struct {
	InstallationParams
	Body struct {
		Configuration  wire.Patch[wire.JSONObject] `json:"configuration,omitzero" required:"false" doc:"Replaces the whole; checked against the configurations of the integration."`
		ExternalIDs    wire.Patch[[]string]        `json:"externalIds,omitzero" required:"false" doc:"At most 5."`
		SpaceSelection wire.Patch[string]          `json:"space_selection,omitzero" required:"false" doc:"all or selected."`
		SiteSelection  wire.Patch[string]          `json:"site_selection,omitzero" required:"false" doc:"all or selected."`
	}
}

// updateInstallation changes an organization's installation.
func (h *Handlers) updateInstallation(ctx context.Context,
	in *updateInstallationInput) (*operation.Body[IntegrationInstallation], error) {
	change := integration.Change{
		Configuration: rawObject(in.Body.Configuration), ExternalIDs: in.Body.ExternalIDs.Value,
		SpaceSelection: wire.Convert[integration.Selection](in.Body.SpaceSelection.Value),
		SiteSelection:  wire.Convert[integration.Selection](in.Body.SiteSelection.Value),
	}
	return h.answerInstallation(h.Integrations.UpdateInstallation(ctx, operation.Caller(ctx), in.Integration,
		in.Installation,
		change))
}

func rawObject(sent wire.Patch[wire.JSONObject]) optional.Value[json.RawMessage] {
	switch object, ok := sent.Get(); {
	case ok:
		return optional.Of(json.RawMessage(object))
	case sent.IsNull():
		return optional.Null[json.RawMessage]()
	}
	return optional.Value[json.RawMessage]{}
}

// uninstallIntegration removes an installation.
func (h *Handlers) uninstallIntegration(ctx context.Context, in *InstallationParams) (*operation.Nothing, error) {
	if err := h.Integrations.Uninstall(ctx, operation.Caller(ctx), in.Integration, in.Installation); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// InstallationToken opens what an installation takes in.
type InstallationToken struct {
	Token string `json:"token"`
}

// createInstallationToken answers a token to the integration whose installation it is.
func (h *Handlers) createInstallationToken(ctx context.Context,
	in *InstallationParams) (*operation.Body[InstallationToken], error) {
	token, err := h.Integrations.CreateInstallationToken(ctx, operation.Caller(ctx), in.Integration, in.Installation)
	if err != nil {
		return nil, err
	}
	return &operation.Body[InstallationToken]{Body: InstallationToken{token}}, nil
}

// Extended says in which form a space or site is wanted.
type Extended struct {
	Extended bool `query:"extended" doc:"The whole space or site in place of its id."`
}

// spaceInstallations turns installations on spaces into their wire form.
func (h *Handlers) spaceInstallations(ctx context.Context, extended bool,
	found ...integration.ContentInstallation) ([]SpaceInstallation, error) {
	answer := make([]SpaceInstallation, len(found))
	for i, each := range found {
		base, err := h.wireContentInstallation(integration.OnSpaces, each)
		if err != nil {
			return nil, err
		}
		answer[i] = SpaceInstallation{ContentInstallation: base, Space: IDOr[wire.Space]{ID: each.Content}}
		if !extended {
			continue
		}
		space, err := h.Spaces.Get(ctx, operation.Caller(ctx), id.Space(each.Content))
		if errs.Is(err, errs.NotFound) {
			continue // gone since the list was read
		}
		if err != nil {
			return nil, err
		}
		whole, err := h.SpaceWriter.WriteOne(ctx, space)
		if err != nil {
			return nil, err
		}
		answer[i].Space.Resource = &whole
	}
	return answer, nil
}

// siteInstallations turns installations on sites into their wire form.
func (h *Handlers) siteInstallations(ctx context.Context, extended bool,
	found ...integration.ContentInstallation) ([]SiteInstallation, error) {
	answer := make([]SiteInstallation, len(found))
	for i, each := range found {
		base, err := h.wireContentInstallation(integration.OnSites, each)
		if err != nil {
			return nil, err
		}
		answer[i] = SiteInstallation{ContentInstallation: base, Site: IDOr[wire.Site]{ID: each.Content}}
		if !extended {
			continue
		}
		site, err := h.Sites.Get(ctx, operation.Caller(ctx), each.Organization, id.Site(each.Content))
		if errs.Is(err, errs.NotFound) {
			continue // gone since the list was read
		}
		if err != nil {
			return nil, err
		}
		answer[i].Site.Resource = new(h.Wire.Site(site))
	}
	return answer, nil
}

// contentLister is a list of installations on spaces or sites.
type contentLister func(page pageRequest) (paging.Page[integration.ContentInstallation], error)

// listedContent answers a page of installations on spaces or sites.
func listedContent[T any](ctx context.Context, h *Handlers, name string, params wire.PageParams, extended bool,
	find contentLister,
	answer func(context.Context, bool, ...integration.ContentInstallation) ([]T, error)) (*operation.Body[wire.List[T]],
	error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	found, err := find(request)
	if err != nil {
		return nil, err
	}
	items, err := answer(ctx, extended, found.Items...)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[T]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(found, items),
		func(item T) T { return item })}, nil
}

type listInstallationContentInput struct {
	InstallationParams
	wire.PageParams
	Extended
}

func (in *listInstallationContentInput) lister(ctx context.Context, h *Handlers,
	kind integration.Kind) (name string, find contentLister) {
	return "installed on " + string(kind) + "/" + string(operation.Caller(ctx).User.ID) + "/" + in.Installation,
		func(page pageRequest) (paging.Page[integration.ContentInstallation], error) {
			return h.Integrations.ContentOf(ctx, operation.Caller(ctx), in.Integration, in.Installation, kind, page)
		}
}

// listInstallationSpaces lists the spaces of an installation.
func (h *Handlers) listInstallationSpaces(ctx context.Context,
	in *listInstallationContentInput) (*operation.Body[wire.List[SpaceInstallation]], error) {
	name, find := in.lister(ctx, h, integration.OnSpaces)
	return listedContent(ctx, h, name, in.PageParams, in.Extended.Extended, find, h.spaceInstallations)
}

// listInstallationSites lists the sites of an installation.
func (h *Handlers) listInstallationSites(ctx context.Context,
	in *listInstallationContentInput) (*operation.Body[wire.List[SiteInstallation]], error) {
	name, find := in.lister(ctx, h, integration.OnSites)
	return listedContent(ctx, h, name, in.PageParams, in.Extended.Extended, find, h.siteInstallations)
}

type listIntegrationContentInput struct {
	IntegrationParams
	wire.PageParams
	Extended
	ExternalID string `query:"externalId" maxLength:"255" doc:"Only those with this external id."`
}

func (in *listIntegrationContentInput) lister(ctx context.Context, h *Handlers,
	kind integration.Kind) (name string, find contentLister) {
	name = "all installed on " + string(kind) + "/" + string(operation.Caller(ctx).User.ID) + "/" +
		in.Integration + "\x00" + in.ExternalID
	return name, func(page pageRequest) (paging.Page[integration.ContentInstallation], error) {
		return h.Integrations.ContentOfAll(ctx, operation.Caller(ctx), in.Integration, kind, in.ExternalID, page)
	}
}

// listIntegrationSpaces lists the spaces of all installations of an integration that the caller may list.
func (h *Handlers) listIntegrationSpaces(ctx context.Context,
	in *listIntegrationContentInput) (*operation.Body[wire.List[SpaceInstallation]], error) {
	name, find := in.lister(ctx, h, integration.OnSpaces)
	return listedContent(ctx, h, name, in.PageParams, in.Extended.Extended, find, h.spaceInstallations)
}

// listIntegrationSites lists the sites of all installations of an integration that the caller may list.
func (h *Handlers) listIntegrationSites(ctx context.Context,
	in *listIntegrationContentInput) (*operation.Body[wire.List[SiteInstallation]], error) {
	name, find := in.lister(ctx, h, integration.OnSites)
	return listedContent(ctx, h, name, in.PageParams, in.Extended.Extended, find, h.siteInstallations)
}

type installOnSpaceInput struct {
	InstallationParams
	Extended
	Body struct {
		Space id.Space `json:"space" minLength:"1"`
	}
}

// installOnSpace puts an integration on a space.
func (h *Handlers) installOnSpace(ctx context.Context,
	in *installOnSpaceInput) (*operation.Created[SpaceInstallation], error) {
	installed, err := h.Integrations.InstallOn(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSpaces, string(in.Body.Space))
	if err != nil {
		return nil, err
	}
	wire, err := h.spaceInstallations(ctx, in.Extended.Extended, installed)
	if err != nil {
		return nil, err
	}
	return &operation.Created[SpaceInstallation]{Location: wire[0].URLs.Location, Body: wire[0]}, nil
}

type installOnSiteInput struct {
	InstallationParams
	Extended
	Body struct {
		Site id.Site `json:"siteId" minLength:"1"`
	}
}

// installOnSite puts an integration on a site.
func (h *Handlers) installOnSite(ctx context.Context,
	in *installOnSiteInput) (*operation.Created[SiteInstallation], error) {
	installed, err := h.Integrations.InstallOn(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSites,
		string(in.Body.Site))
	if err != nil {
		return nil, err
	}
	wire, err := h.siteInstallations(ctx, in.Extended.Extended, installed)
	if err != nil {
		return nil, err
	}
	return &operation.Created[SiteInstallation]{Location: wire[0].URLs.Location, Body: wire[0]}, nil
}

// SpaceInstallationParams name the installation on a space.
type SpaceInstallationParams struct {
	InstallationParams
	Extended
	Space id.Space `path:"spaceId"`
}

// SiteInstallationParams name the installation on a site.
type SiteInstallationParams struct {
	InstallationParams
	Extended
	Site id.Site `path:"siteId"`
}

// getSpaceInstallation answers the installation on a space.
func (h *Handlers) getSpaceInstallation(ctx context.Context,
	in *SpaceInstallationParams) (*operation.Body[SpaceInstallation], error) {
	found, err := h.Integrations.OnContent(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSpaces,
		string(in.Space))
	return oneOf(ctx, in.Extended, found, err, h.spaceInstallations)
}

// getSiteInstallation answers the installation on a site.
func (h *Handlers) getSiteInstallation(ctx context.Context,
	in *SiteInstallationParams) (*operation.Body[SiteInstallation], error) {
	found, err := h.Integrations.OnContent(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSites,
		string(in.Site))
	return oneOf(ctx, in.Extended, found, err, h.siteInstallations)
}

// oneOf answers one installation on a space or site.
func oneOf[T any](ctx context.Context, extended Extended, found integration.ContentInstallation, err error,
	wire func(context.Context, bool, ...integration.ContentInstallation) ([]T, error)) (*operation.Body[T], error) {
	if err != nil {
		return nil, err
	}
	all, err := wire(ctx, extended.Extended, found)
	if err != nil {
		return nil, err
	}
	return &operation.Body[T]{Body: all[0]}, nil
}

// ContentInstallationChange is what an installation on a space or site can be changed to.
type ContentInstallationChange struct {
	Configuration wire.Patch[wire.JSONObject] `json:"configuration,omitzero" required:"false" doc:"Replaces the whole; checked against the configurations of the integration."`
	ExternalIDs   wire.Patch[[]string]        `json:"externalIds,omitzero" required:"false" doc:"At most 5."`
}

func (c ContentInstallationChange) change() integration.Change {
	return integration.Change{Configuration: rawObject(c.Configuration), ExternalIDs: c.ExternalIDs.Value}
}

type updateSpaceInstallationInput struct {
	SpaceInstallationParams
	Body ContentInstallationChange
}

// updateSpaceInstallation changes the installation on a space.
func (h *Handlers) updateSpaceInstallation(ctx context.Context,
	in *updateSpaceInstallationInput) (*operation.Body[SpaceInstallation], error) {
	changed, err := h.Integrations.UpdateOn(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSpaces,
		string(in.Space), in.Body.change())
	return oneOf(ctx, in.Extended, changed, err, h.spaceInstallations)
}

type updateSiteInstallationInput struct {
	SiteInstallationParams
	Body ContentInstallationChange
}

// updateSiteInstallation changes the installation on a site.
func (h *Handlers) updateSiteInstallation(ctx context.Context,
	in *updateSiteInstallationInput) (*operation.Body[SiteInstallation], error) {
	changed, err := h.Integrations.UpdateOn(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSites,
		string(in.Site), in.Body.change())
	return oneOf(ctx, in.Extended, changed, err, h.siteInstallations)
}

// uninstallFromSpace takes an integration off a space.
func (h *Handlers) uninstallFromSpace(ctx context.Context, in *SpaceInstallationParams) (*operation.Nothing, error) {
	err := h.Integrations.UninstallFrom(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSpaces,
		string(in.Space))
	if err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// uninstallFromSite takes an integration off a site.
func (h *Handlers) uninstallFromSite(ctx context.Context, in *SiteInstallationParams) (*operation.Nothing, error) {
	err := h.Integrations.UninstallFrom(ctx, operation.Caller(ctx), in.Integration, in.Installation,
		integration.OnSites,
		string(in.Site))
	if err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

type listOrganizationInstallationsInput struct {
	IntegrationSearch
	Organization id.Organization `path:"organizationId"`
}

// listOrganizationInstallations lists what is installed in an organization.
func (h *Handlers) listOrganizationInstallations(ctx context.Context,
	in *listOrganizationInstallationsInput) (*operation.Body[wire.List[OrganizationInstallation]], error) {
	name := "organization installations/" + string(in.Organization) + "\x00" + in.Search
	return listedInstalled(ctx, h, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Installed], error) {
			return h.Integrations.InOrganization(ctx, operation.Caller(ctx), in.Organization, in.Search, page)
		}, func(i Integration, installed integration.Installed) (OrganizationInstallation, error) {
			answer, err := h.wireInstallation(installed.Installation)
			return OrganizationInstallation{Integration: i, Installation: answer}, err
		})
}

type listInstallationStatusesInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
	Target       string          `query:"target" enum:"organization,space,site" doc:"Only integrations that can be put on spaces, or on sites; organization, as when absent, leaves all."`
}

// listInstallationStatuses lists the installed integrations of an organization with their status.
func (h *Handlers) listInstallationStatuses(ctx context.Context,
	in *listInstallationStatusesInput) (*operation.Body[wire.List[InstalledIntegration]], error) {
	name := "installation statuses/" + string(in.Organization) + "/" + in.Target
	return listedInstalled(ctx, h, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Installed], error) {
			return h.Integrations.StatusesInOrganization(ctx, operation.Caller(ctx), in.Organization,
				integration.Target(in.Target),
				page)
		}, func(i Integration, installed integration.Installed) (InstalledIntegration, error) {
			return InstalledIntegration{Status: string(installed.Installation.Status), Integration: i,
				Target: InstallationTarget{Type: "organization", Organization: in.Organization}}, nil
		})
}

// listedInstalled answers a page of what is installed in an organization.
func listedInstalled[T any](ctx context.Context, h *Handlers, name string, params wire.PageParams,
	find func(page pageRequest) (paging.Page[integration.Installed], error),
	answer func(Integration, integration.Installed) (T, error)) (*operation.Body[wire.List[T]], error) {
	request, err := h.Lists.Request(name, params)
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
	wireIntegrations, err := h.wireIntegrations(ctx, integrations)
	if err != nil {
		return nil, err
	}
	items := make([]T, len(installed.Items))
	for i, each := range installed.Items {
		if items[i], err = answer(wireIntegrations[i], each); err != nil {
			return nil, err
		}
	}
	return &operation.Body[wire.List[T]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(installed, items),
			func(item T) T { return item })},
		nil
}

type installationStatusInput struct {
	IntegrationParams
	Organization id.Organization `path:"organizationId"`
}

// getInstallationStatus answers the status of an integration in an organization.
func (h *Handlers) getInstallationStatus(ctx context.Context,
	in *installationStatusInput) (*operation.Body[InstallationStatus], error) {
	status, err := h.Integrations.StatusIn(ctx, operation.Caller(ctx), in.Organization, in.Integration)
	if err != nil {
		return nil, err
	}
	return &operation.Body[InstallationStatus]{Body: InstallationStatus{Status: string(status)}}, nil
}
