package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// keptPassword is what is kept of a password.
type keptPassword struct {
	// hash is "" when there is none.
	hash string
	// vouchedBy is the organization that alone vouches for the way in from which it was set; "" when it was a proven
	// one.
	vouchedBy id.Organization
}

// passwordOf returns a user's password; the zero keptPassword when there is none.
func passwordOf(ctx context.Context, q db.Querier, userID id.User) (kept keptPassword, err error) {
	err = q.QueryRowContext(ctx, `SELECT hash, vouched_by FROM account_password WHERE user_id = $1`,
		userID).Scan(&kept.hash, &kept.vouchedBy)
	if errors.Is(err, db.ErrNoRows) {
		return keptPassword{}, nil
	}
	if err != nil {
		return keptPassword{}, fmt.Errorf("select password: %w", err)
	}
	return kept, nil
}

func putPassword(ctx context.Context, q db.Querier, userID id.User, kept keptPassword, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO account_password (user_id, hash, changed_at, vouched_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at,
		vouched_by = excluded.vouched_by`,
		userID, kept.hash, now.UnixMicro(), kept.vouchedBy)
	if db.IsForeignKey(err) {
		return noUser()
	}
	if err != nil {
		return fmt.Errorf("put password: %w", err)
	}
	return nil
}

// replaceHash keeps the same password with another hash.
func replaceHash(ctx context.Context, q db.Querier, userID id.User, before, hash string) error {
	if _, err := q.ExecContext(ctx, `UPDATE account_password SET hash = $3 WHERE user_id = $1 AND hash = $2`, userID,
		before, hash); err != nil {
		return fmt.Errorf("replace hash: %w", err)
	}
	return nil
}

// methodsOf returns the ways with a mark, all of them for "".
func methodsOf(ctx context.Context, q db.Querier, userID id.User, mark id.Organization) (Methods, error) {
	var changed sql.Null[int64]
	var methods Methods
	err := q.QueryRowContext(ctx, `
		SELECT (SELECT changed_at FROM account_password WHERE user_id = $1 AND ($2 = '' OR vouched_by = $2)),
			(SELECT count(*) FROM account_passkey WHERE user_id = $1 AND ($2 = '' OR vouched_by = $2))`,
		userID, mark).Scan(&changed, &methods.Passkeys)
	if err != nil {
		return Methods{}, fmt.Errorf("select ways to sign in: %w", err)
	}
	methods.PasswordChangedAt = db.NullTime(changed)
	return methods, nil
}

func insertLink(ctx context.Context, q db.Querier, hash []byte, userID id.User, mailed bool, now,
	expires time.Time) error {
	_, err := q.ExecContext(ctx,
		`INSERT INTO account_link (secret_hash, user_id, mailed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
		hash, userID, mailed, now.UnixMicro(), expires.UnixMicro())
	if db.IsForeignKey(err) {
		return noUser()
	}
	if err != nil {
		return fmt.Errorf("insert link: %w", err)
	}
	return nil
}

func linkUser(ctx context.Context, q db.Querier, hash []byte, now time.Time) (User, error) {
	var row userRow
	err := q.QueryRowContext(ctx, `
		SELECT `+userColumns+` FROM account_link l JOIN account_user u ON u.id = l.user_id
		WHERE l.secret_hash = $1 AND l.expires_at > $2`, hash, now.UnixMicro()).Scan(row.fields()...)
	if err != nil {
		return User{}, fmt.Errorf("select link: %w", err)
	}
	return row.user(), nil
}

// useLink removes a link; db.ErrNoRows when it is not there any more.
func useLink(ctx context.Context, q db.Querier, hash []byte, now time.Time) error {
	var userID id.User
	err := q.QueryRowContext(ctx,
		`DELETE FROM account_link WHERE secret_hash = $1 AND expires_at > $2 RETURNING user_id`, hash, now.UnixMicro()).
		Scan(&userID)
	if err != nil {
		return fmt.Errorf("use link: %w", err)
	}
	return nil
}

func deleteLinks(ctx context.Context, q db.Querier, userID id.User) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM account_link WHERE user_id = $1`, userID); err != nil {
		return fmt.Errorf("delete links: %w", err)
	}
	return nil
}
