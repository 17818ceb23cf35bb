package account

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const userColumns = `u.id, u.display_name, u.email, u.photo_url, u.email_verified_at, u.created_at, u.updated_at`

const tokenColumns = `t.id, t.user_id, t.name, t.hint, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at, t.vouched_by, t.through`

// insertUser adds a user, and reports false when the e-mail address is taken.
func insertUser(ctx context.Context, q db.Querier, u User) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO account_user (id, display_name, email, email_key, search_key, photo_url, email_verified_at,
		created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (email_key) DO NOTHING`,
		u.ID, u.DisplayName, u.Email, emailKey(u.Email), searchKey(u), u.PhotoURL, db.NullMicros(u.EmailVerifiedAt),
		u.CreatedAt.UnixMicro(), u.UpdatedAt.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("insert user: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("insert user: %w", err)
	}
	return n == 1, nil
}

func userByID(ctx context.Context, q db.Querier, userID id.User) (User, error) {
	var row userRow
	err := q.QueryRowContext(ctx, `SELECT `+userColumns+` FROM account_user u WHERE u.id = $1`,
		userID).Scan(row.fields()...)
	if err != nil {
		return User{}, fmt.Errorf("select user: %w", err)
	}
	return row.user(), nil
}

func userByEmail(ctx context.Context, q db.Querier, key string) (User, error) {
	var row userRow
	err := q.QueryRowContext(ctx, `SELECT `+userColumns+` FROM account_user u WHERE u.email_key = $1`,
		key).Scan(row.fields()...)
	if err != nil {
		return User{}, fmt.Errorf("select user by e-mail: %w", err)
	}
	return row.user(), nil
}

func anyUser(ctx context.Context, q db.Querier) (bool, error) {
	var any bool
	if err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM account_user)`).Scan(&any); err != nil {
		return false, fmt.Errorf("look for a user: %w", err)
	}
	return any, nil
}

func insertToken(ctx context.Context, q db.Querier, t Token, hash []byte) error {
	scopes, err := json.Marshal(t.Scopes)
	if err != nil {
		return fmt.Errorf("encode scopes: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO account_token (id, user_id, secret_hash, name, hint, scopes, created_at, expires_at, vouched_by,
		through)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		t.ID, t.User, hash, t.Name, t.Hint, string(scopes), t.CreatedAt.UnixMicro(), db.NullMicros(t.ExpiresAt),
		t.VouchedBy, t.Through)
	if err != nil {
		return fmt.Errorf("insert token: %w", err)
	}
	return nil
}

func callerBySecret(ctx context.Context, q db.Querier, concerns string,
	hash []byte) (caller Caller, kept []byte, concerned bool, err error) {
	return callerWhere(ctx, q, concerns, `t.secret_hash = $1`, hash)
}

// callerWhere reads who has the one token of a condition on t.
func callerWhere(ctx context.Context, q db.Querier, concerns, condition string,
	argument any) (caller Caller, kept []byte, concerned bool, err error) {
	var (
		user   userRow
		token  tokenRow
		stored []byte
	)
	into := append(append(user.fields(), token.fields()...), &stored, &concerned)
	err = q.QueryRowContext(ctx, `
		SELECT `+userColumns+`, `+tokenColumns+`, t.secret_hash, `+concerns+`
		FROM account_token t JOIN account_user u ON u.id = t.user_id
		WHERE `+condition, argument).Scan(into...)
	if err != nil {
		return Caller{}, nil, false, fmt.Errorf("select token: %w", err)
	}
	t, err := token.token()
	return Caller{User: user.user(), Token: t}, stored, concerned, err
}

// updateLastUse notes a use unless one was noted after the time before.
func updateLastUse(ctx context.Context, q db.Querier, tokenID string, now, before time.Time) error {
	_, err := q.ExecContext(ctx, `
		UPDATE account_token SET last_used_at = $2
		WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`,
		tokenID, now.UnixMicro(), before.UnixMicro())
	if err != nil {
		return fmt.Errorf("update last use: %w", err)
	}
	return nil
}

