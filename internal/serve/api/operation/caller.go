package operation

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/audience"
)

type callerKey struct{}

// Caller returns who is calling. Operations with access authenticated always have a caller.
func Caller(ctx context.Context) account.Caller {
	caller, _ := ctx.Value(callerKey{}).(account.Caller)
	return caller
}

type visitKey struct{}

// Visit returns for whom a call with the token of a visit is; handlers of Visited operations always have one.
func Visit(ctx context.Context) *audience.Visit {
	visit, _ := ctx.Value(visitKey{}).(*audience.Visit)
	return visit
}

// NotOfVisit is the error of an operation that the token of a visit may not call.
func NotOfVisit() error {
	return errs.Forbiddenf("The token of a visit reads what its site publishes, and this is nothing of that.")
}

// WithVisit returns the context of a request with the token of a visit.
func WithVisit(ctx huma.Context, visit *audience.Visit) huma.Context {
	return huma.WithValue(ctx, visitKey{}, visit)
}

// WithCaller returns the context of a request whose caller is known.
func WithCaller(ctx huma.Context, caller account.Caller) huma.Context {
	return huma.WithValue(ctx, callerKey{}, caller)
}
