package org

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxTeamChange is how many people one change of a team names.
const maxTeamChange = 1000

// Teammate is a member of a team with who they are.
type Teammate struct {
	Person
	TeamRole TeamRole
}

// Place is a team with what somebody is in it.
type Place struct {
	Team     Team
	TeamRole TeamRole
}

// TeamChange is the input of ChangeTeamMembers.
type TeamChange struct {
	// Add are ids or e-mail addresses of people to put into the team.
	Add []id.User
	// Memberships are roles by the ids of members; who is not in the team is put into it.
	Memberships map[string]TeamRole
	// Remove are ids or e-mail addresses of people to take out of it; they are taken out whatever the others say.
	Remove []id.User
}

// ChangeTeamMembers puts people into a team and takes people out of it, all or none. It needs the role admin, or to be
// an owner of the team. Ids of people who were members and are gone are passed over; other ids that no member has are
// an errs.Invalid. Addresses that no member has are invited to the organization and the team, which needs the role
// admin.
func (s *Service) ChangeTeamMembers(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team, change TeamChange) error {
	if n := len(change.Add) + len(change.Memberships) + len(change.Remove); n > maxTeamChange {
		return errs.Invalidf("add", ", memberships and remove name %d people; up to %d are accepted in one call", n,
			maxTeamChange)
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		team, role, err := managedTeam(ctx, q, caller, organizationID, teamID)
		if err != nil {
			return err
		}
		plan, err := s.planTeam(ctx, q, team, change)
		if err != nil {
			return err
		}
		if len(plan.invite) > 0 && role != RoleAdmin {
			return errs.Forbiddenf("%s is no member of the organization, and only admins invite people.",
				plan.invite[0])
		}
		if err := s.applyPlan(ctx, q, caller, team, plan); err != nil {
			return err
		}
		count, err := countTeamMembers(ctx, q, team.ID)
		if err == nil && count > maxTeamMembers {
			err = errs.Conflictf("The team would have %d members; up to %d are accepted.", count, maxTeamMembers)
		}
		return err
	})
}

// teamPlan is what a change comes to.
type teamPlan struct {
	// put are the users to put into the team or to give a role, by id; an empty role keeps the one they have.
	put    map[id.User]TeamRole
	remove map[id.User]bool
	users  map[id.User]account.User
	// invite are addresses of people who are no members, forget those whose invite is not to be to the team any more.
	invite, forget []string
}

// planTeam finds out who everybody is.
func (s *Service) planTeam(ctx context.Context, q db.Querier, team Team, change TeamChange) (teamPlan, error) {
	plan := teamPlan{put: map[id.User]TeamRole{}, remove: map[id.User]bool{}, users: map[id.User]account.User{}}
	removed := map[string]bool{} // addresses
	for i, name := range change.Remove {
		user, email, err := s.named(ctx, q, team.Organization, fmt.Sprintf("remove[%d]", i), string(name))
		if err != nil {
			return plan, err
		}
		if gone(user, email) {
			continue
		}
		if user.ID == "" {
			removed[account.EmailKey(email)] = true
			plan.forget = append(plan.forget, email)
			continue
		}
		plan.remove[user.ID], plan.users[user.ID] = true, user
	}
	invited := map[string]bool{}
	for i, name := range change.Add {
		user, email, err := s.named(ctx, q, team.Organization, fmt.Sprintf("add[%d]", i), string(name))
		if err != nil {
			return plan, err
		}
		if gone(user, email) {
			continue
		}
		if user.ID != "" {
			plan.put[user.ID], plan.users[user.ID] = "", user
		} else if key := account.EmailKey(email); !removed[key] && !invited[key] {
			invited[key] = true
			plan.invite = append(plan.invite, email)
		}
	}
	for _, userID := range slices.Sorted(maps.Keys(change.Memberships)) {
		path, role := "memberships."+userID, change.Memberships[userID]
		if err := checkTeamRole(path+".role", role); err != nil {
			return plan, err
		}
		user, email, err := s.named(ctx, q, team.Organization, path, userID)
		if err != nil {
			return plan, err
		}
		if email != "" {
			return plan, errs.Invalidf(path, "is no id of a member; memberships are by id")
		}
		if gone(user, email) {
			continue
		}
		plan.put[user.ID], plan.users[user.ID] = role, user
	}
	for userID := range plan.remove {
		delete(plan.put, userID)
	}
	return plan, nil
}

// gone reports whether named has found somebody who was a member and is none any more.
func gone(user account.User, email string) bool { return user.ID == "" && email == "" }

