package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// CreateTokenAs makes a token for whoever calls and returns its secret, which is not kept and cannot be shown again. A
// session has to be of late; a token passes on no more than it has: neither other scopes nor a longer life.
func (s *Service) CreateTokenAs(ctx context.Context, caller Caller,
	in NewToken) (secret string, token Token, err error) {
	if caller.Session.ID != "" && !caller.Session.Fresh(s.now()) {
		return "", Token{}, NotFresh()
	}
	in.User, in.vouchedBy, in.through = caller.User.ID, caller.VouchedBy(), caller.Through()
	if in, err = in.check(s.moment(), s.scopes); err != nil {
		return "", Token{}, err
	}
	if err := caller.Token.covers(in); err != nil {
		return "", Token{}, err
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if secret, token, err = s.createToken(ctx, q, in); err != nil {
			return err
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, created(token))
	})
	if err != nil {
		return "", Token{}, err
	}
	return secret, token, nil
}

// created is the entry of a token that was made.
func created(token Token) audit.Entry {
	details := map[string]any{"scopes": token.Scopes}
	if !token.ExpiresAt.IsZero() {
		details["expiresAt"] = token.ExpiresAt.UTC()
	}
	return audit.Entry{Action: "token.create", Target: audit.Target{Kind: "token", ID: token.ID, Title: token.Name},
		Details: details}
}

// covers refuses a token that could do more, or do it longer, than this one.
func (t Token) covers(in NewToken) error {
	if len(t.Scopes) > 0 {
		if len(in.Scopes) == 0 {
			return errs.Forbiddenf(
				"This token is limited to some scopes, so it cannot make one without limits. Name scopes of its own.")
		}
		for _, scope := range in.Scopes {
			if !slices.Contains(t.Scopes, scope) {
				return errs.Forbiddenf("This token does not have the scope %s, so it cannot pass it on.", scope)
			}
		}
	}
	if !t.ExpiresAt.IsZero() && (in.ExpiresAt.IsZero() || in.ExpiresAt.After(t.ExpiresAt)) {
		return errs.Forbiddenf("This token expires at %s, so it cannot make one that works longer.",
			t.ExpiresAt.UTC().Format("2006-01-02T15:04:05Z"))
	}
	return nil
}

// TokenByID returns a token of the caller's; errs.NotFound when there is none among those that ListTokens shows.
func (s *Service) TokenByID(ctx context.Context, caller Caller, tokenID string) (Token, error) {
	if !id.Valid("token", tokenID) {
		return Token{}, noToken()
	}
	mark, err := s.reachOf(ctx, s.db.Read(), caller)
	if err != nil {
		return Token{}, err
	}
	var row tokenRow
	err = s.db.Read().QueryRowContext(ctx,
		`SELECT `+tokenColumns+
			` FROM account_token t
			WHERE t.id = $1 AND t.user_id = $2 AND ($3 = '' OR t.vouched_by = $3) AND t.authorization_id IS NULL`,
		tokenID, caller.User.ID, mark).Scan(row.fields()...)
	if errors.Is(err, db.ErrNoRows) {
		return Token{}, noToken()
	}
	if err != nil {
		return Token{}, fmt.Errorf("select token: %w", err)
	}
	return row.token()
}

// RevokeTokenAs makes a token of the caller's useless at once. Revoking it again changes nothing.
func (s *Service) RevokeTokenAs(ctx context.Context, caller Caller, tokenID string) error {
	token, err := s.TokenByID(ctx, caller, tokenID)
	if err != nil || !token.RevokedAt.IsZero() {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := revokeToken(ctx, q, caller.User.ID, tokenID, s.now()); err != nil {
			return err
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, audit.Entry{
			Action: "token.revoke", Target: audit.Target{Kind: "token", ID: token.ID, Title: token.Name},
		})
	})
}

func noToken() error {
	return errs.NotFoundf("The user has no such token; list the tokens to see their ids.")
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
	secret = tokenSecrets.New()
	token = Token{
		ID: id.New("token"), User: in.User, Name: in.Name, Hint: secret[len(secret)-4:], Scopes: in.Scopes,
		CreatedAt: now, ExpiresAt: in.ExpiresAt, VouchedBy: in.vouchedBy, Through: in.through,
	}
	err = insertToken(ctx, q, token, secrets.Hash(secret))
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
	if !tokenSecrets.WellFormed(secret) {
		return Caller{}, errs.New(errs.Unauthorized,
			"This is not a token of Recto; one starts with %s and is sent as Authorization: Bearer %s….",
			tokenSecrets.Prefix, tokenSecrets.Prefix)
	}
	hash := secrets.Hash(secret)
	caller, stored, concerned, err := callerBySecret(ctx, s.db.Read(), s.hooks.Get().Enforcement.Concerns, hash)
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
func (s *Service) RevokeToken(ctx context.Context, userID id.User, tokenID string) error {
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
