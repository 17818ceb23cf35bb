// Package account owns people, how they prove who they are, the tokens with which they call and the sessions in which
// they are signed in: the tables account_user, account_token, account_session, account_password, account_link,
// account_passkey, account_challenge and account_attempt.
//
// It promises that what came by one organization's word alone opens that organization alone (see Caller.Reaches), that
// an e-mail address belongs to one user whatever its letter case, that the secret of a token or a session is shown once
// and kept only as its SHA-256, and that what is revoked or past its end lets nobody in from that moment on. It knows
// nothing of organizations or roles: what a caller may do is decided by package access.
package account

import (
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// User is a person.
type User struct {
	// ID is "user_…".
	ID id.User
	// DisplayName has 1 to 64 characters.
	DisplayName string
	// Email is the address as it was given; no two users have the same one in any letter case.
	Email string
	// PhotoURL is an http address, or "" for none.
	PhotoURL string
	// EmailVerifiedAt is when it was shown that mail to Email reaches them, or the operator vouched for it; zero
	// before.
	EmailVerifiedAt time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Token is what is known of a token without its secret.
type Token struct {
	// ID is "token_…".
	ID string
	// User is the id of the user whom the token stands for.
	User id.User
	// Name says what the token is for; 1 to 100 characters.
	Name string
	// Hint is the last four characters of the secret, to tell tokens apart.
	Hint string
	// Scopes limit what the token may do; none means all that its user may do.
	Scopes    []string
	CreatedAt time.Time
	// ExpiresAt is when the token stops working; zero means never.
	ExpiresAt time.Time
	// LastUsedAt is when it was last used, to the minute; zero means never.
	LastUsedAt time.Time
	// RevokedAt is when it was revoked; zero means it was not.
	RevokedAt time.Time
	// VouchedBy is the id of the organization that alone vouches for the way in that the token came from, and that
	// alone it opens; "" when that way was proven.
	VouchedBy id.Organization
	// Through is the id of the organization through whose identity provider the session came that the token was made
	// in, ThroughOperator when the operator made it, and "" otherwise.
	Through string
}

// Allows reports whether the token may be used for an operation that asks for a scope. A token without scopes may be
// used for everything; "" asks for none.
func (t Token) Allows(scope string) bool {
	return scope == "" || len(t.Scopes) == 0 || slices.Contains(t.Scopes, scope)
}

// Caller is who makes a request. Domain functions take it as the first argument after the context.
type Caller struct {
	User User
	// Token is the token that was used; it is the zero Token for work that the server does in the name of a user. In a
	// session it has the session's id, the session's VouchedBy and Through, and no limits.
	Token Token
	// Session is the session that was used; the zero Session when it was a token.
	Session Session
	// Agent is the integration that calls in its own name; the zero Agent for people. User is nobody then.
	Agent Agent

	// Closed are the ids of the organizations that enforce single sign-on and are closed to what the caller came in
	// with, with spaces between them; it is a text so that callers can be compared.
	Closed string
}

// NewUser is the input of CreateUser.
type NewUser struct {
	DisplayName string
	Email       string
	// PhotoURL may be empty.
	PhotoURL string
	// EmailVerified says that mail to Email reaches them, or that the operator vouches for it. Who has that address is
	// let into places by it, so it is never taken from somebody who merely says so.
	EmailVerified bool
}

// NewToken is the input of CreateToken.
type NewToken struct {
	// User is the id of the user whom the token stands for.
	User id.User
	// Name says what the token is for.
	Name string
	// Scopes limit the token; none means all that its user may do.
	Scopes []string
	// ExpiresAt is when the token stops working; zero means never.
	ExpiresAt time.Time

	vouchedBy id.Organization
	through   string // those of whoever makes it
}

func noUser() error {
	return errs.NotFoundf("There is no such user, or you may not see them.")
}

// VouchedBy returns the id of the organization that alone vouches for what the caller came in with; "" when it is
// proven.
func (c Caller) VouchedBy() id.Organization { return c.Token.VouchedBy }

// Through returns the id of the organization through whose identity provider the caller came in, ThroughOperator for a
// token of the operator's, and "" for all else.
func (c Caller) Through() string { return c.Token.Through }

// How long sessions and their secrets work.
const (
	// sessionIdle is how long a session lives without a request.
	sessionIdle = 14 * 24 * time.Hour
	// sessionLife is how long it lives at most.
	sessionLife = 90 * 24 * time.Hour
	// sessionFresh is how long after a sign-in a person may change how they sign in.
	sessionFresh = 30 * time.Minute
	// secretLife is how long a secret is used before the browser is offered another one.
	secretLife = time.Hour
	// offerStep is how long an offered secret is waited for before the next one is offered.
	offerStep = 5 * time.Minute
	// secretOverlap is how long the secret before still works, for requests that were on their way.
	secretOverlap = time.Minute
)

// Method is how a person proved who they are.
type Method string

// The ways to sign in.
const (
	ByPassword Method = "password"
	ByPasskey  Method = "passkey"
	ByLink     Method = "link"
	BySAML     Method = "saml"
	ByOIDC     Method = "oidc"
)

// Session is a person signed in in one browser, without its secret.
type Session struct {
	// ID is "session_…".
	ID string
	// User is the id of the person.
	User    id.User
	Method  Method
	Address string
	Agent   string
	// CreatedAt is when it began, SignedInAt when the person last proved who they are.
	CreatedAt, SignedInAt time.Time
	// SeenAt is when it was last used, to the minute.
	SeenAt time.Time
	// ExpiresAt is when it ends at the latest; without requests it ends sooner.
	ExpiresAt time.Time
	// SecretAt is since when its secret is used; OfferedAt is when the browser was offered the next one, zero when none
	// is on its way.
	SecretAt, OfferedAt time.Time
	// VouchedBy is the id of the organization that alone vouches for the sign-in, and that alone the session opens; ""
	// when it is proven.
	VouchedBy id.Organization
	// Through is the id of the organization through whose identity provider the person came, "" for another way.
	Through string
}

// Fresh reports whether the person signed in so lately that they may change how they sign in.
func (s Session) Fresh(now time.Time) bool {
	return s.ID != "" && now.Sub(s.SignedInAt) < sessionFresh
}

// ended reports whether the session is over.
func (s Session) ended(now time.Time) bool {
	return !now.Before(s.ExpiresAt) || now.Sub(s.SeenAt) >= sessionIdle
}
