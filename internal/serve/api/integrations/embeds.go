package integrations

import (
	"context"
	"html"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Embed is what a link can be shown as.
type Embed struct {
	Type  string `json:"type" enum:"link,rich,integration"`
	Title string `json:"title"`
	Site  string `json:"site"`
	Icon  string `json:"icon,omitempty" format:"uri"`
	// HTML is a frame of what the site at the link shows, for the type rich.
	HTML string `json:"html,omitempty"`
	// Integration and Block are of the type integration: the block that the link becomes.
	Integration string            `json:"integration,omitempty"`
	Block       *IntegrationBlock `json:"block,omitempty"`
}

// Schema says which fields belong to which type.
func (Embed) Schema(r huma.Registry) *huma.Schema {
	one := func(kind string, more map[string]*huma.Schema) *huma.Schema {
		schema := &huma.Schema{Type: huma.TypeObject, Required: []string{"type", "title", "site"},
			Properties: map[string]*huma.Schema{"type": {Type: huma.TypeString, Enum: []any{kind}},
				"title": {Type: huma.TypeString}, "site": {Type: huma.TypeString},
				"icon": {Type: huma.TypeString, Format: "uri"}}}
		maps.Copy(schema.Properties, more)
		schema.Required = append(schema.Required, slices.Sorted(maps.Keys(more))...)
		schema.PrecomputeMessages()
		return schema
	}
	return &huma.Schema{OneOf: []*huma.Schema{
		one("link", nil),
		one("rich", map[string]*huma.Schema{"html": {Type: huma.TypeString, Description: "A frame."}}),
		one("integration", map[string]*huma.Schema{"integration": {Type: huma.TypeString},
			"block": r.Schema(reflect.TypeFor[IntegrationBlock](), true, "")}),
	}}
}

type embedInput struct {
	URL string `query:"url" required:"true" minLength:"1" maxLength:"2048" doc:"A link to anywhere. Nothing is fetched from there."`
}

type embedInSpaceInput struct {
	Space id.Space `path:"spaceId"`
	URL   string   `query:"url" required:"true" minLength:"1" maxLength:"2048" doc:"A link to anywhere. Nothing is fetched from there."`
}

// embed says what a link can be shown as anywhere.
func (h *Handlers) embed(_ context.Context, in *embedInput) (*operation.Body[Embed], error) {
	found, err := embedOf(in.URL)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Embed]{Body: found}, nil
}

// embedInSpace says what a link can be shown as in a space, with the blocks of its integrations.
func (h *Handlers) embedInSpace(ctx context.Context, in *embedInSpaceInput) (*operation.Body[Embed], error) {
	installed, err := h.Integrations.BlocksInSpace(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	working := make([]integration.WithBlocks, len(installed))
	for i, each := range installed {
		working[i] = integration.WithBlocks{Name: each.Name, Blocks: each.Blocks}
	}
	return embedWith(in.URL, working)
}

// visitEmbed is embedInSpace for a visitor of a site.
func (h *Handlers) visitEmbed(ctx context.Context, in *embedInSpaceInput) (*operation.Body[Embed], error) {
	if _, ok := operation.Visit(ctx).Space(in.Space); !ok {
		return nil, errs.NotFoundf("The site shows no such space.")
	}
	working, err := h.Integrations.BlocksIn(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return embedWith(in.URL, working)
}

// embedWith says what a link can be shown as where some integrations are.
func embedWith(link string, installed []integration.WithBlocks) (*operation.Body[Embed], error) {
	found, err := embedOf(link)
	if err != nil {
		return nil, err
	}
	for _, each := range installed {
		for i := range each.Blocks {
			if each.Blocks[i].Unfurls(link) {
				found.Type, found.Integration, found.HTML = "integration", each.Name, ""
				found.Title, found.Block = each.Blocks[i].Title, &wireBlocks(each.Blocks[i : i+1])[0]
				return &operation.Body[Embed]{Body: found}, nil
			}
		}
	}
	return &operation.Body[Embed]{Body: found}, nil
}

// embedOf is what every place can show of a link: a frame of the sites that are known, and a link for all others.
func embedOf(link string) (Embed, error) {
	parsed, err := url.Parse(link)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return Embed{}, errs.Invalidf("query.url", "is no link; write one like https://example.org/page")
	}
	site := strings.TrimPrefix(strings.ToLower(parsed.Hostname()), "www.")
	found := Embed{Type: "link", Title: link, Site: site}
	if frame := render.EmbedFrame(link); frame != "" {
		found.Type, found.Title = "rich", render.EmbedTitle(link)
		found.HTML = `<iframe src="` + html.EscapeString(frame) + `" title="` + html.EscapeString(found.Title) +
			`" width="640" height="360" loading="lazy" allowfullscreen ` +
			`sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"></iframe>`
	}
	return found, nil
}
