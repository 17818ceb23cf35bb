package orgs

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listMembersInput struct {
	wire.OrganizationPath
	wire.PageParams
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
func (h *Handlers) listMembers(ctx context.Context,
	in *listMembersInput) (*operation.Body[wire.List[wire.OrganizationMember]], error) {
	filter := org.MemberFilter{Search: in.Search, Sort: org.MemberSort(in.Sort), Ascending: in.Order == "asc"}
	switch in.Role {
	case "":
	case "guest":
		filter.Role = optional.Of(org.RoleGuest)
	default:
		filter.Role = optional.Of(org.Role(in.Role))
	}
	name := strings.Join([]string{"members", string(in.Organization), in.Role, in.Search, in.Sort, in.Order}, "\x00")
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	people, err := h.Organizations.ListMembers(ctx, operation.Caller(ctx), in.Organization, filter, request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wirePeople(ctx, in.Organization, people.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.OrganizationMember]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(people, answer), same)}, nil
}

// same is for lists whose items are in their wire form.
func same[T any](item T) T { return item }

// MemberPath is the path of an operation on a member.
type MemberPath struct {
	wire.OrganizationPath
	wire.UserPath
}

// getMember answers one member.
func (h *Handlers) getMember(ctx context.Context, in *MemberPath) (*operation.Body[wire.OrganizationMember], error) {
	person, err := h.Organizations.GetMember(ctx, operation.Caller(ctx), in.Organization, in.User)
	if err != nil {
		return nil, err
	}
	return h.wirePerson(ctx, person)
}

type updateMemberInput struct {
	MemberPath
	Body struct {
		Role wire.Patch[string] `json:"role,omitzero" required:"false" doc:"admin, create, review, edit, comment or read; null for a guest. Nothing changes without it."`
	}
}

// updateMember gives a member another role.
func (h *Handlers) updateMember(ctx context.Context,
	in *updateMemberInput) (*operation.Body[wire.OrganizationMember], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	person, err := h.Organizations.UpdateMember(ctx, operation.Caller(ctx), in.Organization, in.User, role)
	if err != nil {
		return nil, err
	}
	return h.wirePerson(ctx, person)
}

// removeMember takes a member out of an organization.
func (h *Handlers) removeMember(ctx context.Context, in *MemberPath) (*operation.Nothing, error) {
	return operation.Done(h.Organizations.RemoveMember(ctx, operation.Caller(ctx), in.Organization, in.User))
}

// setSSO lets a member sign in through the identity provider.
func (h *Handlers) setSSO(ctx context.Context, in *MemberPath) (*operation.Body[wire.OrganizationMember], error) {
	person, err := h.Organizations.SetSSO(ctx, operation.Caller(ctx), in.Organization, in.User)
	if err != nil {
		return nil, err
	}
	return h.wirePerson(ctx, person)
}

type listSpacesOfMemberInput struct {
	MemberPath
	wire.PageParams
	OrderParam
}

// listSpacesOfMember lists the spaces that a member may read.
func (h *Handlers) listSpacesOfMember(ctx context.Context,
	in *listSpacesOfMemberInput) (*operation.Body[wire.List[MemberSpace]], error) {
	name := "members/spaces/" + string(in.Organization) + "/" + string(in.User) + "/" + in.Order
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Spaces.OfMember(ctx, operation.Caller(ctx), in.Organization, in.User, in.Order == "asc",
		request)
	if err != nil {
		return nil, err
	}
	spaces := make([]space.Space, len(found.Items))
	for i, each := range found.Items {
		spaces[i] = each.Space
	}
	answer, err := h.SpaceWriter.Write(ctx, spaces)
	if err != nil {
		return nil, err
	}
	items := make([]MemberSpace, len(found.Items))
	for i, each := range found.Items {
		items[i] = MemberSpace{Permission: string(each.Role), Reason: wire.Reason(&each.Reason), Space: answer[i]}
	}
	return &operation.Body[wire.List[MemberSpace]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(found, items),
		same)}, nil
}

type listTeamsOfMemberInput struct {
	MemberPath
	wire.PageParams
	Title string `query:"title" maxLength:"256" doc:"Only teams whose title has this in it, in any letter case."`
}

// listTeamsOfMember lists the teams that a member is in.
func (h *Handlers) listTeamsOfMember(ctx context.Context,
	in *listTeamsOfMemberInput) (*operation.Body[wire.List[MemberTeam]], error) {
	name := strings.Join([]string{"members/teams", string(in.Organization), string(in.User), in.Title}, "\x00")
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	places, err := h.Organizations.ListTeamsOf(ctx, operation.Caller(ctx), in.Organization, in.User, in.Title,
		request)
	if err != nil {
		return nil, err
	}
	teams := make([]org.Team, len(places.Items))
	for i, place := range places.Items {
		teams[i] = place.Team
	}
	answer, err := h.TeamWriter.Write(ctx, in.Organization, teams)
	if err != nil {
		return nil, err
	}
	items := make([]MemberTeam, len(places.Items))
	for i, place := range places.Items {
		items[i] = MemberTeam{Team: answer[i], Member: TeamMemberRole{Role: string(place.TeamRole)}}
	}
	return &operation.Body[wire.List[MemberTeam]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(places, items),
		same)}, nil
}

// Seen is the answer to a ping.
type Seen struct {
	ServiceVisitorClaims string `json:"serviceVisitorClaims,omitempty" doc:"A signed token (JWT) with the claims of the caller, where a site asks for it."`
	GitBookVisitorClaims string `json:"gitbookVisitorClaims,omitempty" doc:"The same, under the name that older clients know."`
}

// ping notes that the caller is there.
func (h *Handlers) ping(ctx context.Context, in *wire.OrganizationPath) (*operation.Body[Seen], error) {
	caller := operation.Caller(ctx)
	if err := h.Organizations.Ping(ctx, caller, in.Organization); err != nil {
		return nil, err
	}
	token, err := h.Audiences.MemberToken(ctx, caller, in.Organization)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Seen]{Body: Seen{ServiceVisitorClaims: token, GitBookVisitorClaims: token}}, nil
}
