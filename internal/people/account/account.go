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
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

// User is a person.
type User struct {
	// ID is "user_…".
	ID string
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
	User string
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
	VouchedBy string
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
	User string
	// Name says what the token is for.
	Name string
	// Scopes limit the token; none means all that its user may do.
	Scopes []string
	// ExpiresAt is when the token stops working; zero means never.
	ExpiresAt time.Time

	vouchedBy, through string // those of whoever makes it
}

// Deps is what the service stands on.
type Deps struct {
	DB *db.DB
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log takes what goes wrong beside a request that succeeds; nil means slog.Default.
	Log *slog.Logger
	// Organizations returns the ids of the organizations that a user belongs to, whose audit logs hear of what the user
	// does here; nil means none.
	Organizations func(ctx context.Context, q db.Querier, userID string) ([]string, error)
	// Key signs what browsers are known by and what passkeys answer to: at least 16 secret bytes that every process
	// shares. Only signing in needs it.
	Key []byte
	// Scopes are those that a token may have; nil takes any word that looks like one.
	Scopes []string
	// BaseURL is the address of the server, which passkeys are bound to; "" for none.
	BaseURL string
	// Enforcement is what organizations that enforce single sign-on close; the zero Enforcement closes nothing.
	Enforcement Enforcement
	// Proven ends what other packages keep for a user that came by an organization's word alone, in the transaction of
	// Prove; nil means there is nothing.
	Proven func(ctx context.Context, q db.Querier, userID string) error
}

// Service keeps users, tokens and sessions. It checks no access: its callers are the sign-in path, package org, the
// command line, and operations on the caller's own account.
type Service struct {
	db  *db.DB
	now func() time.Time
	log *slog.Logger

	organizations func(context.Context, db.Querier, string) ([]string, error)
	enforcement   Enforcement
	proven        func(context.Context, db.Querier, string) error
	key           []byte
	hasher        *hasher
	party         *relyingParty // nil without passkeys
	noPasskeys    error         // says why there are none
	scopes        []string
}

// New returns a Service.
func New(deps Deps) *Service {
	s := &Service{
		db: deps.DB, now: deps.Now, log: deps.Log, organizations: deps.Organizations, enforcement: deps.Enforcement,
		proven: deps.Proven,
		key:    deps.Key, hasher: newHasher(), scopes: deps.Scopes,
	}
	s.party, s.noPasskeys = newRelyingParty(deps.BaseURL)
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	return s
}
