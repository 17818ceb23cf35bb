package space

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
)

const collectionColumns = `c.id, c.organization_id, c.parent_id, c.position, c.title, c.description, c.default_level, c.created_by,
	c.created_at, c.updated_at`

func insertCollection(ctx context.Context, q db.Querier, c Collection) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO collection (id, organization_id, parent_id, position, title, description, default_level, created_by,
		created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		c.ID, c.Organization, db.NullText(c.Parent), c.position, c.Title, c.Description,
		db.NullText(c.DefaultLevel),
		db.NullText(c.CreatedBy), c.CreatedAt.UnixMicro(), c.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert collection: %w", err)
	}
	return nil
}

func updateCollection(ctx context.Context, q db.Querier, c Collection) error {
	_, err := q.ExecContext(ctx, `
		UPDATE collection SET title = $2, description = $3, default_level = $4, updated_at = $5 WHERE id = $1`,
		c.ID, c.Title, c.Description, db.NullText(c.DefaultLevel), c.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update collection: %w", err)
	}
	return nil
}

func deleteCollection(ctx context.Context, q db.Querier, collectionID id.Collection) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM collection WHERE id = $1`, collectionID); err != nil {
		return fmt.Errorf("delete collection: %w", err)
	}
	return nil
}

func collectionByID(ctx context.Context, q db.Querier, collectionID id.Collection) (Collection, error) {
	var row collectionRow
	err := q.QueryRowContext(ctx, `SELECT `+collectionColumns+` FROM collection c WHERE c.id = $1`, collectionID).
		Scan(row.fields()...)
	if err != nil {
		return Collection{}, fmt.Errorf("select collection: %w", err)
	}
	return row.collection(), nil
}

// listCollections returns up to one more than a page of collections, and how many there are in all.
func listCollections(ctx context.Context, q db.Querier, organization access.Organization, nested bool,
	page paging.Request) ([]Collection, int, error) {
	args := db.Args{organization.ID}
	readable := access.ReadableCollections(organization, &args)
	condition := `c.organization_id = $1 AND ` + readable
	if !nested {
		condition += ` AND c.parent_id IS NULL`
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM collection c WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count collections: %w", err)
	}
	afterPosition, afterID, err := orderKeys(page)
	if err != nil {
		return nil, 0, err
	}
	n := len(args)
	collections, err := db.All(ctx, q, "list collections", func(r db.Scanner) (Collection, error) {
		var row collectionRow
		err := r.Scan(row.fields()...)
		return row.collection(), err
	}, fmt.Sprintf(`
		SELECT `+collectionColumns+` FROM collection c
		WHERE `+condition+` AND (c.position, c.id) > ($%d, $%d)
		ORDER BY c.position, c.id LIMIT $%d`, n+1, n+2, n+3), append(args, afterPosition, afterID, page.Size()+1)...)
	if err != nil {
		return nil, 0, err
	}
	return collections, count, nil
}

// collectionsAbove returns the ids of a collection and of those that it is in, nearest first.
func collectionsAbove(ctx context.Context, q db.Querier, collectionID id.Collection) ([]id.Collection, error) {
	return db.All(ctx, q, "list collections above", db.Column[id.Collection], `
		WITH RECURSIVE up(id, parent_id, depth) AS (
			SELECT c.id, c.parent_id, 0 FROM collection c WHERE c.id = $1
			UNION ALL
			SELECT c.id, c.parent_id, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
		) SELECT up.id FROM up ORDER BY up.depth`, collectionID)
}

// heightOf returns how deep collections nest in one, itself counted.
func heightOf(ctx context.Context, q db.Querier, collectionID id.Collection) (int, error) {
	var height int
	err := q.QueryRowContext(ctx, `
		WITH RECURSIVE down(id, height) AS (
			SELECT c.id, 1 FROM collection c WHERE c.id = $1
			UNION ALL
			SELECT c.id, down.height + 1 FROM down JOIN collection c ON c.parent_id = down.id
		) SELECT MAX(height) FROM down`, collectionID).Scan(&height)
	if err != nil {
		return 0, fmt.Errorf("measure collection: %w", err)
	}
	return height, nil
}

// childrenOf returns the content of a collection in its order, the trash included.
func childrenOf(ctx context.Context, q db.Querier, collectionID id.Collection) ([]thing, error) {
	return queryThings(ctx, q, `
		SELECT x.id, x.is_space, x.position FROM (
			SELECT id, 1 AS is_space, position FROM space WHERE parent_id = $1
			UNION ALL
			SELECT id, 0, position FROM collection WHERE parent_id = $1) x
		ORDER BY x.position, x.id`, collectionID)
}

// everythingIn returns a collection and all below it in the order of the organization, the trash included.
func everythingIn(ctx context.Context, q db.Querier, collectionID id.Collection) ([]thing, error) {
	return queryThings(ctx, q, `
		WITH RECURSIVE down(id, position) AS (
			SELECT c.id, c.position FROM collection c WHERE c.id = $1
			UNION ALL
			SELECT c.id, c.position FROM down JOIN collection c ON c.parent_id = down.id
		) SELECT x.id, x.is_space, x.position FROM (
			SELECT down.id, 0 AS is_space, down.position FROM down
			UNION ALL
			SELECT s.id, 1, s.position FROM down JOIN space s ON s.parent_id = down.id) x
		ORDER BY x.position, x.id`, collectionID)
}

// madeBy returns the id of the user who made a space or collection; "" when they are gone.
func madeBy(ctx context.Context, q db.Querier, t thing) (id.User, error) {
	var userID sql.Null[id.User]
	if err := q.QueryRowContext(ctx, `SELECT created_by FROM `+t.table()+` WHERE id = $1`,
		t.id).Scan(&userID); err != nil {
		return "", fmt.Errorf("select who made a %s: %w", t.table(), err)
	}
	return userID.V, nil
}

// setParent moves a space or a collection.
func setParent(ctx context.Context, q db.Querier, t thing, parent id.Collection, position string) error {
	_, err := q.ExecContext(ctx, `UPDATE `+t.table()+` SET parent_id = $2, position = $3 WHERE id = $1`, t.id,
		db.NullText(parent), position)
	if err != nil {
		return fmt.Errorf("set parent of %s: %w", t.table(), err)
	}
	return nil
}

// setOrganization moves a space or a collection to another organization, where it gets a position.
func setOrganization(ctx context.Context, q db.Querier, t thing, organizationID id.Organization,
	position string) error {
	_, err := q.ExecContext(ctx, `UPDATE `+t.table()+` SET organization_id = $2, position = $3 WHERE id = $1`, t.id,
		organizationID, position)
	if err != nil {
		return fmt.Errorf("set organization of %s: %w", t.table(), err)
	}
	return nil
}

// touch notes that a space or a collection changed.
func touch(ctx context.Context, q db.Querier, t thing, now time.Time) error {
	if _, err := q.ExecContext(ctx, `UPDATE `+t.table()+` SET updated_at = $2 WHERE id = $1`, t.id,
		now.UnixMicro()); err != nil {
		return fmt.Errorf("note change of %s: %w", t.table(), err)
	}
	return nil
}

type collectionRow struct {
	id                           id.Collection
	organization                 id.Organization
	position, title, description string
	parent                       sql.Null[id.Collection]
	defaultLevel                 sql.Null[string]
	createdBy                    sql.Null[id.User]
	createdAt, updatedAt         int64
}

func (r *collectionRow) fields() []any {
	return []any{
		&r.id, &r.organization, &r.parent, &r.position, &r.title, &r.description, &r.defaultLevel, &r.createdBy,
		&r.createdAt, &r.updatedAt,
	}
}

func (r *collectionRow) collection() Collection {
	return Collection{
		ID: r.id, Organization: r.organization, Parent: r.parent.V, Title: r.title, Description: r.description,
		DefaultLevel: access.Level(r.defaultLevel.V), CreatedBy: r.createdBy.V, position: r.position,
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}
