// Package invitetest makes organizations with invites, for the tests of packages that stand on both.
package invitetest

import (
	"bytes"
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// New returns the services of organizations and of invites, each with what it asks of the other. Invites stand on what
// organizations do. What they are not given besides the database and the accounts is there and does nothing.
func New(t testing.TB, organizations org.Deps, hooks org.Hooks, deps invite.Deps) (*org.Service, *invite.Service) {
	t.Helper()
	var invites *invite.Service
	hooks.Invites = org.Invites{
		Drop: invite.Drop, DropLinksBy: invite.DropLinksBy, DropTeam: invite.DropTeam,
		ToTeam: func(ctx context.Context, q db.Querier, caller account.Caller, organization org.Organization,
			teamID id.Team, email string) error {
			return invites.ToTeam(ctx, q, caller, organization, teamID, email)
		},
	}
	deps.DB, deps.Accounts, deps.Now = organizations.DB, organizations.Accounts, organizations.Now
	deps.Organizations = orgtest.NewService(t, organizations, hooks)
	if deps.BaseURL == "" {
		deps.BaseURL = "https://docs.example"
	}
	if deps.Secrets == nil {
		var err error
		if deps.Secrets, err = seal.NewBox(bytes.Repeat([]byte{7}, seal.KeySize)); err != nil {
			t.Fatal(err)
		}
	}
	invites = requiredtest.Wire(invite.New(deps), invite.Hooks{})
	return deps.Organizations, invites
}
