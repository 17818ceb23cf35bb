package spaces

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// visitSpace answers a space of a site to a visitor.
func (h *Handlers) visitSpace(ctx context.Context, in *getSpaceInput) (*operation.Body[wire.Space], error) {
	visit := operation.Visit(ctx)
	shown, ok := visit.Space(in.Space)
	if !ok {
		return nil, errs.NotFoundf("The site shows no such space.")
	}
	return &operation.Body[wire.Space]{Body: h.Wire.VisitSpace(visit, shown)}, nil
}
