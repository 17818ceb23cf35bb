package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// AuthorizedToken is a token for a program that a person has let in. Who lists their own tokens does not see it: it
// belongs to the authorization, with which it ends.
type AuthorizedToken struct {
	// Authorization is the id of what the person agreed to.
	Authorization string
	User          id.User
	// Name is what the program calls itself.
	Name      string
	Scopes    []string
	ExpiresAt time.Time
	// VouchedBy and Through are those of the session in which the person agreed.
	VouchedBy id.Organization
	Through   string
}

// authorizedKept is how long an authorized token is kept after its end, so that who still sends it hears why it does
// not work.
const authorizedKept = 7 * 24 * time.Hour

// CreateAuthorizedIn makes a token for a program in the caller's transaction, and returns its secret.
func (s *Service) CreateAuthorizedIn(ctx context.Context, q db.Querier, in AuthorizedToken) (string, error) {
	secret, token, err := s.createToken(ctx, q, NewToken{User: in.User, Name: in.Name, Scopes: in.Scopes,
		ExpiresAt: in.ExpiresAt, vouchedBy: in.VouchedBy, through: in.Through})
	if err != nil {
		return "", err
	}
	if _, err := q.ExecContext(ctx, `UPDATE account_token SET authorization_id = $2 WHERE id = $1`, token.ID,
		in.Authorization); err != nil {
		return "", fmt.Errorf("note the authorization of a token: %w", err)
	}
	return secret, nil
}

// RevokeAuthorizedIn makes all tokens of an authorization useless at once, in the caller's transaction.
func (s *Service) RevokeAuthorizedIn(ctx context.Context, q db.Querier, authorizationID string) error {
	_, err := q.ExecContext(ctx,
		`UPDATE account_token SET revoked_at = $2 WHERE authorization_id = $1 AND revoked_at IS NULL`,
		authorizationID, s.moment().UnixMicro())
	if err != nil {
		return fmt.Errorf("revoke the tokens of an authorization: %w", err)
	}
	return nil
}

// AuthorizationOf returns the id of the authorization that the token with a secret belongs to; "" when there is no such
// token, or a person made it.
func (s *Service) AuthorizationOf(ctx context.Context, q db.Querier, secret string) (string, error) {
	if !tokenSecrets.WellFormed(secret) {
		return "", nil
	}
	var found string
	err := q.QueryRowContext(ctx,
		`SELECT authorization_id FROM account_token WHERE secret_hash = $1 AND authorization_id IS NOT NULL`,
		secrets.Hash(secret)).Scan(&found)
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return "", fmt.Errorf("select the authorization of a token: %w", err)
	}
	return found, nil
}

// RevokeSecretIn makes the token with a secret useless, in the transaction of a caller who knows whose it is.
func (s *Service) RevokeSecretIn(ctx context.Context, q db.Querier, secret string) error {
	_, err := q.ExecContext(ctx,
		`UPDATE account_token SET revoked_at = $2 WHERE secret_hash = $1 AND revoked_at IS NULL`,
		secrets.Hash(secret), s.moment().UnixMicro())
	if err != nil {
		return fmt.Errorf("revoke a token: %w", err)
	}
	return nil
}

// CheckScopes refuses scopes that are none of this server's.
func (s *Service) CheckScopes(scopes []string) error {
	_, err := NewToken{Name: "-", Scopes: scopes}.check(s.moment(), s.scopes)
	return err
}

// RecordIn writes an entry of what a user did to their account into the log of each organization that they belong to.
func (s *Service) RecordIn(ctx context.Context, q db.Querier, userID id.User, entry audit.Entry) error {
	if !id.Valid("user", userID) {
		return errs.NotFoundf("There is no such user, or you may not see them.")
	}
	return s.record(ctx, q, userID, "", entry)
}

// sweepAuthorized removes authorized tokens that ended some time ago.
func sweepAuthorized(ctx context.Context, q db.Querier, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`DELETE FROM account_token WHERE authorization_id IS NOT NULL AND expires_at <= $1`,
		now.Add(-authorizedKept).UnixMicro())
	if err != nil {
		return fmt.Errorf("delete old tokens of programs: %w", err)
	}
	return nil
}
