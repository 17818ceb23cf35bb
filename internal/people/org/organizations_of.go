package org

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// OrganizationsOf returns the ids of the organizations that a user belongs to, in the order in which they joined. It
// runs in the caller's transaction.
func OrganizationsOf(ctx context.Context, q db.Querier, userID string) ([]string, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT organization_id FROM organization_member WHERE user_id = $1 ORDER BY joined_at, organization_id`, userID)
	if err != nil {
		return nil, fmt.Errorf("list organizations of user: %w", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var each string
		if err := rows.Scan(&each); err != nil {
			return nil, fmt.Errorf("scan organization of user: %w", err)
		}
		ids = append(ids, each)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list organizations of user: %w", err)
	}
	return ids, nil
}
