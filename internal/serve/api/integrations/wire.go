package integrations

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Integration is something that extends the platform, as an organization has published it.
type Integration struct {
	Object          string                     `json:"object" enum:"integration"`
	Name            string                     `json:"name" maxLength:"100" pattern:"^[a-zA-Z0-9-_.]+$"`
	Version         int64                      `json:"version" doc:"How often it was published."`
	Title           string                     `json:"title"`
	Description     string                     `json:"description"`
	Summary         string                     `json:"summary,omitempty" doc:"Markdown."`
	PreviewImages   []string                   `json:"previewImages" maxItems:"3" doc:"Addresses."`
	Target          string                     `json:"target" enum:"all,site,space,organization"`
	Verified        bool                       `json:"verified" doc:"Published by the organization that runs the server."`
	Visibility      string                     `json:"visibility" enum:"public,private,unlisted"`
	Scopes          []string                   `json:"scopes"`
	Categories      []string                   `json:"categories"`
	Blocks          []IntegrationBlock         `json:"blocks"`
	ContentSources  []IntegrationContentSource `json:"contentSources"`
	Configurations  IntegrationConfigurations  `json:"configurations"`
	ExternalLinks   []IntegrationExternalLink  `json:"externalLinks"`
	Owner           wire.Organization          `json:"owner" doc:"What everybody may know of the organization, and all of it for its members."`
	URLs            IntegrationURLs            `json:"urls"`
	Permissions     IntegrationPermissions     `json:"permissions"`
	ContentSecurity string                     `json:"contentSecurityPolicy,omitempty" doc:"In one spelling, whatever was sent."`
	Development     *IntegrationDevelopment    `json:"development,omitempty" doc:"In development mode, for admins of the owner."`
}

// IntegrationDevelopment is where events go in development mode in place of the script.
type IntegrationDevelopment struct {
	Tunnel string `json:"tunnelUrl"`
	All    bool   `json:"all" doc:"Those of every organization, not of the owning one alone."`
}

// IntegrationURLs are an integration's addresses.
type IntegrationURLs struct {
	Location       string `json:"location" format:"uri"`
	App            string `json:"app" format:"uri"`
	Icon           string `json:"icon,omitempty" format:"uri"`
	Assets         string `json:"assets" format:"uri" doc:"Its pictures are below this address."`
	PublicEndpoint string `json:"publicEndpoint" format:"uri" doc:"Where its script answers requests of any method."`
	PublicContent  string `json:"publicContentEndpoint" format:"uri" doc:"The same on the host for the content of blocks."`
}

// IntegrationPermissions say what the caller may do with an integration.
type IntegrationPermissions struct {
	Admin   bool `json:"admin"`
	Install bool `json:"install"`
}

// IntegrationBlock is a block of pages that an integration adds.
type IntegrationBlock struct {
	ID          string                    `json:"id"`
	Title       string                    `json:"title" minLength:"2" maxLength:"40"`
	Description string                    `json:"description,omitempty" maxLength:"150"`
	Icon        string                    `json:"icon,omitempty" doc:"Address of a picture; it is taken as base64 of one of at most 64 kB too."`
	URLUnfurl   []string                  `json:"urlUnfurl,omitempty" doc:"Patterns of links that become this block, such as https://www.example.com/files/**."`
	Markdown    *IntegrationBlockMarkdown `json:"markdown,omitempty"`
}

// IntegrationBlockMarkdown says how a block is written in Markdown.
type IntegrationBlockMarkdown struct {
	Codeblock string `json:"codeblock" doc:"Language of the fenced code block."`
	Body      string `json:"body" doc:"Name of the property that is its text."`
}

// IntegrationContentSource is a source of pages that an integration adds.
type IntegrationContentSource struct {
	ID            string               `json:"id"`
	Title         string               `json:"title" minLength:"2" maxLength:"40"`
	Description   string               `json:"description,omitempty" maxLength:"150"`
	Icon          string               `json:"icon,omitempty" doc:"Address of a picture; it is taken as base64 of one of at most 64 kB too."`
	Configuration IntegrationComponent `json:"configuration"`
}

// IntegrationComponent names a component of an integration.
type IntegrationComponent struct {
	ComponentID string `json:"componentId"`
}

// IntegrationExternalLink leads to a page about an integration.
type IntegrationExternalLink struct {
	URL   string `json:"url" format:"uri" maxLength:"2048"`
	Label string `json:"label"`
}

