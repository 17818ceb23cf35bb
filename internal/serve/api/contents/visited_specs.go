package contents

import (
	"context"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// SpecsShown returns what the pages that a visitor gets show of the organization's specifications, by the names that
// the pages give them: slugs or ids. It is shared and must not be changed.
func (h *Handlers) SpecsShown(ctx context.Context, visit *audience.Visit) (map[string]*oas.Shown, error) {
	if len(visit.Served.Spaces) == 0 {
		return nil, nil
	}
	state, err := h.ComputedPages.State(ctx, visit.Served.Spaces[0].Space)
	if err != nil || state == "" {
		return nil, err // no specification
	}
	return h.specsShown.Load(ctx, visit.Audience+"/"+state, func(ctx context.Context) (map[string]*oas.Shown, error) {
		shown := map[string]*oas.Shown{}
		for _, space := range visit.Served.Spaces {
			if space.Head == "" {
				continue
			}
			if err := h.specsShownIn(ctx, visit, space, shown); err != nil {
				return nil, err
			}
		}
		return shown, nil
	})
}

// specsShownIn adds what the pages of one space show.
func (h *Handlers) specsShownIn(ctx context.Context, visit *audience.Visit, space site.ServedSpace,
	shown map[string]*oas.Shown) error {
	view, err := h.Content.View(ctx, space.Head)
	if err != nil {
		return err
	}
	v, err := h.visited(ctx, visit, space, view, RevisionParams{Space: space.Space, Computed: true})
	if err != nil {
		return err
	}
	of := func(name string) *oas.Shown {
		if shown[name] == nil {
			shown[name] = &oas.Shown{}
		}
		return shown[name]
	}
	for pageID := range v.byID {
		document, err := v.document(ctx, pageID)
		if err != nil {
			return err
		}
		if document == nil {
			continue
		}
		document.Walk(func(n *doc.Node) bool {
			if data, ok := n.Data.(*doc.OpenAPIData); ok && data.Ref.Kind == doc.RefOpenAPI {
				of(data.Ref.Spec).Add(n.Type, data)
			}
			return true
		})
		if v.made == nil {
			continue
		}
		if computed, ok := v.made.Pages[pageID]; ok && computed.Source.Props["doc"] == "info" {
			of(computed.Source.Spec()).About = true
		}
	}
	return nil
}
