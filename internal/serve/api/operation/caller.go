package operation

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/people/account"
)

type callerKey struct{}

// Caller returns who is calling. Operations with access authenticated always have a caller.
func Caller(ctx context.Context) account.Caller {
	caller, _ := ctx.Value(callerKey{}).(account.Caller)
	return caller
}

// WithCaller returns the context of a request whose caller is known.
func WithCaller(ctx huma.Context, caller account.Caller) huma.Context {
	return huma.WithValue(ctx, callerKey{}, caller)
}
