package spaces

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// The operations on permissions of spaces and of collections differ by their path alone: each has an input of its own,
// and both come to one function below.

// InviteBody names people and teams and the role that they get.
type InviteBody struct {
	Role  wire.Patch[string] `json:"role,omitzero" doc:"admin, create, review, edit, comment or read; null for no access."`
	Users []string           `json:"users,omitempty" minItems:"1" maxItems:"100" doc:"Ids or e-mail addresses of members of the organization."`
	Teams []id.Team          `json:"teams,omitempty" minItems:"1" maxItems:"100" doc:"Ids of teams."`
}

// SetRole is the body that changes a role.
type SetRole struct {
	Body struct {
		Role wire.Patch[string] `json:"role,omitzero" required:"false" doc:"admin, create, review, edit, comment or read; null for no access. Nothing changes without it."`
	}
}

// RoleParam limits a list to a role.
type RoleParam struct {
	Role string `query:"role" enum:"admin,create,review,edit,comment,read" doc:"Only those with exactly this role."`
}

// given reads a role that is there or null.
func given(role wire.Patch[string]) (org.Role, error) {
	if name, ok := role.Get(); ok {
		return org.ParseRole("role", name)
	}
	return org.RoleGuest, nil
}

type inviteToSpaceInput struct {
	wire.SpacePath
	Body InviteBody
}

type inviteToCollectionInput struct {
	wire.CollectionPath
	Body InviteBody
}

// inviteToSpace gives people and teams a role in a space.
func (h *Handlers) inviteToSpace(ctx context.Context, in *inviteToSpaceInput) (*operation.Nothing, error) {
	return h.invite(ctx, in.Object(), in.Body)
}

// inviteToCollection gives people and teams a role in a collection.
func (h *Handlers) inviteToCollection(ctx context.Context, in *inviteToCollectionInput) (*operation.Nothing, error) {
	return h.invite(ctx, in.Object(), in.Body)
}

func (h *Handlers) invite(ctx context.Context, object access.Object, in InviteBody) (*operation.Nothing, error) {
	if !in.Role.IsSet() {
		return nil, errs.Invalidf("role", "is missing; send a role, or null for no access")
	}
	role, err := given(in.Role)
	if err != nil {
		return nil, err
	}
	err = h.Access.Invite(ctx, operation.Caller(ctx), object, access.Invitation{Users: in.Users, Teams: in.Teams,
		Role: role})
	return operation.Done(err)
}

type setUserInSpaceInput struct {
	wire.SpacePath
	wire.UserPath
	SetRole
}

type setUserInCollectionInput struct {
	wire.CollectionPath
	wire.UserPath
	SetRole
}

// setUserInSpace changes what a person was given in a space.
func (h *Handlers) setUserInSpace(ctx context.Context, in *setUserInSpaceInput) (*operation.Nothing, error) {
	return setRole(ctx, in.Object(), in.User, in.SetRole, h.Access.SetUser)
}

// setUserInCollection changes what a person was given in a collection.
func (h *Handlers) setUserInCollection(ctx context.Context, in *setUserInCollectionInput) (*operation.Nothing, error) {
	return setRole(ctx, in.Object(), in.User, in.SetRole, h.Access.SetUser)
}

type setTeamInSpaceInput struct {
	wire.SpacePath
	wire.TeamPath
	SetRole
}

type setTeamInCollectionInput struct {
	wire.CollectionPath
	wire.TeamPath
	SetRole
}

// setTeamInSpace changes what a team was given in a space.
func (h *Handlers) setTeamInSpace(ctx context.Context, in *setTeamInSpaceInput) (*operation.Nothing, error) {
	return setRole(ctx, in.Object(), in.Team, in.SetRole, h.Access.SetTeam)
}

// setTeamInCollection changes what a team was given in a collection.
func (h *Handlers) setTeamInCollection(ctx context.Context, in *setTeamInCollectionInput) (*operation.Nothing, error) {
	return setRole(ctx, in.Object(), in.Team, in.SetRole, h.Access.SetTeam)
}

// setRole changes what a person or a team, the holder, was given.
func setRole[T ~string](ctx context.Context, object access.Object, holder T, in SetRole,
	set func(ctx context.Context, caller account.Caller, object access.Object, holder T,
		role optional.Value[org.Role]) error) (*operation.Nothing, error) {
	role, err := given(in.Body.Role)
	if err != nil {
		return nil, err
	}
	wanted := optional.Value[org.Role]{}
	if in.Body.Role.IsSet() {
		wanted = optional.Of(role)
	}
	return operation.Done(set(ctx, operation.Caller(ctx), object, holder, wanted))
}

type userInSpaceInput struct {
	wire.SpacePath
	wire.UserPath
}

type userInCollectionInput struct {
	wire.CollectionPath
	wire.UserPath
}

type teamInSpaceInput struct {
	wire.SpacePath
	wire.TeamPath
}

type teamInCollectionInput struct {
	wire.CollectionPath
	wire.TeamPath
}

// removeUserFromSpace takes back what a person was given in a space.
func (h *Handlers) removeUserFromSpace(ctx context.Context, in *userInSpaceInput) (*operation.Nothing, error) {
	return operation.Done(h.Access.RemoveUser(ctx, operation.Caller(ctx), in.Object(), in.User))
}