// IntegrationConfigurations describe what can be configured.
type IntegrationConfigurations struct{ integration.Configurations }

// Schema describes the three places and both ways to describe a configuration. What belongs to which type of property
// is checked where the whole is.
func (IntegrationConfigurations) Schema(huma.Registry) *huma.Schema {
	text := func() *huma.Schema { return &huma.Schema{Type: "string"} }
	texts := func() *huma.Schema { return &huma.Schema{Type: "array", Items: text()} }
	property := &huma.Schema{
		Type: "object", Required: []string{"type"}, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"title": text(), "description": text(), "type": {Type: "string", Enum: []any{"string", "number", "boolean",
				"button"}},
			"default": {Description: "A value of the type; not for buttons."}, "enum": texts(),
			"completion_url": text(),
			"callback_url":   text(), "button_text": text(),
		},
	}
	one := func() *huma.Schema {
		return &huma.Schema{
			Type: "object", AdditionalProperties: true, Description: "Either properties with required, or componentId.",
			Properties: map[string]*huma.Schema{
				"properties": {Type: "object", AdditionalProperties: property}, "required": texts(),
				"componentId": text(),
			},
		}
	}
	schema := &huma.Schema{
		Type: "object", AdditionalProperties: true, Properties: map[string]*huma.Schema{"account": one(),
			"space": one(), "site": one()},
	}
	schema.PrecomputeMessages()
	return schema
}

// ContentSecurityPolicy is a policy as a text, or as an object with a value for each directive.
type ContentSecurityPolicy struct{ integration.Policy }

// UnmarshalJSON reads either form.
func (p *ContentSecurityPolicy) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil {
		p.Text = text
		return nil
	}
	return json.Unmarshal(data, &p.Directives)
}

// Schema says that both forms are accepted.
func (ContentSecurityPolicy) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{OneOf: []*huma.Schema{
		{Type: "string"},
		{Type: "object", AdditionalProperties: &huma.Schema{Type: "string"}},
	}}
	schema.PrecomputeMessages()
	return schema
}

// IntegrationInstallation is an integration in an organization.
type IntegrationInstallation struct {
	ID             string             `json:"id"`
	Status         string             `json:"status" enum:"active,pending,paused" doc:"pending waits for its configuration; paused is not offered for the organization any more."`
	SpaceSelection string             `json:"space_selection" enum:"all,selected"`
	SiteSelection  string             `json:"site_selection" enum:"all,selected"`
	Spaces         int                `json:"spaces" doc:"Number of spaces that it takes in."`
	Configuration  wire.JSONObject    `json:"configuration" doc:"With the integration's defaults for what was not configured."`
	CreatedAt      string             `json:"createdAt" format:"date-time"`
	UpdatedAt      string             `json:"updatedAt" format:"date-time"`
	URLs           InstallationURLs   `json:"urls"`
	ExternalIDs    []string           `json:"externalIds" maxItems:"5"`
	Target         OrganizationTarget `json:"target"`
}

// InstallationURLs are an installation's addresses.
type InstallationURLs struct {
	Location       string `json:"location" format:"uri"`
	App            string `json:"app" format:"uri"`
	PublicEndpoint string `json:"publicEndpoint" format:"uri"`
	PublicContent  string `json:"publicContentEndpoint" format:"uri"`
}

// OrganizationTarget says that an installation is an organization's.
type OrganizationTarget struct {
	Organization id.Organization `json:"organization"`
}

// ContentInstallation has what installations on spaces and on sites have in common.
type ContentInstallation struct {
	Integration   string                  `json:"integration" doc:"Name of the integration."`
	Installation  string                  `json:"installation" doc:"Id of the organization's installation."`
	Status        string                  `json:"status" enum:"active,pending,paused"`
	Configuration wire.JSONObject         `json:"configuration"`
	ExternalIDs   []string                `json:"externalIds" maxItems:"5"`
	URLs          ContentInstallationURLs `json:"urls"`
}

// ContentInstallationURLs are the addresses of an installation on a space or site.
type ContentInstallationURLs struct {
	Location       string `json:"location" format:"uri"`
	PublicEndpoint string `json:"publicEndpoint" format:"uri"`
	PublicContent  string `json:"publicContentEndpoint" format:"uri"`
}

