package identity

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

const providerColumns = `id, organization_id, kind, label, sso_url, entity_id, certificate, issuer, client_id, client_secret,
	default_team_id, default_role, created_at, updated_at`

func insertProvider(ctx context.Context, q db.Querier, p Provider) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO identity_provider (`+providerColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		p.ID, p.Organization, string(p.Kind), p.Label, p.SSOURL, p.EntityID, p.Certificate, p.Issuer, p.ClientID,
		p.clientSecret,
		db.NullText(p.DefaultTeam), db.NullText(p.DefaultRole), p.CreatedAt.UnixMicro(),
		p.UpdatedAt.UnixMicro())
	return wrap("insert identity provider", err)
}

func updateProvider(ctx context.Context, q db.Querier, p Provider) error {
	_, err := q.ExecContext(ctx, `
		UPDATE identity_provider SET label = $2, sso_url = $3, entity_id = $4, certificate = $5, issuer = $6,
		client_id = $7,
			client_secret = $8, default_team_id = $9, default_role = $10, updated_at = $11
		WHERE id = $1`,
		p.ID, p.Label, p.SSOURL, p.EntityID, p.Certificate, p.Issuer, p.ClientID, p.clientSecret,
		db.NullText(p.DefaultTeam), db.NullText(p.DefaultRole), p.UpdatedAt.UnixMicro())
	return wrap("update identity provider", err)
}

func deleteProvider(ctx context.Context, q db.Querier, providerID id.Provider) error {
	_, err := q.ExecContext(ctx, `DELETE FROM identity_provider WHERE id = $1`, providerID)
	return wrap("delete identity provider", err)
}

// providerByID returns a provider of a kind; errs.NotFound when there is none.
func providerByID(ctx context.Context, q db.Querier, kind Kind, providerID id.Provider) (Provider, error) {
	if !validProvider(kind, providerID) {
		return Provider{}, noProvider(kind)
	}
	p, err := scanProvider(q.QueryRowContext(ctx, `SELECT `+providerColumns+
		` FROM identity_provider WHERE id = $1 AND kind = $2`, providerID, string(kind)))
	if errors.Is(err, db.ErrNoRows) {
		return Provider{}, noProvider(kind)
	}
	return p, err
}

// listProviders returns up to one more than a page.
func listProviders(ctx context.Context, q db.Querier, organizationID id.Organization, kind Kind,
	page paging.Request) ([]Provider, error) {
	after := ""
	if page.After != nil {
		if len(page.After) != 1 {
			return nil, errs.Invalidf("query.page",
				"is not a cursor of this list; leave it out to start from the beginning")
		}
		after = page.After[0]
	}
	return db.All(ctx, q, "list identity providers", scanProvider, `
		SELECT `+providerColumns+
		` FROM identity_provider WHERE organization_id = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4`,
		organizationID, string(kind), after, page.Size()+1)
}

// allProviders returns the providers of an organization, those of SAML last, each kind the oldest first.
func allProviders(ctx context.Context, q db.Querier, organizationID id.Organization) ([]Provider, error) {
	return db.All(ctx, q, "list identity providers", scanProvider, `
		SELECT `+providerColumns+` FROM identity_provider WHERE organization_id = $1 ORDER BY kind, id LIMIT $2`,
		organizationID, 2*maxProviders)
}

// withProviders returns the ids of up to limit organizations that have providers.
func withProviders(ctx context.Context, q db.Querier, limit int) ([]id.Organization, error) {
	return db.All(ctx, q, "list organizations with identity providers", db.Column[id.Organization],
		`SELECT DISTINCT organization_id FROM identity_provider ORDER BY organization_id LIMIT $1`, limit)
}

func countProviders(ctx context.Context, q db.Querier, organizationID id.Organization, kind Kind) (int, error) {
	var count int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM identity_provider WHERE organization_id = $1 AND kind = $2`,
		organizationID, string(kind)).Scan(&count)
	return count, wrap("count identity providers", err)
}

func scanProvider(row db.Scanner) (Provider, error) {
	var p Provider
	var kind string
	var (
		team sql.Null[id.Team]
		role sql.Null[string]
	)
	var created, updated int64
	err := row.Scan(&p.ID, &p.Organization, &kind, &p.Label, &p.SSOURL, &p.EntityID, &p.Certificate, &p.Issuer,
		&p.ClientID, &p.clientSecret,
		&team, &role, &created, &updated)
	if err != nil {
		return Provider{}, fmt.Errorf("read identity provider: %w", err)
	}
	p.Kind, p.DefaultTeam, p.DefaultRole = Kind(kind), string(team.V), org.Role(role.V)
	p.CreatedAt, p.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return p, nil
}

