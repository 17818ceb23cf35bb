package org

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// RequireRole refuses callers whose role in the organization is lower; for people who are no members it is not there.
// It is for domains that package access knows nothing of.
func RequireRole(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	least Role) error {
	role, err := RoleIn(ctx, q, caller, organizationID)
	if err != nil {
		return err
	}
	return role.Require(least)
}

// RoleIn returns the caller's role in an organization, in the caller's transaction; errs.NotFound when they are no
// member.
func RoleIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization) (Role, error) {
	if !id.Valid("org", organizationID) {
		return RoleGuest, noOrganization()
	}
	member, err := ownMemberOf(ctx, q, caller, organizationID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return RoleGuest, noOrganization()
	case err != nil:
		return RoleGuest, fmt.Errorf("load role: %w", err)
	}
	return member.Role, nil
}

// MembershipIn returns an organization and the caller's place in it, in the caller's transaction; errs.NotFound when
// there is none or the caller is not a member.
func MembershipIn(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) (Membership, error) {
	if !id.Valid("org", organizationID) {
		return Membership{}, noOrganization()
	}
	m, err := membershipOf(ctx, q, caller, organizationID)
	if errors.Is(err, db.ErrNoRows) {
		return Membership{}, noOrganization()
	}
	return m, err
}

// MemberIn returns a user's place in an organization in the caller's transaction; found is false when they have none.
func MemberIn(ctx context.Context, q db.Querier, organizationID id.Organization,
	userID id.User) (member Member, found bool, err error) {
	member, err = memberOf(ctx, q, organizationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		return Member{}, false, nil
	}
	return member, err == nil, err
}

// MemberByEmailIn returns the member of an organization who has an address, in the caller's transaction; found is false
// when nobody has.
func MemberByEmailIn(ctx context.Context, q db.Querier, organizationID id.Organization,
	email string) (person Person, found bool, err error) {
	person, err = personByEmail(ctx, q, organizationID, account.EmailKey(email))
	if errors.Is(err, db.ErrNoRows) {
		return Person{}, false, nil
	}
	return person, err == nil, err
}
