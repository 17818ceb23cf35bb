package account

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/platform/db"
)

// UsersIn is UsersByIDs in the caller's transaction.
func (s *Service) UsersIn(ctx context.Context, q db.Querier, userIDs []string) (map[string]User, error) {
	found := make(map[string]User, len(userIDs))
	for ids := range slices.Chunk(userIDs, usersBatch) {
		if err := addUsers(ctx, q, ids, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}
