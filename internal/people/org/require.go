package org

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// RequireRole refuses callers whose role in the organization is lower; for people who are no members it is not there.
// It is for domains that package access knows nothing of.
func RequireRole(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	least Role) error {
	return requireRole(ctx, q, caller, organizationID, least)
}

// TeamIn returns a team in the caller's transaction, whoever asks; errs.NotFound when the organization has none such.
func TeamIn(ctx context.Context, q db.Querier, organizationID id.Organization, teamID id.Team) (Team, error) {
	return teamOf(ctx, q, organizationID, teamID)
}

// OrganizationIn returns an organization in the caller's transaction, whoever asks; errs.NotFound when there is none.
func OrganizationIn(ctx context.Context, q db.Querier, organizationID id.Organization) (Organization, error) {
	return find(ctx, q, organizationID)
}

// MemberIn returns a user's place in an organization in the caller's transaction; found is false when they have none.
func MemberIn(ctx context.Context, q db.Querier, organizationID id.Organization,
	userID id.User) (member Member, found bool, err error) {
	member, err = memberOf(ctx, q, organizationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		return Member{}, false, nil
	}
	return member, err == nil, err
}

// Expected is what an admin has decided for somebody who was invited by e-mail and has not come yet.
type Expected struct {
	Role  Role
	Teams []TeamPlace
}

// ExpectedIn returns what waits for an address in an organization; found is false when nobody invited it.
func ExpectedIn(ctx context.Context, q db.Querier, organizationID id.Organization, email string,
	now time.Time) (expected Expected, found bool, err error) {
	var inviteID string
	var role sql.Null[string]
	err = q.QueryRowContext(ctx, `
		SELECT id, role FROM org_invite WHERE organization_id = $1 AND email_key = $2 AND declined_at IS NULL
		AND expires_at > $3`,
		organizationID, account.EmailKey(email), now.UnixMicro()).Scan(&inviteID, &role)
	if errors.Is(err, db.ErrNoRows) {
		return Expected{}, false, nil
	}
	if err != nil {
		return Expected{}, false, fmt.Errorf("look for an invite: %w", err)
	}
	expected.Role = Role(role.V)
	expected.Teams, err = db.All(ctx, q, "list teams of an invite", func(row db.Scanner) (TeamPlace, error) {
		var place TeamPlace
		err := row.Scan(&place.Team, &place.Role)
		return place, err
	}, `SELECT team_id, role FROM org_invite_team WHERE invite_id = $1 ORDER BY team_id`, inviteID)
	return expected, true, err
}

// requireRole refuses callers whose role in the organization is lower; for people who are no members it is not there.
func requireRole(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	least Role) error {
	_, err := callerRole(ctx, q, caller, organizationID, least)
	return err
}

// callerRole is requireRole, and returns the role.
func callerRole(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	least Role) (Role, error) {
	if !id.Valid("org", organizationID) {
		return RoleGuest, noOrganization()
	}
	member, err := ownMemberOf(ctx, q, caller, organizationID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return RoleGuest, noOrganization()
	case err != nil:
		return RoleGuest, fmt.Errorf("load role: %w", err)
	case !member.Role.AtLeast(least):
		return RoleGuest, errs.Forbiddenf("This needs the role %s or higher in the organization.", least)
	}
	return member.Role, nil
}

func teamOf(ctx context.Context, q db.Querier, organizationID id.Organization, teamID id.Team) (Team, error) {
	if !id.Valid("team", teamID) {
		return Team{}, noTeam()
	}
	team, err := teamByID(ctx, q, organizationID, teamID)
	if errors.Is(err, db.ErrNoRows) {
		return Team{}, noTeam()
	}
	return team, err
}

func requireAdmin(role Role) error {
	if role != RoleAdmin {
		return errs.Forbiddenf("This needs the role %s or higher in the organization.", RoleAdmin)
	}
	return nil
}
