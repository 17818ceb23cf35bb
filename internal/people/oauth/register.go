package oauth

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Bounds of registrations. Anybody may register, so what nobody lets in goes away soon, and sooner when there are many.
const (
	maxName         = 80
	maxRedirectURIs = 10
	// maxUnused is how many clients may be there that nobody has let in.
	maxUnused = 5000
	// unusedLife is how long they are kept, and unusedLeast how long when there are too many.
	unusedLife  = 24 * time.Hour
	unusedLeast = 15 * time.Minute
	// forgottenAfter is how long a client is kept that has no authorization any more.
	forgottenAfter = 180 * 24 * time.Hour
)

// NewClient is the input of Register, as RFC 7591 names it. What else a program says of itself is not kept.
type NewClient struct {
	Name         string
	RedirectURIs []string
	// AuthMethod, GrantTypes and ResponseTypes may be empty.
	AuthMethod    string
	GrantTypes    []string
	ResponseTypes []string
}

// Register keeps a program. Errors for it are a *Refusal.
func (s *Service) Register(ctx context.Context, in NewClient) (Client, error) {
	client, err := in.check()
	if err != nil {
		return Client{}, err
	}
	client.ID, client.CreatedAt = id.New("client"), s.moment()
	uris, err := json.Marshal(client.RedirectURIs)
	if err != nil {
		return Client{}, fmt.Errorf("encode redirect addresses: %w", err)
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := makeRoom(ctx, q, client.CreatedAt); err != nil {
			return err
		}
		_, err := q.ExecContext(ctx,
			`INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES ($1, $2, $3, $4)`,
			client.ID, client.Name, string(uris), client.CreatedAt.UnixMicro())
		if err != nil {
			return fmt.Errorf("insert client: %w", err)
		}
		return nil
	})
	if err != nil {
		return Client{}, err
	}
	return client, nil
}

// check returns the client of an input that can be one.
func (n NewClient) check() (Client, error) {
	if n.AuthMethod != "" && n.AuthMethod != "none" {
		return Client{}, refuse(InvalidMetadata, "token_endpoint_auth_method: only none is accepted, since programs "+
			"that people install keep no secret")
	}
	for _, each := range n.GrantTypes {
		if each != "authorization_code" && each != "refresh_token" {
			return Client{}, refuse(InvalidMetadata,
				"grant_types: authorization_code and refresh_token are accepted, not %.40q", each)
		}
	}
	for _, each := range n.ResponseTypes {
		if each != "code" {
			return Client{}, refuse(InvalidMetadata, "response_types: only code is accepted, not %.40q", each)
		}
	}
	if len(n.RedirectURIs) == 0 || len(n.RedirectURIs) > maxRedirectURIs {
		return Client{}, refuse(InvalidRedirectURI, "redirect_uris: 1 to %d addresses are accepted", maxRedirectURIs)
	}
	for _, each := range n.RedirectURIs {
		if _, ok := parseRedirectURI(each); !ok {
			return Client{}, refuse(InvalidRedirectURI, "redirect_uris: %.80q is not an address on the person's own "+
				"computer; one like http://127.0.0.1/callback is accepted, and any port counts", each)
		}
	}
	return Client{Name: cleanName(n.Name), RedirectURIs: n.RedirectURIs}, nil
}

// cleanName is what is shown of what a program calls itself: one line of printable characters. Names do not refuse a
// registration, since they prove nothing.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar, !unicode.IsPrint(r), unicode.Is(unicode.Bidi_Control, r),
			unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName])) + "…"
	}
	if name == "" {
		return "A program without a name"
	}
	return name
}

// makeRoom removes the oldest clients that nobody has let in when there are too many, and refuses when even those are
// new.
func makeRoom(ctx context.Context, q db.Querier, now time.Time) error {
	var unused int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM oauth_client WHERE used_at IS NULL`).Scan(
		&unused); err != nil {
		return fmt.Errorf("count clients: %w", err)
	}
	if unused < maxUnused {
		return nil
	}
	result, err := q.ExecContext(ctx, `DELETE FROM oauth_client WHERE used_at IS NULL AND created_at < $1`,
		now.Add(-unusedLeast).UnixMicro())
	if err != nil {
		return fmt.Errorf("delete unused clients: %w", err)
	}
	removed, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("delete unused clients: %w", err)
	}
	if unused-int(removed) >= maxUnused {
		return refuse(Unavailable, "Too many programs register at this moment. Try again in a few minutes.")
	}
	return nil
}

// clientByID returns a client; ok is false when there is none.
func clientByID(ctx context.Context, q db.Querier, clientID string) (client Client, ok bool, err error) {
	if !id.Valid("client", clientID) {
		return Client{}, false, nil
	}
	var uris string
	var created int64
	var used sql.Null[int64]
	err = q.QueryRowContext(ctx, `SELECT id, name, redirect_uris, created_at, used_at FROM oauth_client WHERE id = $1`,
		clientID).Scan(&client.ID, &client.Name, &uris, &created, &used)
	if errors.Is(err, db.ErrNoRows) {
		return Client{}, false, nil
	}
	if err != nil {
		return Client{}, false, fmt.Errorf("select client: %w", err)
	}
	client.CreatedAt = time.UnixMicro(created).UTC()
	if err := json.Unmarshal([]byte(uris), &client.RedirectURIs); err != nil {
		return Client{}, false, fmt.Errorf("decode the addresses of %s: %w", clientID, err)
	}
	return client, true, nil
}

// Sweep removes what has ended, and clients that nobody uses.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.moment()
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := q.ExecContext(ctx, `DELETE FROM oauth_authorization WHERE expires_at <= $1 OR ended_at <= $1`,
			now.Add(-30*24*time.Hour).UnixMicro()); err != nil {
			return fmt.Errorf("delete old authorizations: %w", err)
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM oauth_refresh WHERE used_at IS NOT NULL AND used_at <= $1`,
			now.Add(-idleLife).UnixMicro()); err != nil {
			return fmt.Errorf("delete old refresh tokens: %w", err)
		}
		if _, err := q.ExecContext(ctx, `
			DELETE FROM oauth_client
			WHERE (used_at IS NULL AND created_at <= $1 OR used_at <= $2)
				AND NOT EXISTS (SELECT 1 FROM oauth_authorization a WHERE a.client_id = oauth_client.id)`,
			now.Add(-unusedLife).UnixMicro(), now.Add(-forgottenAfter).UnixMicro()); err != nil {
			return fmt.Errorf("delete unused clients: %w", err)
		}
		return nil
	})
}
