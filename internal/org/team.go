package org

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/paging"
)

// Limits of teams.
const (
	maxTeamTitle   = 64
	maxTeamMembers = 10_000
)

// Team is a group of an organization's members that access is granted to together.
type Team struct {
	// ID is "team_…".
	ID           string
	Organization string
	// Title has 1 to 64 characters.
	Title string
	// Members is how many there are.
	Members   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// CreateTeam makes a team without members. It needs the role admin in the organization.
func (s *Service) CreateTeam(ctx context.Context, caller account.Caller, organizationID, title string) (Team, error) {
	var made Team
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := requireRole(ctx, q, caller, organizationID, RoleAdmin); err != nil {
			return err
		}
		title, err := field.Text("title", title, 1, maxTeamTitle)
		if err != nil {
			return err
		}
		now := s.clock()
		made = Team{ID: id.New("team"), Organization: organizationID, Title: title, CreatedAt: now, UpdatedAt: now}
		return insertTeam(ctx, q, made)
	})
	if err != nil {
		return Team{}, err
	}
	return made, nil
}

// GetTeam returns a team; errs.NotFound when there is none in the organization or the caller is not a member. It needs
// the role read.
func (s *Service) GetTeam(ctx context.Context, caller account.Caller, organizationID, teamID string) (Team, error) {
	q := s.db.Read()
	if err := requireRole(ctx, q, caller, organizationID, RoleRead); err != nil {
		return Team{}, err
	}
	return teamOf(ctx, q, organizationID, teamID)
}

// ListTeams returns a page of an organization's teams, the oldest first, with the number of all and the keys of the next
// page (nil on the last). It needs the role read.
func (s *Service) ListTeams(ctx context.Context, caller account.Caller, organizationID string, page paging.Request) (teams []Team, count int, next []string, err error) {
	q := s.db.Read()
	if err := requireRole(ctx, q, caller, organizationID, RoleRead); err != nil {
		return nil, 0, nil, err
	}
	if teams, count, err = listTeams(ctx, q, organizationID, page); err != nil {
		return nil, 0, nil, err
	}
	teams, next = paging.Cut(teams, page.Size(), func(t Team) []string { return []string{t.ID} })
	return teams, count, next, nil
}

// SetTeamMembers makes the users with the given ids the members of a team, in place of those it has, and returns the team.
// All have to be members of the organization; errs.NotFound otherwise. It needs the role admin.
func (s *Service) SetTeamMembers(ctx context.Context, caller account.Caller, organizationID, teamID string, userIDs []string) (Team, error) {
	if len(userIDs) > maxTeamMembers {
		return Team{}, errs.Invalidf("users", "has %d people; up to %d are accepted", len(userIDs), maxTeamMembers)
	}
	members := slices.Compact(slices.Sorted(slices.Values(userIDs)))
	var team Team
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := requireRole(ctx, q, caller, organizationID, RoleAdmin); err != nil {
			return err
		}
		var err error
		if team, err = teamOf(ctx, q, organizationID, teamID); err != nil {
			return err
		}
		for _, userID := range members {
			if !id.Valid("user", userID) {
				return noMember()
			}
			if _, err := memberOf(ctx, q, organizationID, userID); errors.Is(err, db.ErrNoRows) {
				return noMember()
			} else if err != nil {
				return err
			}
		}
		team.Members, team.UpdatedAt = len(members), s.clock()
		return replaceTeamMembers(ctx, q, team, members)
	})
	if err != nil {
		return Team{}, err
	}
	return team, nil
}

// requireRole refuses callers whose role in the organization is lower; for people who are no members it is not there.
func requireRole(ctx context.Context, q db.Querier, caller account.Caller, organizationID string, least Role) error {
	if !id.Valid("org", organizationID) {
		return noOrganization()
	}
	member, err := memberOf(ctx, q, organizationID, caller.User.ID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return noOrganization()
	case err != nil:
		return err
	case !member.Role.AtLeast(least):
		return errs.Forbiddenf("This needs the role %s or higher in the organization.", least)
	}
	return nil
}

func teamOf(ctx context.Context, q db.Querier, organizationID, teamID string) (Team, error) {
	if !id.Valid("team", teamID) {
		return Team{}, noTeam()
	}
	team, err := teamByID(ctx, q, organizationID, teamID)
	if errors.Is(err, db.ErrNoRows) {
		return Team{}, noTeam()
	}
	return team, err
}

func noTeam() error { return errs.NotFoundf("The organization has no such team.") }
