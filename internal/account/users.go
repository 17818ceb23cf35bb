package account

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/db"
)

// usersBatch is how many ids one statement takes; both databases take more.
const usersBatch = 1000

// Users returns the users with some ids, by id; who is not there is absent. It runs in the caller's transaction, or outside
// one, and asks no questions of access: it is for those who show who did what.
func (s *Service) Users(ctx context.Context, q db.Querier, userIDs []string) (map[string]User, error) {
	users := make(map[string]User, len(userIDs))
	for ids := range slices.Chunk(userIDs, usersBatch) {
		args := make([]any, len(ids))
		for i, userID := range ids {
			args[i] = userID
		}
		if err := addUsers(ctx, q, users, args); err != nil {
			return nil, err
		}
	}
	return users, nil
}

func addUsers(ctx context.Context, q db.Querier, users map[string]User, ids []any) error {
	rows, err := q.QueryContext(ctx, `
		SELECT `+userColumns+` FROM account_user u WHERE u.id IN (`+db.Placeholders(1, len(ids))+`)`, ids...)
	if err != nil {
		return fmt.Errorf("select users: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row userRow
		if err := rows.Scan(row.fields()...); err != nil {
			return fmt.Errorf("scan user: %w", err)
		}
		users[row.id] = row.user()
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("select users: %w", err)
	}
	return nil
}
