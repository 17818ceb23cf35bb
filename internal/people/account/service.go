package account

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Deps is what the service stands on.
type Deps struct {
	DB *db.DB
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// Log takes what goes wrong beside a request that succeeds.
	Log *slog.Logger
	// Key signs what browsers are known by and what passkeys answer to: at least 16 secret bytes that every process
	// shares.
	Key []byte
	// Scopes are those that a token may have.
	Scopes []string
	// BaseURL is the address of the server, which passkeys are bound to; without it there are none.
	BaseURL string `optional:"commands have no address, and no passkeys"`
	// PasswordCost is what a hash of a password costs; tests that are about something else take little.
	PasswordCost PasswordCost `optional:"what OWASP asks for at least"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Organizations returns the ids of the organizations that a user belongs to, whose audit logs hear of what the user
	// does here.
	Organizations func(ctx context.Context, q db.Querier, userID id.User) ([]id.Organization, error)
	// Enforcement is what organizations that enforce single sign-on close.
	Enforcement Enforcement
	// Proven ends what other packages keep for a user that came by an organization's word alone, in the transaction of
	// Prove.
	Proven func(ctx context.Context, q db.Querier, userID id.User) error
	// Revoked ends what would give a user new tokens by itself, in the transaction in which all of theirs are revoked.
	Revoked func(ctx context.Context, q db.Querier, userID id.User) error
}

// Service keeps users, tokens and sessions. It checks no access: its callers are the sign-in path, package org, the
// command line, and operations on the caller's own account.
type Service struct {
	db  *db.DB
	now func() time.Time
	log *slog.Logger

	hooks      required.Hooks[Hooks]
	key        []byte
	hasher     *hasher
	party      *relyingParty // nil without passkeys
	noPasskeys error         // says why there are none
	scopes     []string
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{
		db: deps.DB, now: deps.Now, log: deps.Log, key: deps.Key, hasher: newHasher(deps.PasswordCost),
		scopes: deps.Scopes,
	}
	s.party, s.noPasskeys = newRelyingParty(deps.BaseURL)
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// lastUseStep is how exact a token's last use is: it is written at most once in this time.
const lastUseStep = time.Minute

// record writes an entry of a user's own doing to the log of each organization that they belong to.
func (s *Service) record(ctx context.Context, q db.Querier, userID id.User, token string, entry audit.Entry) error {
	entry.Actor, entry.Token = userID, token
	return s.recordAs(ctx, q, userID, entry)
}

// recordAs writes an entry as it is to the log of each organization that a user belongs to.
func (s *Service) recordAs(ctx context.Context, q db.Querier, userID id.User, entry audit.Entry) error {
	organizations, err := s.hooks.Get().Organizations(ctx, q, userID)
	if err != nil {
		return err
	}
	for _, organization := range organizations {
		entry.Organization = organization
		if err := audit.Record(ctx, q, entry); err != nil {
			return err
		}
	}
	return nil
}

// moment is the time to the microsecond, as it is stored.
func (s *Service) moment() time.Time { return s.now().Truncate(time.Microsecond).UTC() }

// recordOf records what happened to a user without their doing.
func (s *Service) recordOf(ctx context.Context, q db.Querier, user User, entry audit.Entry) error {
	entry.Target = audit.Target{Kind: "user", ID: string(user.ID), Title: user.DisplayName}
	return s.recordAs(ctx, q, user.ID, entry)
}

// Enforcement is what this package needs to know of organizations that enforce single sign-on.
type Enforcement struct {
	// Concerns is an SQL condition on the table account_user under the alias u: whether a user belongs to any such
	// organization. It spares the question below for everybody else.
	Concerns string
	// Closed returns the ids of the organizations that the caller belongs to and that are closed to what they came in
	// with.
	Closed func(ctx context.Context, q db.Querier, caller Caller) ([]string, error)
}