// listTokens returns the tokens of a user with a mark, all of them for "", without those that programs were given.
func listTokens(ctx context.Context, q db.Querier, userID id.User, mark id.Organization,
	page paging.Request) (paging.Page[Token], error) {
	var count int
	err := q.QueryRowContext(ctx,
		`SELECT count(*) FROM account_token
			WHERE user_id = $1 AND ($2 = '' OR vouched_by = $2) AND authorization_id IS NULL`, userID,
		mark).Scan(&count)
	if err != nil {
		return paging.Page[Token]{}, fmt.Errorf("count tokens: %w", err)
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	tokens, err := db.All(ctx, q, "list tokens", func(r db.Scanner) (Token, error) {
		var row tokenRow
		if err := r.Scan(row.fields()...); err != nil {
			return Token{}, err
		}
		return row.token()
	}, `
		SELECT `+tokenColumns+` FROM account_token t
		WHERE t.user_id = $1 AND t.id > $2 AND ($4 = '' OR t.vouched_by = $4) AND t.authorization_id IS NULL
		ORDER BY t.id LIMIT $3`, userID, after, page.Size()+1, mark)
	if err != nil {
		return paging.Page[Token]{}, err
	}
	list := paging.Page[Token]{Items: tokens, Count: count}
	list.Cut(page.Size(), func(t Token) []string { return []string{t.ID} })
	return list, nil
}

// revokeToken revokes a token of a user unless it was already, and reports whether the user has it.
func revokeToken(ctx context.Context, q db.Querier, userID id.User, tokenID string, now time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		UPDATE account_token SET revoked_at = COALESCE(revoked_at, $3) WHERE id = $1 AND user_id = $2`,
		tokenID, userID, now.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("revoke token: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("revoke token: %w", err)
	}
	return n == 1, nil
}

type userRow struct {
	id                           id.User
	displayName, email, photoURL string
	emailVerifiedAt              sql.Null[int64]
	createdAt, updatedAt         int64
}

func (r *userRow) fields() []any {
	return []any{&r.id, &r.displayName, &r.email, &r.photoURL, &r.emailVerifiedAt, &r.createdAt, &r.updatedAt}
}

func (r *userRow) user() User {
	return User{
		ID: r.id, DisplayName: r.displayName, Email: r.email, PhotoURL: r.photoURL,
		EmailVerifiedAt: db.NullTime(r.emailVerifiedAt),
		CreatedAt:       time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}

type tokenRow struct {
	id                               string
	user                             id.User
	name, hint, scopes               string
	vouchedBy                        id.Organization
	through                          string
	createdAt                        int64
	expiresAt, lastUsedAt, revokedAt sql.Null[int64]
}

func (r *tokenRow) fields() []any {
	return []any{&r.id, &r.user, &r.name, &r.hint, &r.scopes, &r.createdAt, &r.expiresAt, &r.lastUsedAt, &r.revokedAt,
		&r.vouchedBy, &r.through}
}

func (r *tokenRow) token() (Token, error) {
	t := Token{
		ID: r.id, User: r.user, Name: r.name, Hint: r.hint, CreatedAt: time.UnixMicro(r.createdAt).UTC(),
		ExpiresAt: db.NullTime(r.expiresAt), LastUsedAt: db.NullTime(r.lastUsedAt), RevokedAt: db.NullTime(r.revokedAt),
		VouchedBy: r.vouchedBy, Through: r.through,
	}
	if err := json.Unmarshal([]byte(r.scopes), &t.Scopes); err != nil {
		return Token{}, fmt.Errorf("decode scopes of %s: %w", r.id, err)
	}
	return t, nil
}

func updateUser(ctx context.Context, q db.Querier, u User) error {
	_, err := q.ExecContext(ctx, `
		UPDATE account_user SET display_name = $2, search_key = $3, photo_url = $4, email_verified_at = $5,
		updated_at = $6 WHERE id = $1`,
		u.ID, u.DisplayName, searchKey(u), u.PhotoURL, db.NullMicros(u.EmailVerifiedAt), u.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update user: %w", err)
	}
	return nil
}
