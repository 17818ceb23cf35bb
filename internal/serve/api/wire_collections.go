package api

import (
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// Collection is a group of spaces and collections.
type Collection struct {
	Object       string `json:"object" enum:"collection"`
	ID           string `json:"id"`
	Title        string `json:"title"`
	Description  string `json:"description,omitempty"`
	Organization string `json:"organization"`
	// Parent is the id of the collection that this one is in.
	Parent string `json:"parent,omitempty"`
	// DefaultLevel is what members may do with the content who have no grant; null means no access.
	DefaultLevel LevelOrNull           `json:"defaultLevel"`
	URLs         CollectionURLs        `json:"urls"`
	Permissions  CollectionPermissions `json:"permissions"`
	// Affected is in the answer to a change of the default level that takes rights from members.
	Affected *Affected `json:"affected,omitempty"`
}

// CollectionURLs are a collection's addresses.
type CollectionURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
}

// CollectionPermissions say what the caller may do with a collection.
type CollectionPermissions struct {
	View            bool `json:"view" doc:"Read it, and list what of its content the caller may read."`
	Admin           bool `json:"admin" doc:"Delete it, say what members may do in it, and take it to another organization; also for who made it and has the role create there."`
	Manage          bool `json:"manage" doc:"Rename and move it."`
	ListPeople      bool `json:"listPeople" doc:"See who has access, and why."`
	ViewInviteLinks bool `json:"viewInviteLinks" doc:"Share it: give people and teams a role, up to the caller's own, and make links."`
	Create          bool `json:"create" doc:"Make and put spaces and collections in it."`
}

func (a *API) wireCollection(c space.Collection) Collection {
	return Collection{
		Object: "collection", ID: c.ID, Title: c.Title, Description: c.Description, Organization: c.Organization,
		Parent:       c.Parent,
		DefaultLevel: LevelOrNull(c.DefaultLevel),
		URLs: CollectionURLs{Location: a.BaseURL + "/v1/collections/" + c.ID,
			App: a.BaseURL + "/app/collections/" + c.ID},
		Permissions: CollectionPermissions(c.Permissions),
	}
}

// UserPermission is a person with a role in a space or collection.
type UserPermission struct {
	Permission string `json:"permission" enum:"admin,create,review,edit,comment,read"`
	User       User   `json:"user"`
	// Reason is in lists of everybody with access.
	Reason *AccessReason `json:"reason,omitempty"`
}

// TeamPermission is a team with a role in a space or collection.
type TeamPermission struct {
	Permission string `json:"permission" enum:"admin,create,review,edit,comment,read"`
	Team       Team   `json:"team"`
}

// Team is a group of people that access is granted to together.
type Team struct {
	Object string `json:"object" enum:"team"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	// Members is how many people it has.
	Members int `json:"members"`
	// Spaces is how many spaces it was given access to.
	Spaces      int             `json:"spaces"`
	CreatedAt   string          `json:"createdAt" format:"date-time"`
	Permissions TeamPermissions `json:"permissions"`
}

// TeamPermissions say what the caller may do with a team.
type TeamPermissions struct {
	Admin bool `json:"admin" doc:"Rename and delete it, and say who is in it; its owners may."`
	View  bool `json:"view"`
}

// wireUserPermissions turns grants to people into their wire form; somebody who is gone since is left out.
func (a *API) wireUserPermissions(grants []access.Grant, users map[string]account.User) []UserPermission {
	wire := make([]UserPermission, 0, len(grants))
	for _, grant := range grants {
		if user, ok := users[grant.User]; ok {
			wire = append(wire, UserPermission{Permission: string(grant.Role), User: a.wireUser(user),
				Reason: wireReason(grant.Reason)})
		}
	}
	return wire
}

// wireTeam turns a team into its wire form for a member with a role in the organization, who owns the team or not.
func (a *API) wireTeam(team access.GrantedTeam, role org.Role, owns bool) Team {
	permissions := access.PermissionsInOrganization(role)
	return Team{
		Object: "team", ID: team.ID, Title: team.Title, Members: team.Members, Spaces: team.Spaces,
		CreatedAt:   timestamp(team.CreatedAt),
		Permissions: TeamPermissions{Admin: permissions.OwnTeam || owns, View: permissions.ListTeams || owns},
	}
}
