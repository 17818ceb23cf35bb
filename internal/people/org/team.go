package org

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Limits of teams.
const (
	maxTeamTitle   = 64
	maxTeamMembers = 10_000
	maxTeams       = 10_000
)

// CreateTeam makes a team of members of the organization, who are named by their ids. It needs the role admin in the
// organization. An id that no member has is an errs.Invalid.
func (s *Service) CreateTeam(ctx context.Context, caller account.Caller, organizationID id.Organization, title string,
	members ...string) (Team, error) {
	if len(members) > maxTeamMembers {
		return Team{}, errs.Invalidf("members", "has %d people; up to %d are accepted", len(members), maxTeamMembers)
	}
	var made Team
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := RequireRole(ctx, q, caller, organizationID, RoleAdmin); err != nil {
			return err
		}
		title, err := field.Text("title", title, 1, maxTeamTitle)
		if err != nil {
			return err
		}
		if count, err := countTeams(ctx, q, organizationID, TeamFilter{}); err != nil {
			return err
		} else if count >= maxTeams {
			return errs.Conflictf("The organization has %d teams, which is the most.", count)
		}
		now := s.clock()
		made = Team{ID: id.Team(id.New("team")), Organization: organizationID, Title: title, CreatedAt: now,
			UpdatedAt: now}
		if err := insertTeam(ctx, q, made); err != nil {
			return err
		}
		if err := s.record(ctx, q, caller, organizationID, "team.create", teamTarget(made), nil); err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, userID := range members {
			person, err := personOf(ctx, q, organizationID, id.User(userID))
			if errs.Is(err, errs.NotFound) {
				if was, err := wasMember(ctx, q, organizationID, id.User(userID)); err != nil || was {
					if err != nil {
						return err
					}
					continue // a list from before they were gone
				}
				return errs.Invalidf("members", "%.80q is no id of a member of the organization", userID)
			}
			if err != nil {
				return err
			}
			if seen[userID] {
				continue
			}
			seen[userID] = true
			if err := s.putTeamMember(ctx, q, caller, made, person.Account, "", TeamMember); err != nil {
				return err
			}
		}
		made.Members = len(seen)
		return nil
	})
	if err != nil {
		return Team{}, err
	}
	return made, nil
}

// GetTeam returns a team; errs.NotFound when there is none in the organization or the caller is not a member. It needs
// the role read, or to be in the team.
func (s *Service) GetTeam(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team) (Team, error) {
	q := s.db.Read()
	refused := RequireRole(ctx, q, caller, organizationID, RoleRead)
	if refused != nil && !errs.Is(refused, errs.Forbidden) {
		return Team{}, refused
	}
	team, err := TeamIn(ctx, q, organizationID, teamID)
	if err != nil || refused == nil {
		return team, err
	}
	if _, err := teamRoleOf(ctx, q, team.ID, caller.User.ID); errors.Is(err, db.ErrNoRows) {
		return Team{}, refused
	} else if err != nil {
		return Team{}, err
	}
	return team, nil
}

// ListTeams returns a page of an organization's teams, the oldest first, with the number of all under the same filter
// and the keys of the next page (nil on the last). It needs the role read.
func (s *Service) ListTeams(ctx context.Context, caller account.Caller, organizationID id.Organization,
	filter TeamFilter, page paging.Request) (teams paging.Page[Team], err error) {
	if filter.Title, err = checkSearch("query.title", filter.Title); err != nil {
		return paging.Page[Team]{}, err
	}
	if !field.Storable(string(filter.Owner)) {
		return paging.Page[Team]{}, errs.Invalidf("query.owner", "is no id of a user")
	}
	after, err := page.OneKey()
	if err != nil {
		return paging.Page[Team]{}, err
	}
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if err := RequireRole(ctx, q, caller, organizationID, RoleRead); err != nil {
			return err
		}
		if teams.Count, err = countTeams(ctx, q, organizationID, filter); err != nil {
			return err
		}
		teams.Items, err = listTeams(ctx, q, organizationID, filter, after, page.Size()+1)
		return err
	})
	if err != nil {
		return paging.Page[Team]{}, err
	}
	teams.Cut(page.Size(), func(t Team) []string { return []string{string(t.ID)} })
	return teams, nil
}

// UpdateTeam gives a team another title and returns it. It is for admins and the owners of the team.
func (s *Service) UpdateTeam(ctx context.Context, caller account.Caller, organizationID id.Organization, teamID id.Team,
	title string) (Team, error) {
	var after Team
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, _, err := managedTeam(ctx, q, caller, organizationID, teamID)
		if err != nil {
			return err
		}
		after = before
		if after.Title, err = field.Text("title", title, 1, maxTeamTitle); err != nil || after.Title == before.Title {
			return err
		}
		after.UpdatedAt = s.clock()
		if err := updateTeam(ctx, q, after); err != nil {
			return err
		}
		return s.record(ctx, q, caller, organizationID, "team.update", teamTarget(after),
			map[string]any{"title": map[string]any{"from": before.Title, "to": after.Title}})
	})
	if err != nil {
		return Team{}, err
	}
	return after, nil
}

// DeleteTeam removes a team with all that was granted to it. It is for admins and the owners of the team.
func (s *Service) DeleteTeam(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		team, _, err := managedTeam(ctx, q, caller, organizationID, teamID)
		if err != nil {
			return err
		}
		if err := deleteTeam(ctx, q, team.ID); err != nil {
			return err
		}
		return s.record(ctx, q, caller, organizationID, "team.delete", teamTarget(team),
			map[string]any{"members": team.Members})
	})
}

// OwnedTeams returns which teams of an organization the caller owns.
func (s *Service) OwnedTeams(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (map[id.Team]bool, error) {
	if !caller.Reaches(organizationID) {
		return nil, nil
	}
	return ownedTeams(ctx, s.db.Read(), organizationID, caller.User.ID)
}

// Role returns the caller's role in an organization; errs.NotFound when they are no member.
func (s *Service) Role(ctx context.Context, caller account.Caller, organizationID id.Organization) (Role, error) {
	if !caller.Reaches(organizationID) {
		return RoleGuest, caller.Unreached(organizationID, noOrganization())
	}
	member, err := s.Membership(ctx, organizationID, caller.User.ID)
	if errs.Is(err, errs.NotFound) {
		return RoleGuest, noOrganization()
	}
	return member.Role, err
}

// managedTeam loads a team whose members the caller may change, and the caller's role in the organization.
func managedTeam(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	teamID id.Team) (Team, Role, error) {
	role, err := RoleIn(ctx, q, caller, organizationID)
	if err != nil {
		return Team{}, RoleGuest, err
	}
	team, err := TeamIn(ctx, q, organizationID, teamID)
	if err != nil || role == RoleAdmin {
		return team, role, err
	}
	own, err := teamRoleOf(ctx, q, team.ID, caller.User.ID)
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return Team{}, RoleGuest, err
	}
	switch {
	case own == TeamOwner:
		return team, role, nil
	case own == "" && !role.AtLeast(RoleRead):
		return Team{}, RoleGuest, noTeam()
	}
	return Team{}, RoleGuest, errs.Forbiddenf("Only owners of the team and admins of the organization may change it.")
}
