package identity

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// oidcLimits bound what is fetched of a provider: its description, its keys, tokens, and what it says of a user.
var oidcLimits = fetch.Limits{Bytes: 1 << 20, Time: 15 * time.Second}

// oidcAlgorithms are those that an id token may be signed with: none that anybody could make without the provider's
// key.
var oidcAlgorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.EdDSA,
}

// client is this server towards one OpenID provider, as the provider describes itself.
type client struct {
	provider *oidc.Provider
	oauth    oauth2.Config
	// namesItself says that the provider puts its issuer into its answers (RFC 9207).
	namesItself bool
}

func (s *Service) oidcContext(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, s.deps.Fetch.HTTPClient(oidcLimits))
}

// oidcClient reads what a provider says of itself. It is read for each sign-in: they are rare, and a provider's new
// keys and addresses hold at once.
func (s *Service) oidcClient(ctx context.Context, p Provider) (client, error) {
	provider, err := oidc.NewProvider(s.oidcContext(ctx), p.Issuer)
	if err != nil {
		return client{}, unreachable(p, err)
	}
	var described struct {
		AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
		NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&described); err != nil {
		return client{}, unreachable(p, err)
	}
	secret, err := s.deps.Secrets.Open(p.clientSecret, "identity.client-secret/"+string(p.ID))
	if err != nil {
		return client{}, err
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if len(described.AuthMethods) > 0 && !slices.Contains(described.AuthMethods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	if _, err := checkAddress("authorization_endpoint", endpoint.AuthURL); err != nil || endpoint.AuthURL == "" ||
		endpoint.TokenURL == "" {
		return client{}, unreachable(p, errors.New("its description names no addresses to sign in"))
	}
	return client{
		provider: provider, namesItself: described.NamesItself,
		oauth: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: secret, Endpoint: endpoint, RedirectURL: p.endpoints(s.deps.BaseURL).
					ACS,
			Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		},
	}, nil
}

// authorization is the address at the provider to send somebody to.
func (s *Service) authorization(ctx context.Context, p Provider, a attempt) (string, error) {
	c, err := s.oidcClient(ctx, p)
	if err != nil {
		return "", err
	}
	return c.oauth.AuthCodeURL(a.ID, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// Callback is what a browser brings back from an OpenID provider.
type Callback struct {
	// Code, State and Issuer are the parameters code, state and iss; Error and Description say why there is no code.
	Code, State, Issuer string
	Error, Description  string
	// Attempt is what the browser has kept of the attempt that State names.
	Attempt string
}

// claims are what is read of an id token or of the provider's answer about a user.
type claims struct {
	Email         string `json:"email"`
	EmailVerified any    `json:"email_verified"`
	Name          string `json:"name"`
	Party         string `json:"azp"`
}

// verified reports whether the provider vouches for the address. Some send the word as a text.
func (c claims) verified() bool { return c.EmailVerified == true || c.EmailVerified == "true" }

// ReceiveOIDC checks what a browser brings back from an OpenID provider, trades the code for an id token, and returns
// the ticket with which Finish lets the person in. An attempt is answered once.
func (s *Service) ReceiveOIDC(ctx context.Context, providerID id.Provider, in Callback) (ticket string, err error) {
	p, err := providerByID(ctx, s.deps.DB.Read(), OIDC, providerID)
	if err != nil {
		return "", err
	}
	if p.status(s.clock()) != Active {
		return "", pending(p)
	}
	a, err := s.openAttempt(in.Attempt, in.State, p.ID)
	if err != nil {
		return "", err
	}
	if in.Error != "" {
		return "", refused("it says that the sign-in failed (%.60q %.200s).", in.Error, in.Description)
	}
	if in.Code == "" {
		return "", refused("it has no code.")
	}
	// Before the code is used, so that of two requests with one attempt only one gets anywhere.
	if err := s.useAttempt(ctx, p, a); err != nil {
		return "", err
	}
	said, err := s.exchange(ctx, p, a, in)
	if err != nil {
		return "", err
	}
	var hash []byte
	ticket, hash = newTicket()
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return insertArrival(ctx, q, hash, said.arrival(p, s.clock()))
	})
	if err != nil {
		return "", err
	}
	return ticket, nil
}

func (s *Service) useAttempt(ctx context.Context, p Provider, a attempt) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		fresh, err := use(ctx, q, p.ID, a.ID, time.Unix(a.Expires, 0))
		if err == nil && !fresh {
			err = refused("this sign-in was answered before. Begin to sign in again.")
		}
		return err
	})
}

