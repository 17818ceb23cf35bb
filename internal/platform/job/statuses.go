package job

import (
	"context"
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
		err := db.Each(ctx, q, "get jobs", func(row db.Scanner) error {
			var status Status
			err := row.Scan(&status.ID, &status.Kind, &status.State, &status.Attempt, &status.LastError)
			found[status.ID] = status
			return err
		}, `SELECT id, kind, state, attempt, last_error FROM job WHERE id IN (`+
			db.Placeholders(1, len(ids))+`)`, args...)
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
