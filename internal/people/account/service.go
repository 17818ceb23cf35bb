package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// lastUseStep is how exact a token's last use is: it is written at most once in this time.
const lastUseStep = time.Minute

// CreateUser makes a user. It is an errs.Conflict when somebody has the e-mail address.
func (s *Service) CreateUser(ctx context.Context, in NewUser) (User, error) {
	var user User
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var created bool
		var err error
		user, created, err = s.EnsureUser(ctx, q, in)
		if err == nil && !created {
			err = errs.Conflictf(
				"A user with the e-mail address %s is here already; use that one or give another address.", user.Email)
		}
		return err
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// EnsureUser returns the user with the e-mail address of in as they are, whether the address is verified included, and
// makes one when there is none; created says which. It runs in the caller's transaction.
func (s *Service) EnsureUser(ctx context.Context, q db.Querier, in NewUser) (user User, created bool, err error) {
	if in, err = in.check(); err != nil {
		return User{}, false, err
	}
	now := s.now().Truncate(time.Microsecond).UTC()
	user = User{
		ID: id.New("user"), DisplayName: in.DisplayName, Email: in.Email, PhotoURL: in.PhotoURL,
		CreatedAt: now, UpdatedAt: now,
	}
	if in.EmailVerified {
		user.EmailVerifiedAt = now
	}
	created, err = insertUser(ctx, q, user)
	if err != nil || created {
		return user, created, err
	}
	user, err = userByEmail(ctx, q, emailKey(in.Email))
	return user, false, err
}

// UserByID returns a user; errs.NotFound when there is none.
func (s *Service) UserByID(ctx context.Context, userID string) (User, error) {
	if !id.Valid("user", userID) {
		return User{}, noUser()
	}
	user, err := userByID(ctx, s.db.Read(), userID)
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	return user, err
}

// UserByEmail returns the user with an e-mail address in any letter case; errs.NotFound when there is none.
func (s *Service) UserByEmail(ctx context.Context, email string) (User, error) {
	if !field.Storable(email) {
		return User{}, noUser()
	}
	user, err := userByEmail(ctx, s.db.Read(), emailKey(email))
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	return user, err
}

func noUser() error {
	return errs.NotFoundf("There is no such user, or you may not see them.")
}

// CreateToken makes a token and returns its secret, which is not kept and cannot be shown again.
func (s *Service) CreateToken(ctx context.Context, in NewToken) (secret string, token Token, err error) {
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		secret, token, err = s.CreateTokenIn(ctx, q, in)
		return err
	})
	if err != nil {
		return "", Token{}, err
	}
	return secret, token, nil
}

// CreateTokenIn is CreateToken in the caller's transaction. It is an act of the operator; see CreateTokenAs for people.
func (s *Service) CreateTokenIn(ctx context.Context, q db.Querier,
	in NewToken) (secret string, token Token, err error) {
	in.through = ThroughOperator
	if secret, token, err = s.createToken(ctx, q, in); err != nil {
		return "", Token{}, err
	}
	return secret, token, s.recordAs(ctx, q, token.User, created(token))
}

// createToken checks and stores a token.
func (s *Service) createToken(ctx context.Context, q db.Querier, in NewToken) (secret string, token Token, err error) {
	now := s.now().Truncate(time.Microsecond).UTC()
	if in, err = in.check(now, s.scopes); err != nil {
		return "", Token{}, err
	}
	if !id.Valid("user", in.User) {
		return "", Token{}, noUser()
	}
	secret = newSecret(secretPrefix)
	token = Token{
		ID: id.New("token"), User: in.User, Name: in.Name, Hint: secret[len(secret)-4:], Scopes: in.Scopes,
		CreatedAt: now, ExpiresAt: in.ExpiresAt, VouchedBy: in.vouchedBy, Through: in.through,
	}
	err = insertToken(ctx, q, token, hashSecret(secret))
	if db.IsForeignKey(err) {
		return "", Token{}, noUser()
	}
	if err != nil {
		return "", Token{}, err
	}
	return secret, token, nil
}

