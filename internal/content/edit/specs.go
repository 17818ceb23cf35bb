package edit

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// checkSpecs refuses that a change shows API specifications which its author may not read. What is there already stays.
func (w *work) checkSpecs(ctx context.Context) error {
	if w.target.readsSpecs {
		return nil
	}
	for _, id := range w.order {
		e := w.entries[id]
		if e == nil {
			continue
		}
		present := &entity.Entry{}
		if there, err := w.view.Entry(ctx, id); err == nil {
			present = there
		} else if !errs.Is(err, errs.NotFound) {
			return err
		}
		before, err := w.view.Body(ctx, present)
		if err != nil {
			return err
		}
		after, changed := w.bodies[id]
		if !changed {
			after = before
		}
		place := fmt.Sprintf("The change of “%.100s”", e.Title)
		if err := store.RefuseSpecs(place, store.SpecsShown(before), store.SpecsShown(after)); err != nil {
			return err
		}
		if err := store.RefuseSpecs(place, store.SpecComputed(present.Computed),
			store.SpecComputed(e.Computed)); err != nil {
			return err
		}
	}
	return nil
}
