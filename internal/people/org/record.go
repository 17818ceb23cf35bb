package org

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// record writes an entry of the audit log.
func (s *Operator) record(ctx context.Context, q db.Querier, actor account.Caller, organizationID id.Organization,
	action string, target audit.Target, details map[string]any) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: organizationID, Actor: actor.User.ID, Token: actor.Token.ID, Action: action, Target: target,
		Details: details,
	})
}

func userTarget(user account.User) audit.Target {
	return audit.Target{Kind: "user", ID: string(user.ID), Title: user.DisplayName}
}

// roleWord is a role as the audit log has it; nil for a guest's.
func roleWord(role Role) any {
	if role == RoleGuest {
		return nil
	}
	return string(role)
}

func organizationTarget(o Organization) audit.Target {
	return audit.Target{Kind: "organization", ID: string(o.ID), Title: o.Title}
}
