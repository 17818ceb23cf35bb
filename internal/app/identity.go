package app

import (
	"context"
	"net/url"
	"time"

	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/serve/web"
)

// assembleIdentity puts single sign-on together.
func (a *App) assembleIdentity(fetcher *fetch.Client) {
	a.identities = identity.New(complete(a, identity.Deps{
		DB: a.db, Accounts: a.accounts, Organizations: a.organizations, Secrets: a.secrets, Fetch: fetcher,
		BaseURL: a.config.Base(), Log: a.log,
	}))
	a.every("identity.sweep", time.Hour, a.identities.Sweep)
}

// signInChoices are the ways of single sign-on that the sign-in page shows.
func (a *App) signInChoices(ctx context.Context, next string) ([]web.Choice, error) {
	logins, several, err := a.identities.OnlyLogins(ctx)
	if err != nil {
		return nil, err
	}
	if several {
		return []web.Choice{{Title: "Continue with single sign-on", URL: "/signin/sso?next=" + url.QueryEscape(next)}},
			nil
	}
	return web.LoginChoices(logins, next), nil
}
