package users

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// listTokens lists the tokens of the caller.
func (h *Handlers) listTokens(ctx context.Context, in *wire.ListInput) (*operation.Body[wire.List[Token]], error) {
	caller := operation.Caller(ctx)
	name := "tokens/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	tokens, err := h.Accounts.ListTokens(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Token]]{Body: *wire.Listed(h.Lists, name, tokens, h.wireToken)}, nil
}

type createTokenInput struct {
	Body struct {
		Name      string    `json:"name" minLength:"1" maxLength:"100" doc:"What it is for."`
		Scopes    []string  `json:"scopes,omitempty" maxItems:"50" doc:"What it is limited to, such as spaces:read; everything that you may do when absent."`
		ExpiresAt time.Time `json:"expiresAt,omitzero" doc:"When it stops working; never when absent."`
	}
}

// createToken makes a token for the caller.
func (h *Handlers) createToken(ctx context.Context, in *createTokenInput) (*operation.Created[NewToken], error) {
	secret, token, err := h.Accounts.CreateTokenAs(ctx, operation.Caller(ctx), account.NewToken{
		Name: in.Body.Name, Scopes: in.Body.Scopes, ExpiresAt: in.Body.ExpiresAt.Truncate(time.Microsecond),
	})
	if err != nil {
		return nil, err
	}
	wire := NewToken{Token: h.wireToken(token), Secret: secret}
	return &operation.Created[NewToken]{Location: wire.URLs.Location, Body: wire}, nil
}

type tokenInput struct {
	Token string `path:"tokenId"`
}

// getToken answers one token of the caller.
func (h *Handlers) getToken(ctx context.Context, in *tokenInput) (*operation.Body[Token], error) {
	token, err := h.Accounts.TokenByID(ctx, operation.Caller(ctx), in.Token)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Token]{Body: h.wireToken(token)}, nil
}

// revokeToken ends one token of the caller.
func (h *Handlers) revokeToken(ctx context.Context, in *tokenInput) (*operation.Nothing, error) {
	if err := h.Accounts.RevokeTokenAs(ctx, operation.Caller(ctx), in.Token); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}
