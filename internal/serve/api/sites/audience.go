package sites

import (
	"context"

	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// getAdaptiveSchema answers what a site may know of its visitors.
func (h *Handlers) getAdaptiveSchema(ctx context.Context,
	in *wire.SiteParams) (*operation.Body[AdaptiveSchema], error) {
	found, err := h.Audiences.AdaptiveSchema(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[AdaptiveSchema]{Body: wireAdaptiveSchema(found)}, nil
}

type putAdaptiveSchemaInput struct {
	wire.SiteParams
	Body struct {
		JSONSchema wire.JSONObject `json:"jsonSchema"`
	}
}

// putAdaptiveSchema gives a site a schema.
func (h *Handlers) putAdaptiveSchema(ctx context.Context,
	in *putAdaptiveSchemaInput) (*operation.Body[AdaptiveSchema], error) {
	put, err := h.Audiences.PutAdaptiveSchema(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Body.JSONSchema)
	if err != nil {
		return nil, err
	}
	return &operation.Body[AdaptiveSchema]{Body: wireAdaptiveSchema(put)}, nil
}

// listTemplateConditions answers the conditions that the schema of a site gives.
func (h *Handlers) listTemplateConditions(ctx context.Context,
	in *wire.SiteParams) (*operation.Body[TemplateConditions], error) {
	found, err := h.Audiences.TemplateConditions(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	out := TemplateConditions{Items: make([]TemplateCondition, 0, len(found))}
	for _, each := range found {
		out.Items = append(out.Items, TemplateCondition(each))
	}
	return &operation.Body[TemplateConditions]{Body: out}, nil
}

type listShareLinksInput struct {
	wire.SiteParams
	wire.PageParams
}

// listShareLinks lists the share links of a site, the oldest first.
func (h *Handlers) listShareLinks(ctx context.Context,
	in *listShareLinksInput) (*operation.Body[wire.List[ShareLink]], error) {
	name := "share-links/" + string(in.Site)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	links, err := h.Audiences.ListShareLinks(ctx, operation.Caller(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[ShareLink]]{Body: *wire.Listed(h.Lists, name, links, wireShareLink)}, nil
}

type createShareLinkInput struct {
	wire.SiteParams
	Body struct {
		Name string `json:"name" maxLength:"50"`
	}
}

// createShareLink makes a share link.
func (h *Handlers) createShareLink(ctx context.Context,
	in *createShareLinkInput) (*operation.Created[ShareLink], error) {
	created, err := h.Audiences.CreateShareLink(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Body.Name)
	if err != nil {
		return nil, err
	}
	location := h.Wire.BaseURL + "/v1/orgs/" + string(in.Organization) + "/sites/" + string(in.Site) +
		"/share-links/" + created.ID
	return &operation.Created[ShareLink]{Location: location, Body: wireShareLink(created)}, nil
}

// ShareLinkParams name a share link.
type ShareLinkParams struct {
	wire.SiteParams
	ShareLink string `path:"shareLinkId"`
}

type updateShareLinkInput struct {
	ShareLinkParams
	Body struct {
		Active wire.Patch[bool]   `json:"active,omitzero" required:"false"`
		Name   wire.Patch[string] `json:"name,omitzero" required:"false" doc:"Up to 50 characters."`
	}
}

// updateShareLink changes what the body names.
func (h *Handlers) updateShareLink(ctx context.Context, in *updateShareLinkInput) (*operation.Body[ShareLink], error) {
	change := audience.ShareLinkChange{Active: in.Body.Active.Value, Name: in.Body.Name.Value}
	after, err := h.Audiences.UpdateShareLink(ctx, operation.Caller(ctx), in.Organization, in.Site, in.ShareLink,
		change)
	if err != nil {
		return nil, err
	}
	return &operation.Body[ShareLink]{Body: wireShareLink(after)}, nil
}

// deleteShareLink removes a share link.
func (h *Handlers) deleteShareLink(ctx context.Context, in *ShareLinkParams) (*operation.Nothing, error) {
	if err := h.Audiences.DeleteShareLink(ctx, operation.Caller(ctx), in.Organization, in.Site,
		in.ShareLink); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// getPublishingAuth answers how a site knows its visitors.
func (h *Handlers) getPublishingAuth(ctx context.Context,
	in *wire.SiteParams) (*operation.Body[PublishingAuth], error) {
	found, err := h.Audiences.Auth(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[PublishingAuth]{Body: wirePublishingAuth(found)}, nil
}

type updatePublishingAuthInput struct {
	wire.SiteParams
	Body struct {
		Backend     string             `json:"backend" enum:"custom,integration" doc:"Who signs visitors' tokens: a program of your own, or an integration on the site with the scope site:visitor:auth."`
		Integration string             `json:"integration,omitempty" maxLength:"100" doc:"Name of the integration; may be left out when only one can."`
		FallbackURL wire.Patch[string] `json:"fallbackURL,omitzero" required:"false" doc:"An http or https address, or null for none."`
		LogoutURL   wire.Patch[string] `json:"logoutURL,omitzero" required:"false" doc:"An http or https address, or null for none."`
	}
}

// updatePublishingAuth changes where visitors are sent.
func (h *Handlers) updatePublishingAuth(ctx context.Context,
	in *updatePublishingAuthInput) (*operation.Body[PublishingAuth], error) {
	change := audience.AuthChange{Backend: in.Body.Backend, Integration: in.Body.Integration,
		FallbackURL: in.Body.FallbackURL.Value, LogoutURL: in.Body.LogoutURL.Value}
	after, err := h.Audiences.UpdateAuth(ctx, operation.Caller(ctx), in.Organization, in.Site, change)
	if err != nil {
		return nil, err
	}
	return &operation.Body[PublishingAuth]{Body: wirePublishingAuth(after)}, nil
}

// regeneratePublishingAuth gives a site a new key.
func (h *Handlers) regeneratePublishingAuth(ctx context.Context,
	in *wire.SiteParams) (*operation.Body[PublishingAuth], error) {
	after, err := h.Audiences.RegenerateKey(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[PublishingAuth]{Body: wirePublishingAuth(after)}, nil
}
