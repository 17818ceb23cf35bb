// Package identity owns single sign-on: the identity providers of organizations (SAML 2.0 and OpenID Connect), what
// they say of people, and which accounts those are. Its tables are identity_provider, identity_link,
// identity_assertion, identity_arrival and identity_emergency_code.
//
// It promises that nothing is accepted but what a provider's key has signed for this server and this provider, now,
// once: what is taken of a SAML answer is read from the verified bytes of the one assertion in it. It promises that a
// provider lets nobody into an account that belongs to people outside its organization (ADR 21): accounts are found by
// provider and subject; a first meeting goes by the e-mail address only where the organization has proved its domain,
// or where the account is in no other organization, or when the account's owner says so while signed in.
//
// A sign-in has three steps, so that it works with cookies that other sites' forms do not carry. Begin makes an
// attempt, which the browser keeps, sealed. ReceiveSAML and ReceiveOIDC check the provider's answer and keep it as an
// arrival, for which the browser gets a ticket. Finish lets the arrival in when the browser has the attempt that it
// answers.
package identity

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// Kind is the protocol of a provider.
type Kind string

// Kinds of providers.
const (
	SAML Kind = "saml"
	OIDC Kind = "oidc"
)

// Status says whether people can sign in through a provider.
type Status string

// Statuses of providers. One is pending until everything that signing in needs is there.
const (
	Active  Status = "active"
	Pending Status = "pending"
)

// Provider is an identity provider of an organization.
type Provider struct {
	// ID is "saml_…" or "oidc_…".
	ID           id.Provider
	Organization id.Organization
	Kind         Kind
	// Label is what people see on the sign-in page; 1 to 30 characters.
	Label string
	// SSOURL, EntityID and Certificate are of SAML: where people are sent, the issuer of its assertions, and one or
	// more certificates as PEM, of which any may have signed.
	SSOURL      string
	EntityID    string
	Certificate string
	// Issuer and ClientID are of OpenID Connect. HasSecret says whether there is a client secret, which is not shown.
	Issuer    string
	ClientID  string
	HasSecret bool
	// DefaultTeam is the id of the team that people join who come in through the provider, "" for none; DefaultRole is
	// their role.
	DefaultTeam string
	DefaultRole org.Role
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// Team is the default team; nil when there is none.
	Team *org.Team
	// Status is worked out from the rest and the time.
	Status Status
	// Service is what the provider has to know of this server.
	Service Endpoints

	clientSecret string // sealed
}

// Endpoints are this server's addresses for one provider.
type Endpoints struct {
	// Start is where a sign-in begins.
	Start string
	// ACS is where a SAML provider sends its answer, or an OpenID provider people with its code.
	ACS string
	// EntityID is this server's name for a SAML provider, and the address of its metadata.
	EntityID string
}

// Login is a provider that people can sign in with.
type Login struct {
	ID           id.Provider
	Label        string
	Organization id.Organization
	// StartURL is where signing in begins, Path the same without the server.
	StartURL, Path string
}

// NewProvider is the input of Create. Fields of the other kind stay empty.
type NewProvider struct {
	Kind         Kind
	Label        string
	SSOURL       string
	EntityID     string
	Certificate  string
	Issuer       string
	ClientID     string
	ClientSecret string
	// DefaultTeam is a team's id, or "".
	DefaultTeam string
	// DefaultRole is a role, null for guests; absent, it is the organization's.
	DefaultRole optional.Value[org.Role]
}

// Change is the input of Update: what is absent stays.
type Change struct {
	Label        optional.Value[string]
	SSOURL       optional.Value[string]
	EntityID     optional.Value[string]
	Certificate  optional.Value[string]
	Issuer       optional.Value[string]
	ClientID     optional.Value[string]
	ClientSecret optional.Value[string]
	DefaultTeam  optional.Value[string]
	DefaultRole  optional.Value[org.Role]
}

// Deps is what the service stands on.
type Deps struct {
	DB            *db.DB
	Accounts      *account.Service
	Organizations *org.Service
	Secrets       *seal.Box
	// Fetch reaches OpenID providers.
	Fetch *fetch.Client
	// BaseURL is the public address of the server without a trailing slash.
	BaseURL string
	Log     *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service keeps providers and lets people in through them.
type Service struct {
	deps Deps

	keyOnce sync.Mutex
	key     *serviceKey
}

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps}
}

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }

// Sweep removes what is past its time. It is run by the server now and then.
func (s *Service) Sweep(ctx context.Context) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return sweep(ctx, q, s.clock()) })
}
