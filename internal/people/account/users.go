package account

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// usersBatch is how many ids one statement takes; both databases take more.
const usersBatch = 1000

// UsersByIDs returns the users with the given ids by their id; an id without a user is not in the map. It checks no
// access.
func (s *Service) UsersByIDs(ctx context.Context, userIDs []id.User) (map[id.User]User, error) {
	found := make(map[id.User]User, len(userIDs))
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
func addUsers(ctx context.Context, q db.Querier, userIDs []id.User, found map[id.User]User) error {
	args := make([]any, len(userIDs))
	for i, userID := range userIDs {
		args[i] = userID
	}
	return db.Each(ctx, q, "list users", func(r db.Scanner) error {
		var row userRow
		if err := r.Scan(row.fields()...); err != nil {
			return err
		}
		found[row.id] = row.user()
		return nil
	}, `SELECT `+userColumns+` FROM account_user u WHERE u.id IN (`+db.Placeholders(1,
		len(args))+`)`, args...)
}

// EmailKey returns what the column email_key holds for an address: spellings that differ in letter case or in Unicode
// composition have one key.
func EmailKey(address string) string { return emailKey(address) }
