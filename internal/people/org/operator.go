package org

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Operator does what the operator of a server asks for at its command line: that needs less than a Service has, and
// checks no access.
type Operator struct {
	db       *db.DB
	accounts *account.Service
	now      func() time.Time
}

// NewOperator returns an Operator.
func NewOperator(d *db.DB, accounts *account.Service) *Operator {
	return &Operator{d, accounts, time.Now}
}

func (s *Operator) clock() time.Time { return s.now().Truncate(time.Microsecond).UTC() }

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

func organizationTarget(o Organization) audit.Target {
	return audit.Target{Kind: "organization", ID: string(o.ID), Title: o.Title}
}