// removeUserFromCollection takes back what a person was given in a collection.
func (h *Handlers) removeUserFromCollection(ctx context.Context,
	in *userInCollectionInput) (*operation.Nothing, error) {
	return operation.Done(h.Access.RemoveUser(ctx, operation.Caller(ctx), in.Object(), in.User))
}

// removeTeamFromSpace takes back what a team was given in a space.
func (h *Handlers) removeTeamFromSpace(ctx context.Context, in *teamInSpaceInput) (*operation.Nothing, error) {
	return operation.Done(h.Access.RemoveTeam(ctx, operation.Caller(ctx), in.Object(), in.Team))
}

// removeTeamFromCollection takes back what a team was given in a collection.
func (h *Handlers) removeTeamFromCollection(ctx context.Context,
	in *teamInCollectionInput) (*operation.Nothing, error) {
	return operation.Done(h.Access.RemoveTeam(ctx, operation.Caller(ctx), in.Object(), in.Team))
}

type listInSpaceInput struct {
	wire.SpacePath
	wire.PageParams
}

type listInCollectionInput struct {
	wire.CollectionPath
	wire.PageParams
}

// listUsersInSpace lists what people were given in a space.
func (h *Handlers) listUsersInSpace(ctx context.Context,
	in *listInSpaceInput) (*operation.Body[wire.List[UserPermission]], error) {
	return h.listUsers(ctx, "permissions/users/"+string(in.Space), in.PageParams, in.Object(), h.Access.UserGrants)
}

// listUsersInCollection lists what people were given in a collection.
func (h *Handlers) listUsersInCollection(ctx context.Context,
	in *listInCollectionInput) (*operation.Body[wire.List[UserPermission]], error) {
	return h.listUsers(ctx, "permissions/users/"+string(in.Collection), in.PageParams, in.Object(), h.Access.UserGrants)
}

// listTeamsInSpace lists what teams were given in a space.
func (h *Handlers) listTeamsInSpace(ctx context.Context,
	in *listInSpaceInput) (*operation.Body[wire.List[TeamPermission]], error) {
	return h.listTeams(ctx, "permissions/teams/"+string(in.Space), in.PageParams, in.Object())
}

// listTeamsInCollection lists what teams were given in a collection.
func (h *Handlers) listTeamsInCollection(ctx context.Context,
	in *listInCollectionInput) (*operation.Body[wire.List[TeamPermission]], error) {
	return h.listTeams(ctx, "permissions/teams/"+string(in.Collection), in.PageParams, in.Object())
}

type everybodyInSpaceInput struct {
	wire.SpacePath
	RoleParam
	wire.PageParams
}

type everybodyInCollectionInput struct {
	wire.CollectionPath
	RoleParam
	wire.PageParams
}

// listEverybodyInSpace lists the people who have access to a space, whatever gives it to them.
func (h *Handlers) listEverybodyInSpace(ctx context.Context,
	in *everybodyInSpaceInput) (*operation.Body[wire.List[UserPermission]], error) {
	return h.listUsers(ctx, "permissions/aggregate/"+string(in.Space)+"/"+in.Role, in.PageParams, in.Object(),
		h.everybody(in.Role))
}

// listEverybodyInCollection lists the people who have access to a collection, whatever gives it to them.
func (h *Handlers) listEverybodyInCollection(ctx context.Context,
	in *everybodyInCollectionInput) (*operation.Body[wire.List[UserPermission]], error) {
	return h.listUsers(ctx, "permissions/aggregate/"+string(in.Collection)+"/"+in.Role, in.PageParams, in.Object(),
		h.everybody(in.Role))
}

// lister reads a page of grants.
type lister func(ctx context.Context, caller account.Caller, object access.Object,
	page paging.Request) (paging.Page[access.Grant], error)

func (h *Handlers) everybody(role string) lister {
	return func(ctx context.Context, caller account.Caller, object access.Object,
		page paging.Request) (paging.Page[access.Grant], error) {
		return h.Access.Everybody(ctx, caller, object, org.Role(role), page)
	}
}

func (h *Handlers) listUsers(ctx context.Context, name string, params wire.PageParams, object access.Object,
	list lister) (*operation.Body[wire.List[UserPermission]], error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	grants, err := list(ctx, operation.Caller(ctx), object, request)
	if err != nil {
		return nil, err
	}
	ids := make([]id.User, len(grants.Items))
	for i, grant := range grants.Items {
		ids[i] = grant.User
	}
	users, err := h.Accounts.UsersByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	items := h.wireUserPermissions(grants.Items, users)
	return &operation.Body[wire.List[UserPermission]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(grants, items),
		func(p UserPermission) UserPermission { return p })}, nil
}

func (h *Handlers) listTeams(ctx context.Context, name string, params wire.PageParams,
	object access.Object) (*operation.Body[wire.List[TeamPermission]], error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	caller := operation.Caller(ctx)
	grants, err := h.Access.TeamGrants(ctx, caller, object, request)
	if err != nil {
		return nil, err
	}
	role, owned := org.RoleGuest, map[id.Team]bool{}
	if len(grants.Items) > 0 {
		if role, owned, err = h.TeamWriter.CallerRole(ctx, grants.Items[0].Team.Organization); err != nil {
			return nil, err
		}
	}
	return &operation.Body[wire.List[TeamPermission]]{Body: *wire.Listed(h.Lists, name, grants,
		func(g access.Grant) TeamPermission {
			return TeamPermission{Permission: string(g.Role), Team: h.Wire.Team(*g.Team, role, owned[g.Team.ID])}
		})}, nil
}
