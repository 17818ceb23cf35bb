package spaces

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AccessReason is why somebody has access.
type AccessReason struct {
	// Type is what decided: organization-admin, because admins of the organization are admins everywhere; user-grant, a
	// grant to the person; team-grant, one to a team of theirs; default-level, the default level of the space or
	// collection; organization-role, the role in the organization, where nothing nearer says anything.
	Type string `json:"type" enum:"organization-admin,user-grant,team-grant,default-level,organization-role"`
	// Level is what was said there. A guest may have less: then limitedBy is there.
	Level string `json:"level" enum:"admin,create,review,edit,comment,read"`
	// Space or Collection is the id of where it was said; neither for what the organization says.
	Space      id.Space      `json:"space,omitempty"`
	Collection id.Collection `json:"collection,omitempty"`
	// Team is the team whose grant decided; the first of those that give as much.
	Team *ReasonTeam `json:"team,omitempty"`
	// LimitedBy is the space or collection whose default level a guest may not go beyond.
	LimitedBy *ReasonPlace `json:"limitedBy,omitempty"`
}

// ReasonTeam names a team.
type ReasonTeam struct {
	ID    id.Team `json:"id"`
	Title string  `json:"title"`
}

// ReasonPlace names a space or a collection.
type ReasonPlace struct {
	Space      id.Space      `json:"space,omitempty"`
	Collection id.Collection `json:"collection,omitempty"`
}

// maxAffected is how many people an answer names.
const maxAffected = 100

var reasonTypes = map[access.Said]string{
	access.ByOrganization: "organization-role", access.ByAdministration: "organization-admin",
	access.ByPerson: "user-grant",
	access.ByTeam:   "team-grant", access.ByDefault: "default-level",
}

func wireReason(reason *access.Reason) *AccessReason {
	if reason == nil {
		return nil
	}
	wire := &AccessReason{Type: reasonTypes[reason.Said], Level: string(reason.Role)}
	if reason.Object != nil {
		at := wirePlace(*reason.Object)
		wire.Space, wire.Collection = at.Space, at.Collection
	}
	if reason.Team != "" {
		wire.Team = &ReasonTeam{ID: reason.Team, Title: reason.TeamTitle}
	}
	if reason.LimitedBy != nil {
		wire.LimitedBy = new(wirePlace(*reason.LimitedBy))
	}
	return wire
}

func wirePlace(object access.Object) ReasonPlace {
	if object.IsSpace() {
		return ReasonPlace{Space: id.Space(object.ID())}
	}
	return ReasonPlace{Collection: id.Collection(object.ID())}
}

// wireAffected turns those who lost something into their wire form; nil for nobody.
func (h *Handlers) wireAffected(ctx context.Context, affected *access.Affected) (*wire.Affected, error) {
	if affected == nil {
		return nil, nil
	}
	named := affected.Losses[:min(len(affected.Losses), maxAffected)]
	ids := make([]id.User, len(named))
	for i, loss := range named {
		ids[i] = loss.User
	}
	users, err := h.Accounts.UsersByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	answer := &wire.Affected{Count: len(affected.Losses), Members: []wire.AffectedMember{}}
	for _, loss := range named {
		if user, found := users[loss.User]; found {
			answer.Members = append(answer.Members, wire.AffectedMember{User: h.Wire.User(user),
				From: wire.RoleOrNull(loss.From),
				To:   wire.RoleOrNull(loss.To)})
		}
	}
	return answer, nil
}

// UserPermission is a person with a role in a space or collection.
type UserPermission struct {
	Permission string    `json:"permission" enum:"admin,create,review,edit,comment,read"`
	User       wire.User `json:"user"`
	// Reason is in lists of everybody with access.
	Reason *AccessReason `json:"reason,omitempty"`
}

// TeamPermission is a team with a role in a space or collection.
type TeamPermission struct {
	Permission string    `json:"permission" enum:"admin,create,review,edit,comment,read"`
	Team       wire.Team `json:"team"`
}

// wireUserPermissions turns grants to people into their wire form; somebody who is gone since is left out.
func (h *Handlers) wireUserPermissions(grants []access.Grant, users map[id.User]account.User) []UserPermission {
	wire := make([]UserPermission, 0, len(grants))
	for _, grant := range grants {
		if user, ok := users[grant.User]; ok {
			wire = append(wire, UserPermission{Permission: string(grant.Role), User: h.Wire.User(user),
				Reason: wireReason(grant.Reason)})
		}
	}
	return wire
}
