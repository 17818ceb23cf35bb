package orgs

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// listOrganizations lists the organizations of the caller.
func (h *Handlers) listOrganizations(ctx context.Context,
	in *wire.ListInput) (*operation.Body[wire.List[wire.Organization]], error) {
	caller := operation.Caller(ctx)
	name := "orgs/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	items, err := h.Organizations.ListForUser(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	list := wire.Listed(h.Lists, name, items, h.Wire.Organization)
	organizations := make([]*wire.Organization, len(list.Items))
	for i := range list.Items {
		organizations[i] = &list.Items[i]
	}
	if err := h.RuleReader.AddTo(ctx, organizations...); err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.Organization]]{Body: *list}, nil
}

type createOrganizationInput struct {
	WithDefaultSite bool   `query:"withDefaultSite" doc:"Also makes a site with a space, which members see first."`
	OpenAPIURL      string `query:"openapiUrl" maxLength:"2048" doc:"Address of an OpenAPI description, which is added under the slug api."`
	Body            struct {
		Title        string   `json:"title" minLength:"2" maxLength:"255" doc:"The name people see."`
		Hostname     string   `json:"hostname,omitempty" minLength:"3" maxLength:"32" doc:"Label under which sites are published; made from the title when absent."`
		EmailDomains []string `json:"emailDomains,omitempty" maxItems:"50" doc:"Only that of your own verified address; add others later."`
		Type         string   `json:"type,omitempty" enum:"business,community" doc:"business when absent."`
		UseCase      string   `json:"useCase,omitempty" enum:"internalDocs,docsSite,audienceControlledSite,productDocs,teamKnowledgeBase,designSystem,openSourceDocs,notes,other"`
	}
}

// createOrganization makes an organization with the caller as its admin.
func (h *Handlers) createOrganization(ctx context.Context,
	in *createOrganizationInput) (*operation.Created[wire.Organization], error) {
	if in.OpenAPIURL != "" {
		if err := fetch.CheckURL(in.OpenAPIURL); err != nil {
			return nil, err
		}
	}
	created, err := h.Organizations.Create(ctx, operation.Caller(ctx), org.NewOrganization{
		Title: in.Body.Title, Hostname: in.Body.Hostname, EmailDomains: in.Body.EmailDomains,
		Type: org.Type(in.Body.Type), UseCase: org.UseCase(in.Body.UseCase), WithSite: in.WithDefaultSite,
	})
	if err != nil {
		return nil, err
	}
	if in.OpenAPIURL != "" {
		// The address is well formed, and fetching it goes on in the background.
		if _, err := h.Specs.Create(ctx, operation.Caller(ctx), created.Organization.ID, "api",
			spec.Source{URL: &in.OpenAPIURL}); err != nil {
			return nil, err
		}
	}
	answer := h.Wire.Organization(created)
	return &operation.Created[wire.Organization]{Location: answer.URLs.Location, Body: answer}, nil
}

// getOrganization answers one organization of the caller.
func (h *Handlers) getOrganization(ctx context.Context,
	in *wire.OrganizationPath) (*operation.Body[wire.Organization], error) {
	membership, err := h.Organizations.Get(ctx, operation.Caller(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Organization(membership)
	if err := h.RuleReader.AddTo(ctx, &answer); err != nil {
		return nil, err
	}
	return &operation.Body[wire.Organization]{Body: answer}, nil
}

type updateOrganizationInput struct {
	wire.OrganizationPath
	Body struct {
		Title          wire.Patch[string]              `json:"title,omitzero" required:"false" doc:"2 to 255 characters."`
		EmailDomains   wire.Patch[[]string]            `json:"emailDomains,omitzero" required:"false" doc:"In place of all there are; each new one has to be proven."`
		Hostname       wire.Patch[string]              `json:"hostname,omitzero" required:"false" doc:"3 to 32 characters of a-z, 0-9 and single hyphens."`
		DefaultRole    wire.Patch[string]              `json:"defaultRole,omitzero" required:"false" doc:"What people get who come in by themselves; null for guests."`
		DefaultContent wire.Patch[wire.DefaultContent] `json:"defaultContent,omitzero" required:"false" doc:"What members see first; null for nothing."`
		Logo           wire.Patch[string]              `json:"logo,omitzero" required:"false" doc:"Address of a PNG, JPEG, WebP or GIF, which is fetched and kept, or a data URL with it in Base64; null takes it away."`
		SSO            wire.Patch[bool]                `json:"sso,omitzero" required:"false" doc:"Whether single sign-on is enforced."`
		AI             wire.Patch[bool]                `json:"ai,omitzero" required:"false"`
		InviteLinks    wire.Patch[bool]                `json:"inviteLinks,omitzero" required:"false"`
		MergeRules     *wire.MergeRules                `json:"mergeRules,omitempty"`
	}
}

// updateOrganization changes an organization.
func (h *Handlers) updateOrganization(ctx context.Context,
	in *updateOrganizationInput) (*operation.Body[wire.Organization], error) {
	role, err := roleOf(in.Body.DefaultRole.Value, "defaultRole")
	if err != nil {
		return nil, err
	}
	change := org.Change{
		Title: in.Body.Title.Value, EmailDomains: in.Body.EmailDomains.Value, Hostname: in.Body.Hostname.Value,
		DefaultRole: role,
		Logo:        in.Body.Logo.Value, SSO: in.Body.SSO.Value, AI: in.Body.AI.Value,
		InviteLinks: in.Body.InviteLinks.Value,
	}
	if content, ok := in.Body.DefaultContent.Get(); ok {
		change.DefaultSite = optional.Of(content.Site)
	} else if in.Body.DefaultContent.IsNull() {
		change.DefaultSite = optional.Null[id.Site]()
	}
	after, err := h.Organizations.Update(ctx, operation.Caller(ctx), in.Organization, change)
	if err != nil {
		return nil, err
	}
	if in.Body.MergeRules != nil {
		if err := h.Changes.SetOrganizationRules(ctx, operation.Caller(ctx), in.Organization,
			in.Body.MergeRules.Domain()); err != nil {
			return nil, err
		}
	}
	answer := h.Wire.Organization(after)
	if err := h.RuleReader.AddTo(ctx, &answer); err != nil {
		return nil, err
	}
	return &operation.Body[wire.Organization]{Body: answer}, nil
}

type logoInput struct {
	wire.OrganizationPath
	Blob string `path:"blob" pattern:"^[0-9a-f]{64}$"`
}

// getLogo sends a logo to anybody who has its address.
func (h *Handlers) getLogo(ctx context.Context, in *logoInput) (*huma.StreamResponse, error) {
	file, name, err := h.Organizations.OpenLogo(ctx, in.Organization, in.Blob)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer file.Close()
		r, w := humago.Unwrap(ctx)
		httpx.SetFileHeaders(w.Header(), name)
		w.Header().Set("ETag", `"`+in.Blob[:32]+`"`)
		w.Header().Set("Cache-Control", "public, max-age=86400")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		http.ServeContent(w, r, "", time.Time{}, file)
	}}, nil
}
