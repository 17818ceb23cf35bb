package org

import (
	"context"

	"github.com/rectodocs/recto/internal/platform/db"
)

// OrganizationsOf returns the ids of the organizations that a user belongs to, in the order in which they joined. It
// runs in the caller's transaction.
func OrganizationsOf(ctx context.Context, q db.Querier, userID string) ([]string, error) {
	return db.All(ctx, q, "list organizations of user", db.Column[string], `
		SELECT organization_id FROM organization_member WHERE user_id = $1 ORDER BY joined_at, organization_id`, userID)
}
