package space

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

const spaceColumns = `s.id, s.organization_id, s.position, s.title, s.emoji, s.icon, s.visibility, s.edit_mode, s.language,
	s.default_level, s.created_by, s.created_at, s.updated_at, s.deleted_at, s.deleted_by,
	s.parent_id`

// batch is how many ids one statement takes; both databases take more.
const batch = 1000

func insertSpace(ctx context.Context, q db.Querier, s Space) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO space (id, organization_id, position, title, emoji, icon, visibility, edit_mode, language,
		default_level,
			created_by, created_at, updated_at, parent_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		s.ID, s.Organization, s.position, s.Title, s.Emoji, s.Icon, string(VisibilityPrivate), string(s.EditMode),
		s.Language,
		db.NullText(s.DefaultLevel), db.NullText(s.CreatedBy), s.CreatedAt.UnixMicro(), s.UpdatedAt.UnixMicro(),
		db.NullText(s.Parent))
	if err != nil {
		return fmt.Errorf("insert space: %w", err)
	}
	return nil
}

func updateSpace(ctx context.Context, q db.Querier, s Space) error {
	_, err := q.ExecContext(ctx, `
		UPDATE space SET title = $2, emoji = $3, icon = $4, edit_mode = $5, language = $6, default_level = $7,
		updated_at = $8
		WHERE id = $1`,
		s.ID, s.Title, s.Emoji, s.Icon, string(s.EditMode), s.Language, db.NullText(s.DefaultLevel),
		s.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update space: %w", err)
	}
	return nil
}

// setDeleted moves a space into the trash in somebody's name, or out of it when deletedAt is zero.
func setDeleted(ctx context.Context, q db.Querier, spaceID id.Space, deletedBy id.User,
	deletedAt, updatedAt time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE space SET deleted_at = $2, deleted_by = $3, updated_at = $4 WHERE id = $1`,
		spaceID, db.NullMicros(deletedAt), db.NullText(deletedBy), updatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("set deletion of space: %w", err)
	}
	return nil
}

func spaceByID(ctx context.Context, q db.Querier, spaceID id.Space) (Space, error) {
	var row spaceRow
	err := q.QueryRowContext(ctx, `SELECT `+spaceColumns+` FROM space s WHERE s.id = $1`, spaceID).Scan(row.fields()...)
	if err != nil {
		return Space{}, fmt.Errorf("select space: %w", err)
	}
	return row.space(), nil
}

// listSpaces returns up to one more than a page of an organization's spaces, only those of a collection when parent is
// not empty, and how many there are in all.
func listSpaces(ctx context.Context, q db.Querier, organization access.Organization, parent string,
	page paging.Request) ([]Space, int, error) {
	// One of the two, so that the index for it serves: what is in a collection is in the collection's organization.
	condition, args := `s.organization_id = $1`, db.Args{organization.ID}
	if parent != "" {
		condition, args = `s.parent_id = $1`, db.Args{parent}
	}
	readable := access.ReadableSpaces(organization, &args)
	condition += ` AND s.deleted_at IS NULL AND ` + readable
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM space s WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count spaces: %w", err)
	}
	afterPosition, afterID, err := orderKeys(page)
	if err != nil {
		return nil, 0, err
	}
	n := len(args)
	spaces, err := querySpaces(ctx, q, fmt.Sprintf(`
		SELECT `+spaceColumns+` FROM space s
		WHERE `+condition+` AND (s.position, s.id) > ($%d, $%d)
		ORDER BY s.position, s.id LIMIT $%d`, n+1, n+2, n+3), append(args, afterPosition, afterID, page.Size()+1)...)
	return spaces, count, err
}

// orderKeys reads the keys of a list in the organization's order; the first page starts before everything.
func orderKeys(page paging.Request) (position, id string, err error) {
	switch len(page.After) {
	case 0:
		return "", "", nil
	case 2:
		return page.After[0], page.After[1], nil
	}
	return "", "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

func readableSpaces(ctx context.Context, q db.Querier, organization access.Organization) ([]Space, error) {
	args := db.Args{organization.ID}
	readable := access.ReadableSpaces(organization, &args)
	return querySpaces(ctx, q, `
		SELECT `+spaceColumns+` FROM space s
		WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND `+readable+`
		ORDER BY s.position, s.id`, args...)
}

func spacesByID(ctx context.Context, q db.Querier, organization access.Organization, ids []id.Space) ([]Space, error) {
	var found []Space
	for len(ids) > 0 {
		n := min(len(ids), batch)
		args := db.Args{organization.ID}
		for _, spaceID := range ids[:n] {
			args = append(args, spaceID)
		}
		readable := access.ReadableSpaces(organization, &args)
		spaces, err := querySpaces(ctx, q, `
			SELECT `+spaceColumns+` FROM space s
			WHERE s.organization_id = $1 AND s.id IN (`+db.Placeholders(2, n)+`) AND s.deleted_at IS NULL AND `+
			readable, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, spaces...)
		ids = ids[n:]
	}
	return found, nil
}

func querySpaces(ctx context.Context, q db.Querier, query string, args ...any) ([]Space, error) {
	return db.All(ctx, q, "list spaces", func(r db.Scanner) (Space, error) {
		var row spaceRow
		err := r.Scan(row.fields()...)
		return row.space(), err
	}, query, args...)
}

// expiredSpaces returns the ids of up to limit spaces that were deleted at a time or before, longest ago first.
func expiredSpaces(ctx context.Context, q db.Querier, before time.Time, limit int) ([]id.Space, error) {
	return db.All(ctx, q, "list expired spaces", db.Column[id.Space], `
		SELECT id FROM space WHERE deleted_at IS NOT NULL AND deleted_at <= $1 ORDER BY deleted_at, id LIMIT $2`,
		before.UnixMicro(), limit)
}

// deleteExpired removes a space if it is still in the trash since a time or before, and reports whether it did. leaves
// is called before it goes. Its title leaves the audit log with it.
func deleteExpired(ctx context.Context, q db.Querier, spaceID id.Space, before time.Time,
	leaves func(ctx context.Context, q db.Querier, spaceID id.Space) error) (bool, error) {
	var (
		organization id.Organization
		title        string
	)
	err := q.QueryRowContext(ctx,
		`SELECT organization_id, title FROM space WHERE id = $1 AND deleted_at IS NOT NULL AND deleted_at <= $2`,
		spaceID, before.UnixMicro()).Scan(&organization, &title)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("select expired space: %w", err)
	}
	if err := leaves(ctx, q, spaceID); err != nil {
		return false, err
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM space WHERE id = $1`, spaceID); err != nil {
		return false, fmt.Errorf("delete space: %w", err)
	}
	return true, audit.ForgetTitles(ctx, q, organization, string(spaceID), title, "site-space.add")
}