// exchange trades the code and returns what the provider says of the person.
func (s *Service) exchange(ctx context.Context, p Provider, a attempt, in Callback) (statement, error) {
	c, err := s.oidcClient(ctx, p)
	if err != nil {
		return statement{}, err
	}
	if (c.namesItself || in.Issuer != "") && in.Issuer != p.Issuer {
		return statement{}, refused("it comes from the issuer %.200q, not %.200q.", in.Issuer, p.Issuer)
	}
	ctx = s.oidcContext(ctx)
	token, err := c.oauth.Exchange(ctx, in.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		if failed, ok := errors.AsType[*oauth2.RetrieveError](err); ok &&
			failed.Response.StatusCode < http.StatusInternalServerError {
			return statement{}, errs.Wrap(err, errs.Forbidden, "The identity provider does not accept the code "+
				"(%.60s). Check the client id and secret of the provider here.", failed.ErrorCode)
		}
		return statement{}, unreachable(p, err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return statement{}, refused("it has no id token.")
	}
	verifier := c.provider.VerifierContext(ctx, &oidc.Config{ClientID: p.ClientID, SupportedSigningAlgs: oidcAlgorithms,
		Now: s.deps.Now})
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return statement{}, errs.Wrap(err, errs.Forbidden, "The answer of the identity provider is refused: its id "+
			"token is not signed by the provider for this server and this time.")
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) != 1 {
		return statement{}, refused("its id token answers another sign-in.")
	}
	return s.describe(ctx, c, p, token, id, a)
}

// describe reads who the id token is about; what it leaves out, the provider is asked for.
func (s *Service) describe(ctx context.Context, c client, p Provider, token *oauth2.Token, id *oidc.IDToken,
	a attempt) (statement, error) {
	var said claims
	if err := id.Claims(&said); err != nil {
		return statement{}, refused("its id token is malformed.")
	}
	if (len(id.Audience) > 1 || said.Party != "") && said.Party != p.ClientID {
		return statement{}, refused("its id token was made for %.100q.", said.Party)
	}
	if id.Subject == "" || len(id.Subject) > 255 {
		return statement{}, refused("its id token names nobody.")
	}
	if said.Email == "" && c.provider.UserInfoEndpoint() != "" {
		info, err := c.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return statement{}, unreachable(p, err)
		}
		if info.Subject != id.Subject {
			return statement{}, refused("it speaks of two people.")
		}
		var more claims
		if err := info.Claims(&more); err != nil {
			return statement{}, refused("what it says of the person is malformed.")
		}
		if said.Name == "" {
			said.Name = more.Name
		}
		said.Email, said.EmailVerified = more.Email, more.EmailVerified
	}
	if said.Email != "" && !said.verified() {
		return statement{}, refused("it does not say that the e-mail address is verified (email_verified).")
	}
	return statement{attempt: a.ID, subject: id.Subject, email: strings.TrimSpace(said.Email), name: said.Name}, nil
}

// unreachable is the error for a provider that does not answer as one.
func unreachable(p Provider, cause error) error {
	if own, ok := errors.AsType[*errs.Error](cause); ok {
		return errs.Wrap(cause, errs.Unavailable, "The identity provider %q cannot be used: %s.", p.Label, own.Message)
	}
	return errs.Wrap(cause, errs.Unavailable, "The identity provider %q does not answer as an OpenID Connect "+
		"provider at %.200s. Try again later, or check its issuer.", p.Label, p.Issuer)
}
