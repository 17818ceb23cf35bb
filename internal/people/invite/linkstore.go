package invite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

const linkColumns = `l.id, l.organization_id, l.secret_sealed, l.space_id, l.collection_id, l.role, l.created_by, l.created_at, l.updated_at`

func insertLink(ctx context.Context, q db.Querier, l Link, hash []byte) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_invite_link (id, organization_id, secret_hash, secret_sealed, space_id, collection_id, role,
		created_by, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		l.ID, l.Organization, hash, l.sealed, db.NullText(l.Target.Space), db.NullText(l.Target.Collection),
		db.NullText(l.Role),
		db.NullText(l.CreatedBy),
		l.CreatedAt.UnixMicro(), l.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert invite link: %w", err)
	}
	return nil
}

func updateLink(ctx context.Context, q db.Querier, l Link) error {
	_, err := q.ExecContext(ctx, `UPDATE org_invite_link SET role = $2, updated_at = $3 WHERE id = $1`, l.ID,
		db.NullText(l.Role), l.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update invite link: %w", err)
	}
	return nil
}

func deleteLink(ctx context.Context, q db.Querier, linkID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM org_invite_link WHERE id = $1`, linkID); err != nil {
		return fmt.Errorf("delete invite link: %w", err)
	}
	return nil
}

// DropLinksBy revokes the links that a user has made in an organization, and returns how many it was.
func DropLinksBy(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (int64, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM org_invite_link WHERE organization_id = $1 AND created_by = $2`,
		organizationID, userID)
	if err != nil {
		return 0, fmt.Errorf("delete invite links: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("delete invite links: %w", err)
	}
	return n, nil
}

// DropLinks revokes all links to a space or collection: for one that leaves its organization.
func DropLinks(ctx context.Context, q db.Querier, target Target) error {
	column, value := "space_id", string(target.Space)
	if target.Collection != "" {
		column, value = "collection_id", string(target.Collection)
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM org_invite_link WHERE `+column+` = $1`, value); err != nil {
		return fmt.Errorf("drop invite links: %w", err)
	}
	return nil
}

func countLinks(ctx context.Context, q db.Querier, organizationID id.Organization) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_invite_link WHERE organization_id = $1`, organizationID).
		Scan(&count); err != nil {
		return 0, fmt.Errorf("count invite links: %w", err)
	}
	return count, nil
}

func linkBySecret(ctx context.Context, q db.Querier, organizationID id.Organization, hash []byte) (Link, error) {
	var row linkRow
	err := q.QueryRowContext(ctx, `
		SELECT `+linkColumns+` FROM org_invite_link l WHERE l.secret_hash = $1 AND l.organization_id = $2`, hash,
		organizationID).Scan(row.fields()...)
	if err != nil {
		return Link{}, fmt.Errorf("select invite link: %w", err)
	}
	return row.link(), nil
}

func listLinks(ctx context.Context, q db.Querier, organizationID id.Organization, after string,
	limit int) ([]Link, error) {
	return db.All(ctx, q, "list invite links", func(r db.Scanner) (Link, error) {
		var row linkRow
		err := r.Scan(row.fields()...)
		return row.link(), err
	}, `
		SELECT `+linkColumns+
		` FROM org_invite_link l WHERE l.organization_id = $1 AND l.id > $2 ORDER BY l.id LIMIT $3`,
		organizationID, after, limit)
}

type linkRow struct {
	id                   string
	organization         id.Organization
	sealed               string
	space                sql.Null[id.Space]
	collection           sql.Null[id.Collection]
	role                 sql.Null[string]
	createdBy            sql.Null[id.User]
	createdAt, updatedAt int64
}

func (r *linkRow) fields() []any {
	return []any{&r.id, &r.organization, &r.sealed, &r.space, &r.collection, &r.role, &r.createdBy, &r.createdAt,
		&r.updatedAt}
}

func (r *linkRow) link() Link {
	return Link{
		ID: r.id, Organization: r.organization, sealed: r.sealed, Target: Target{Space: r.space.V,
			Collection: r.collection.V}, Role: org.Role(r.role.V),
		CreatedBy: r.createdBy.V, CreatedAt: time.UnixMicro(r.createdAt).UTC(),
		UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}
