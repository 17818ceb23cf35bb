package integrations

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// IntegrationFilter are the parameters of lists of integrations.
type IntegrationFilter struct {
	Search         string          `query:"search" maxLength:"200" doc:"Part of the name or title, in any letter case."`
	Category       string          `query:"category" enum:"analytics,collaboration,content,gitsync,marketing,visitor-auth,other"`
	BlockDomain    string          `query:"blockDomain" maxLength:"100" pattern:"^[a-zA-Z0-9-_.]+$" patternDescription:"letters, digits, hyphens, dots and underscores" doc:"Domain whose links a block can show."`
	Blocks         string          `query:"blocks" enum:"true,false" doc:"Only those with blocks, or only those without."`
	ContentSources string          `query:"contentSources" enum:"true,false" doc:"Only those with content sources, or only those without."`
	Owner          id.Organization `query:"owner" maxLength:"100" doc:"Only those of the organization with this id; the unlisted and private ones too if you belong to it."`
	Scope          string          `query:"scope" enum:"space:content:read,space:content:write,space:metadata:read,space:metadata:write,space:git:sync,page:feedback:read,site:metadata:read,site:views:read,site:script:inject,site:script:cookies,site:visitor:auth,site:adaptive:read,site:adaptive:write,openapi:read,openapi:write,conversations:ingest,space:views:read,site:visitor:claims"`
	Target         string          `query:"target" enum:"all,site,space,organization" doc:"Exactly this target."`
}

func (f IntegrationFilter) filter() integration.Filter {
	return integration.Filter{
		Search: f.Search, Category: integration.Category(f.Category), Scope: integration.Scope(f.Scope),
		Target:      integration.Target(f.Target),
		BlockDomain: f.BlockDomain, Blocks: wire.Boolean(f.Blocks), ContentSources: wire.Boolean(f.ContentSources),
		Owner: f.Owner,
	}
}

// name is that of the list under the filter.
func (f IntegrationFilter) name(list string) string {
	return strings.Join([]string{list, f.Search, f.Category, f.BlockDomain, f.Blocks, f.ContentSources, string(f.Owner),
		f.Scope, f.Target}, "\x00")
}

// listedIntegrations answers a page of integrations that find returns.
func (h *Handlers) listedIntegrations(ctx context.Context, name string, params wire.PageParams,
	find func(page pageRequest) (paging.Page[integration.Integration], error)) (*operation.Body[wire.List[Integration]],
	error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	found, err := find(request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireIntegrations(ctx, found.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Integration]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(found, answer),
		func(i Integration) Integration {
			return i
		})}, nil
}

type listIntegrationsInput struct {
	wire.PageParams
	IntegrationFilter
}

// listIntegrations lists the public integrations.
func (h *Handlers) listIntegrations(ctx context.Context,
	in *listIntegrationsInput) (*operation.Body[wire.List[Integration]], error) {
	name := in.name("integrations/" + string(operation.Caller(ctx).User.ID))
	return h.listedIntegrations(ctx, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Integration], error) {
			return h.Integrations.List(ctx, operation.Caller(ctx), in.filter(), page)
		})
}

type listOrganizationIntegrationsInput struct {
	wire.PageParams
	IntegrationFilter
	Organization id.Organization `path:"organizationId"`
}

// listOrganizationIntegrations lists what can be installed in an organization.
func (h *Handlers) listOrganizationIntegrations(ctx context.Context,
	in *listOrganizationIntegrationsInput) (*operation.Body[wire.List[Integration]], error) {
	name := in.name("integrations of/" + string(in.Organization))
	return h.listedIntegrations(ctx, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Integration], error) {
			return h.Integrations.ListForOrganization(ctx, operation.Caller(ctx), in.Organization, in.filter(), page)
		})
}

// IntegrationSearch are the parameters of shorter lists of integrations.
type IntegrationSearch struct {
	wire.PageParams
	Search string `query:"search" maxLength:"200" doc:"Part of the name or title, in any letter case."`
}

