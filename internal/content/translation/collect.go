package translation

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// collectAtOnce is how many rows Collect deletes in one transaction.
const collectAtOnce = 500

// Collect deletes what translations keep of a source that is gone for good: the texts that they remember and the states
// of its pages. The variants stay as they are; they are spaces of their own. It may run in any process at any time.
func (s *Service) Collect(ctx context.Context) error {
	for _, table := range []string{"translation_memory", "translation_page"} {
		for {
			deleted, err := s.forgetSome(ctx, table)
			if err != nil {
				return fmt.Errorf("forget translations without a source: %w", err)
			}
			if deleted < collectAtOnce {
				break
			}
		}
	}
	return nil
}

func (s *Service) forgetSome(ctx context.Context, table string) (deleted int64, err error) {
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		columns := "language_id, entry_id"
		if table == "translation_memory" {
			columns += ", source_hash, target_hash"
		}
		result, err := q.ExecContext(ctx, `DELETE FROM `+table+` WHERE (`+columns+`) IN (SELECT `+columns+` FROM `+
			table+`
			WHERE language_id IN (SELECT l.id FROM translation_language l JOIN translation t ON t.id = l.translation_id
				WHERE t.source_space_id IS NULL) LIMIT $1)`, collectAtOnce)
		if err != nil {
			return err
		}
		deleted, err = result.RowsAffected()
		return err
	})
	return deleted, err
}
