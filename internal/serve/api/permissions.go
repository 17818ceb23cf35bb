package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// The operations on permissions of spaces and of collections differ by their path alone: each has an input of its own,
// and both come to one function below.

// SpacePath is the path of an operation on a space, CollectionPath that of one on a collection.
type (
	SpacePath struct {
		Space string `path:"spaceId"`
	}
	CollectionPath struct {
		Collection string `path:"collectionId"`
	}
)

func (p SpacePath) object() access.Object      { return access.SpaceObject(p.Space) }
func (p CollectionPath) object() access.Object { return access.CollectionObject(p.Collection) }

// UserPath names a person, TeamPath a team.
type (
	UserPath struct {
		User string `path:"userId"`
	}
	TeamPath struct {
		Team string `path:"teamId"`
	}
)

// InviteBody names people and teams and the role that they get.
type InviteBody struct {
	Role  Patch[string] `json:"role,omitzero" doc:"admin, create, review, edit, comment or read; null for no access."`
	Users []string      `json:"users,omitempty" minItems:"1" maxItems:"100" doc:"Ids or e-mail addresses of members of the organization."`
	Teams []string      `json:"teams,omitempty" minItems:"1" maxItems:"100" doc:"Ids of teams."`
}

// SetRole is the body that changes a role.
type SetRole struct {
	Body struct {
		Role Patch[string] `json:"role,omitzero" required:"false" doc:"admin, create, review, edit, comment or read; null for no access. Nothing changes without it."`
	}
}

// RoleParam limits a list to a role.
type RoleParam struct {
	Role string `query:"role" enum:"admin,create,review,edit,comment,read" doc:"Only those with exactly this role."`
}

// given reads a role that is there or null.
func given(role Patch[string]) (org.Role, error) {
	if name, ok := role.Get(); ok {
		return org.ParseRole("role", name)
	}
	return org.RoleGuest, nil
}

type inviteToSpaceInput struct {
	SpacePath
	Body InviteBody
}

type inviteToCollectionInput struct {
	CollectionPath
	Body InviteBody
}

// inviteToSpace gives people and teams a role in a space.
func (a *API) inviteToSpace(ctx context.Context, in *inviteToSpaceInput) (*nothing, error) {
	return a.invite(ctx, in.object(), in.Body)
}

// inviteToCollection gives people and teams a role in a collection.
func (a *API) inviteToCollection(ctx context.Context, in *inviteToCollectionInput) (*nothing, error) {
	return a.invite(ctx, in.object(), in.Body)
}

func (a *API) invite(ctx context.Context, object access.Object, in InviteBody) (*nothing, error) {
	if !in.Role.IsSet() {
		return nil, errs.Invalidf("role", "is missing; send a role, or null for no access")
	}
	role, err := given(in.Role)
	if err != nil {
		return nil, err
	}
	err = a.Access.Invite(ctx, callerOf(ctx), object, access.Invitation{Users: in.Users, Teams: in.Teams, Role: role})
	return done(err)
}