type listSpaceIntegrationsInput struct {
	IntegrationSearch
	Space id.Space `path:"spaceId"`
}

// listSpaceIntegrations lists the integrations that work in a space.
func (h *Handlers) listSpaceIntegrations(ctx context.Context,
	in *listSpaceIntegrationsInput) (*operation.Body[wire.List[Integration]], error) {
	name := "space integrations/" + string(in.Space) + "\x00" + in.Search
	return h.listedIntegrations(ctx, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Integration], error) {
			return h.Integrations.InSpace(ctx, operation.Caller(ctx), in.Space, in.Search, page)
		})
}

type listSiteIntegrationsInput struct {
	IntegrationSearch
	wire.SiteParams
}

// listSiteIntegrations lists the integrations that work on a site.
func (h *Handlers) listSiteIntegrations(ctx context.Context,
	in *listSiteIntegrationsInput) (*operation.Body[wire.List[Integration]], error) {
	name := "site integrations/" + string(in.Site) + "\x00" + in.Search
	return h.listedIntegrations(ctx, name, in.PageParams,
		func(page pageRequest) (paging.Page[integration.Integration], error) {
			return h.Integrations.InSite(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Search, page)
		})
}

type listSpaceIntegrationBlocksInput struct {
	Space id.Space `path:"spaceId"`
}