type spaceRow struct {
	id                                                           id.Space
	organization                                                 id.Organization
	position, title, emoji, icon, visibility, editMode, language string
	defaultLevel                                                 sql.Null[string]
	createdBy                                                    sql.Null[id.User]
	createdAt, updatedAt                                         int64
	deletedAt                                                    sql.Null[int64]
	deletedBy                                                    sql.Null[id.User]
	parent                                                       sql.Null[id.Collection]
}

func (r *spaceRow) fields() []any {
	return []any{
		&r.id, &r.organization, &r.position, &r.title, &r.emoji, &r.icon, &r.visibility, &r.editMode, &r.language,
		&r.defaultLevel, &r.createdBy, &r.createdAt, &r.updatedAt, &r.deletedAt, &r.deletedBy, &r.parent,
	}
}

func (r *spaceRow) space() Space {
	s := Space{
		ID: r.id, Organization: r.organization, Title: r.title, Emoji: r.emoji, Icon: r.icon,
		Visibility: Visibility(r.visibility), EditMode: EditMode(r.editMode), Language: r.language,
		DefaultLevel: access.Level(r.defaultLevel.V), CreatedBy: r.createdBy.V, position: r.position,
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
	s.Parent = r.parent.V
	if s.Parent != "" && s.Visibility == VisibilityPrivate {
		s.Visibility = VisibilityInCollection
	}
	if r.deletedAt.Valid {
		s.DeletedAt, s.DeletedBy = time.UnixMicro(r.deletedAt.V).UTC(), r.deletedBy.V
	}
	return s
}
