package invite_test

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// fixture is an organization with its admin, who invites people.
type fixture struct {
	t            *testing.T
	db           *db.DB
	accounts     *account.Service
	orgs         *org.Service
	invites      *invite.Service
	organization id.Organization
	admin        account.Caller
}

func newFixture(t *testing.T, d *db.DB, deps invite.Deps) *fixture {
	t.Helper()
	h := &fixture{t: t, db: d, accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}
	h.orgs, h.invites = invitetest.New(t, org.Deps{DB: d, Accounts: h.accounts, Now: deps.Now}, org.Hooks{}, deps)
	made, err := h.orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@acme.example"})
	if err != nil {
		t.Fatal(err)
	}
	h.organization, h.admin = made.Organization.ID, account.Caller{User: made.User, Token: made.Token}
	return h
}

// person makes a user who belongs to no organization.
func (h *fixture) person(email string, verified bool) account.Caller {
	h.t.Helper()
	user, err := h.accounts.CreateUser(h.t.Context(), account.NewUser{DisplayName: email, Email: email,
		EmailVerified: verified})
	if err != nil {
		h.t.Fatal(err)
	}
	return account.Caller{User: user}
}

// member makes a member with a role.
func (h *fixture) member(role org.Role, email string) account.Caller {
	h.t.Helper()
	caller := h.person(email, true)
	if _, err := h.orgs.AddMember(h.t.Context(), h.organization, caller.User.ID, role); err != nil {
		h.t.Fatal(err)
	}
	return caller
}

func (h *fixture) exec(query string, args ...any) {
	h.t.Helper()
	err := h.db.Tx(h.t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, query, args...)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// second is the error of a call with a result.
func second[T any](_ T, err error) error { return err }
