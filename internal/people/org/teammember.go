package org

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// EnterTeam puts a member of the organization into a team; somebody who is in it keeps the higher of both roles there.
// It runs in the transaction of the actor, who may say so.
func (s *Service) EnterTeam(ctx context.Context, q db.Querier, actor account.Caller, member Member, user account.User,
	place TeamPlace) error {
	if place.Role == "" {
		place.Role = TeamMember
	}
	if err := checkTeamRole("teams.role", place.Role); err != nil {
		return err
	}
	team, err := TeamIn(ctx, q, member.Organization, place.Team)
	if err != nil {
		return err
	}
	before, err := teamRoleOf(ctx, q, team.ID, user.ID)
	switch {
	case errors.Is(err, db.ErrNoRows):
	case err != nil:
		return err
	case before == TeamOwner || before == place.Role:
		return nil
	}
	return s.putTeamMember(ctx, q, actor, team, user, before, place.Role)
}

// putTeamMember gives a user a role in a team; before is the one they have, "" when they are not in it.
func (s *Service) putTeamMember(ctx context.Context, q db.Querier, actor account.Caller, team Team, user account.User,
	before, role TeamRole) error {
	if err := upsertTeamMember(ctx, q, team, user.ID, role); err != nil {
		return err
	}
	details := map[string]any{"user": user.ID, "name": user.DisplayName, "role": string(role)}
	action := "team-member.add"
	if before != "" {
		action, details["before"] = "team-member.update", string(before)
	}
	return s.record(ctx, q, actor, team.Organization, action, teamTarget(team), details)
}

func teamTarget(team Team) audit.Target {
	return audit.Target{Kind: "team", ID: string(team.ID), Title: team.Title}
}

// teamRoleOf returns a user's role in a team; db.ErrNoRows when they are not in it.
func teamRoleOf(ctx context.Context, q db.Querier, teamID id.Team, userID id.User) (TeamRole, error) {
	var role TeamRole
	err := q.QueryRowContext(ctx, `SELECT role FROM org_team_member WHERE team_id = $1 AND user_id = $2`, teamID,
		userID).Scan(&role)
	if err != nil {
		return "", fmt.Errorf("select team member: %w", err)
	}
	return role, nil
}

func upsertTeamMember(ctx context.Context, q db.Querier, team Team, userID id.User, role TeamRole) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_team_member (team_id, organization_id, user_id, role) VALUES ($1, $2, $3, $4)
		ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role`, team.ID, team.Organization, userID,
		string(role))
	if err != nil {
		return fmt.Errorf("put team member: %w", err)
	}
	return nil
}
