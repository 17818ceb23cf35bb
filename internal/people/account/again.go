package account

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Again returns a caller as they are now, by the token or the session that they came in with; errs.Unauthorized when
// that does not count any more. It is for what goes on for longer than one request.
func (s *Service) Again(ctx context.Context, caller Caller) (Caller, error) {
	if caller.Session.ID != "" {
		return s.sessionAgain(ctx, caller)
	}
	now, _, concerned, err := callerWhere(ctx, s.db.Read(), s.hooks.Get().Enforcement.Concerns, `t.id = $1`,
		caller.Token.ID)
	ended := now.Token
	switch {
	case errors.Is(err, db.ErrNoRows):
	case err != nil:
		return Caller{}, err
	case ended.RevokedAt.IsZero() && (ended.ExpiresAt.IsZero() || s.now().Before(ended.ExpiresAt)):
		return s.mind(ctx, now, concerned)
	}
	return Caller{}, errs.New(errs.Unauthorized, "The token does not count any more; make a new one.")
}

func (s *Service) sessionAgain(ctx context.Context, caller Caller) (Caller, error) {
	found, _, err := sessionWhere(ctx, s.db.Read(), s.hooks.Get().Enforcement.Concerns, `s.id = $1`, caller.Session.ID)
	if errors.Is(err, db.ErrNoRows) {
		return Caller{}, signedOut()
	}
	if err != nil {
		return Caller{}, err
	}
	if found.caller.Session.ended(s.moment()) {
		return Caller{}, signedOut()
	}
	return s.mind(ctx, found.caller, found.concerned)
}
