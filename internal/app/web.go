package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/pub"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
	"github.com/rectodocs/recto/internal/serve/web"
	"github.com/rectodocs/recto/ui"
)

// webPages puts the product's own pages together.
func (a *App) webPages(ctx context.Context, published *pub.Server) (*web.Server, error) {
	code, err := setupCode(ctx, a.db)
	if err != nil {
		return nil, err
	}
	deps := web.Deps{
		Accounts: a.accounts, Organizations: a.organizations, Invites: a.invites, Identities: a.identities,
		Landing:    doors{a}.landing,
		Sessions:   &web.Sessions{Accounts: a.accounts, Cookie: a.sessionCookie()},
		Scopes:     api.Scopes(),
		Choices:    a.signInChoices,
		Federation: web.Federation(a.identities),
		App:        ui.Files(),
		Fonts:      theme.FontFiles(),
		Drawing:    published.ServeAsset,
		SetupCode:  code,
		Host:       hostOf(a.config.Base()),
		OAuth:      a.oauth,
		Issuer:     strings.TrimRight(a.config.Base(), "/"),
		Sites:      a.listSites,
		Log:        a.log,
	}
	if a.config.SMTPURL != "" {
		deps.MailReset = a.mailReset
	}
	return web.New(deps)
}

// resetKind is the job that answers somebody who has forgotten their password.
const resetKind = "account.reset"

// resetRequest is what the job knows: the address that was typed, whether somebody has it or not.
type resetRequest struct {
	Email string `json:"email"`
}

// mailReset leaves the work to a job, so that the time that it takes does not tell whether somebody has the address.
func (a *App) mailReset(ctx context.Context, email string) error {
	return a.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := a.jobs.Enqueue(ctx, q, resetKind, resetRequest{email})
		return err
	})
}

// registerReset lets the jobs mail links.
func (a *App) registerReset() {
	a.jobs.Register(resetKind, func(ctx context.Context, args json.RawMessage) error {
		var in resetRequest
		if err := json.Unmarshal(args, &in); err != nil {
			return fmt.Errorf("decode a request for a link: %w", err)
		}
		return a.accounts.MailResetLink(ctx, in.Email, func(ctx context.Context, q db.Querier,
			link account.PasswordLink) error {
			return a.mail.Enqueue(ctx, q, web.ResetMail(a.config.Base(), link))
		})
	}, job.Options{Timeout: time.Minute, MaxAttempts: 3})
}

// sessionCookie is how browsers keep sessions of this server.
func (a *App) sessionCookie() httpx.SessionCookie {
	return httpx.SessionCookie{Secure: strings.HasPrefix(a.config.Base(), "https://")}
}
