package invite

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// Deps is what the service stands on.
type Deps struct {
	DB            *db.DB
	Accounts      *account.Service
	Organizations *org.Service
	// Secrets keeps the secrets of invite links, which admins read back.
	Secrets *seal.Box
	// Mail puts a message into the outbox, in the caller's transaction, and returns the id under which mail.Deliveries
	// knows it. Without it nothing is sent, and who invites people gets the secrets to hand over.
	Mail func(ctx context.Context, q db.Querier, m mail.Message) (id string, err error) `optional:"no mail server"`
	// BaseURL is the public address of the server without a trailing slash; it is in messages.
	BaseURL string
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it: what links to spaces and collections need of those
// that know them.
type Hooks struct {
	// MayGive returns the organization of a space or collection when the caller may give others a role there, and
	// otherwise why not.
	MayGive func(ctx context.Context, q db.Querier, caller account.Caller, target Target,
		role org.Role) (organizationID id.Organization, err error)
	// Give gives a member a role there, unless they have as much already.
	Give func(ctx context.Context, q db.Querier, member account.Caller, target Target, role org.Role) error
	// RoleIn returns the role that the caller has there, a guest's for none.
	RoleIn func(ctx context.Context, q db.Querier, caller account.Caller, target Target) (org.Role, error)
}

// Service keeps invites and invite links.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps}
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }

// record writes an entry of the audit log.
func record(ctx context.Context, q db.Querier, actor account.Caller, organizationID id.Organization, action string,
	target audit.Target, details map[string]any) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: organizationID, Actor: actor.User.ID, Token: actor.Token.ID, Action: action, Target: target,
		Details: details,
	})
}
