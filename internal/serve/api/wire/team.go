package wire

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Team is a group of people that access is granted to together.
type Team struct {
	Object string  `json:"object" enum:"team"`
	ID     id.Team `json:"id"`
	Title  string  `json:"title"`
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

// Team turns a team into its wire form for a member with a role in the organization, who owns the team or not.
func (w Writer) Team(team access.GrantedTeam, role org.Role, owns bool) Team {
	permissions := access.PermissionsInOrganization(role)
	return Team{
		Object: "team", ID: team.ID, Title: team.Title, Members: team.Members, Spaces: team.Spaces,
		CreatedAt:   Timestamp(team.CreatedAt),
		Permissions: TeamPermissions{Admin: permissions.OwnTeam || owns, View: permissions.ListTeams || owns},
	}
}

// CallerRole returns the caller's role in an organization, and which of its teams they own.
func (w TeamWriter) CallerRole(ctx context.Context,
	organizationID id.Organization) (org.Role, map[id.Team]bool, error) {
	caller := operation.Caller(ctx)
	role, err := w.Organizations.Role(ctx, caller, organizationID)
	if err != nil {
		return org.RoleGuest, nil, err
	}
	owned, err := w.Organizations.OwnedTeams(ctx, caller, organizationID)
	return role, owned, err
}

// Write turns teams of an organization into their wire form.
func (w TeamWriter) Write(ctx context.Context, organizationID id.Organization, teams []org.Team) ([]Team, error) {
	role, owned, err := w.CallerRole(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	granted, err := w.Access.GrantedTeams(ctx, organizationID, teams)
	if err != nil {
		return nil, err
	}
	wire := make([]Team, len(granted))
	for i, team := range granted {
		wire[i] = w.Wire.Team(team, role, owned[team.ID])
	}
	return wire, nil
}
