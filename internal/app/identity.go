package app

import (
	"context"
	"net/url"

	"github.com/rectodocs/recto/internal/serve/web"
)

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
