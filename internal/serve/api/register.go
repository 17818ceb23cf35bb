package api

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// register serves an operation, which is a row of the table.
func (a *API) register(row int, op *operation.Operation) {
	a.huma.Adapter().Handle(&op.Operation, op.Middlewares.Handler(func(ctx huma.Context) {
		bound := bindings()[row]
		input, refusal := bound.in.read(a.huma, ctx)
		if refusal != nil {
			_, w := humago.Unwrap(ctx)
			failure.Write(w, refusal)
			return
		}
		call := op.Call
		if operation.Visit(ctx.Context()) != nil {
			call = op.Visit
		}
		output, err := call(ctx.Context(), input)
		if err != nil {
			a.fail(ctx, err)
			return
		}
		bound.out.write(a, ctx, output)
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
