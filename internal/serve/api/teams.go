package api

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/org"
)

type listTeamsInOrganizationInput struct {
	OrganizationPath
	PageParams
	Owner string `query:"owner" maxLength:"100" doc:"Only teams that the user with this id owns."`
	Title string `query:"title" maxLength:"256" doc:"Only teams whose title has this in it, in any letter case."`
}

// listTeamsInOrganization lists the teams of an organization.
func (a *API) listTeamsInOrganization(ctx context.Context,
	in *listTeamsInOrganizationInput) (*body[List[Team]], error) {
	name := strings.Join([]string{"teams", in.Organization, in.Owner, in.Title}, "\x00")
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	teams, err := a.Organizations.ListTeams(ctx, callerOf(ctx), in.Organization,
		org.TeamFilter{Owner: in.Owner, Title: in.Title}, request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireTeams(ctx, in.Organization, teams.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[Team]]{Body: *listed(a, name, paging.WithItems(teams, wire), same)}, nil
}

type createTeamInput struct {
	OrganizationPath
	Body struct {
		Title   string   `json:"title" minLength:"1" maxLength:"64"`
		Members []string `json:"members,omitempty" maxItems:"10000" doc:"Ids of members of the organization."`
	}
}

// createTeam makes a team.
func (a *API) createTeam(ctx context.Context, in *createTeamInput) (*body[Team], error) {
	made, err := a.Organizations.CreateTeam(ctx, callerOf(ctx), in.Organization, in.Body.Title, in.Body.Members...)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneTeam(ctx, made)
	if err != nil {
		return nil, err
	}
	return &body[Team]{Body: wire}, nil
}

// OneTeamPath is the path of an operation on a team.
type OneTeamPath struct {
	OrganizationPath
	TeamPath
}

// getTeam answers one team.
func (a *API) getTeam(ctx context.Context, in *OneTeamPath) (*body[Team], error) {
	team, err := a.Organizations.GetTeam(ctx, callerOf(ctx), in.Organization, in.Team)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneTeam(ctx, team)
	if err != nil {
		return nil, err
	}
	return &body[Team]{Body: wire}, nil
}

type updateTeamInput struct {
	OneTeamPath
	Body struct {
		Title string `json:"title" minLength:"1" maxLength:"64"`
	}
}

// updateTeam gives a team another title.
func (a *API) updateTeam(ctx context.Context, in *updateTeamInput) (*body[Team], error) {
	team, err := a.Organizations.UpdateTeam(ctx, callerOf(ctx), in.Organization, in.Team, in.Body.Title)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneTeam(ctx, team)
	if err != nil {
		return nil, err
	}
	return &body[Team]{Body: wire}, nil
}

// deleteTeam removes a team.
func (a *API) deleteTeam(ctx context.Context, in *OneTeamPath) (*nothing, error) {
	return done(a.Organizations.DeleteTeam(ctx, callerOf(ctx), in.Organization, in.Team))
}

type listTeamMembersInput struct {
	OneTeamPath
	PageParams
}

// listTeamMembers lists who is in a team.
func (a *API) listTeamMembers(ctx context.Context, in *listTeamMembersInput) (*body[List[TeamMemberItem]], error) {
	name := "teams/members/" + in.Organization + "/" + in.Team
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	mates, err := a.Organizations.ListTeamMembers(ctx, callerOf(ctx), in.Organization, in.Team, request)
	if err != nil {
		return nil, err
	}
	people := make([]org.Person, len(mates.Items))
	for i, mate := range mates.Items {
		people[i] = mate.Person
	}
	wire, err := a.wirePeople(ctx, in.Organization, people)
	if err != nil {
		return nil, err
	}
	items := make([]TeamMemberItem, len(mates.Items))
	for i, mate := range mates.Items {
		items[i] = TeamMemberItem{Organization: wire[i], Team: TeamMemberRole{Role: string(mate.TeamRole)},
			Permissions: TeamMemberPermissions{View: true}}
	}
	return &body[List[TeamMemberItem]]{Body: *listed(a, name, paging.WithItems(mates, items), same)}, nil
}

type changeTeamMembersInput struct {
	OneTeamPath
	Body struct {
		Add         []string                  `json:"add,omitempty" maxItems:"1000" doc:"Ids of members, or e-mail addresses."`
		Memberships map[string]TeamMemberRole `json:"memberships,omitempty" doc:"Roles in the team by the ids of members."`
		Remove      []string                  `json:"remove,omitempty" maxItems:"1000" doc:"Ids of members, or e-mail addresses."`
	}
}

// changeTeamMembers says who is in a team.
func (a *API) changeTeamMembers(ctx context.Context, in *changeTeamMembersInput) (*nothing, error) {
	change := org.TeamChange{Add: in.Body.Add, Memberships: map[string]org.TeamRole{}, Remove: in.Body.Remove}
	for userID, membership := range in.Body.Memberships {
		change.Memberships[userID] = org.TeamRole(membership.Role)
	}
	return done(a.Organizations.ChangeTeamMembers(ctx, callerOf(ctx), in.Organization, in.Team, change))
}

type putTeamMemberInput struct {
	OneTeamPath
	UserPath
	Body *struct {
		Role string `json:"role,omitempty" enum:"owner,member" doc:"member when absent, unless they are in the team already."`
	} `required:"false"`
}

// putTeamMember puts a member into a team.
func (a *API) putTeamMember(ctx context.Context, in *putTeamMemberInput) (*nothing, error) {
	var role optional.Value[org.TeamRole]
	if in.Body != nil && in.Body.Role != "" {
		role = optional.Of(org.TeamRole(in.Body.Role))
	}
	return done(a.Organizations.PutTeamMember(ctx, callerOf(ctx), in.Organization, in.Team, in.User, role))
}

type oneTeamMemberInput struct {
	OneTeamPath
	UserPath
}

// removeTeamMember takes a member out of a team.
func (a *API) removeTeamMember(ctx context.Context, in *oneTeamMemberInput) (*nothing, error) {
	return done(a.Organizations.RemoveTeamMember(ctx, callerOf(ctx), in.Organization, in.Team, in.User))
}
