package job

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/platform/db"
)

// statusBatch is how many ids one statement takes.
const statusBatch = 500

// Statuses returns what is known about jobs, by their ids, without their progress and times. A job that never was, or
// that ended over a week ago, has no entry. It runs in the caller's transaction.
func Statuses(ctx context.Context, q db.Querier, jobIDs []string) (map[string]Status, error) {
	found := make(map[string]Status, len(jobIDs))
	for ids := range slices.Chunk(jobIDs, statusBatch) {
		args := make([]any, len(ids))
		for i, each := range ids {
			args[i] = each
		}
		rows, err := q.QueryContext(ctx, `SELECT id, kind, state, attempt, last_error FROM job WHERE id IN (`+
			db.Placeholders(1, len(ids))+`)`, args...)
		if err == nil {
			err = scanStatuses(rows, found)
		}
		if err != nil {
			return nil, fmt.Errorf("get jobs: %w", err)
		}
	}
	return found, nil
}

func scanStatuses(rows *sql.Rows, into map[string]Status) error {
	defer rows.Close()
	for rows.Next() {
		var status Status
		if err := rows.Scan(&status.ID, &status.Kind, &status.State, &status.Attempt, &status.LastError); err != nil {
			return err
		}
		into[status.ID] = status
	}
	return rows.Err()
}