// use notes that an assertion was used, and reports false when it was before.
func use(ctx context.Context, q db.Querier, providerID id.Provider, assertionID string, until time.Time) (bool, error) {
	hash := sha256.Sum256([]byte(assertionID))
	result, err := q.ExecContext(ctx, `
		INSERT INTO identity_assertion (provider_id, id_hash, expires_at) VALUES ($1, $2, $3)
		ON CONFLICT (provider_id, id_hash) DO NOTHING`,
		providerID, hash[:], until.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("note use of assertion: %w", err)
	}
	count, err := result.RowsAffected()
	return count == 1, wrap("note use of assertion", err)
}

// link is a provider's subject and the account that it is.
type link struct {
	provider  id.Provider
	subject   string
	user      id.User
	confirmed bool
}

// linkOf returns the link of a subject; found says whether there is one.
func linkOf(ctx context.Context, q db.Querier, providerID id.Provider, subject string) (l link, found bool, err error) {
	l = link{provider: providerID, subject: subject}
	err = q.QueryRowContext(ctx, `SELECT user_id, confirmed FROM identity_link WHERE provider_id = $1 AND subject = $2`,
		providerID, subject).
		Scan(&l.user, &l.confirmed)
	if errors.Is(err, db.ErrNoRows) {
		return link{}, false, nil
	}
	return l, err == nil, wrap("read link of identity", err)
}

func putLink(ctx context.Context, q db.Querier, l link, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO identity_link (provider_id, subject, user_id, confirmed, created_at, last_used_at)
		VALUES ($1, $2, $3, $4, $5, $5)
		ON CONFLICT (provider_id, subject) DO UPDATE SET last_used_at = excluded.last_used_at,
		confirmed = identity_link.confirmed OR excluded.confirmed`,
		l.provider, l.subject, l.user, l.confirmed, now.UnixMicro())
	return wrap("write link of identity", err)
}

func deleteLinks(ctx context.Context, q db.Querier, providerID id.Provider) error {
	_, err := q.ExecContext(ctx, `DELETE FROM identity_link WHERE provider_id = $1`, providerID)
	return wrap("delete links of identity provider", err)
}

// EndUnconfirmed forgets which providers open a user's account without its owner's word, and emergency codes that came
// by such a provider's word. It is for account.Deps.Proven, and runs in the transaction of the proof.
func EndUnconfirmed(ctx context.Context, q db.Querier, userID id.User) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM identity_link WHERE user_id = $1 AND NOT confirmed`,
		userID); err != nil {
		return fmt.Errorf("delete unconfirmed links of identity: %w", err)
	}
	_, err := q.ExecContext(ctx, `DELETE FROM identity_emergency_code WHERE user_id = $1 AND vouched_by <> ''`, userID)
	return wrap("delete emergency codes", err)
}

// insertArrival keeps an arrival under its ticket.
func insertArrival(ctx context.Context, q db.Querier, hash []byte, a arrival) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO identity_arrival (ticket_hash, provider_id, attempt, subject, email, name, return_to, expires_at,
		session_until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		hash, a.provider, a.attempt, a.subject, a.email, a.name, a.returnTo, a.expires.UnixMicro(),
		microseconds(a.sessionUntil))
	return wrap("insert arrival", err)
}

func arrivalOf(ctx context.Context, q db.Querier, hash []byte) (a arrival, found bool, err error) {
	var expires, sessionUntil int64
	err = q.QueryRowContext(ctx, `
		SELECT provider_id, attempt, subject, email, name, return_to, expires_at, session_until FROM identity_arrival
		WHERE ticket_hash = $1`, hash).
		Scan(&a.provider, &a.attempt, &a.subject, &a.email, &a.name, &a.returnTo, &expires, &sessionUntil)
	if errors.Is(err, db.ErrNoRows) {
		return arrival{}, false, nil
	}
	a.expires = time.UnixMicro(expires).UTC()
	if sessionUntil > 0 {
		a.sessionUntil = time.UnixMicro(sessionUntil).UTC()
	}
	return a, err == nil, wrap("read arrival", err)
}

// microseconds is a time as the database keeps it, 0 for none.
func microseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func deleteArrival(ctx context.Context, q db.Querier, hash []byte) error {
	_, err := q.ExecContext(ctx, `DELETE FROM identity_arrival WHERE ticket_hash = $1`, hash)
	return wrap("delete arrival", err)
}

func sweep(ctx context.Context, q db.Querier, now time.Time) error {
	for _, table := range []string{"identity_assertion", "identity_arrival"} {
		if _, err := q.ExecContext(ctx, `DELETE FROM `+table+` WHERE expires_at < $1`, now.UnixMicro()); err != nil {
			return fmt.Errorf("sweep %s: %w", table, err)
		}
	}
	return nil
}

func wrap(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
