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

func insertPasskey(ctx context.Context, q db.Querier, userID id.User, p Passkey, c credential) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO account_passkey (id, user_id, credential_id, credential, name, created_at, vouched_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		p.ID, userID, c.ID, c.Encoded, p.Name, p.CreatedAt.UnixMicro(), p.VouchedBy)
	if err != nil {
		return fmt.Errorf("insert passkey: %w", err)
	}
	return nil
}

// listPasskeys returns the passkeys of a user with a mark, all of them for "".
func listPasskeys(ctx context.Context, q db.Querier, userID id.User,
	mark id.Organization) ([]Passkey, []credential, error) {
	var (
		passkeys    []Passkey
		credentials []credential
	)
	err := db.Each(ctx, q, "list passkeys", func(row db.Scanner) error {
		var (
			passkey Passkey
			created int64
			used    sql.Null[int64]
			kept    credential
		)
		if err := row.Scan(&passkey.ID, &passkey.Name, &created, &used, &passkey.VouchedBy, &kept.ID,
			&kept.Encoded); err != nil {
			return err
		}
		passkey.CreatedAt, passkey.LastUsedAt = time.UnixMicro(created).UTC(), db.NullTime(used)
		passkeys, credentials = append(passkeys, passkey), append(credentials, kept)
		return nil
	}, `
		SELECT id, name, created_at, last_used_at, vouched_by, credential_id, credential FROM account_passkey
		WHERE user_id = $1 AND ($2 = '' OR vouched_by = $2) ORDER BY id`, userID, mark)
	return passkeys, credentials, err
}

// usePasskey keeps what a sign-in says of a passkey, and returns who vouches for it. One that was removed meanwhile is
// unknown.
func usePasskey(ctx context.Context, q db.Querier, userID id.User, c credential,
	now time.Time) (vouchedBy id.Organization, err error) {
	err = q.QueryRowContext(ctx, `
		UPDATE account_passkey SET credential = $3, last_used_at = $4 WHERE user_id = $1 AND credential_id = $2
		RETURNING vouched_by`,
		userID, c.ID, c.Encoded, now.UnixMicro()).Scan(&vouchedBy)
	if errors.Is(err, db.ErrNoRows) {
		return "", unknownPasskey(nil)
	}
	if err != nil {
		return "", fmt.Errorf("use passkey: %w", err)
	}
	return vouchedBy, nil
}

func renamePasskey(ctx context.Context, q db.Querier, userID id.User, mark id.Organization, passkeyID,
	name string) (bool, error) {
	result, err := q.ExecContext(ctx,
		`UPDATE account_passkey SET name = $3 WHERE user_id = $1 AND id = $2 AND ($4 = '' OR vouched_by = $4)`,
		userID, passkeyID, name, mark)
	if err != nil {
		return false, fmt.Errorf("rename passkey: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("rename passkey: %w", err)
	}
	return n == 1, nil
}

// deletePasskey removes a passkey and returns its name; db.ErrNoRows when the user has none with the id.
func deletePasskey(ctx context.Context, q db.Querier, userID id.User, mark id.Organization,
	passkeyID string) (name string, err error) {
	err = q.QueryRowContext(ctx,
		`DELETE FROM account_passkey WHERE user_id = $1 AND id = $2 AND ($3 = '' OR vouched_by = $3) RETURNING name`,
		userID, passkeyID, mark).Scan(&name)
	if err != nil {
		return "", fmt.Errorf("delete passkey: %w", err)
	}
	return name, nil
}

// insertChallenge notes that a challenge was answered, and reports false when it was before.
func insertChallenge(ctx context.Context, q db.Querier, hash []byte, expires time.Time) (bool, error) {
	result, err := q.ExecContext(ctx,
		`INSERT INTO account_challenge (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`, hash,
		expires.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("note challenge: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("note challenge: %w", err)
	}
	return n == 1, nil
}

// deletePasskeys removes all passkeys of a user and returns how many there were.
func deletePasskeys(ctx context.Context, q db.Querier, userID id.User) (int64, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM account_passkey WHERE user_id = $1`, userID)
	if err != nil {
		return 0, fmt.Errorf("delete passkeys: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("delete passkeys: %w", err)
	}
	return n, nil
}
