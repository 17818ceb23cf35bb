package change

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Transferred takes out of a space what refers to people of the organization that it has left: its own merge rules,
// which may name them, and requests for a review by people who are not in the new one. Change requests, their numbers
// and reviews stay. It runs in the transaction that moves the space.
func Transferred(ctx context.Context, q db.Querier, spaceID id.Space, organizationID id.Organization) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM merge_rules_space WHERE space_id = $1`, spaceID); err != nil {
		return fmt.Errorf("delete the merge rules of a space: %w", err)
	}
	_, err := q.ExecContext(ctx, `DELETE FROM change_request_reviewer
		WHERE change_request_id IN (SELECT id FROM change_request WHERE space_id = $1)
		AND user_id NOT IN (SELECT user_id FROM organization_member WHERE organization_id = $2)`, spaceID,
		organizationID)
	if err != nil {
		return fmt.Errorf("delete requests for reviews: %w", err)
	}
	return nil
}
