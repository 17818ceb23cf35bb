// Package access owns who may do what: the order of precedence between the levels that say something about a person's
// access, the permissions that each role carries, and the checks that guard every operation.
//
// It promises that the permissions shown in a response and the guard of an operation are the same table, that a thing
// which a caller may not see is reported as not there, that an organization's things are not there for people who are
// not its members, and that nobody gives away more than they have. Resolve is the rule; the condition for lists in
// readable.go says the same in SQL, and a test holds the two against each other. Its own table is access_grant; besides
// it reads the columns of organization_member, org_team, org_team_member, collection and space that say who may do
// what.
package access

import (
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/people/org"
)

// Role is org.Role, under the name that rules about access use.
type Role = org.Role

// Level is what one place (a space, a collection, a grant) says about access: a role, Inherit or NoAccess.
type Level string

// Levels that are not roles.
const (
	// NoAccess says that there is none; it is null on the wire. The zero Level gives nothing away.
	NoAccess Level = ""
	// Inherit says nothing: the next place decides.
	Inherit Level = "inherit"
)

// CheckLevel refuses a word that is no level. NoAccess passes.
func CheckLevel(path string, level Level) error {
	if level == NoAccess {
		return nil
	}
	return field.OneOf(path, level, Inherit, Level(org.RoleAdmin), Level(org.RoleCreate), Level(org.RoleReview),
		Level(org.RoleEdit), Level(org.RoleComment), Level(org.RoleRead))
}

// says reports whether a level decides, and the role it gives.
func (l Level) says() (Role, bool) {
	if l == Inherit {
		return org.RoleGuest, false
	}
	return Role(l), true
}

// Place is one step on the way from a space up to its organization: the space itself, then its collection, then that
// one's parents.
type Place struct {
	// Person holds what grants to the person say here; there is one at most.
	Person []Level
	// Teams holds what grants to teams of the person say here.
	Teams []Level
	// Default is the level for members without a grant here. To guests it gives nothing.
	Default Level
}

// Resolve returns the role that somebody of an organization has at the end of a chain of places, nearest first. An
// admin of the organization is always an admin. For another member the nearest place that says something decides, and
// the organization role when none does. Within one place a grant to the person goes before grants to teams, of which
// the highest counts, and both go before the default.
//
// A default is for members. A guest has what the nearest grant gives, and nothing without one; a default that stands
// nearer than that grant gives nothing and still takes: a guest has no more than it says. So a guest never has more
// than a member with the same grants, and a place that is closed is closed for guests of the collection around it, too.
func Resolve(organization Role, places ...Place) Role {
	role, _ := explain(organization, places)
	return role
}

// Said is what decided about a role.
type Said int

// What may decide about a role.
const (
	// ByOrganization is the role in the organization, where no place says anything.
	ByOrganization Said = iota
	// ByAdministration is that admins of the organization are admins everywhere.
	ByAdministration
	// ByPerson is a grant to the person, ByTeam one to a team of theirs, ByDefault a default level.
	ByPerson
	ByTeam
	ByDefault
)

// verdict is what decided about a role: what said it, at which place, and which role that was. limit is the place whose
// default lowered it for a guest, -1 for none.
type verdict struct {
	said         Said
	place, limit int
	role         Role
}

// explain is Resolve with the reason.
func explain(organization Role, places []Place) (Role, verdict) {
	if organization == org.RoleAdmin {
		return org.RoleAdmin, verdict{ByAdministration, -1, -1, org.RoleAdmin}
	}
	ceiling, limit := org.RoleAdmin, -1
	granted := func(said Said, at int, role Role) (Role, verdict) {
		if role.Rank() <= ceiling.Rank() {
			return role, verdict{said, at, -1, role}
		}
		return ceiling, verdict{said, at, limit, role}
	}
	for i, place := range places {
		if role, ok := highest(place.Person); ok {
			return granted(ByPerson, i, role)
		}
		if role, ok := highest(place.Teams); ok {
			return granted(ByTeam, i, role)
		}
		role, ok := place.Default.says()
		switch {
		case !ok:
		case organization != org.RoleGuest:
			return role, verdict{ByDefault, i, -1, role}
		case role.Rank() < ceiling.Rank():
			ceiling, limit = role, i
		}
	}
	return organization, verdict{ByOrganization, -1, -1, organization}
}

// highest returns the highest role among levels that say something, and whether there is any.
func highest(levels []Level) (best Role, decided bool) {
	for _, level := range levels {
		role, ok := level.says()
		if !ok {
			continue
		}
		if !decided || role.Rank() > best.Rank() {
			best = role
		}
		decided = true
	}
	return best, decided
}