// SpaceInstallation is an integration on a space.
type SpaceInstallation struct {
	ContentInstallation
	Space IDOr[wire.Space] `json:"space" doc:"The id, or with extended=true the whole space."`
}

// SiteInstallation is an integration on a site.
type SiteInstallation struct {
	ContentInstallation
	Site IDOr[wire.Site] `json:"site" doc:"The id, or with extended=true the whole site."`
}

// IDOr is the id of a resource, or the resource.
type IDOr[T any] struct {
	ID       string
	Resource *T
}

// MarshalJSON writes the resource when it is there.
func (i IDOr[T]) MarshalJSON() ([]byte, error) {
	if i.Resource != nil {
		return json.Marshal(i.Resource)
	}
	return json.Marshal(i.ID)
}

// Schema says that both forms occur.
func (IDOr[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "string"}, wire.SchemaOf[T](r)}}
}

// OrganizationInstallation is an integration with the organization's installation.
type OrganizationInstallation struct {
	Integration  Integration             `json:"integration"`
	Installation IntegrationInstallation `json:"installation"`
}

// InstalledIntegration is an integration with its status in an organization.
type InstalledIntegration struct {
	Status      string             `json:"status" enum:"active,pending,paused"`
	Integration Integration        `json:"integration"`
	Target      InstallationTarget `json:"target"`
}

// InstallationTarget is what an integration is installed on.
type InstallationTarget struct {
	Type         string          `json:"type" enum:"organization"`
	Organization id.Organization `json:"organizationId"`
}

// InstallationStatus is the status of an integration in an organization.
type InstallationStatus struct {
	Status string `json:"status" enum:"active,pending,paused"`
}

// SpaceIntegrationBlocks are the blocks that an integration adds to a space.
type SpaceIntegrationBlocks struct {
	Name   string             `json:"name" doc:"Name of the integration."`
	Blocks []IntegrationBlock `json:"blocks"`
}

func (h *Handlers) integrationURL(name string) string {
	return h.Wire.BaseURL + "/v1/integrations/" + url.PathEscape(name)
}

// wireIntegrations turns integrations into their wire form. An owner that the caller is a member of is read whole,
// once.
func (h *Handlers) wireIntegrations(ctx context.Context,
	integrations []integration.Integration) ([]Integration, error) {
	owners := map[id.Organization]wire.Organization{}
	answer := make([]Integration, 0, len(integrations))
	for _, each := range integrations {
		owner, known := owners[each.Owner.ID]
		if !known {
			var err error
			if owner, err = h.wireOwner(ctx, each.Owner); err != nil {
				return nil, err
			}
			owners[each.Owner.ID] = owner
		}
		one := h.wireIntegration(each)
		one.Owner = owner
		answer = append(answer, one)
	}
	return answer, nil
}

func (h *Handlers) oneIntegration(ctx context.Context,
	i integration.Integration) (*operation.Body[Integration], error) {
	wire, err := h.wireIntegrations(ctx, []integration.Integration{i})
	if err != nil {
		return nil, err
	}
	return &operation.Body[Integration]{Body: wire[0]}, nil
}

// wireOwner is an organization for its members, and its public profile for everybody else.
func (h *Handlers) wireOwner(ctx context.Context, public org.Organization) (wire.Organization, error) {
	membership, err := h.Organizations.Get(ctx, operation.Caller(ctx), public.ID)
	if errs.Is(err, errs.NotFound) {
		answer := h.Wire.Organization(org.Membership{Organization: public})
		answer.Permissions = wire.OrganizationPermissions{}
		return answer, nil
	}
	if err != nil {
		return wire.Organization{}, err
	}
	answer := h.Wire.Organization(membership)
	return answer, h.RuleReader.AddTo(ctx, &answer)
}

