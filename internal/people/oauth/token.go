package oauth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Tokens is what a program gets.
type Tokens struct {
	Access, Refresh string
	// Scopes are those of the access token; none means all that the person may do.
	Scopes []string
}

// Exchange is what a program gives for its first tokens.
type Exchange struct {
	Client, Code, RedirectURI, Verifier string
}

// stored is an authorization as it is in the database.
type stored struct {
	Authorization
	redirectURI, challenge string
	codeExpiresAt          time.Time
	codeUsed, ended        bool
}

// authorizationColumns are those that scan reads.
const authorizationColumns = `a.id, a.client_id, c.name, a.user_id, a.scopes, a.redirect_uri, a.challenge,
	a.code_expires_at, a.code_used_at, a.vouched_by, a.through, a.created_at, a.refreshed_at, a.expires_at, a.ended_at,
	(SELECT MAX(t.last_used_at) FROM account_token t WHERE t.authorization_id = a.id)`

const authorizationTables = ` FROM oauth_authorization a JOIN oauth_client c ON c.id = a.client_id `

func scan(row db.Scanner) (stored, error) {
	var a stored
	var scopes string
	var codeExpires, created, refreshed, expires int64
	var codeUsed, ended, lastUsed sql.Null[int64]
	if err := row.Scan(&a.ID, &a.Client.ID, &a.Client.Name, &a.User, &scopes, &a.redirectURI, &a.challenge,
		&codeExpires, &codeUsed, &a.VouchedBy, &a.Through, &created, &refreshed, &expires, &ended,
		&lastUsed); err != nil {
		return stored{}, err
	}
	if err := json.Unmarshal([]byte(scopes), &a.Scopes); err != nil {
		return stored{}, fmt.Errorf("decode the scopes of %s: %w", a.ID, err)
	}
	a.codeExpiresAt, a.codeUsed, a.ended = time.UnixMicro(codeExpires).UTC(), codeUsed.Valid, ended.Valid
	a.CreatedAt, a.ExpiresAt = time.UnixMicro(created).UTC(), time.UnixMicro(expires).UTC()
	a.UsedAt = time.UnixMicro(max(refreshed, lastUsed.V)).UTC()
	return a, nil
}

func noGrant(what string) error {
	return refuse(InvalidGrant, "The %s is not known here, is over, or was used before. Sign in again.", what)
}

// Redeem gives tokens for a code. One that comes again, or with anything else than the program and the address that it
// was made for and the verifier that the program alone knows, has leaked: all that came of it ends.
func (s *Service) Redeem(ctx context.Context, in Exchange) (Tokens, error) {
	if !codeSecrets.WellFormed(in.Code) {
		return Tokens{}, noGrant("code")
	}
	var tokens Tokens
	var refused error // which has to stay although the transaction is kept
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		tokens, refused = Tokens{}, nil
		found, err := scan(q.QueryRowContext(ctx,
			`SELECT `+authorizationColumns+authorizationTables+`WHERE a.code_hash = $1`, secrets.Hash(in.Code)))
		if errors.Is(err, db.ErrNoRows) {
			refused = noGrant("code")
			return nil
		}
		if err != nil {
			return fmt.Errorf("select authorization: %w", err)
		}
		now := s.moment()
		if found.ended {
			refused = noGrant("code")
			return nil
		}
		if found.codeUsed || found.Client.ID != in.Client || found.redirectURI != in.RedirectURI ||
			!proves(in.Verifier, found.challenge) {
			refused = noGrant("code")
			return s.end(ctx, q, found, "misuse of its code")
		}
		if !now.Before(found.codeExpiresAt) {
			refused = noGrant("code")
			return nil
		}
		if _, err := q.ExecContext(ctx, `UPDATE oauth_authorization SET code_used_at = $2 WHERE id = $1`, found.ID,
			now.UnixMicro()); err != nil {
			return fmt.Errorf("note the use of a code: %w", err)
		}
		if _, err := q.ExecContext(ctx, `UPDATE oauth_client SET used_at = $2 WHERE id = $1`, found.Client.ID,
			now.UnixMicro()); err != nil {
			return fmt.Errorf("note the use of a client: %w", err)
		}
		tokens, err = s.give(ctx, q, found.Authorization, found.Scopes, now)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return Tokens{}, err
	}
	return tokens, nil
}

