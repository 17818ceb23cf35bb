package org

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	// Fetch reads an address, as fetch.Client.ReadAll does.
	Fetch func(ctx context.Context, address string, limits fetch.Limits) (*fetch.Response, []byte, error)
	Blobs blob.Store
	// LookupTXT asks the name service for the texts of a name.
	LookupTXT func(ctx context.Context, name string) ([]string, error)
	// ChallengeKey makes the proofs of domains; at least 16 secret bytes that every process shares.
	ChallengeKey []byte
	// Creators says who may create organizations.
	Creators Creators
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// SiteIn reports whether an organization has a site.
	SiteIn func(ctx context.Context, q db.Querier, organizationID id.Organization, siteID id.Site) (bool, error)
	// NewSite makes the first site of an organization for its admin, and returns its id.
	NewSite func(ctx context.Context, q db.Querier, caller account.Caller,
		organizationID id.Organization) (id.Site, error)
	// MayEnforceSSO refuses a caller who wants to enforce single sign-on in an organization where nobody could come in
	// then, or not they themselves.
	MayEnforceSSO func(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization) error
	// Gone hears of a member who has left, or was removed, in the same transaction.
	Gone func(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User, left bool) error
	// Invites is what the package that keeps invites does for this one.
	Invites Invites
}

// Invites is what changes of members and teams ask of invites. All of it runs in the transaction of the change, which
// has checked access.
type Invites struct {
	// Drop takes back what invites to an organization wait for an address: its person is a member now, or none any
	// more.
	Drop func(ctx context.Context, q db.Querier, organizationID id.Organization, email string) error
	// DropLinksBy revokes the invite links that a user has made in an organization, and returns how many it was.
	DropLinksBy func(ctx context.Context, q db.Querier, organizationID id.Organization,
		userID id.User) (links int64, err error)
	// DropTeam takes a team out of the invite that waits for an address.
	DropTeam func(ctx context.Context, q db.Querier, team Team, email string) error
	// ToTeam invites an address that no member has to an organization and a team of it.
	ToTeam func(ctx context.Context, q db.Querier, caller account.Caller, organization Organization, teamID id.Team,
		email string) error
}

// Service keeps organizations and their members.
type Service struct {
	Operator
	deps  Deps
	hooks required.Hooks[Hooks]
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{Operator: *NewOperator(deps.DB, deps.Accounts), deps: deps}
	if deps.Now != nil {
		s.now = deps.Now
	}
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }
