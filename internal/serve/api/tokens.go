package api

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
)

// listTokens lists the tokens of the caller.
func (a *API) listTokens(ctx context.Context, in *listInput) (*body[List[Token]], error) {
	caller := callerOf(ctx)
	name := "tokens/" + caller.User.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	tokens, err := a.Accounts.ListTokens(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Token]]{Body: *listed(a, name, tokens, a.wireToken)}, nil
}

type createTokenInput struct {
	Body struct {
		Name      string    `json:"name" minLength:"1" maxLength:"100" doc:"What it is for."`
		Scopes    []string  `json:"scopes,omitempty" maxItems:"50" doc:"What it is limited to, such as spaces:read; everything that you may do when absent."`
		ExpiresAt time.Time `json:"expiresAt,omitzero" doc:"When it stops working; never when absent."`
	}
}

// createToken makes a token for the caller.
func (a *API) createToken(ctx context.Context, in *createTokenInput) (*created[NewToken], error) {
	secret, token, err := a.Accounts.CreateTokenAs(ctx, callerOf(ctx), account.NewToken{
		Name: in.Body.Name, Scopes: in.Body.Scopes, ExpiresAt: in.Body.ExpiresAt.Truncate(time.Microsecond),
	})
	if err != nil {
		return nil, err
	}
	wire := NewToken{Token: a.wireToken(token), Secret: secret}
	return &created[NewToken]{Location: wire.URLs.Location, Body: wire}, nil
}

type tokenInput struct {
	Token string `path:"tokenId"`
}

// getToken answers one token of the caller.
func (a *API) getToken(ctx context.Context, in *tokenInput) (*body[Token], error) {
	token, err := a.Accounts.TokenByID(ctx, callerOf(ctx), in.Token)
	if err != nil {
		return nil, err
	}
	return &body[Token]{Body: a.wireToken(token)}, nil
}

// revokeToken ends one token of the caller.
func (a *API) revokeToken(ctx context.Context, in *tokenInput) (*nothing, error) {
	if err := a.Accounts.RevokeTokenAs(ctx, callerOf(ctx), in.Token); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}
