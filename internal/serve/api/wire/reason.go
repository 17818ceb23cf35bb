package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
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

var reasonTypes = map[access.Said]string{
	access.ByOrganization: "organization-role", access.ByAdministration: "organization-admin",
	access.ByPerson: "user-grant",
	access.ByTeam:   "team-grant", access.ByDefault: "default-level",
}

// Reason turns a reason into its wire form, nil into nil.
func Reason(reason *access.Reason) *AccessReason {
	if reason == nil {
		return nil
	}
	out := &AccessReason{Type: reasonTypes[reason.Said], Level: string(reason.Role)}
	if reason.Object != nil {
		at := reasonPlace(*reason.Object)
		out.Space, out.Collection = at.Space, at.Collection
	}
	if reason.Team != "" {
		out.Team = &ReasonTeam{ID: reason.Team, Title: reason.TeamTitle}
	}
	if reason.LimitedBy != nil {
		out.LimitedBy = new(reasonPlace(*reason.LimitedBy))
	}
	return out
}

func reasonPlace(object access.Object) ReasonPlace {
	if object.IsSpace() {
		return ReasonPlace{Space: id.Space(object.ID())}
	}
	return ReasonPlace{Collection: id.Collection(object.ID())}
}