// done answers an operation without a body.
func done(err error) (*nothing, error) {
	if err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

type setUserInSpaceInput struct {
	SpacePath
	UserPath
	SetRole
}

type setUserInCollectionInput struct {
	CollectionPath
	UserPath
	SetRole
}

// setUserInSpace changes what a person was given in a space.
func (a *API) setUserInSpace(ctx context.Context, in *setUserInSpaceInput) (*nothing, error) {
	return a.setRole(ctx, in.object(), in.User, in.SetRole, a.Access.SetUser)
}

// setUserInCollection changes what a person was given in a collection.
func (a *API) setUserInCollection(ctx context.Context, in *setUserInCollectionInput) (*nothing, error) {
	return a.setRole(ctx, in.object(), in.User, in.SetRole, a.Access.SetUser)
}

type setTeamInSpaceInput struct {
	SpacePath
	TeamPath
	SetRole
}

type setTeamInCollectionInput struct {
	CollectionPath
	TeamPath
	SetRole
}

// setTeamInSpace changes what a team was given in a space.
func (a *API) setTeamInSpace(ctx context.Context, in *setTeamInSpaceInput) (*nothing, error) {
	return a.setRole(ctx, in.object(), in.Team, in.SetRole, a.Access.SetTeam)
}

// setTeamInCollection changes what a team was given in a collection.
func (a *API) setTeamInCollection(ctx context.Context, in *setTeamInCollectionInput) (*nothing, error) {
	return a.setRole(ctx, in.object(), in.Team, in.SetRole, a.Access.SetTeam)
}

type setter func(ctx context.Context, caller account.Caller, object access.Object, holder string,
	role optional.Value[org.Role]) error

func (a *API) setRole(ctx context.Context, object access.Object, holder string, in SetRole,
	set setter) (*nothing, error) {
	role, err := given(in.Body.Role)
	if err != nil {
		return nil, err
	}
	wanted := optional.Value[org.Role]{}
	if in.Body.Role.IsSet() {
		wanted = optional.Of(role)
	}
	return done(set(ctx, callerOf(ctx), object, holder, wanted))
}

type userInSpaceInput struct {
	SpacePath
	UserPath
}

type userInCollectionInput struct {
	CollectionPath
	UserPath
}

type teamInSpaceInput struct {
	SpacePath
	TeamPath
}

type teamInCollectionInput struct {
	CollectionPath
	TeamPath
}

// removeUserFromSpace takes back what a person was given in a space.
func (a *API) removeUserFromSpace(ctx context.Context, in *userInSpaceInput) (*nothing, error) {
	return done(a.Access.RemoveUser(ctx, callerOf(ctx), in.object(), in.User))
}

// removeUserFromCollection takes back what a person was given in a collection.
func (a *API) removeUserFromCollection(ctx context.Context, in *userInCollectionInput) (*nothing, error) {
	return done(a.Access.RemoveUser(ctx, callerOf(ctx), in.object(), in.User))
}

// removeTeamFromSpace takes back what a team was given in a space.
func (a *API) removeTeamFromSpace(ctx context.Context, in *teamInSpaceInput) (*nothing, error) {
	return done(a.Access.RemoveTeam(ctx, callerOf(ctx), in.object(), in.Team))
}

// removeTeamFromCollection takes back what a team was given in a collection.
func (a *API) removeTeamFromCollection(ctx context.Context, in *teamInCollectionInput) (*nothing, error) {
	return done(a.Access.RemoveTeam(ctx, callerOf(ctx), in.object(), in.Team))
}

type listInSpaceInput struct {
	SpacePath
	PageParams
}

type listInCollectionInput struct {
	CollectionPath
	PageParams
}

// listUsersInSpace lists what people were given in a space.
func (a *API) listUsersInSpace(ctx context.Context, in *listInSpaceInput) (*body[List[UserPermission]], error) {
	return a.listUsers(ctx, "permissions/users/"+in.Space, in.PageParams, in.object(), a.Access.UserGrants)
}

// listUsersInCollection lists what people were given in a collection.
func (a *API) listUsersInCollection(ctx context.Context,
	in *listInCollectionInput) (*body[List[UserPermission]], error) {
	return a.listUsers(ctx, "permissions/users/"+in.Collection, in.PageParams, in.object(), a.Access.UserGrants)
}

// listTeamsInSpace lists what teams were given in a space.
func (a *API) listTeamsInSpace(ctx context.Context, in *listInSpaceInput) (*body[List[TeamPermission]], error) {
	return a.listTeams(ctx, "permissions/teams/"+in.Space, in.PageParams, in.object())
}

// listTeamsInCollection lists what teams were given in a collection.
func (a *API) listTeamsInCollection(ctx context.Context,
	in *listInCollectionInput) (*body[List[TeamPermission]], error) {
	return a.listTeams(ctx, "permissions/teams/"+in.Collection, in.PageParams, in.object())
}

type everybodyInSpaceInput struct {
	SpacePath
	RoleParam
	PageParams
}

type everybodyInCollectionInput struct {
	CollectionPath
	RoleParam
	PageParams
}

// listEverybodyInSpace lists the people who have access to a space, whatever gives it to them.
func (a *API) listEverybodyInSpace(ctx context.Context,
	in *everybodyInSpaceInput) (*body[List[UserPermission]], error) {
	return a.listUsers(ctx, "permissions/aggregate/"+in.Space+"/"+in.Role, in.PageParams, in.object(),
		a.everybody(in.Role))
}

// listEverybodyInCollection lists the people who have access to a collection, whatever gives it to them.
func (a *API) listEverybodyInCollection(ctx context.Context,
	in *everybodyInCollectionInput) (*body[List[UserPermission]], error) {
	return a.listUsers(ctx, "permissions/aggregate/"+in.Collection+"/"+in.Role, in.PageParams, in.object(),
		a.everybody(in.Role))
}

// lister reads a page of grants.
type lister func(ctx context.Context, caller account.Caller, object access.Object,
	page paging.Request) (paging.Page[access.Grant], error)

func (a *API) everybody(role string) lister {
	return func(ctx context.Context, caller account.Caller, object access.Object,
		page paging.Request) (paging.Page[access.Grant], error) {
		return a.Access.Everybody(ctx, caller, object, org.Role(role), page)
	}
}

func (a *API) listUsers(ctx context.Context, name string, params PageParams, object access.Object,
	list lister) (*body[List[UserPermission]], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	grants, err := list(ctx, callerOf(ctx), object, request)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(grants.Items))
	for i, grant := range grants.Items {
		ids[i] = grant.User
	}
	users, err := a.Accounts.UsersByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	items := a.wireUserPermissions(grants.Items, users)
	return &body[List[UserPermission]]{Body: *listed(a, name, paging.WithItems(grants, items),
		func(p UserPermission) UserPermission { return p })}, nil
}

func (a *API) listTeams(ctx context.Context, name string, params PageParams,
	object access.Object) (*body[List[TeamPermission]], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	grants, err := a.Access.TeamGrants(ctx, caller, object, request)
	if err != nil {
		return nil, err
	}
	role, owned := org.RoleGuest, map[string]bool{}
	if len(grants.Items) > 0 {
		if role, owned, err = a.placeInTeams(ctx, grants.Items[0].Team.Organization); err != nil {
			return nil, err
		}
	}
	return &body[List[TeamPermission]]{Body: *listed(a, name, grants, func(g access.Grant) TeamPermission {
		return TeamPermission{Permission: string(g.Role), Team: a.wireTeam(*g.Team, role, owned[g.Team.ID])}
	})}, nil
}
