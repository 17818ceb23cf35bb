package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/db"
)

// passwordOf returns the hash of a user's password; "" when there is none.
func passwordOf(ctx context.Context, q db.Querier, userID string) (string, error) {
	var hash string
	err := q.QueryRowContext(ctx, `SELECT hash FROM account_password WHERE user_id = $1`, userID).Scan(&hash)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("select password: %w", err)
	}
	return hash, nil
}

func putPassword(ctx context.Context, q db.Querier, userID, hash string, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO account_password (user_id, hash, changed_at) VALUES ($1, $2, $3)
		ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`, userID, hash, now.UnixMicro())
	if db.IsForeignKey(err) {
		return noUser()
	}
	if err != nil {
		return fmt.Errorf("put password: %w", err)
	}
	return nil
}

// replaceHash keeps the same password with another hash.
func replaceHash(ctx context.Context, q db.Querier, userID, before, hash string) error {
	if _, err := q.ExecContext(ctx, `UPDATE account_password SET hash = $3 WHERE user_id = $1 AND hash = $2`, userID, before, hash); err != nil {
		return fmt.Errorf("replace hash: %w", err)
	}
	return nil
}

func methodsOf(ctx context.Context, q db.Querier, userID string) (Methods, error) {
	var changed sql.Null[int64]
	var methods Methods
	err := q.QueryRowContext(ctx, `
		SELECT (SELECT changed_at FROM account_password WHERE user_id = $1), (SELECT count(*) FROM account_passkey WHERE user_id = $1)`,
		userID).Scan(&changed, &methods.Passkeys)
	if err != nil {
		return Methods{}, fmt.Errorf("select ways to sign in: %w", err)
	}
	methods.PasswordChangedAt = timeOf(changed)
	return methods, nil
}

func insertLink(ctx context.Context, q db.Querier, hash []byte, userID string, mailed bool, now, expires time.Time) error {
	_, err := q.ExecContext(ctx, `INSERT INTO account_link (secret_hash, user_id, mailed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
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

// useLink removes a link, and reports whether it was mailed; db.ErrNoRows when it is not there any more.
func useLink(ctx context.Context, q db.Querier, hash []byte, now time.Time) (mailed bool, err error) {
	err = q.QueryRowContext(ctx, `DELETE FROM account_link WHERE secret_hash = $1 AND expires_at > $2 RETURNING mailed`, hash, now.UnixMicro()).Scan(&mailed)
	if err != nil {
		return false, fmt.Errorf("use link: %w", err)
	}
	return mailed, nil
}

func deleteLinks(ctx context.Context, q db.Querier, userID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM account_link WHERE user_id = $1`, userID); err != nil {
		return fmt.Errorf("delete links: %w", err)
	}
	return nil
}
