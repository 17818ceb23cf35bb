package audience

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const linkColumns = `id, name, token_sealed, active, created_at, last_used_at`

type linkRow struct {
	id, name, sealed string
	active           bool
	createdAt        int64
	lastUsedAt       sql.Null[int64]
}

func (r *linkRow) fields() []any {
	return []any{&r.id, &r.name, &r.sealed, &r.active, &r.createdAt, &r.lastUsedAt}
}

func insertLink(ctx context.Context, q db.Querier, l ShareLink, sealed string) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO share_link (id, site_id, name, token_sealed, token_hash, active, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, l.ID, l.Site, l.Name, sealed, hashToken(l.token), l.Active,
		l.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert share link: %w", err)
	}
	return nil
}

func updateLink(ctx context.Context, q db.Querier, l ShareLink) error {
	if _, err := q.ExecContext(ctx, `UPDATE share_link SET name = $2, active = $3 WHERE id = $1`, l.ID, l.Name,
		l.Active); err != nil {
		return fmt.Errorf("update share link: %w", err)
	}
	return nil
}

func deleteLink(ctx context.Context, q db.Querier, linkID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM share_link WHERE id = $1`, linkID); err != nil {
		return fmt.Errorf("delete share link: %w", err)
	}
	return nil
}

// setLastUse writes when a link was last used. Several processes write it: the latest stays.
func setLastUse(ctx context.Context, q db.Querier, linkID string, at int64) error {
	_, err := q.ExecContext(ctx, `
		UPDATE share_link SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`, linkID,
		at)
	if err != nil {
		return fmt.Errorf("set last use of share link: %w", err)
	}
	return nil
}

func countLinks(ctx context.Context, q db.Querier, siteID id.Site) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM share_link WHERE site_id = $1`,
		siteID).Scan(&count); err != nil {
		return 0, fmt.Errorf("count share links: %w", err)
	}
	return count, nil
}

func linkByID(ctx context.Context, q db.Querier, siteID id.Site, linkID string) (linkRow, error) {
	var row linkRow
	err := q.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM share_link WHERE site_id = $1 AND id = $2`, siteID,
		linkID).Scan(row.fields()...)
	if err != nil {
		return linkRow{}, fmt.Errorf("select share link: %w", err)
	}
	return row, nil
}

func linkByToken(ctx context.Context, q db.Querier, siteID id.Site, hash string) (linkRow, error) {
	var row linkRow
	err := q.QueryRowContext(ctx, `
		SELECT `+linkColumns+` FROM share_link WHERE token_hash = $1 AND site_id = $2`, hash,
		siteID).Scan(row.fields()...)
	if err != nil {
		return linkRow{}, fmt.Errorf("look up share link: %w", err)
	}
	return row, nil
}

// siteOfToken returns the site of an active link on a site that is shared by links.
func siteOfToken(ctx context.Context, q db.Querier, hash string) (id.Site, error) {
	var siteID id.Site
	err := q.QueryRowContext(ctx, `
		SELECT l.site_id FROM share_link l JOIN site ON site.id = l.site_id
		WHERE l.token_hash = $1 AND l.active AND site.visibility = 'share-link'`, hash).Scan(&siteID)
	if err != nil {
		return "", fmt.Errorf("look up site of share link: %w", err)
	}
	return siteID, nil
}

// listLinks returns up to one more than a page of the links of a site, and how many there are in all.
func listLinks(ctx context.Context, q db.Querier, siteID id.Site, page paging.Request) ([]linkRow, int, error) {
	count, err := countLinks(ctx, q, siteID)
	if err != nil {
		return nil, 0, err
	}
	after := ""
	if len(page.After) > 0 {
		after = page.After[0]
	}
	links, err := db.All(ctx, q, "list share links", func(r db.Scanner) (linkRow, error) {
		var row linkRow
		err := r.Scan(row.fields()...)
		return row, err
	}, `
		SELECT `+linkColumns+` FROM share_link WHERE site_id = $1 AND id > $2 ORDER BY id LIMIT $3`, siteID, after,
		page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return links, count, nil
}

type authRow struct {
	key                    string
	previous               sql.Null[string]
	previousUntil          sql.Null[int64]
	fallbackURL, logoutURL sql.Null[string]
	// integration is the id of the integration that lets visitors in, not valid for the organization's own program.
	// name is its name.
	integration, name sql.Null[string]
}

func authOf(ctx context.Context, q db.Querier, siteID id.Site) (authRow, error) {
	var row authRow
	err := q.QueryRowContext(ctx, `
		SELECT p.key_sealed, p.previous_sealed, p.previous_until, p.fallback_url, p.logout_url, p.integration_id, i.name
		FROM site_publishing_auth p LEFT JOIN integration i ON i.id = p.integration_id
		WHERE p.site_id = $1`, siteID).
		Scan(&row.key, &row.previous, &row.previousUntil, &row.fallbackURL, &row.logoutURL, &row.integration, &row.name)
	if err != nil {
		return authRow{}, fmt.Errorf("select publishing auth: %w", err)
	}
	return row, nil
}

func putAuth(ctx context.Context, q db.Querier, siteID id.Site, row authRow, now int64) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO site_publishing_auth (site_id, key_sealed, previous_sealed, previous_until, fallback_url,
		logout_url, updated_at, integration_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (site_id) DO UPDATE SET key_sealed = $2, previous_sealed = $3, previous_until = $4,
		fallback_url = $5,
			logout_url = $6, updated_at = $7, integration_id = $8`,
		siteID, row.key, row.previous, row.previousUntil, row.fallbackURL, row.logoutURL, now, row.integration)
	if err != nil {
		return fmt.Errorf("put publishing auth: %w", err)
	}
	return nil
}

type schemaRow struct {
	text      string
	updatedAt int64
	// members says that the site asks for tokens about the members of its organization.
	members bool
}

// asksForMembers reports whether a published site of an organization that reads visitors' tokens asks for those about
// members.
func asksForMembers(ctx context.Context, q db.Querier, organizationID id.Organization) (bool, error) {
	var asked bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1 FROM site JOIN site_adaptive_schema a ON a.site_id = site.id
			WHERE site.organization_id = $1 AND site.published AND a.members AND (site.visibility = 'visitor-auth'
			OR site.adaptive_content))`,
		organizationID).Scan(&asked)
	if err != nil {
		return false, fmt.Errorf("look for sites that ask for members: %w", err)
	}
	return asked, nil
}

func schemaOf(ctx context.Context, q db.Querier, siteID id.Site) (schemaRow, error) {
	var row schemaRow
	err := q.QueryRowContext(ctx,
		`SELECT json_schema, updated_at, members FROM site_adaptive_schema WHERE site_id = $1`, siteID).
		Scan(&row.text, &row.updatedAt, &row.members)
	if err != nil {
		return schemaRow{}, fmt.Errorf("select adaptive schema: %w", err)
	}
	return row, nil
}

func putSchema(ctx context.Context, q db.Querier, siteID id.Site, row schemaRow) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO site_adaptive_schema (site_id, json_schema, updated_at, members) VALUES ($1, $2, $3, $4)
		ON CONFLICT (site_id) DO UPDATE SET json_schema = $2, updated_at = $3, members = $4`, siteID, row.text,
		row.updatedAt, row.members)
	if err != nil {
		return fmt.Errorf("put adaptive schema: %w", err)
	}
	return nil
}
