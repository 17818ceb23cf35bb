package app

import (
	"strings"

	"github.com/rectodocs/recto/internal/httpx"
	"github.com/rectodocs/recto/internal/pub"
	"github.com/rectodocs/recto/internal/web"
)

// webPages puts the product's own pages together.
func (a *App) webPages(version string) (*web.Server, error) {
	return web.New(web.Deps{
		Accounts: a.accounts, Organizations: a.organizations,
		Sessions:   &web.Sessions{Accounts: a.accounts, Cookie: a.sessionCookie()},
		Choices:    a.signInChoices,
		Federation: web.Federation(a.identities),
		Fonts:      pub.Fonts(),
		Version:    version,
		Log:        a.log,
	})
}

// sessionCookie is how browsers keep sessions of this server.
func (a *App) sessionCookie() httpx.SessionCookie {
	return httpx.SessionCookie{Secure: strings.HasPrefix(a.config.Base(), "https://")}
}
