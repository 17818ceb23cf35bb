package importer

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Transferred lets the records of a space's imports follow it to another organization, in the transaction that moves
// it.
func Transferred(ctx context.Context, q db.Querier, spaceID id.Space, organizationID id.Organization) error {
	if _, err := q.ExecContext(ctx, `UPDATE import SET organization_id = $2 WHERE space_id = $1`, spaceID,
		organizationID); err != nil {
		return fmt.Errorf("move imports of space: %w", err)
	}
	return nil
}
