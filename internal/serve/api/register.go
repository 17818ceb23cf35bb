package api

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// register documents an operation and serves it.
func (a *API) register(op operation.Operation) {
	registry := a.huma.OpenAPI().Components.Schemas
	in := bindInput(&op.Operation, registry, op.In)
	in.ignored = ignore(&op)
	out := bindOutput(&op.Operation, registry, op.Out)
	documentErrors(&op.Operation, registry)
	if op.Streams != nil {
		op.RequestBody = op.Streams
	}
	a.huma.OpenAPI().AddOperation(&op.Operation)
	a.huma.Adapter().Handle(&op.Operation, op.Middlewares.Handler(func(ctx huma.Context) {
		input, refusal := in.read(a.huma, ctx)
		if refusal != nil {
			_, w := humago.Unwrap(ctx)
			failure.Write(w, refusal)
			return
		}
		output, err := op.Call(ctx.Context(), input)
		if err != nil {
			a.fail(ctx, err)
			return
		}
		out.write(a, ctx, output)
	}))
}

// fail answers with an error of the domain.
func (a *API) fail(ctx huma.Context, err error) {
	body, defect := failure.Of(err)
	if defect {
		failure.Log(ctx.Context(), a.Log, ctx.Operation().OperationID, err)
	}
	_, w := humago.Unwrap(ctx)
	failure.Write(w, body)
}
