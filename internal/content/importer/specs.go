package importer

import (
	"context"

	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// checkSpecs refuses an import that shows API specifications, for somebody who may not read them. What pages show
// already they may go on showing.
func (a *assembly) checkSpecs(ctx context.Context) error {
	for _, page := range a.ordered {
		if err := a.checkSpecsOf(ctx, page.source.Place, page.entry, page.before, page.body); err != nil {
			return err
		}
	}
	for _, reusable := range a.reusable {
		if err := a.checkSpecsOf(ctx, reusable.source.Place, reusable.entry, reusable.before,
			reusable.source.Body); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembly) checkSpecsOf(ctx context.Context, place string, e, before *entity.Entry, text source.Text) error {
	if before == nil {
		before = &entity.Entry{}
	}
	if err := store.RefuseSpecs(place, store.SpecComputed(before.Computed),
		store.SpecComputed(e.Computed)); err != nil {
		return err
	}
	body, err := text.Bytes()
	if err != nil {
		return err
	}
	shown := store.SpecsShown(body)
	if len(shown) == 0 {
		return nil
	}
	present, err := a.view.Body(ctx, before)
	if err != nil {
		return err
	}
	return store.RefuseSpecs(place, store.SpecsShown(present), shown)
}
