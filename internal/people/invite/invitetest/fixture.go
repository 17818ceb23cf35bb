package invitetest

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Fixture is an organization whose admin invites people.
type Fixture struct {
	T            testing.TB
	DB           *db.DB
	Accounts     *account.Service
	Orgs         *org.Service
	Invites      *invite.Service
	Organization id.Organization
	Admin        account.Caller
}

// NewFixture makes a Fixture in an empty database.
func NewFixture(t testing.TB, d *db.DB, organizations org.Deps, deps invite.Deps) *Fixture {
	t.Helper()
	f := &Fixture{T: t, DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}
	organizations.DB, organizations.Accounts = d, f.Accounts
	f.Orgs, f.Invites = New(t, organizations, org.Hooks{}, deps)
	made, err := f.Orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@acme.example"})
	if err != nil {
		t.Fatal(err)
	}
	f.Organization, f.Admin = made.Organization.ID, account.Caller{User: made.User, Token: made.Token}
	return f
}

// Person makes a user who belongs to no organization.
func (f *Fixture) Person(email string, verified bool) account.Caller {
	f.T.Helper()
	user, err := f.Accounts.CreateUser(f.T.Context(), account.NewUser{DisplayName: email, Email: email,
		EmailVerified: verified})
	if err != nil {
		f.T.Fatal(err)
	}
	return account.Caller{User: user}
}

// Member makes a member with a role.
func (f *Fixture) Member(role org.Role, email string) account.Caller {
	f.T.Helper()
	caller := f.Person(email, true)
	if _, err := f.Orgs.AddMember(f.T.Context(), f.Organization, caller.User.ID, role); err != nil {
		f.T.Fatal(err)
	}
	return caller
}

// Exec runs a statement.
func (f *Fixture) Exec(query string, args ...any) {
	f.T.Helper()
	err := f.DB.Tx(f.T.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, query, args...)
		return err
	})
	if err != nil {
		f.T.Fatal(err)
	}
}