// proves reports whether a verifier is that of an S256 challenge.
func proves(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

// give makes an access token and the next refresh token.
func (s *Service) give(ctx context.Context, q db.Querier, a Authorization, scopes []string,
	now time.Time) (Tokens, error) {
	access, err := s.accounts.CreateAuthorizedIn(ctx, q, account.AuthorizedToken{
		Authorization: a.ID, User: a.User, Name: a.Client.Name, Scopes: scopes, ExpiresAt: now.Add(TokenLife),
		VouchedBy: a.VouchedBy, Through: a.Through,
	})
	if err != nil {
		return Tokens{}, err
	}
	refresh := refreshSecrets.New()
	if _, err := q.ExecContext(ctx,
		`INSERT INTO oauth_refresh (secret_hash, authorization_id, created_at) VALUES ($1, $2, $3)`,
		secrets.Hash(refresh), a.ID, now.UnixMicro()); err != nil {
		return Tokens{}, fmt.Errorf("insert refresh token: %w", err)
	}
	if _, err := q.ExecContext(ctx,
		`UPDATE oauth_authorization SET refreshed_at = $2, expires_at = $3 WHERE id = $1`, a.ID, now.UnixMicro(),
		now.Add(idleLife).UnixMicro()); err != nil {
		return Tokens{}, fmt.Errorf("prolong authorization: %w", err)
	}
	return Tokens{Access: access, Refresh: refresh, Scopes: scopes}, nil
}

// Refresh gives new tokens for a refresh token, which is good for once: one that comes again is in two hands, so
// everything ends that came of the same agreement. scope may ask for less than the person agreed to.
func (s *Service) Refresh(ctx context.Context, clientID, secret, scope string) (Tokens, error) {
	if !refreshSecrets.WellFormed(secret) {
		return Tokens{}, noGrant("refresh token")
	}
	var tokens Tokens
	var refused error
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		tokens, refused = Tokens{}, nil
		found, used, err := byRefresh(ctx, q, secret)
		if errors.Is(err, db.ErrNoRows) {
			refused = noGrant("refresh token")
			return nil
		}
		if err != nil {
			return err
		}
		now := s.moment()
		switch {
		case found.ended:
			refused = noGrant("refresh token")
			return nil
		case used || found.Client.ID != clientID:
			refused = noGrant("refresh token")
			return s.end(ctx, q, found, "misuse of a refresh token")
		case !now.Before(found.ExpiresAt):
			refused = noGrant("refresh token")
			return nil
		}
		scopes, err := narrowed(found.Scopes, scope)
		if err != nil {
			refused = err
			return nil
		}
		if _, err := q.ExecContext(ctx, `UPDATE oauth_refresh SET used_at = $2 WHERE secret_hash = $1`,
			secrets.Hash(secret), now.UnixMicro()); err != nil {
			return fmt.Errorf("note the use of a refresh token: %w", err)
		}
		tokens, err = s.give(ctx, q, found.Authorization, scopes, now)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return Tokens{}, err
	}
	return tokens, nil
}

// narrowed returns the scopes that a program asks for of those that it has.
func narrowed(has []string, scope string) ([]string, error) {
	asked := slices.DeleteFunc(strings.Fields(scope), func(each string) bool {
		return slices.Contains(protocolScopes, each)
	})
	if len(asked) == 0 {
		return has, nil
	}
	for _, each := range asked {
		if len(has) > 0 && !slices.Contains(has, each) {
			return nil, refuse(InvalidScope, "scope: the person has not agreed to %.60q", each)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(asked))), nil
}

// byRefresh returns the authorization of a refresh token, and whether that was used.
func byRefresh(ctx context.Context, q db.Querier, secret string) (found stored, used bool, err error) {
	var authorizationID string
	var usedAt sql.Null[int64]
	err = q.QueryRowContext(ctx, `SELECT authorization_id, used_at FROM oauth_refresh WHERE secret_hash = $1`,
		secrets.Hash(secret)).Scan(&authorizationID, &usedAt)
	if err != nil {
		return stored{}, false, fmt.Errorf("select refresh token: %w", err)
	}
	found, err = scan(q.QueryRowContext(ctx,
		`SELECT `+authorizationColumns+authorizationTables+`WHERE a.id = $1`, authorizationID))
	if err != nil {
		return stored{}, false, fmt.Errorf("select authorization: %w", err)
	}
	return found, usedAt.Valid, nil
}

// end ends an authorization with all its tokens.
func (s *Service) end(ctx context.Context, q db.Querier, a stored, reason string) error {
	if a.ended {
		return nil
	}
	if _, err := q.ExecContext(ctx, `UPDATE oauth_authorization SET ended_at = $2 WHERE id = $1`, a.ID,
		s.moment().UnixMicro()); err != nil {
		return fmt.Errorf("end authorization: %w", err)
	}
	if err := s.accounts.RevokeAuthorizedIn(ctx, q, a.ID); err != nil {
		return err
	}
	return s.record(ctx, q, "authorization.end", a.User, a.ID, a.Client.Name, map[string]any{"reason": reason})
}

// Revoke ends what a program gives back (RFC 7009): an access token alone, or with a refresh token all that came of
// the same agreement. Unknown tokens are no error. clientID may be empty: whoever has the token may end it.
func (s *Service) Revoke(ctx context.Context, clientID, secret string) error {
	var refused error
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		refused = nil
		if refreshSecrets.WellFormed(secret) {
			found, _, err := byRefresh(ctx, q, secret)
			switch {
			case errors.Is(err, db.ErrNoRows):
				return nil
			case err != nil:
				return err
			case clientID != "" && found.Client.ID != clientID:
				refused = refuse(InvalidGrant, "The token is another program's.")
				return nil
			}
			return s.end(ctx, q, found, "by the program")
		}
		authorizationID, err := s.accounts.AuthorizationOf(ctx, q, secret)
		if err != nil || authorizationID == "" {
			return err
		}
		var owner string
		if err := q.QueryRowContext(ctx, `SELECT client_id FROM oauth_authorization WHERE id = $1`,
			authorizationID).Scan(&owner); err != nil {
			return fmt.Errorf("select authorization: %w", err)
		}
		if clientID != "" && owner != clientID {
			refused = refuse(InvalidGrant, "The token is another program's.")
			return nil
		}
		return s.accounts.RevokeSecretIn(ctx, q, secret)
	})
	if err != nil {
		return err
	}
	return refused
}