// listSpaceIntegrationBlocks lists the blocks that integrations add to a space. One without a picture has that of its
// integration.
func (h *Handlers) listSpaceIntegrationBlocks(ctx context.Context,
	in *listSpaceIntegrationBlocksInput) (*operation.Body[[]SpaceIntegrationBlocks], error) {
	found, err := h.Integrations.BlocksInSpace(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	wire := make([]SpaceIntegrationBlocks, 0, len(found))
	for _, each := range found {
		one := SpaceIntegrationBlocks{Name: each.Name, Blocks: wireBlocks(each.Blocks)}
		for i := range one.Blocks {
			if each.Icon != nil && one.Blocks[i].Icon == "" {
				one.Blocks[i].Icon = h.integrationURL(each.Name) + "/assets/" + each.Icon.AssetName()
			}
		}
		wire = append(wire, one)
	}
	return &operation.Body[[]SpaceIntegrationBlocks]{Body: wire}, nil
}

// IntegrationParams name an integration.
type IntegrationParams struct {
	Integration string `path:"integrationName" maxLength:"100" pattern:"^[a-zA-Z0-9-_.]+$" patternDescription:"letters, digits, hyphens, dots and underscores"`
}

// getIntegration answers an integration by its name.
func (h *Handlers) getIntegration(ctx context.Context, in *IntegrationParams) (*operation.Body[Integration], error) {
	found, err := h.Integrations.Get(ctx, operation.Caller(ctx), in.Integration)
	if err != nil {
		return nil, err
	}
	return h.oneIntegration(ctx, found)
}

type publishIntegrationInput struct {
	IntegrationParams
	Body struct {
		Runtime         string                     `json:"runtime,omitempty" enum:"v1,v2" doc:"v1 when absent."`
		Icon            string                     `json:"icon,omitempty" doc:"Base64 of a PNG, JPEG, WebP, GIF or SVG picture of at most 1 MB."`
		Title           string                     `json:"title" minLength:"2" maxLength:"30"`
		Description     string                     `json:"description" maxLength:"100"`
		Summary         string                     `json:"summary,omitempty" maxLength:"2048" doc:"Markdown."`
		PreviewImages   []string                   `json:"previewImages,omitempty" maxItems:"3" doc:"Base64 of pictures of at most 2 MB."`
		Visibility      string                     `json:"visibility,omitempty" enum:"public,private,unlisted" doc:"private when absent."`
		Target          string                     `json:"target,omitempty" enum:"all,site,space,organization" doc:"all when absent."`
		Scopes          []string                   `json:"scopes,omitempty"`
		Categories      []string                   `json:"categories,omitempty"`
		Blocks          []IntegrationBlock         `json:"blocks,omitempty" maxItems:"50"`
		ContentSources  []IntegrationContentSource `json:"contentSources,omitempty" maxItems:"50"`
		ExternalLinks   []IntegrationExternalLink  `json:"externalLinks,omitempty" maxItems:"5"`
		Configurations  IntegrationConfigurations  `json:"configurations" required:"false"`
		Script          string                     `json:"script" doc:"The program, at most 5 MB."`
		Organization    id.Organization            `json:"organization" minLength:"1" doc:"Id or hostname of the publishing organization."`
		Secrets         map[string]string          `json:"secrets,omitempty" doc:"At most 20. They replace those that are kept, and are never given back; absent leaves them."`
		ContentSecurity ContentSecurityPolicy      `json:"contentSecurityPolicy" required:"false"`
	}
}

// publishIntegration publishes an integration, or its next version.
func (h *Handlers) publishIntegration(ctx context.Context,
	in *publishIntegrationInput) (*operation.Body[Integration], error) {
	b := in.Body
	publication := integration.Publication{
		Organization: b.Organization, Runtime: integration.Runtime(b.Runtime), Icon: b.Icon, Previews: b.PreviewImages,
		Title:       b.Title,
		Description: b.Description, Summary: b.Summary, Visibility: integration.Visibility(b.Visibility),
		Target: integration.Target(b.Target),
		Scopes: wordsOf[integration.Scope](b.Scopes), Categories: wordsOf[integration.Category](b.Categories),
		Configurations: b.Configurations.Configurations, Script: b.Script, Secrets: b.Secrets,
		Policy: b.ContentSecurity.Policy,
	}
	for _, block := range b.Blocks {
		one := integration.Block{ID: block.ID, Title: block.Title, Description: block.Description, Icon: block.Icon,
			URLUnfurl: block.URLUnfurl}
		if block.Markdown != nil {
			one.Markdown = new(integration.BlockMarkdown(*block.Markdown))
		}
		publication.Blocks = append(publication.Blocks, one)
	}
	for _, source := range b.ContentSources {
		publication.ContentSources = append(publication.ContentSources, integration.ContentSource{
			ID: source.ID, Title: source.Title, Description: source.Description, Icon: source.Icon,
			ComponentID: source.Configuration.ComponentID,
		})
	}
	for _, link := range b.ExternalLinks {
		publication.ExternalLinks = append(publication.ExternalLinks, integration.ExternalLink(link))
	}
	published, err := h.Integrations.Publish(ctx, operation.Caller(ctx), in.Integration, publication)
	if err != nil {
		return nil, err
	}
	return h.oneIntegration(ctx, published)
}

// unpublishIntegration takes an integration away.
func (h *Handlers) unpublishIntegration(ctx context.Context, in *IntegrationParams) (*operation.Nothing, error) {
	if err := h.Integrations.Unpublish(ctx, operation.Caller(ctx), in.Integration); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

type integrationAssetInput struct {
	IntegrationParams
	Asset string `path:"assetName" pattern:"^[0-9a-f]{32}\\.(png|jpg|gif|webp|svg)$" patternDescription:"the name of a picture as the integration's addresses have it"`
}

// getIntegrationAsset sends a picture of an integration to whoever has its address.
func (h *Handlers) getIntegrationAsset(ctx context.Context, in *integrationAssetInput) (*huma.StreamResponse, error) {
	file, image, err := h.Integrations.Asset(ctx, in.Integration, in.Asset)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer file.Close()
		r, w := humago.Unwrap(ctx)
		httpx.SetFileHeaders(w.Header(), image.AssetName())
		w.Header().Set("ETag", `"`+image.Blob[:32]+`"`)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		http.ServeContent(w, r, "", time.Time{}, io.ReadSeeker(file))
	}}, nil
}
