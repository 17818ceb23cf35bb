package api

import (
	"context"

	"github.com/rectodocs/recto/internal/publish/audience"
)

// getAdaptiveSchema answers what a site may know of its visitors.
func (a *API) getAdaptiveSchema(ctx context.Context, in *SiteParams) (*body[AdaptiveSchema], error) {
	found, err := a.Audiences.AdaptiveSchema(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &body[AdaptiveSchema]{Body: wireAdaptiveSchema(found)}, nil
}

type putAdaptiveSchemaInput struct {
	SiteParams
	Body struct {
		JSONSchema JSONObject `json:"jsonSchema"`
	}
}

// putAdaptiveSchema gives a site a schema.
func (a *API) putAdaptiveSchema(ctx context.Context, in *putAdaptiveSchemaInput) (*body[AdaptiveSchema], error) {
	put, err := a.Audiences.PutAdaptiveSchema(ctx, callerOf(ctx), in.Organization, in.Site, in.Body.JSONSchema)
	if err != nil {
		return nil, err
	}
	return &body[AdaptiveSchema]{Body: wireAdaptiveSchema(put)}, nil
}

// listTemplateConditions answers the conditions that the schema of a site gives.
func (a *API) listTemplateConditions(ctx context.Context, in *SiteParams) (*body[TemplateConditions], error) {
	found, err := a.Audiences.TemplateConditions(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	out := TemplateConditions{Items: make([]TemplateCondition, 0, len(found))}
	for _, each := range found {
		out.Items = append(out.Items, TemplateCondition(each))
	}
	return &body[TemplateConditions]{Body: out}, nil
}

type listShareLinksInput struct {
	SiteParams
	PageParams
}

// listShareLinks lists the share links of a site, the oldest first.
func (a *API) listShareLinks(ctx context.Context, in *listShareLinksInput) (*body[List[ShareLink]], error) {
	name := "share-links/" + in.Site
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	links, err := a.Audiences.ListShareLinks(ctx, callerOf(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	return &body[List[ShareLink]]{Body: *listed(a, name, links, wireShareLink)}, nil
}

type createShareLinkInput struct {
	SiteParams
	Body struct {
		Name string `json:"name" maxLength:"50"`
	}
}

// createShareLink makes a share link.
func (a *API) createShareLink(ctx context.Context, in *createShareLinkInput) (*created[ShareLink], error) {
	made, err := a.Audiences.CreateShareLink(ctx, callerOf(ctx), in.Organization, in.Site, in.Body.Name)
	if err != nil {
		return nil, err
	}
	location := a.BaseURL + "/v1/orgs/" + in.Organization + "/sites/" + in.Site + "/share-links/" + made.ID
	return &created[ShareLink]{Location: location, Body: wireShareLink(made)}, nil
}

// ShareLinkParams name a share link.
type ShareLinkParams struct {
	SiteParams
	ShareLink string `path:"shareLinkId"`
}

type updateShareLinkInput struct {
	ShareLinkParams
	Body struct {
		Active Patch[bool]   `json:"active,omitzero" required:"false"`
		Name   Patch[string] `json:"name,omitzero" required:"false" doc:"Up to 50 characters."`
	}
}

// updateShareLink changes what the body names.
func (a *API) updateShareLink(ctx context.Context, in *updateShareLinkInput) (*body[ShareLink], error) {
	change := audience.ShareLinkChange{Active: in.Body.Active.Value, Name: in.Body.Name.Value}
	after, err := a.Audiences.UpdateShareLink(ctx, callerOf(ctx), in.Organization, in.Site, in.ShareLink, change)
	if err != nil {
		return nil, err
	}
	return &body[ShareLink]{Body: wireShareLink(after)}, nil
}

// deleteShareLink removes a share link.
func (a *API) deleteShareLink(ctx context.Context, in *ShareLinkParams) (*nothing, error) {
	if err := a.Audiences.DeleteShareLink(ctx, callerOf(ctx), in.Organization, in.Site, in.ShareLink); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// getPublishingAuth answers how a site knows its visitors.
func (a *API) getPublishingAuth(ctx context.Context, in *SiteParams) (*body[PublishingAuth], error) {
	found, err := a.Audiences.Auth(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &body[PublishingAuth]{Body: wirePublishingAuth(found)}, nil
}

type updatePublishingAuthInput struct {
	SiteParams
	Body struct {
		Backend     string        `json:"backend" doc:"custom; integrations cannot be chosen while none is installed that knows visitors."`
		FallbackURL Patch[string] `json:"fallbackURL,omitzero" required:"false" doc:"An http or https address, or null for none."`
		LogoutURL   Patch[string] `json:"logoutURL,omitzero" required:"false" doc:"An http or https address, or null for none."`
	}
}

// updatePublishingAuth changes where visitors are sent.
func (a *API) updatePublishingAuth(ctx context.Context, in *updatePublishingAuthInput) (*body[PublishingAuth], error) {
	change := audience.AuthChange{Backend: in.Body.Backend, FallbackURL: in.Body.FallbackURL.Value,
		LogoutURL: in.Body.LogoutURL.Value}
	after, err := a.Audiences.UpdateAuth(ctx, callerOf(ctx), in.Organization, in.Site, change)
	if err != nil {
		return nil, err
	}
	return &body[PublishingAuth]{Body: wirePublishingAuth(after)}, nil
}

// regeneratePublishingAuth gives a site a new key.
func (a *API) regeneratePublishingAuth(ctx context.Context, in *SiteParams) (*body[PublishingAuth], error) {
	after, err := a.Audiences.RegenerateKey(ctx, callerOf(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &body[PublishingAuth]{Body: wirePublishingAuth(after)}, nil
}
