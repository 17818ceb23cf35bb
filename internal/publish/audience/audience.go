// Package audience owns who may read a published site and what the site knows of them: share links, the keys and
// addresses of visitor authentication, the schema of visitors' claims, and the claims themselves. Its tables are
// share_link, site_publishing_auth and site_adaptive_schema.
//
// It promises that a share link that is inactive or deleted lets nobody in from then on; that a visitor's token counts
// only when it is an unexpired HS256 JWT that was signed with a key of this very site, or by this server about a member
// of the organization where the site asks for that; and that a site's conditions see no claim that its schema does not
// name, in a form that it does not allow, or as signed what was not signed. Keys and links are sealed in the database
// and are in no audit entry, log or error.
//
// Who may see a site and what of it is one rule, Service.Admit. Packages that serve sites or tell their addresses say
// its verdict and decide nothing.
package audience

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	Sites    *site.Service
	// Secrets seals keys and links.
	Secrets *seal.Box
	// MemberSecret is what the keys of tokens about members are made from; at least 16 bytes that every process shares.
	MemberSecret []byte
	// Teams lists the teams of a member, see org.Service.ListTeamsOf.
	Teams func(ctx context.Context, caller account.Caller, organizationID id.Organization, userID id.User, title string,
		page paging.Request) (paging.Page[org.Place], error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what a Service asks of later packages.
type Hooks struct {
	// Backends returns the integrations that work on a site and may let visitors in, by their names.
	Backends func(ctx context.Context, siteID id.Site) ([]Backend, error)
	// Preview returns what a preview of a space shows to somebody; errs.NotFound when there is none, or they may not
	// see it.
	Preview func(ctx context.Context, caller account.Caller, spaceID id.Space, kind PreviewKind,
		name string) (Previewed, error)
}

// Backend is an integration that lets visitors in to a site.
type Backend struct {
	Integration id.Integration
	Name        string
	// Installation is that of the organization.
	Installation string
	// Key is what it signs tokens with, for this site alone.
	Key string
	// SignIn is where visitors without a token are sent, SignOut where those who have signed out are.
	SignIn, SignOut string
}

// Service keeps audiences.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
	// rules are those of sites, by site and the time of its last change.
	rules cache.Cache[*Rules]
	// profiles are those of the visitors, by their tokens.
	profiles cache.Cache[*Profile]
	uses     uses
}

// maxRules bounds the sites whose rules are kept in memory.
const maxRules = 4096

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{
		deps: deps, rules: cache.Sized[*Rules](maxRules),
		profiles: cache.Weighted(profileCacheSize, weighProfile),
		uses:     uses{pending: map[string]time.Time{}, written: map[string]time.Time{}},
	}
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }
