package site

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// OnSite returns the id of one of the spaces that is on a site, published or not, and "" when none is. It checks no
// access and runs in the caller's transaction.
func OnSite(ctx context.Context, q db.Querier, spaceIDs []string) (string, error) {
	const batch = 1000
	for len(spaceIDs) > 0 {
		n := min(len(spaceIDs), batch)
		args := make([]any, n)
		for i, spaceID := range spaceIDs[:n] {
			args[i] = spaceID
		}
		var found sql.Null[string]
		err := q.QueryRowContext(ctx, `SELECT MIN(space_id) FROM site_space WHERE space_id IN (`+db.Placeholders(1, n)+
			`)`, args...).Scan(&found)
		if err != nil {
			return "", fmt.Errorf("look for sites of spaces: %w", err)
		}
		if found.Valid {
			return found.V, nil
		}
		spaceIDs = spaceIDs[n:]
	}
	return "", nil
}
