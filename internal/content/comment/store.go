package comment

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const commentColumns = `c.id, c.space_id, c.change_request_id, c.review_id, c.revision_id, c.page_id, c.anchor, c.body,
	c.posted_by, c.posted_at, c.edited_at, c.status, c.resolved_by, c.resolved_at`

func insertComment(ctx context.Context, q db.Querier, c Comment) error {
	anchored := ""
	if !c.anchor.none() {
		encoded, err := json.Marshal(c.anchor)
		if err != nil {
			return fmt.Errorf("encode anchor: %w", err)
		}
		anchored = string(encoded)
	}
	page := ""
	if c.Target.Page != nil {
		page = c.Target.Page.ID
	}
	_, err := q.ExecContext(ctx, `
		INSERT INTO comment (id, space_id, change_request_id, review_id, revision_id, page_id, anchor, body, posted_by,
		posted_at, status)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		c.ID, c.Space, c.ChangeRequest, c.Target.Review, c.Target.Revision, page, anchored, c.Body, c.author,
		c.PostedAt.UnixMicro(), string(c.Status))
	if err != nil {
		return fmt.Errorf("insert comment: %w", err)
	}
	return nil
}

// updateComment writes what can change of a comment: its body and its status.
func updateComment(ctx context.Context, q db.Querier, c Comment) error {
	_, err := q.ExecContext(ctx, `
		UPDATE comment SET body = $2, edited_at = $3, status = $4, resolved_by = $5, resolved_at = $6 WHERE id = $1`,
		c.ID, c.Body, db.NullMicros(c.EditedAt), string(c.Status), db.NullText(c.resolver), db.NullMicros(c.ResolvedAt))
	if err != nil {
		return fmt.Errorf("update comment: %w", err)
	}
	return nil
}

func deleteComment(ctx context.Context, q db.Querier, commentID id.Comment) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM comment WHERE id = $1`, commentID); err != nil {
		return fmt.Errorf("delete comment: %w", err)
	}
	return nil
}

// commentByID returns a comment of a scope without people, reactions and replies; db.ErrNoRows when there is none.
func commentByID(ctx context.Context, q db.Querier, r room, commentID id.Comment) (Comment, error) {
	var row commentRow
	err := q.QueryRowContext(ctx, `
		SELECT `+commentColumns+` FROM comment c WHERE c.id = $1 AND c.space_id = $2 AND c.change_request_id = $3`,
		commentID, r.ID, r.changeRequest).Scan(row.fields()...)
	if err != nil {
		return Comment{}, fmt.Errorf("select comment: %w", err)
	}
	return row.comment()
}

// condition returns the SQL condition of a filter on the comments of a scope, with its arguments from $1 on.
func (f Filter) condition(r room) (string, []any) {
	text := strings.Builder{}
	text.WriteString(`c.space_id = $1 AND c.change_request_id = $2`)
	args := []any{r.ID, r.changeRequest}
	if f.Status != "" {
		args = append(args, string(f.Status))
		text.WriteString(` AND c.status = $` + strconv.Itoa(len(args)))
	}
	if f.Page != "" {
		args = append(args, f.Page)
		text.WriteString(` AND c.page_id = $` + strconv.Itoa(len(args)))
	}
	if len(f.Authors) > 0 {
		text.WriteString(` AND c.posted_by IN (` + db.Placeholders(len(args)+1, len(f.Authors)) + `)`)
		for _, author := range f.Authors {
			args = append(args, author)
		}
	}
	return text.String(), args
}

