package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
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
			` FROM account_token t WHERE t.id = $1 AND t.user_id = $2 AND ($3 = '' OR t.vouched_by = $3)`,
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
