package org

import (
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
)

// Way is how somebody comes into an organization.
type Way string

// JoinRequest is the input of Join.
type JoinRequest struct {
	// Organization is the id of the organization, User that of the person.
	Organization string
	User         string
	Way          Way
	// Role is what the person gets; absent means the organization's default role, null a guest's place.
	Role optional.Value[Role]
	// Teams are what teams of the organization they get into.
	Teams []TeamPlace
	// Actor is who lets the person in; the zero Caller means the person themselves.
	Actor account.Caller
}

// TeamPlace is a place in a team.
type TeamPlace struct {
	// Team is the id of the team.
	Team string
	// Role is TeamMember when empty.
	Role TeamRole
}