// listComments returns up to one more than a page of comments, as commentByID does, and how many there are in all.
func listComments(ctx context.Context, q db.Querier, r room, filter Filter,
	page paging.Request) ([]Comment, int, error) {
	condition, args := filter.condition(r)
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM comment c WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count comments: %w", err)
	}
	compare, order := `<`, `DESC`
	if filter.Order == OldestFirst {
		compare, order = `>`, `ASC`
	}
	if page.After != nil {
		at, commentID, err := timeKeys(page)
		if err != nil {
			return nil, 0, err
		}
		args = append(args, at, commentID)
		condition += fmt.Sprintf(` AND (c.posted_at, c.id) %s ($%d, $%d)`, compare, len(args)-1, len(args))
	}
	args = append(args, page.Size()+1)
	comments, err := queryComments(ctx, q, `
		SELECT `+commentColumns+` FROM comment c WHERE `+condition+`
		ORDER BY c.posted_at `+order+`, c.id `+order+` LIMIT $`+strconv.Itoa(len(args)), args...)
	return comments, count, err
}

// timeKeys reads the keys of a list that is ordered by a time and an id.
func timeKeys(page paging.Request) (micros int64, id string, err error) {
	if len(page.After) == 2 {
		if micros, err = strconv.ParseInt(page.After[0], 10, 64); err == nil {
			return micros, page.After[1], nil
		}
	}
	return 0, "", noCursor()
}

func noCursor() error {
	return errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

func queryComments(ctx context.Context, q db.Querier, query string, args ...any) ([]Comment, error) {
	return db.All(ctx, q, "list comments", func(r db.Scanner) (Comment, error) {
		var row commentRow
		if err := r.Scan(row.fields()...); err != nil {
			return Comment{}, err
		}
		return row.comment()
	}, query, args...)
}

// countOpen returns how many comments are open, by the ids in a column. condition may name $1 to $n of args.
func countOpen[T ~string](ctx context.Context, q db.Querier, column, condition string, args []any,
	ids []T) (map[T]int, error) {
	counts := make(map[T]int, len(ids))
	if len(ids) == 0 {
		return counts, nil
	}
	placeholders := db.Placeholders(len(args)+1, len(ids))
	for _, each := range ids {
		args = append(args, each)
	}
	err := db.Each(ctx, q, "count open comments", func(row db.Scanner) error {
		var key T
		var count int
		if err := row.Scan(&key, &count); err != nil {
			return err
		}
		counts[key] = count
		return nil
	}, `
		SELECT `+column+`, count(*) FROM comment
		WHERE `+condition+` AND `+column+` IN (`+placeholders+`) AND status = 'open'
		GROUP BY `+column, args...)
	return counts, err
}

type commentRow struct {
	id                         id.Comment
	space                      id.Space
	changeRequest              id.ChangeRequest
	review                     string
	revision                   id.Revision
	page, anchor, body, status string
	postedBy, resolvedBy       sql.Null[id.User]
	postedAt                   int64
	editedAt, resolvedAt       sql.Null[int64]
}

func (r *commentRow) fields() []any {
	// Ids are read as texts: into types of their own database/sql writes by reflection, five times as slowly.
	return []any{
		(*string)(&r.id), (*string)(&r.space), (*string)(&r.changeRequest), &r.review, (*string)(&r.revision),
		&r.page, &r.anchor, &r.body,
		&r.postedBy, &r.postedAt, &r.editedAt, &r.status, &r.resolvedBy, &r.resolvedAt,
	}
}

func (r *commentRow) comment() (Comment, error) {
	c := Comment{
		ID: r.id, Space: r.space, ChangeRequest: r.changeRequest, Body: r.body, Status: Status(r.status),
		PostedAt: time.UnixMicro(r.postedAt).UTC(), EditedAt: db.NullTime(r.editedAt),
		ResolvedAt: db.NullTime(r.resolvedAt),
		Target:     Target{Review: r.review, Revision: r.revision}, author: r.postedBy.V, resolver: r.resolvedBy.V,
	}
	if r.page != "" {
		c.Target.Page = &PageTarget{ID: r.page}
	}
	if r.anchor != "" {
		if err := json.Unmarshal([]byte(r.anchor), &c.anchor); err != nil {
			return Comment{}, fmt.Errorf("decode anchor of %s: %w", r.id, err)
		}
		if made := c.anchor.Suggestion; made != nil {
			c.Suggestion = &Suggestion{Text: made.Text, Applied: made.Applied}
		}
	}
	return c, nil
}
