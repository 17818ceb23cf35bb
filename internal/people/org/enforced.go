package org

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Enforced is what package account asks of organizations that enforce single sign-on.
var Enforced = account.Enforcement{
	Concerns: `EXISTS (SELECT 1 FROM organization_member em JOIN organization eo ON eo.id = em.organization_id
		WHERE em.user_id = u.id AND eo.sso)`,
	Closed: closedTo,
}

// closedTo returns the organizations of a caller that enforce single sign-on and are closed to what the caller came in
// with.
func closedTo(ctx context.Context, q db.Querier, caller account.Caller) ([]string, error) {
	var closed []string
	err := db.Each(ctx, q, "list organizations with single sign-on", func(row db.Scanner) error {
		var organizationID id.Organization
		var accepted sql.Null[int64]
		if err := row.Scan(&organizationID, &accepted); err != nil {
			return err
		}
		if !entered(caller, organizationID, db.NullTime(accepted)) {
			closed = append(closed, string(organizationID))
		}
		return nil
	}, `
		SELECT m.organization_id, m.sso_accepted_at FROM organization_member m
		JOIN organization o ON o.id = m.organization_id
		WHERE m.user_id = $1 AND o.sso ORDER BY m.organization_id`, caller.User.ID)
	return closed, err
}

// entered is the rule of enforced single sign-on: what opens the organization for a member who accepted it at a time,
// zero for one who did not. It is what came through the organization's own provider, what the operator has made, and
// tokens from before the member accepted it: those go on.
func entered(caller account.Caller, organizationID id.Organization, accepted time.Time) bool {
	if caller.Through() == string(organizationID) || caller.Through() == account.ThroughOperator {
		return true
	}
	return caller.Session.ID == "" && !accepted.IsZero() && caller.Token.CreatedAt.Before(accepted)
}

// Entrance is what a member sees of an organization before they enter it.
type Entrance struct {
	Membership
	// Closed says that it is closed to what the member came in with, and opens through its single sign-on.
	Closed bool
	// Accepted says that the member has accepted that.
	Accepted bool
}

// EntranceOf returns the entrance of an organization that the caller belongs to; errs.NotFound otherwise.
func (s *Service) EntranceOf(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (Entrance, error) {
	if !id.Valid("org", organizationID) {
		return Entrance{}, noOrganization()
	}
	q := s.db.Read()
	membership, err := membershipOf(ctx, q, caller.Leaving(), organizationID)
	if errors.Is(err, db.ErrNoRows) {
		return Entrance{}, noOrganization()
	}
	if err != nil {
		return Entrance{}, err
	}
	member, err := memberOf(ctx, q, organizationID, caller.User.ID)
	return Entrance{Membership: membership, Closed: caller.ShutOut(organizationID),
		Accepted: !member.SSOAcceptedAt.IsZero()}, err
}

// AcceptSSO notes that the caller accepts that an organization of theirs opens through its single sign-on alone. It is
// an errs.Conflict when it does not.
func (s *Service) AcceptSSO(ctx context.Context, caller account.Caller, organizationID id.Organization) error {
	if !id.Valid("org", organizationID) {
		return noOrganization()
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		membership, err := membershipOf(ctx, q, caller.Leaving(), organizationID)
		if errors.Is(err, db.ErrNoRows) {
			return noOrganization()
		}
		if err != nil {
			return err
		}
		if !membership.Organization.SSO {
			return errs.Conflictf("The organization does not enforce single sign-on.")
		}
		return s.AcceptSSOIn(ctx, q, caller, organizationID)
	})
}

// AcceptSSOIn notes once that a member has accepted enforced single sign-on, in the caller's transaction.
func (s *Service) AcceptSSOIn(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) error {
	result, err := q.ExecContext(ctx, `
		UPDATE organization_member SET sso_accepted_at = $3 WHERE organization_id = $1 AND user_id = $2
		AND sso_accepted_at IS NULL`,
		organizationID, caller.User.ID, s.clock().UnixMicro())
	if changed, err := inserted("acceptance of single sign-on", result, err); err != nil || !changed {
		return err
	}
	return s.record(ctx, q, caller, organizationID, "member.accept-sso", userTarget(caller.User), nil)
}

// MarkSSO lets a member sign in through the identity provider, unless they belong to another organization: the provider
// could open that one, too. refused says so. It runs in the transaction of the actor, who may say so.
func (s *Service) MarkSSO(ctx context.Context, q db.Querier, actor account.Caller, member Member,
	user account.User) (refused bool, err error) {
	elsewhere, err := belongsElsewhere(ctx, q, member)
	if err != nil || elsewhere {
		return elsewhere, err
	}
	member.SSO = true
	if err := updateMember(ctx, q, member); err != nil {
		return false, err
	}
	return false, s.record(ctx, q, actor, member.Organization, "member.sso", userTarget(user), nil)
}
