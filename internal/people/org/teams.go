package org

import (
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
)

// TeamRole is what a member is in a team.
type TeamRole string

// Team roles.
const (
	// TeamOwner says who the team's members are.
	TeamOwner TeamRole = "owner"
	// TeamMember belongs to the team.
	TeamMember TeamRole = "member"
)

func checkTeamRole(path string, role TeamRole) error {
	return field.OneOf(path, role, TeamOwner, TeamMember)
}

// Team is a group of an organization's members that access is granted to together.
type Team struct {
	// ID is "team_…".
	ID           id.Team
	Organization id.Organization
	// Title has 1 to 64 characters.
	Title string
	// Members is how many there are.
	Members   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// TeamFilter narrows a list of teams.
type TeamFilter struct {
	// Owner limits it to teams that the user with this id owns.
	Owner id.User
	// Title limits it to those whose title has the text, in any letter case.
	Title string
}

func noTeam() error { return errs.NotFoundf("The organization has no such team.") }
