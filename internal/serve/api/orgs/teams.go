package orgs

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listTeamsInOrganizationInput struct {
	wire.OrganizationPath
	wire.PageParams
	Owner id.User `query:"owner" maxLength:"100" doc:"Only teams that the user with this id owns."`
	Title string  `query:"title" maxLength:"256" doc:"Only teams whose title has this in it, in any letter case."`
}

// listTeamsInOrganization lists the teams of an organization.
func (h *Handlers) listTeamsInOrganization(ctx context.Context,
	in *listTeamsInOrganizationInput) (*operation.Body[wire.List[wire.Team]], error) {
	name := strings.Join([]string{"teams", string(in.Organization), string(in.Owner), in.Title}, "\x00")
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	teams, err := h.Organizations.ListTeams(ctx, operation.Caller(ctx), in.Organization,
		org.TeamFilter{Owner: in.Owner, Title: in.Title}, request)
	if err != nil {
		return nil, err
	}
	answer, err := h.TeamWriter.Write(ctx, in.Organization, teams.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.Team]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(teams, answer),
		same)}, nil
}

type createTeamInput struct {
	wire.OrganizationPath
	Body struct {
		Title   string   `json:"title" minLength:"1" maxLength:"64"`
		Members []string `json:"members,omitempty" maxItems:"10000" doc:"Ids of members of the organization."`
	}
}

// createTeam makes a team.
func (h *Handlers) createTeam(ctx context.Context, in *createTeamInput) (*operation.Body[wire.Team], error) {
	created, err := h.Organizations.CreateTeam(ctx, operation.Caller(ctx), in.Organization, in.Body.Title,
		in.Body.Members...)
	if err != nil {
		return nil, err
	}
	answer, err := h.oneTeam(ctx, created)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Team]{Body: answer}, nil
}

// OneTeamPath is the path of an operation on a team.
type OneTeamPath struct {
	wire.OrganizationPath
	wire.TeamPath
}

// getTeam answers one team.
func (h *Handlers) getTeam(ctx context.Context, in *OneTeamPath) (*operation.Body[wire.Team], error) {
	team, err := h.Organizations.GetTeam(ctx, operation.Caller(ctx), in.Organization, in.Team)
	if err != nil {
		return nil, err
	}
	answer, err := h.oneTeam(ctx, team)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Team]{Body: answer}, nil
}

type updateTeamInput struct {
	OneTeamPath
	Body struct {
		Title string `json:"title" minLength:"1" maxLength:"64"`
	}
}

// updateTeam gives a team another title.
func (h *Handlers) updateTeam(ctx context.Context, in *updateTeamInput) (*operation.Body[wire.Team], error) {
	team, err := h.Organizations.UpdateTeam(ctx, operation.Caller(ctx), in.Organization, in.Team, in.Body.Title)
	if err != nil {
		return nil, err
	}
	answer, err := h.oneTeam(ctx, team)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Team]{Body: answer}, nil
}

// deleteTeam removes a team.
func (h *Handlers) deleteTeam(ctx context.Context, in *OneTeamPath) (*operation.Nothing, error) {
	return operation.Done(h.Organizations.DeleteTeam(ctx, operation.Caller(ctx), in.Organization, in.Team))
}

type listTeamMembersInput struct {
	OneTeamPath
	wire.PageParams
}

// listTeamMembers lists who is in a team.
func (h *Handlers) listTeamMembers(ctx context.Context,
	in *listTeamMembersInput) (*operation.Body[wire.List[TeamMemberItem]], error) {
	name := "teams/members/" + string(in.Organization) + "/" + string(in.Team)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	mates, err := h.Organizations.ListTeamMembers(ctx, operation.Caller(ctx), in.Organization, in.Team, request)
	if err != nil {
		return nil, err
	}
	people := make([]org.Person, len(mates.Items))
	for i, mate := range mates.Items {
		people[i] = mate.Person
	}
	answer, err := h.wirePeople(ctx, in.Organization, people)
	if err != nil {
		return nil, err
	}
	items := make([]TeamMemberItem, len(mates.Items))
	for i, mate := range mates.Items {
		items[i] = TeamMemberItem{Organization: answer[i], Team: TeamMemberRole{Role: string(mate.TeamRole)},
			Permissions: TeamMemberPermissions{View: true}}
	}
	return &operation.Body[wire.List[TeamMemberItem]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(mates, items),
		same)}, nil
}

type changeTeamMembersInput struct {
	OneTeamPath
	Body struct {
		Add         []id.User                 `json:"add,omitempty" maxItems:"1000" doc:"Ids of members, or e-mail addresses."`
		Memberships map[string]TeamMemberRole `json:"memberships,omitempty" doc:"Roles in the team by the ids of members."`
		Remove      []id.User                 `json:"remove,omitempty" maxItems:"1000" doc:"Ids of members, or e-mail addresses."`
	}
}

// changeTeamMembers says who is in a team.
func (h *Handlers) changeTeamMembers(ctx context.Context, in *changeTeamMembersInput) (*operation.Nothing, error) {
	change := org.TeamChange{Add: in.Body.Add, Memberships: map[string]org.TeamRole{}, Remove: in.Body.Remove}
	for userID, membership := range in.Body.Memberships {
		change.Memberships[userID] = org.TeamRole(membership.Role)
	}
	return operation.Done(h.Organizations.ChangeTeamMembers(ctx, operation.Caller(ctx), in.Organization, in.Team,
		change))
}

type putTeamMemberInput struct {
	OneTeamPath
	wire.UserPath
	Body *struct {
		Role string `json:"role,omitempty" enum:"owner,member" doc:"member when absent, unless they are in the team already."`
	} `required:"false"`
}

// putTeamMember puts a member into a team.
func (h *Handlers) putTeamMember(ctx context.Context, in *putTeamMemberInput) (*operation.Nothing, error) {
	var role optional.Value[org.TeamRole]
	if in.Body != nil && in.Body.Role != "" {
		role = optional.Of(org.TeamRole(in.Body.Role))
	}
	return operation.Done(h.Organizations.PutTeamMember(ctx, operation.Caller(ctx), in.Organization, in.Team, in.User,
		role))
}

type oneTeamMemberInput struct {
	OneTeamPath
	wire.UserPath
}

// removeTeamMember takes a member out of a team.
func (h *Handlers) removeTeamMember(ctx context.Context, in *oneTeamMemberInput) (*operation.Nothing, error) {
	return operation.Done(h.Organizations.RemoveTeamMember(ctx, operation.Caller(ctx), in.Organization, in.Team,
		in.User))
}