// named returns the member with an id or an address; for an address that no member has, the zero User and the address,
// and for the id of somebody who was a member neither.
func (s *Service) named(ctx context.Context, q db.Querier, organizationID id.Organization, path,
	name string) (account.User, string, error) {
	userID, email, err := wellNamed(path, name)
	if err != nil {
		return account.User{}, "", err
	}
	if email != "" {
		user, err := s.accounts.UserByEmailIn(ctx, q, email)
		if errs.Is(err, errs.NotFound) {
			return account.User{}, email, nil
		}
		if err != nil {
			return account.User{}, "", err
		}
		if _, err := memberOf(ctx, q, organizationID, user.ID); errors.Is(err, db.ErrNoRows) {
			return account.User{}, email, nil
		} else if err != nil {
			return account.User{}, "", err
		}
		return user, email, nil
	}
	person, err := personOf(ctx, q, organizationID, userID)
	if !errs.Is(err, errs.NotFound) {
		return person.Account, "", err
	}
	was, err := wasMember(ctx, q, organizationID, userID)
	if err == nil && !was {
		err = errs.Invalidf(path, "%.80q is no id of a member of the organization", name)
	}
	return account.User{}, "", err
}

// applyPlan does what a change comes to.
func (s *Service) applyPlan(ctx context.Context, q db.Querier, caller account.Caller, team Team, plan teamPlan) error {
	for _, userID := range slices.Sorted(maps.Keys(plan.remove)) {
		if _, err := s.leaveTeam(ctx, q, caller, team, plan.users[userID]); err != nil {
			return err
		}
	}
	for _, userID := range slices.Sorted(maps.Keys(plan.put)) {
		if err := s.setTeamRole(ctx, q, caller, team, plan.users[userID], plan.put[userID]); err != nil {
			return err
		}
	}
	for _, email := range plan.forget {
		if err := s.hooks.Get().Invites.DropTeam(ctx, q, team, email); err != nil {
			return err
		}
	}
	if len(plan.invite) == 0 {
		return nil
	}
	organization, err := find(ctx, q, team.Organization)
	if err != nil {
		return err
	}
	for _, email := range plan.invite {
		if err := s.hooks.Get().Invites.ToTeam(ctx, q, caller, organization, team.ID, email); err != nil {
			return err
		}
	}
	return nil
}

// wellNamed checks a user's id or address; exactly one of both comes back.
func wellNamed(path, name string) (userID id.User, email string, err error) {
	if strings.Contains(name, "@") {
		email, err = account.CheckEmail(path, name)
		return "", email, err
	}
	if !id.Valid("user", name) || !field.Storable(name) {
		return "", "", errs.Invalidf(path, "%.80q is no id of a member of the organization", name)
	}
	return id.User(name), "", nil
}

// setTeamRole puts a member into a team with a role, or gives one that is in it the role; "" keeps what they have.
func (s *Service) setTeamRole(ctx context.Context, q db.Querier, caller account.Caller, team Team, user account.User,
	role TeamRole) error {
	before, err := teamRoleOf(ctx, q, team.ID, user.ID)
	if errors.Is(err, db.ErrNoRows) {
		if role == "" {
			role = TeamMember
		}
	} else if err != nil {
		return err
	} else if role == "" || role == before {
		return nil
	}
	return s.putTeamMember(ctx, q, caller, team, user, before, role)
}

// leaveTeam takes somebody out of a team, and reports whether they were in it.
func (s *Service) leaveTeam(ctx context.Context, q db.Querier, caller account.Caller, team Team,
	user account.User) (bool, error) {
	left, err := deleteTeamMember(ctx, q, team.ID, user.ID)
	if err != nil || !left {
		return left, err
	}
	return true, s.record(ctx, q, caller, team.Organization, "team-member.remove", teamTarget(team),
		map[string]any{"user": user.ID, "name": user.DisplayName})
}

// PutTeamMember puts a member of the organization into a team, or gives one that is in it another role; an absent role
// keeps the one they have, and makes others members. It needs the role admin, or to be an owner of the team.
func (s *Service) PutTeamMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team, userID id.User, role optional.Value[TeamRole]) error {
	if word, ok := role.Get(); ok {
		if err := checkTeamRole("role", word); err != nil {
			return err
		}
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		team, _, err := managedTeam(ctx, q, caller, organizationID, teamID)
		if err != nil {
			return err
		}
		person, err := personOf(ctx, q, organizationID, userID)
		if err != nil {
			return err
		}
		if err := s.setTeamRole(ctx, q, caller, team, person.Account, role.Or("")); err != nil {
			return err
		}
		count, err := countTeamMembers(ctx, q, team.ID)
		if err == nil && count > maxTeamMembers {
			err = errs.Conflictf("The team has %d members, which is the most.", maxTeamMembers)
		}
		return err
	})
}

// RemoveTeamMember takes somebody out of a team; who is not in it is an errs.NotFound. It needs the role admin, or to
// be an owner of the team; everybody may leave a team.
func (s *Service) RemoveTeamMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team, userID id.User) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		team, err := s.teamForLeaving(ctx, q, caller, organizationID, teamID, userID)
		if err != nil {
			return err
		}
		person, err := personOf(ctx, q, organizationID, userID)
		if err != nil {
			return err
		}
		left, err := s.leaveTeam(ctx, q, caller, team, person.Account)
		if err == nil && !left {
			err = errs.NotFoundf("The team has no such member.")
		}
		return err
	})
}

