package org

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	// Secrets keeps the secrets of invite links, which admins read back.
	Secrets *seal.Box
	// Mail puts a message into the outbox, in the caller's transaction, and returns the id under which mail.Deliveries
	// knows it. Without it nothing is sent, and who invites people gets the secrets to hand over.
	Mail func(ctx context.Context, q db.Querier, m mail.Message) (id string, err error) `optional:"no mail server"`
	// Fetch reads an address, as fetch.Client.ReadAll does.
	Fetch func(ctx context.Context, address string, limits fetch.Limits) (*fetch.Response, []byte, error)
	Blobs blob.Store
	// LookupTXT asks the name service for the texts of a name.
	LookupTXT func(ctx context.Context, name string) ([]string, error)
	// ChallengeKey makes the proofs of domains; at least 16 secret bytes that every process shares.
	ChallengeKey []byte
	// Creators says who may create organizations.
	Creators Creators
	// BaseURL is the public address of the server without a trailing slash; it is in messages.
	BaseURL string
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
	// Content is what links to spaces and collections need.
	Content ContentAccess
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

// ContentAccess is what links to spaces and collections need of the packages that know them.
type ContentAccess struct {
	// MayGive returns the organization of a space or collection when the caller may give others a role there, and
	// otherwise why not.
	MayGive func(ctx context.Context, q db.Querier, caller account.Caller, target Target,
		role Role) (organizationID id.Organization, err error)
	// Give gives a member a role there, unless they have as much already.
	Give func(ctx context.Context, q db.Querier, member account.Caller, target Target, role Role) error
	// RoleIn returns the role that the caller has there, a guest's for none.
	RoleIn func(ctx context.Context, q db.Querier, caller account.Caller, target Target) (Role, error)
}

// oneKey reads the cursor of a list that is ordered by id.
func oneKey(page paging.Request) (string, error) {
	switch {
	case page.After == nil:
		return "", nil
	case len(page.After) != 1:
		return "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
	}
	return page.After[0], nil
}

// Creators are those who may create organizations beside those that the operator sets up.
type Creators string
