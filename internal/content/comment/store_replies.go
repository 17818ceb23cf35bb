package comment

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const replyColumns = `r.id, r.comment_id, r.body, r.posted_by, r.posted_at, r.edited_at`

func insertReply(ctx context.Context, q db.Querier, r Reply) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO comment_reply (id, comment_id, body, posted_by, posted_at) VALUES ($1, $2, $3, $4, $5)`,
		r.ID, r.Comment, r.Body, r.author, r.PostedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert reply: %w", err)
	}
	return nil
}

func updateReply(ctx context.Context, q db.Querier, r Reply) error {
	_, err := q.ExecContext(ctx, `UPDATE comment_reply SET body = $2, edited_at = $3 WHERE id = $1`, r.ID, r.Body,
		db.NullMicros(r.EditedAt))
	if err != nil {
		return fmt.Errorf("update reply: %w", err)
	}
	return nil
}

// deleteReply removes a reply with its reactions and mentions, which have a foreign key to the comment only.
func deleteReply(ctx context.Context, q db.Querier, commentID id.Comment, replyID string) error {
	for _, table := range []string{"comment_reaction", "comment_mention"} {
		if _, err := q.ExecContext(ctx, `DELETE FROM `+table+` WHERE comment_id = $1 AND reply_id = $2`, commentID,
			replyID); err != nil {
			return fmt.Errorf("delete from %s: %w", table, err)
		}
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM comment_reply WHERE id = $1`, replyID); err != nil {
		return fmt.Errorf("delete reply: %w", err)
	}
	return nil
}

// replyByID returns a reply to a comment without people and reactions; db.ErrNoRows when there is none.
func replyByID(ctx context.Context, q db.Querier, commentID id.Comment, replyID string) (Reply, error) {
	var row replyRow
	err := q.QueryRowContext(ctx, `
		SELECT `+replyColumns+` FROM comment_reply r WHERE r.id = $1 AND r.comment_id = $2`, replyID, commentID).
		Scan(row.fields()...)
	if err != nil {
		return Reply{}, fmt.Errorf("select reply: %w", err)
	}
	return row.reply(), nil
}

// listReplies returns up to one more than a page of replies, oldest first, as replyByID does, and how many there are in
// all.
func listReplies(ctx context.Context, q db.Querier, commentID id.Comment, page paging.Request) ([]Reply, int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM comment_reply WHERE comment_id = $1`, commentID).
		Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count replies: %w", err)
	}
	after, afterID := int64(-1), ""
	if page.After != nil {
		var err error
		if after, afterID, err = timeKeys(page); err != nil {
			return nil, 0, err
		}
	}
	replies, err := db.All(ctx, q, "list replies", func(r db.Scanner) (Reply, error) {
		var row replyRow
		err := r.Scan(row.fields()...)
		return row.reply(), err
	}, `
		SELECT `+replyColumns+` FROM comment_reply r
		WHERE r.comment_id = $1 AND (r.posted_at, r.id) > ($2, $3)
		ORDER BY r.posted_at, r.id LIMIT $4`, commentID, after, afterID, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return replies, count, nil
}

// replierRow says how many replies one person has in one thread, and when the last was posted.
type replierRow struct {
	comment id.Comment
	user    id.User
	count   int
	lastAt  time.Time
}

// repliersOf returns who has replied to some comments, newest last reply first. The user is "" for accounts that are
// gone.
func repliersOf(ctx context.Context, q db.Querier, commentIDs []id.Comment) ([]replierRow, error) {
	args := make([]any, len(commentIDs))
	for i, commentID := range commentIDs {
		args[i] = commentID
	}
	return db.All(ctx, q, "list repliers", func(r db.Scanner) (replierRow, error) {
		var (
			row    replierRow
			user   sql.Null[id.User]
			lastAt int64
		)
		err := r.Scan(&row.comment, &user, &row.count, &lastAt)
		row.user, row.lastAt = user.V, time.UnixMicro(lastAt).UTC()
		return row, err
	}, `
		SELECT comment_id, posted_by, count(*), max(posted_at) FROM comment_reply
		WHERE comment_id IN (`+db.Placeholders(1, len(args))+`)
		GROUP BY comment_id, posted_by ORDER BY max(posted_at) DESC, posted_by`, args...)
}

type replyRow struct {
	id       string
	comment  id.Comment
	body     string
	postedBy sql.Null[id.User]
	postedAt int64
	editedAt sql.Null[int64]
}

func (r *replyRow) fields() []any {
	return []any{&r.id, &r.comment, &r.body, &r.postedBy, &r.postedAt, &r.editedAt}
}

func (r *replyRow) reply() Reply {
	return Reply{
		ID: r.id, Comment: r.comment, Body: r.body, PostedAt: time.UnixMicro(r.postedAt).UTC(),
		EditedAt: db.NullTime(r.editedAt),
		author:   r.postedBy.V,
	}
}
