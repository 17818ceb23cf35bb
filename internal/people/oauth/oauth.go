// Package oauth owns the programs that people let in: the tables oauth_client, oauth_authorization and oauth_refresh.
// It is the part of OAuth 2.1 that native programs need, such as command lines: they register themselves (RFC 7591),
// send people to a page where they agree, get a code back on the same computer (RFC 8252), and exchange it, with the
// verifier of PKCE (RFC 7636), for a token of package account and a refresh token.
//
// It promises that a code and a refresh token are good for once, and that one which comes again ends all that came of
// the same agreement; that a code leads nowhere but to a registered address on the person's own computer; that a token
// has what the person agreed to and never more than the person; and that of every secret only its SHA-256 is kept.
// docs/adr/0061 has the reasons.
package oauth

import (
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// How long things work.
const (
	// codeLife is how long a program has to exchange a code.
	codeLife = time.Minute
	// TokenLife is how long an access token works.
	TokenLife = time.Hour
	// idleLife is how long an authorization lives without a refresh.
	idleLife = 90 * 24 * time.Hour
	// agreeLife is how long a person may look at the page that asks them.
	agreeLife = 15 * time.Minute
)

// The secrets that this package hands out, with 200 random bits each.
var (
	codeSecrets    = secrets.Kind{Prefix: "rcc_", Bytes: 25}
	refreshSecrets = secrets.Kind{Prefix: "rcr_", Bytes: 25}
)

// Client is a program that has registered itself. Nothing that it says of itself is proven.
type Client struct {
	// ID is "client_…".
	ID string
	// Name is what the program calls itself.
	Name string
	// RedirectURIs are addresses on the computer that the program runs on; any port of them counts.
	RedirectURIs []string
	CreatedAt    time.Time
}

// Authorization is what a person lets a program do in their name.
type Authorization struct {
	// ID is "authorization_…".
	ID     string
	Client Client
	User   id.User
	// Scopes limit what the program may do; none means all that the person may do.
	Scopes []string
	// VouchedBy and Through are those of the session in which the person agreed, see account.Token.
	VouchedBy id.Organization
	Through   string
	CreatedAt time.Time
	// UsedAt is when the program was last seen, to the minute.
	UsedAt time.Time
	// ExpiresAt is when it ends unless the program refreshes its token before.
	ExpiresAt time.Time
}

// Refusal is an error for programs, with one of the codes of RFC 6749, 7009 and 7591.
type Refusal struct {
	// Code is a word of the specification; Description says what is wrong and how to mend it.
	Code, Description string
}

// Error returns the description.
func (r *Refusal) Error() string { return r.Description }

// The codes that are used.
const (
	InvalidRequest     = "invalid_request"
	InvalidGrant       = "invalid_grant"
	InvalidScope       = "invalid_scope"
	InvalidRedirectURI = "invalid_redirect_uri"
	InvalidMetadata    = "invalid_client_metadata"
	UnsupportedGrant   = "unsupported_grant_type"
	UnsupportedAnswer  = "unsupported_response_type"
	AccessDenied       = "access_denied"
	Unavailable        = "temporarily_unavailable"
)

func refuse(code, format string, args ...any) error {
	return &Refusal{Code: code, Description: fmt.Sprintf(format, args...)}
}

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	// Key signs the forms of the page that asks: at least 16 secret bytes that every process shares.
	Key []byte
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service keeps clients and authorizations.
type Service struct {
	db       *db.DB
	accounts *account.Service
	forms    httpx.Tickets
	now      func() time.Time
}

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{db: deps.DB, accounts: deps.Accounts, now: deps.Now,
		forms: httpx.Tickets{Key: deps.Key, Now: deps.Now}}
}

// moment is the time to the microsecond, as it is stored.
func (s *Service) moment() time.Time { return s.now().Truncate(time.Microsecond).UTC() }
