package org

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// updateMember writes what can change of a member besides when they were last seen.
func updateMember(ctx context.Context, q db.Querier, m Member) error {
	_, err := q.ExecContext(ctx, `
		UPDATE organization_member SET role = $3, sso = $4, admin_by_operator = CASE WHEN $5 THEN admin_by_operator
		ELSE FALSE END WHERE organization_id = $1 AND user_id = $2`,
		m.Organization, m.User, db.NullText(m.Role), m.SSO, m.Role == RoleAdmin)
	if err != nil {
		return fmt.Errorf("update member: %w", err)
	}
	return nil
}

// wasRemoved reports whether an admin removed the user from the organization and nobody let them in again.
func wasRemoved(ctx context.Context, q db.Querier, organizationID, userID string) (bool, error) {
	var removed bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM org_removed_member WHERE organization_id = $1 AND user_id = $2
		AND NOT left_by_self)`, organizationID, userID).Scan(&removed)
	if err != nil {
		return false, fmt.Errorf("look for a removal: %w", err)
	}
	return removed, nil
}

// wasMember reports whether a user was a member of the organization and is none any more.
func wasMember(ctx context.Context, q db.Querier, organizationID, userID string) (bool, error) {
	var was bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM org_removed_member WHERE organization_id = $1 AND user_id = $2)`, organizationID,
		userID).Scan(&was)
	if err != nil {
		return false, fmt.Errorf("look for a former member: %w", err)
	}
	return was, nil
}

func forgetRemoved(ctx context.Context, q db.Querier, organizationID, userID string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM org_removed_member WHERE organization_id = $1 AND user_id = $2`,
		organizationID, userID)
	if err != nil {
		return fmt.Errorf("forget a removal: %w", err)
	}
	return nil
}

// deleteInvitesOf takes back what invites to an organization wait for an address.
func deleteInvitesOf(ctx context.Context, q db.Querier, organizationID, emailKey string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM org_invite WHERE organization_id = $1 AND email_key = $2`, organizationID,
		emailKey)
	if err != nil {
		return fmt.Errorf("delete invites: %w", err)
	}
	return nil
}
