package account

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// usersBatch is how many ids one statement takes; both databases take more.
const usersBatch = 1000

// UsersByIDs returns the users with the given ids by their id; an id without a user is not in the map. It checks no
// access.
func (s *Service) UsersByIDs(ctx context.Context, userIDs []string) (map[string]User, error) {
	found := make(map[string]User, len(userIDs))
	for len(userIDs) > 0 {
		n := min(len(userIDs), usersBatch)
		if err := addUsers(ctx, s.db.Read(), userIDs[:n], found); err != nil {
			return nil, err
		}
		userIDs = userIDs[n:]
	}
	return found, nil
}

// addUsers puts the users with the ids into found.
func addUsers(ctx context.Context, q db.Querier, userIDs []string, found map[string]User) error {
	args := make([]any, len(userIDs))
	for i, userID := range userIDs {
		args[i] = userID
	}
	rows, err := q.QueryContext(ctx, `SELECT `+userColumns+` FROM account_user u WHERE u.id IN (`+db.Placeholders(1,
		len(args))+`)`, args...)
	if err != nil {
		return fmt.Errorf("list users: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row userRow
		if err := rows.Scan(row.fields()...); err != nil {
			return fmt.Errorf("scan user: %w", err)
		}
		found[row.id] = row.user()
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list users: %w", err)
	}
	return nil
}

// EmailKey returns what the column email_key holds for an address: spellings that differ in letter case or in Unicode
// composition have one key.
func EmailKey(address string) string { return emailKey(address) }
