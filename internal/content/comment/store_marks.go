package comment

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// post names a comment (reply is "") or a reply.
type post struct {
	comment id.Comment
	reply   string
}

// reactionRow is one person's reaction to a post.
type reactionRow struct {
	post
	emoji string
	user  id.User
	at    time.Time
}

func insertReactions(ctx context.Context, q db.Querier, p post, userID id.User, emoji []string, now time.Time) error {
	for _, each := range emoji {
		_, err := q.ExecContext(ctx, `
			INSERT INTO comment_reaction (comment_id, reply_id, emoji, user_id, reacted_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (comment_id, reply_id, emoji, user_id) DO NOTHING`, p.comment, p.reply, each, userID,
			now.UnixMicro())
		if err != nil {
			return fmt.Errorf("insert reaction: %w", err)
		}
	}
	return nil
}

func deleteReactions(ctx context.Context, q db.Querier, p post, userID id.User, emoji []string) error {
	for _, each := range emoji {
		_, err := q.ExecContext(ctx, `
			DELETE FROM comment_reaction WHERE comment_id = $1 AND reply_id = $2 AND emoji = $3 AND user_id = $4`,
			p.comment, p.reply, each, userID)
		if err != nil {
			return fmt.Errorf("delete reaction: %w", err)
		}
	}
	return nil
}

// countEmoji returns how many different emoji a post carries.
func countEmoji(ctx context.Context, q db.Querier, p post) (int, error) {
	var count int
	err := q.QueryRowContext(ctx, `
		SELECT count(DISTINCT emoji) FROM comment_reaction WHERE comment_id = $1 AND reply_id = $2`, p.comment,
		p.reply).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count emoji: %w", err)
	}
	return count, nil
}

// reactionsOf returns the reactions to posts, in the order of reacting: to the comments themselves when there are no
// ids of replies, else to those replies of the one comment.
func reactionsOf(ctx context.Context, q db.Querier, commentIDs []id.Comment, replyIDs []string) ([]reactionRow, error) {
	args := make([]any, 0, len(commentIDs)+len(replyIDs))
	for _, each := range commentIDs {
		args = append(args, each)
	}
	condition := `comment_id IN (` + db.Placeholders(1, len(commentIDs)) + `) AND reply_id = ''`
	if len(replyIDs) > 0 {
		condition = `comment_id = $1 AND reply_id IN (` + db.Placeholders(2, len(replyIDs)) + `)`
		for _, each := range replyIDs {
			args = append(args, each)
		}
	}
	return db.All(ctx, q, "list reactions", func(r db.Scanner) (reactionRow, error) {
		var row reactionRow
		var at int64
		err := r.Scan(&row.comment, &row.reply, &row.emoji, &row.user, &at)
		row.at = time.UnixMicro(at).UTC()
		return row, err
	}, `
		SELECT comment_id, reply_id, emoji, user_id, reacted_at FROM comment_reaction
		WHERE `+condition+` ORDER BY reacted_at, emoji, user_id`, args...)
}

// insertMentions keeps which of some users, those who are members of the organization, a post mentions, and returns who
// was not mentioned before. Who is mentioned already keeps the time of that.
func insertMentions(ctx context.Context, q db.Querier, p post, organizationID id.Organization, userIDs []id.User,
	now time.Time) (added []id.User, err error) {
	for _, each := range userIDs {
		result, err := q.ExecContext(ctx, `
			INSERT INTO comment_mention (comment_id, reply_id, user_id, mentioned_at)
			SELECT $1, $2, m.user_id, $3 FROM organization_member m WHERE m.organization_id = $4 AND m.user_id = $5
			ON CONFLICT (comment_id, reply_id, user_id) DO NOTHING`, p.comment, p.reply, now.UnixMicro(),
			organizationID, each)
		if err != nil {
			return nil, fmt.Errorf("insert mention: %w", err)
		}
		if rows, err := result.RowsAffected(); err == nil && rows > 0 {
			added = append(added, each)
		}
	}
	return added, nil
}

// setMentions is insertMentions for a post that was edited: whom it no longer mentions is dropped.
func setMentions(ctx context.Context, q db.Querier, p post, organizationID id.Organization, userIDs []id.User,
	now time.Time) (added []id.User, err error) {
	args := []any{p.comment, p.reply}
	gone := `DELETE FROM comment_mention WHERE comment_id = $1 AND reply_id = $2`
	if len(userIDs) > 0 {
		gone += ` AND user_id NOT IN (` + db.Placeholders(3, len(userIDs)) + `)`
		for _, each := range userIDs {
			args = append(args, each)
		}
	}
	if _, err := q.ExecContext(ctx, gone, args...); err != nil {
		return nil, fmt.Errorf("delete mentions: %w", err)
	}
	return insertMentions(ctx, q, p, organizationID, userIDs, now)
}

// mentionsOf returns the ids of the users whom a post mentions.
func mentionsOf(ctx context.Context, q db.Querier, p post) ([]id.User, error) {
	return db.All(ctx, q, "list mentions", db.Column[id.User], `
		SELECT user_id FROM comment_mention WHERE comment_id = $1 AND reply_id = $2 ORDER BY user_id`, p.comment,
		p.reply)
}