// Authenticate returns who calls with a token's secret, in one indexed read. Secrets that are unknown, revoked or
// expired are errs.Unauthorized. The last use is noted at most once a minute.
func (s *Service) Authenticate(ctx context.Context, secret string) (Caller, error) {
	if !wellFormed(secretPrefix, secret) {
		return Caller{}, errs.New(errs.Unauthorized,
			"This is not a token of Recto; one starts with %s and is sent as Authorization: Bearer %s….", secretPrefix,
			secretPrefix)
	}
	hash := hashSecret(secret)
	caller, stored, concerned, err := callerBySecret(ctx, s.db.Read(), s.enforcement.concerns(), hash)
	if errors.Is(err, db.ErrNoRows) {
		return Caller{}, errs.New(errs.Unauthorized, "The token is not known here; make a new one.")
	}
	if err != nil {
		return Caller{}, err
	}
	// The lookup is by hash, so its time says nothing of the secret; comparing again in constant time keeps that true
	// whatever the database's notion of equal bytes is.
	if subtle.ConstantTimeCompare(stored, hash) != 1 {
		return Caller{}, errs.New(errs.Unauthorized, "The token is not known here; make a new one.")
	}
	now := s.now()
	switch token := caller.Token; {
	case !token.RevokedAt.IsZero():
		return Caller{}, errs.New(errs.Unauthorized, "The token was revoked; make a new one.")
	case !token.ExpiresAt.IsZero() && !now.Before(token.ExpiresAt):
		return Caller{}, errs.New(errs.Unauthorized, "The token expired at %s; make a new one.",
			token.ExpiresAt.UTC().Format(time.RFC3339))
	case now.Sub(token.LastUsedAt) >= lastUseStep:
		s.noteUse(ctx, token.ID, now)
	}
	return s.mind(ctx, caller, concerned)
}

// noteUse writes a token's last use. A failure costs a date in a list and nothing else, so the request goes on.
func (s *Service) noteUse(ctx context.Context, tokenID string, now time.Time) {
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return updateLastUse(ctx, q, tokenID, now, now.Add(-lastUseStep))
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "note last use of token", slog.String("token", tokenID), slog.Any("error", err))
	}
}

// ListTokens returns a page of the caller's tokens, oldest first, revoked and expired ones too, with the number of all
// and the keys of the next page (nil on the last). Who came in by an organization's word alone sees no others when the
// account is in other organizations, too.
func (s *Service) ListTokens(ctx context.Context, caller Caller,
	page paging.Request) (tokens paging.Page[Token], err error) {
	if !id.Valid("user", caller.User.ID) {
		return paging.Page[Token]{}, noUser()
	}
	mark, err := s.reachOf(ctx, s.db.Read(), caller)
	if err != nil {
		return paging.Page[Token]{}, err
	}
	return listTokens(ctx, s.db.Read(), caller.User.ID, mark, page)
}

// RevokeToken makes a token of a user useless at once, in the name of the operator; see RevokeTokenAs for people.
// Revoking it again changes nothing. It is an errs.NotFound when the user has no such token.
func (s *Service) RevokeToken(ctx context.Context, userID, tokenID string) error {
	if !id.Valid("user", userID) || !id.Valid("token", tokenID) {
		return noToken()
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := revokeToken(ctx, q, userID, tokenID, s.now())
		if err == nil && !found {
			err = noToken()
		}
		if err != nil {
			return err
		}
		return s.recordAs(ctx, q, userID, audit.Entry{Action: "token.revoke", Target: audit.Target{Kind: "token",
			ID: tokenID}})
	})
}

// AnyUser reports whether there is any user at all. It runs in the caller's transaction.
func (s *Service) AnyUser(ctx context.Context, q db.Querier) (bool, error) {
	return anyUser(ctx, q)
}
