package org

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Creators are those who may create organizations beside those that the operator sets up.
type Creators string

// Who may create organizations.
const (
	// Administrators are people whom the operator chose: the admins of the organization that the installation began
	// with, and admins whom the operator made so, for as long as they are. An admin of an organization that somebody
	// else created is none.
	Administrators Creators = "administrators"
	Everyone       Creators = "everyone"
	Nobody         Creators = "nobody"
)

// mayCreate refuses callers who may not create organizations.
func (s *Service) mayCreate(ctx context.Context, q db.Querier, caller account.Caller) error {
	switch s.deps.Creators {
	case Everyone:
		return nil
	case Nobody:
		return errs.Forbiddenf(
			"Nobody creates organizations on this server. Its operator can allow it with --create-organizations.")
	}
	var chosen bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_member m WHERE m.user_id = $1 AND m.role = 'admin'
			AND `+account.ReachCondition("m.organization_id", "$2")+`
			AND (m.admin_by_operator OR m.organization_id IN (SELECT i.organization_id FROM installation i)))`,
		caller.User.ID, caller.Reach()).Scan(&chosen)
	if err != nil {
		return fmt.Errorf("look whether somebody may create organizations: %w", err)
	}
	if !chosen {
		return errs.Forbiddenf(
			"Only administrators whom the operator of this server has chosen create organizations here. " +
				"Ask one of them, or the operator, who can allow it to everyone with --create-organizations.")
	}
	return nil
}

// markChosen notes whether the operator has made a member an admin.
func markChosen(ctx context.Context, q db.Querier, m Member) error {
	_, err := q.ExecContext(ctx,
		`UPDATE organization_member SET admin_by_operator = $3 WHERE organization_id = $1 AND user_id = $2`,
		m.Organization, m.User, m.Role == RoleAdmin)
	if err != nil {
		return fmt.Errorf("note whom the operator made an admin: %w", err)
	}
	return nil
}
