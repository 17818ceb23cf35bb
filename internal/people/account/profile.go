package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// UserChange is what a user changes of themselves; absent fields stay as they are.
type UserChange struct {
	DisplayName optional.Value[string]
	// PhotoURL is an http address; null or "" takes the picture away.
	PhotoURL optional.Value[string]
}

// UpdateUser changes the caller and returns them as they are then. It is an errs.Forbidden for who came in by an
// organization's word alone while the account is in other organizations, too.
func (s *Service) UpdateUser(ctx context.Context, caller Caller, change UserChange) (User, error) {
	var user User
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mark, err := s.reachOf(ctx, q, caller)
		if err != nil {
			return err
		}
		if mark != "" {
			return onlyVouched()
		}
		user, err = userByID(ctx, q, caller.User.ID)
		if errors.Is(err, db.ErrNoRows) {
			return noUser()
		}
		if err != nil {
			return err
		}
		before := user
		if change.DisplayName.IsSet() {
			if user.DisplayName, err = field.Text("displayName", change.DisplayName.Or(""), 1,
				maxDisplayName); err != nil {
				return err
			}
		}
		if change.PhotoURL.IsSet() {
			user.PhotoURL = change.PhotoURL.Or("")
			if user.PhotoURL != "" {
				if user.PhotoURL, err = field.URL("photoURL", user.PhotoURL); err != nil {
					return err
				}
			}
		}
		changed := map[string]any{}
		if user.DisplayName != before.DisplayName {
			changed["displayName"] = map[string]any{"from": before.DisplayName, "to": user.DisplayName}
		}
		if user.PhotoURL != before.PhotoURL {
			changed["photoURL"] = map[string]any{"from": before.PhotoURL, "to": user.PhotoURL}
		}
		if len(changed) == 0 {
			return nil
		}
		user.UpdatedAt = s.moment()
		if err := updateUser(ctx, q, user); err != nil {
			return err
		}
		return s.record(ctx, q, user.ID, "", audit.Entry{
			Action: "user.update", Target: audit.Target{Kind: "user", ID: string(user.ID), Title: user.DisplayName},
			Details: changed,
		})
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// UserByEmailIn is UserByEmail in the caller's transaction.
func (s *Service) UserByEmailIn(ctx context.Context, q db.Querier, email string) (User, error) {
	if !field.Storable(email) {
		return User{}, noUser()
	}
	user, err := userByEmail(ctx, q, emailKey(email))
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	return user, err
}

// CheckEmail returns an address without the white space around it, or an errs.Invalid error for the path.
func CheckEmail(path, email string) (string, error) {
	address, _, err := checkEmail(path, email)
	return address, err
}

// EmailDomain returns the domain of an address in lower case.
func EmailDomain(email string) string {
	key := emailKey(email)
	for i := len(key) - 1; i >= 0; i-- {
		if key[i] == '@' {
			return key[i+1:]
		}
	}
	return ""
}

// RevokeAllIn revokes all tokens of a user, those of programs that they let in, too, in the caller's transaction, and
// returns how many it was.
func (s *Service) RevokeAllIn(ctx context.Context, q db.Querier, userID id.User) (int64, error) {
	if err := s.hooks.Get().Revoked(ctx, q, userID); err != nil {
		return 0, err
	}
	result, err := q.ExecContext(ctx,
		`UPDATE account_token SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL`,
		userID, s.now().UnixMicro())
	if err != nil {
		return 0, fmt.Errorf("revoke tokens: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("revoke tokens: %w", err)
	}
	return n, nil
}
