package org

import (
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

// Role is how much a member may do. Each role may do all that the ones below it may. The zero Role is that of a guest,
// who may do nothing but what a space or collection grants.
type Role string

// Roles, from the lowest to the highest.
const (
	RoleGuest   Role = ""
	RoleRead    Role = "read"
	RoleComment Role = "comment"
	RoleEdit    Role = "edit"
	RoleReview  Role = "review"
	RoleCreate  Role = "create"
	RoleAdmin   Role = "admin"
)

// Rank returns the place of the role in the order: 0 for a guest, 6 for an admin, -1 for a word that is no role.
func (r Role) Rank() int {
	switch r {
	case RoleGuest:
		return 0
	case RoleRead:
		return 1
	case RoleComment:
		return 2
	case RoleEdit:
		return 3
	case RoleReview:
		return 4
	case RoleCreate:
		return 5
	case RoleAdmin:
		return 6
	default:
		return -1
	}
}

// AtLeast reports whether the role may do what least may do. A word that is no role may do nothing.
func (r Role) AtLeast(least Role) bool { return r.Rank() >= least.Rank() && least.Rank() >= 0 }

// Require is an errs.Forbidden when the role may not do what least may do.
func (r Role) Require(least Role) error {
	if !r.AtLeast(least) {
		return errs.Forbiddenf("This needs the role %s or higher in the organization.", least)
	}
	return nil
}

// ForLog is the role as the audit log has it: nil for a guest's.
func (r Role) ForLog() any {
	if r == RoleGuest {
		return nil
	}
	return string(r)
}

// ParseRole returns the role with a name. "" is refused: a guest is a null on the wire and on the command line the
// absence of a role.
func ParseRole(path, name string) (Role, error) {
	role := Role(name)
	err := field.OneOf(path, role, RoleAdmin, RoleCreate, RoleReview, RoleEdit, RoleComment, RoleRead)
	if err != nil {
		return RoleGuest, err
	}
	return role, nil
}
