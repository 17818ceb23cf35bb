package sites

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SiteCustomization is how a site, or a space on it, looks and behaves.
type SiteCustomization struct {
	customization.Customization
	UpdatedAt string `json:"updatedAt,omitempty" format:"date-time" doc:"When it was last changed; absent when it never was."`
}

// SiteSpaceCustomization is how a space on a site looks and behaves.
type SiteSpaceCustomization struct {
	SiteCustomization
	HasOverrides bool `json:"hasOverrides" doc:"Whether the space has values of its own."`
}

func wireCustomization(c customization.Customized) SiteCustomization {
	answer := SiteCustomization{Customization: c.Customization}
	if !c.UpdatedAt.IsZero() {
		answer.UpdatedAt = wire.Timestamp(c.UpdatedAt)
	}
	return answer
}

func wireSpaceCustomization(c customization.Customized) SiteSpaceCustomization {
	return SiteSpaceCustomization{SiteCustomization: wireCustomization(c), HasOverrides: c.Overridden}
}

// customizationBody is a customization, or values of one, as it was sent. Package site checks it, because the messages
// and the rules of what may be left out are its own.
type customizationBody map[string]any

// Schema says no more than that it is an object: what it may hold is what the operation that reads it answers.
func (customizationBody) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true,
		Description: "The same members as in the answer."}
}

type getCustomizationInput struct {
	wire.SiteParams
	Unmasked bool `query:"unmasked" doc:"Makes no difference: nothing of a customization is kept back."`
}

// getSiteCustomization answers how a site looks.
func (h *Handlers) getSiteCustomization(ctx context.Context,
	in *getCustomizationInput) (*operation.Body[SiteCustomization], error) {
	found, err := h.Sites.Customization(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteCustomization]{Body: wireCustomization(found)}, nil
}

type putCustomizationInput struct {
	wire.SiteParams
	Body customizationBody
}

// putSiteCustomization replaces how a site looks.
func (h *Handlers) putSiteCustomization(ctx context.Context,
	in *putCustomizationInput) (*operation.Body[SiteCustomization], error) {
	set, err := h.Sites.SetCustomization(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Body)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteCustomization]{Body: wireCustomization(set)}, nil
}

// CustomizedSpaceParams name a space on a site.
type CustomizedSpaceParams struct {
	wire.SiteParams
	SiteSpace id.SiteSpace `path:"siteSpaceId"`
}

type getSpaceCustomizationInput struct {
	CustomizedSpaceParams
	Unmasked bool `query:"unmasked" doc:"Makes no difference: nothing of a customization is kept back."`
}

// getSiteSpaceCustomization answers how a space on a site looks.
func (h *Handlers) getSiteSpaceCustomization(ctx context.Context,
	in *getSpaceCustomizationInput) (*operation.Body[SiteSpaceCustomization], error) {
	found, err := h.Sites.SpaceCustomization(ctx, operation.Caller(ctx), in.Organization, in.Site, in.SiteSpace)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteSpaceCustomization]{Body: wireSpaceCustomization(found)}, nil
}

type overrideCustomizationInput struct {
	CustomizedSpaceParams
	Body customizationBody
}

// overrideSiteSpaceCustomization gives a space on a site values of its own.
func (h *Handlers) overrideSiteSpaceCustomization(ctx context.Context,
	in *overrideCustomizationInput) (*operation.Body[SiteSpaceCustomization], error) {
	changed, err := h.Sites.OverrideCustomization(ctx, operation.Caller(ctx), in.Organization, in.Site, in.SiteSpace,
		in.Body)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteSpaceCustomization]{Body: wireSpaceCustomization(changed)}, nil
}

// clearedOutput is an answer without a body that says by its status whether there was something.
type clearedOutput struct{ Status int }

// deleteSiteSpaceCustomization gives a space on a site the looks of the site again.
func (h *Handlers) deleteSiteSpaceCustomization(ctx context.Context,
	in *CustomizedSpaceParams) (*clearedOutput, error) {
	had, err := h.Sites.ClearOverrides(ctx, operation.Caller(ctx), in.Organization, in.Site, in.SiteSpace)
	if err != nil {
		return nil, err
	}
	if had {
		return &clearedOutput{http.StatusResetContent}, nil
	}
	return &clearedOutput{http.StatusNoContent}, nil
}

// listSiteScripts answers the scripts of a site's pages.
func (h *Handlers) listSiteScripts(ctx context.Context, in *wire.SiteParams) (*operation.Body[[]SiteScript], error) {
	scripts, err := h.Sites.Scripts(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	return &operation.Body[[]SiteScript]{Body: wireScripts(scripts)}, nil
}

func wireScripts(scripts []site.Script) []SiteScript {
	wire := make([]SiteScript, 0, len(scripts))
	for _, script := range scripts {
		wire = append(wire, SiteScript{Script: script.URL, ContentSecurityPolicy: script.ContentSecurityPolicy,
			Cookies: script.Cookies})
	}
	return wire
}
