package account

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// UsersIn is UsersByIDs in the caller's transaction.
func (s *Service) UsersIn(ctx context.Context, q db.Querier, userIDs []id.User) (map[id.User]User, error) {
	found := make(map[id.User]User, len(userIDs))
	for ids := range slices.Chunk(userIDs, usersBatch) {
		if err := addUsers(ctx, q, ids, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}