func (h *Handlers) wireIntegration(i integration.Integration) Integration {
	location := h.integrationURL(i.Name)
	wire := Integration{
		Object: "integration", Name: i.Name, Version: i.Version, Title: i.Title, Description: i.Description,
		Summary:       i.Summary,
		PreviewImages: []string{}, Target: string(i.Target), Verified: i.Verified, Visibility: string(i.Visibility),
		Scopes: plainWords(i.Scopes), Categories: plainWords(i.Categories), Blocks: wireBlocks(i.Blocks),
		ContentSources: []IntegrationContentSource{},
		Configurations: IntegrationConfigurations{i.Configurations}, ExternalLinks: []IntegrationExternalLink{},
		URLs: IntegrationURLs{
			Location: location, App: h.Wire.BaseURL + "/app/orgs/" + string(i.Owner.ID) + "/integrations/" +
				url.PathEscape(i.Name),
			Assets: location + "/assets", PublicEndpoint: h.Integrations.EndpointURL(i.Name),
			PublicContent: h.Integrations.ContentURL(h.Integrations.EndpointURL(i.Name)),
		},
		Permissions: IntegrationPermissions(i.Permissions), ContentSecurity: i.Policy,
	}
	if i.Development != nil {
		wire.Development = &IntegrationDevelopment{i.Development.URL, i.Development.All}
	}
	if i.Icon != nil {
		wire.URLs.Icon = location + "/assets/" + i.Icon.AssetName()
	}
	for _, preview := range i.Previews {
		wire.PreviewImages = append(wire.PreviewImages, location+"/assets/"+preview.AssetName())
	}
	for _, source := range i.ContentSources {
		wire.ContentSources = append(wire.ContentSources, IntegrationContentSource{
			ID: source.ID, Title: source.Title, Description: source.Description, Icon: source.Icon,
			Configuration: IntegrationComponent{source.ComponentID},
		})
	}
	for _, link := range i.ExternalLinks {
		wire.ExternalLinks = append(wire.ExternalLinks, IntegrationExternalLink(link))
	}
	return wire
}

func wireBlocks(blocks []integration.Block) []IntegrationBlock {
	wire := make([]IntegrationBlock, 0, len(blocks))
	for _, b := range blocks {
		one := IntegrationBlock{ID: b.ID, Title: b.Title, Description: b.Description, Icon: b.Icon,
			URLUnfurl: b.URLUnfurl}
		if b.Markdown != nil {
			one.Markdown = new(IntegrationBlockMarkdown(*b.Markdown))
		}
		wire = append(wire, one)
	}
	return wire
}

// plainWords turns words of the domain into plain ones.
func plainWords[T ~string](list []T) []string {
	plain := make([]string, 0, len(list))
	for _, word := range list {
		plain = append(plain, string(word))
	}
	return plain
}

// wordsOf turns plain words into those of the domain.
func wordsOf[T ~string](list []string) []T {
	out := make([]T, 0, len(list))
	for _, word := range list {
		out = append(out, T(word))
	}
	return out
}

func (h *Handlers) wireInstallation(i integration.Installation) (IntegrationInstallation, error) {
	configuration, err := json.Marshal(i.Configuration)
	endpoint := h.Integrations.InstallationEndpointURL(i.Integration, i.ID)
	return IntegrationInstallation{
		ID: i.ID, Status: string(i.Status), SpaceSelection: string(i.SpaceSelection),
		SiteSelection: string(i.SiteSelection), Spaces: i.Spaces,
		Configuration: configuration, CreatedAt: wire.Timestamp(i.CreatedAt), UpdatedAt: wire.Timestamp(i.UpdatedAt),
		URLs: InstallationURLs{
			Location: h.integrationURL(i.Integration) + "/installations/" + i.ID,
			App: h.Wire.BaseURL + "/app/orgs/" + string(i.Organization) + "/integrations/" +
				url.PathEscape(i.Integration),
			PublicEndpoint: endpoint, PublicContent: h.Integrations.ContentURL(endpoint),
		},
		ExternalIDs: i.ExternalIDs, Target: OrganizationTarget{i.Organization},
	}, err
}

func (h *Handlers) wireContentInstallation(kind integration.Kind,
	c integration.ContentInstallation) (ContentInstallation, error) {
	configuration, err := json.Marshal(c.Configuration)
	below := "/" + string(kind) + "s/" + c.Content
	endpoint := h.Integrations.InstallationEndpointURL(c.Integration, c.Installation) + below
	return ContentInstallation{
		Integration: c.Integration, Installation: c.Installation, Status: string(c.Status),
		Configuration: configuration, ExternalIDs: c.ExternalIDs,
		URLs: ContentInstallationURLs{
			Location:       h.integrationURL(c.Integration) + "/installations/" + c.Installation + below,
			PublicEndpoint: endpoint, PublicContent: h.Integrations.ContentURL(endpoint),
		},
	}, err
}
