package computed

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// Source is a source of content that works on a space.
type Source struct {
	// Integration is the name of the integration, IntegrationTitle what people call it.
	Integration, IntegrationTitle string
	integration.ContentSource
	// Results are what has come of the computed pages of this source, for those who write in the space.
	Results []Result
}

// Result is what has come of a computed page.
type Result struct {
	// Props is what the source was asked with.
	Props map[string]any
	// Pages says that there is something to read. Problem is why the last attempt has failed, "" when it has not.
	Pages   bool
	Problem string
	// MadeAt is when the last attempt was, zero before the first.
	MadeAt time.Time
}

// Sources returns the sources of content that work on a space, by the names of their integrations, for those who see
// the space; who writes in it sees what has come of them.
func (s *Service) Sources(ctx context.Context, caller account.Caller, spaceID id.Space) ([]Source, error) {
	space, err := access.RequireSpace(ctx, s.deps.DB.Read(), caller, spaceID, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	working, err := s.deps.Integrations.SourcesIn(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	var rows []row
	if space.Require(access.EditSpace) == nil {
		if rows, err = s.rowsOf(ctx, spaceID); err != nil {
			return nil, err
		}
	}
	var list []Source
	for _, with := range working {
		for _, each := range with.Sources {
			one := Source{Integration: with.Name, IntegrationTitle: with.Title, ContentSource: each}
			for _, r := range rows {
				var source entity.Computed
				if err := json.Unmarshal([]byte(r.source), &source); err != nil {
					return nil, fmt.Errorf("decode source: %w", err)
				}
				of, named := find(working, source.Type)
				if r.installation != with.Installation || of == nil || named.ID != each.ID || of.Name != with.Name {
					continue
				}
				result := Result{Props: source.Props, Pages: r.has, Problem: r.problem}
				if r.made > 0 {
					result.MadeAt = time.UnixMicro(r.made).UTC()
				}
				one.Results = append(one.Results, result)
			}
			list = append(list, one)
		}
	}
	return list, nil
}
