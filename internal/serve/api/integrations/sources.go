package integrations

import (
	"context"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SpaceContentSource is a source of content that works on a space.
type SpaceContentSource struct {
	Type        string                     `json:"type" doc:"What a computed page that is made from it has as computed.type."`
	Integration string                     `json:"integration"`
	Title       string                     `json:"title"`
	Description string                     `json:"description,omitempty"`
	Icon        string                     `json:"icon,omitempty" doc:"Address of a picture."`
	By          string                     `json:"integrationTitle"`
	Configured  IntegrationComponent       `json:"configuration"`
	Results     []SpaceContentSourceResult `json:"results,omitempty" doc:"What has come of the computed pages of the space that are made from it, for those who write there."`
}

// SpaceContentSourceResult is what has come of a computed page.
type SpaceContentSourceResult struct {
	Props   map[string]any `json:"props"`
	Pages   bool           `json:"pages" doc:"Whether there is something to read."`
	Problem string         `json:"problem,omitempty" doc:"Why the last attempt has failed; what was made before is shown."`
	MadeAt  string         `json:"madeAt,omitempty" format:"date-time" doc:"When the last attempt was."`
}

// listSpaceContentSources lists the sources of content that work on a space.
func (h *Handlers) listSpaceContentSources(ctx context.Context,
	in *listSpaceIntegrationBlocksInput) (*operation.Body[[]SpaceContentSource], error) {
	found, err := h.Computed.Sources(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	list := make([]SpaceContentSource, 0, len(found))
	for _, each := range found {
		one := SpaceContentSource{Type: entity.IntegrationSource + each.Integration + ":" + each.ID,
			Integration: each.Integration, Title: each.Title, Description: each.Description, Icon: each.Icon,
			By: each.IntegrationTitle, Configured: IntegrationComponent{each.ComponentID}}
		for _, result := range each.Results {
			wired := SpaceContentSourceResult{Props: result.Props, Pages: result.Pages, Problem: result.Problem}
			if wired.Props == nil {
				wired.Props = map[string]any{}
			}
			if !result.MadeAt.IsZero() {
				wired.MadeAt = wire.Timestamp(result.MadeAt)
			}
			one.Results = append(one.Results, wired)
		}
		list = append(list, one)
	}
	return &operation.Body[[]SpaceContentSource]{Body: list}, nil
}