func (s *Service) teamForLeaving(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization, teamID id.Team, userID id.User) (Team, error) {
	if userID == caller.User.ID {
		if err := RequireRole(ctx, q, caller, organizationID, RoleGuest); err != nil {
			return Team{}, err
		}
		return TeamIn(ctx, q, organizationID, teamID)
	}
	team, _, err := managedTeam(ctx, q, caller, organizationID, teamID)
	return team, err
}

// ListTeamMembers returns a page of the members of a team, in the order of their ids, with the number of all and the
// keys of the next page (nil on the last). It needs the role read, or to be in the team.
func (s *Service) ListTeamMembers(ctx context.Context, caller account.Caller, organizationID id.Organization,
	teamID id.Team, page paging.Request) (mates paging.Page[Teammate], err error) {
	after, err := page.OneKey()
	if err != nil {
		return paging.Page[Teammate]{}, err
	}
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		role, err := RoleIn(ctx, q, caller, organizationID)
		if err != nil {
			return err
		}
		team, err := TeamIn(ctx, q, organizationID, teamID)
		if err != nil {
			return err
		}
		if !role.AtLeast(RoleRead) {
			if _, err := teamRoleOf(ctx, q, team.ID, caller.User.ID); errors.Is(err, db.ErrNoRows) {
				return noTeam()
			} else if err != nil {
				return err
			}
		}
		mates.Count = team.Members
		mates.Items, err = listTeammates(ctx, q, team, after, page.Size()+1)
		return err
	})
	if err != nil {
		return paging.Page[Teammate]{}, err
	}
	mates.Cut(page.Size(), func(m Teammate) []string { return []string{string(m.User)} })
	return mates, nil
}

// ListTeamsOf returns a page of the teams that a member is in, the oldest first, with the number of all whose title has
// a text and the keys of the next page (nil on the last). It needs the role read, but everybody may see their own.
func (s *Service) ListTeamsOf(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User, title string, page paging.Request) (places paging.Page[Place], err error) {
	if title, err = checkSearch("query.title", title); err != nil {
		return paging.Page[Place]{}, err
	}
	after, err := page.OneKey()
	if err != nil {
		return paging.Page[Place]{}, err
	}
	if _, err = s.GetMember(ctx, caller, organizationID, userID); err != nil {
		return paging.Page[Place]{}, err
	}
	if places.Items, places.Count, err = listPlaces(ctx, s.db.Read(), organizationID, userID, title, after,
		page.Size()+1); err != nil {
		return paging.Page[Place]{}, err
	}
	places.Cut(page.Size(), func(p Place) []string { return []string{string(p.Team.ID)} })
	return places, nil
}

func countTeamMembers(ctx context.Context, q db.Querier, teamID id.Team) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_team_member WHERE team_id = $1`,
		teamID).Scan(&count); err != nil {
		return 0, fmt.Errorf("count team members: %w", err)
	}
	return count, nil
}

func deleteTeamMember(ctx context.Context, q db.Querier, teamID id.Team, userID id.User) (bool, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM org_team_member WHERE team_id = $1 AND user_id = $2`, teamID, userID)
	return inserted("removal of team member", result, err)
}

func listTeammates(ctx context.Context, q db.Querier, team Team, after string, limit int) ([]Teammate, error) {
	return db.All(ctx, q, "list team members", func(r db.Scanner) (Teammate, error) {
		row := personRow{memberRow: memberRow{organization: team.Organization}}
		var mate Teammate
		err := r.Scan(append(row.fields(), &mate.TeamRole)...)
		mate.Person = row.person()
		return mate, err
	}, `
		SELECT `+personColumns+`, t.role FROM org_team_member t
		JOIN organization_member m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
		JOIN account_user u ON u.id = t.user_id
		WHERE t.team_id = $1 AND t.user_id > $2 ORDER BY t.user_id LIMIT $3`, team.ID, after, limit)
}

func listPlaces(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User, title, after string,
	limit int) ([]Place, int, error) {
	const from = ` FROM org_team_member k JOIN org_team t ON t.organization_id = k.organization_id AND t.id = k.team_id
		WHERE k.organization_id = $1 AND k.user_id = $2 AND t.title_key LIKE $3 ESCAPE '!'`
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+from, organizationID, userID, db.LikePattern(title)).
		Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count teams of member: %w", err)
	}
	places, err := db.All(ctx, q, "list teams of member", func(r db.Scanner) (Place, error) {
		var (
			row   teamRow
			place Place
		)
		err := r.Scan(append(row.fields(), &place.TeamRole)...)
		place.Team = row.team()
		return place, err
	}, `SELECT `+teamColumns+`, k.role`+from+
		` AND k.team_id > $4 ORDER BY k.team_id LIMIT $5`,
		organizationID, userID, db.LikePattern(title), after, limit)
	if err != nil {
		return nil, 0, err
	}
	return places, count, nil
}
