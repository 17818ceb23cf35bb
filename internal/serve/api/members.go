package api

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
)

type listMembersInput struct {
	OrganizationPath
	PageParams
	OrderParam
	Role   string `query:"role" enum:"admin,create,review,edit,comment,read,guest" doc:"Only those with exactly this role."`
	Search string `query:"search" maxLength:"256" doc:"Only those whose name or address has this in it, in any letter case."`
	Sort   string `query:"sort" enum:"joinedAt,lastSeenAt" default:"joinedAt" doc:"Sorted by lastSeenAt, only those are listed who were ever there."`
}

// OrderParam turns a list around.
type OrderParam struct {
	Order string `query:"order" enum:"asc,desc" default:"desc"`
}

// listMembers lists who belongs to an organization.
func (a *API) listMembers(ctx context.Context, in *listMembersInput) (*body[List[OrganizationMember]], error) {
	filter := org.MemberFilter{Search: in.Search, Sort: org.MemberSort(in.Sort), Ascending: in.Order == "asc"}
	switch in.Role {
	case "":
	case "guest":
		filter.Role = optional.Of(org.RoleGuest)
	default:
		filter.Role = optional.Of(org.Role(in.Role))
	}
	name := strings.Join([]string{"members", in.Organization, in.Role, in.Search, in.Sort, in.Order}, "\x00")
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	people, err := a.Organizations.ListMembers(ctx, callerOf(ctx), in.Organization, filter, request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wirePeople(ctx, in.Organization, people.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[OrganizationMember]]{Body: *listed(a, name, paging.WithItems(people, wire), same)}, nil
}

// same is for lists whose items are in their wire form.
func same[T any](item T) T { return item }

// MemberPath is the path of an operation on a member.
type MemberPath struct {
	OrganizationPath
	UserPath
}

// getMember answers one member.
func (a *API) getMember(ctx context.Context, in *MemberPath) (*body[OrganizationMember], error) {
	person, err := a.Organizations.GetMember(ctx, callerOf(ctx), in.Organization, in.User)
	if err != nil {
		return nil, err
	}
	return a.wirePerson(ctx, person)
}

type updateMemberInput struct {
	MemberPath
	Body struct {
		Role Patch[string] `json:"role,omitzero" required:"false" doc:"admin, create, review, edit, comment or read; null for a guest. Nothing changes without it."`
	}
}

// updateMember gives a member another role.
func (a *API) updateMember(ctx context.Context, in *updateMemberInput) (*body[OrganizationMember], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	person, err := a.Organizations.UpdateMember(ctx, callerOf(ctx), in.Organization, in.User, role)
	if err != nil {
		return nil, err
	}
	return a.wirePerson(ctx, person)
}

// removeMember takes a member out of an organization.
func (a *API) removeMember(ctx context.Context, in *MemberPath) (*nothing, error) {
	return done(a.Organizations.RemoveMember(ctx, callerOf(ctx), in.Organization, in.User))
}

// setSSO lets a member sign in through the identity provider.
func (a *API) setSSO(ctx context.Context, in *MemberPath) (*body[OrganizationMember], error) {
	person, err := a.Organizations.SetSSO(ctx, callerOf(ctx), in.Organization, in.User)
	if err != nil {
		return nil, err
	}
	return a.wirePerson(ctx, person)
}

type listSpacesOfMemberInput struct {
	MemberPath
	PageParams
	OrderParam
}

// listSpacesOfMember lists the spaces that a member may read.
func (a *API) listSpacesOfMember(ctx context.Context, in *listSpacesOfMemberInput) (*body[List[MemberSpace]], error) {
	name := "members/spaces/" + in.Organization + "/" + in.User + "/" + in.Order
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := a.Spaces.OfMember(ctx, callerOf(ctx), in.Organization, in.User, in.Order == "asc",
		request)
	if err != nil {
		return nil, err
	}
	spaces := make([]space.Space, len(found.Items))
	for i, each := range found.Items {
		spaces[i] = each.Space
	}
	wire, err := a.wireSpaces(ctx, spaces)
	if err != nil {
		return nil, err
	}
	items := make([]MemberSpace, len(found.Items))
	for i, each := range found.Items {
		items[i] = MemberSpace{Permission: string(each.Role), Space: wire[i]}
	}
	return &body[List[MemberSpace]]{Body: *listed(a, name, paging.WithItems(found, items), same)}, nil
}

type listTeamsOfMemberInput struct {
	MemberPath
	PageParams
	Title string `query:"title" maxLength:"256" doc:"Only teams whose title has this in it, in any letter case."`
}

// listTeamsOfMember lists the teams that a member is in.
func (a *API) listTeamsOfMember(ctx context.Context, in *listTeamsOfMemberInput) (*body[List[MemberTeam]], error) {
	name := strings.Join([]string{"members/teams", in.Organization, in.User, in.Title}, "\x00")
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	places, err := a.Organizations.ListTeamsOf(ctx, callerOf(ctx), in.Organization, in.User, in.Title,
		request)
	if err != nil {
		return nil, err
	}
	teams := make([]org.Team, len(places.Items))
	for i, place := range places.Items {
		teams[i] = place.Team
	}
	wire, err := a.wireTeams(ctx, in.Organization, teams)
	if err != nil {
		return nil, err
	}
	items := make([]MemberTeam, len(places.Items))
	for i, place := range places.Items {
		items[i] = MemberTeam{Team: wire[i], Member: TeamMemberRole{Role: string(place.TeamRole)}}
	}
	return &body[List[MemberTeam]]{Body: *listed(a, name, paging.WithItems(places, items), same)}, nil
}

// Seen is the answer to a ping.
type Seen struct {
	ServiceVisitorClaims string `json:"serviceVisitorClaims,omitempty" doc:"A signed token (JWT) with the claims of the caller, where a site asks for it."`
	GitBookVisitorClaims string `json:"gitbookVisitorClaims,omitempty" doc:"The same, under the name that older clients know."`
}

// ping notes that the caller is there.
func (a *API) ping(ctx context.Context, in *OrganizationPath) (*body[Seen], error) {
	caller := callerOf(ctx)
	if err := a.Organizations.Ping(ctx, caller, in.Organization); err != nil {
		return nil, err
	}
	token, err := a.Audiences.MemberToken(ctx, caller, in.Organization)
	if err != nil {
		return nil, err
	}
	return &body[Seen]{Body: Seen{ServiceVisitorClaims: token, GitBookVisitorClaims: token}}, nil
}
