package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Proven reports what Prove ended.
type Proven struct {
	Sessions, Tokens, Passkeys int
	Password                   bool
}

// any reports whether anything ended.
func (p Proven) any() bool { return p.Sessions > 0 || p.Tokens > 0 || p.Passkeys > 0 || p.Password }

// Prove notes that the address of an account is its person's: a secret that was mailed there came back, or the operator
// vouches for it. All that came by an organization's word alone ends (sessions, tokens, the password, passkeys, links
// of identity providers that the person did not confirm), except for the session in which the proof happened ("" for
// none), which is proven from then on. It runs in the caller's transaction and returns the user.
func (s *Service) Prove(ctx context.Context, q db.Querier, userID id.User, session string) (User, error) {
	user, err := userByID(ctx, q, userID)
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	if err != nil {
		return User{}, err
	}
	ended, err := s.endMarked(ctx, q, userID, session)
	if err != nil {
		return User{}, err
	}
	if err := s.hooks.Get().Proven(ctx, q, userID); err != nil {
		return User{}, err
	}
	before := user.EmailVerifiedAt
	if before.IsZero() {
		user.EmailVerifiedAt = s.moment()
		if err := updateUser(ctx, q, user); err != nil {
			return User{}, err
		}
	}
	if !before.IsZero() && !ended.any() {
		return user, nil
	}
	return user, s.recordOf(ctx, q, user, audit.Entry{Action: "user.prove", Details: map[string]any{
		"sessions": ended.Sessions, "tokens": ended.Tokens, "passkeys": ended.Passkeys, "password": ended.Password,
	}})
}

// endMarked ends what only organizations vouch for, and makes the session in hand a proven one.
func (s *Service) endMarked(ctx context.Context, q db.Querier, userID id.User,
	session string) (ended Proven, err error) {
	if ended.Sessions, err = deleteSessions(ctx, q, `user_id = $1 AND vouched_by <> '' AND id <> $2`, userID,
		session); err != nil {
		return Proven{}, err
	}
	if _, err := q.ExecContext(ctx, `UPDATE account_session SET vouched_by = '' WHERE user_id = $1 AND id = $2`, userID,
		session); err != nil {
		return Proven{}, fmt.Errorf("note that a session is proven: %w", err)
	}
	for _, each := range []struct {
		statement string
		args      []any
		into      *int
	}{
		{`UPDATE account_token SET revoked_at = $2 WHERE user_id = $1 AND vouched_by <> '' AND revoked_at IS NULL`,
			[]any{userID, s.moment().UnixMicro()}, &ended.Tokens},
		{`DELETE FROM account_passkey WHERE user_id = $1 AND vouched_by <> ''`, []any{userID}, &ended.Passkeys},
	} {
		result, err := q.ExecContext(ctx, each.statement, each.args...)
		if err == nil {
			var count int64
			count, err = result.RowsAffected()
			*each.into = int(count)
		}
		if err != nil {
			return Proven{}, fmt.Errorf("end what was vouched for: %w", err)
		}
	}
	result, err := q.ExecContext(ctx, `DELETE FROM account_password WHERE user_id = $1 AND vouched_by <> ''`, userID)
	if err != nil {
		return Proven{}, fmt.Errorf("end a password that was vouched for: %w", err)
	}
	count, err := result.RowsAffected()
	ended.Password = count > 0
	return ended, err
}
