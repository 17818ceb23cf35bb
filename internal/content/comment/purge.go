package comment

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/platform/db"
)

// purgeBatch is how many comments one transaction removes with what hangs on them.
const purgeBatch = 200

// PurgeExpired removes the comments of spaces whose time in the trash is over at now, in small transactions, and
// returns how many. It is for the periodic job that removes such spaces for good, ahead of that: a space takes its
// comments with it in any case, but all at once, which for a long discussion would keep other writers waiting. Several
// processes may do it at the same time.
func (s *Service) PurgeExpired(ctx context.Context, now time.Time) (int, error) {
	before := now.Add(-space.Retention).UnixMicro()
	purged := 0
	for {
		ids, err := expiredComments(ctx, s.db.Read(), before)
		if err != nil || len(ids) == 0 {
			return purged, err
		}
		var removed int
		err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			var err error
			removed, err = deleteExpired(ctx, q, ids, before)
			return err
		})
		if err != nil {
			return purged, err
		}
		purged += removed
	}
}

func expiredComments(ctx context.Context, q db.Querier, before int64) ([]any, error) {
	return db.All(ctx, q, "list expired comments", func(row db.Scanner) (any, error) {
		var commentID id.Comment
		err := row.Scan(&commentID)
		return commentID, err
	}, `
		SELECT c.id FROM space s JOIN comment c ON c.space_id = s.id
		WHERE s.deleted_at IS NOT NULL AND s.deleted_at <= $1 LIMIT $2`, before, purgeBatch)
}

// deleteExpired removes comments whose space is still in the trash, and returns how many.
func deleteExpired(ctx context.Context, q db.Querier, ids []any, before int64) (int, error) {
	result, err := q.ExecContext(ctx, `
		DELETE FROM comment WHERE id IN (`+db.Placeholders(2, len(ids))+`)
			AND space_id IN (SELECT id FROM space WHERE deleted_at IS NOT NULL AND deleted_at <= $1)`,
		append([]any{before}, ids...)...)
	if err != nil {
		return 0, fmt.Errorf("delete expired comments: %w", err)
	}
	removed, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("delete expired comments: %w", err)
	}
	return int(removed), nil
}
