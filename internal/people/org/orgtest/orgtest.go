// Package orgtest makes organizations with people, for the tests of packages that stand on package org.
package orgtest

import (
	"testing"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Roles are all roles that a member can have, from the lowest to the highest.
var Roles = []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
	org.RoleAdmin}

// Fixture is an organization with one member for each role, and another organization with an admin, who is a stranger
// to the first.
type Fixture struct {
	Accounts      *account.Service
	Organizations *org.Service
	// Organization is the id of the organization, and Members its members by their roles.
	Organization string
	Members      map[org.Role]account.Caller
	// Other is the id of the other organization, and Stranger its admin.
	Other    string
	Stranger account.Caller
}

// New makes a Fixture in an empty database.
func New(t testing.TB, d *db.DB) *Fixture {
	t.Helper()
	f := &Fixture{Accounts: account.New(account.Deps{DB: d}), Members: map[org.Role]account.Caller{}}
	f.Organizations = org.New(org.Deps{DB: d, Accounts: f.Accounts})
	made, err := f.Organizations.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@example.org", Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	f.Organization = made.Organization.ID
	f.Members[org.RoleAdmin] = account.Caller{User: made.User}
	for _, role := range Roles[:len(Roles)-1] {
		f.Members[role] = f.Join(t, role, "m"+string(role)+"@example.org")
	}
	stranger, err := f.Accounts.CreateUser(t.Context(), account.NewUser{DisplayName: "S", Email: "s@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	f.Stranger = account.Caller{User: stranger}
	other, err := f.Organizations.Create(t.Context(), f.Stranger, org.NewOrganization{Title: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	f.Other = other.Organization.ID
	return f
}

// Join makes another member with a role.
func (f *Fixture) Join(t testing.TB, role org.Role, email string) account.Caller {
	t.Helper()
	added, err := f.Organizations.AddUser(t.Context(), org.NewMember{Email: email, Organization: f.Organization,
		Role: role})
	if err != nil {
		t.Fatal(err)
	}
	return account.Caller{User: added.User}
}

// Admin is the member who may do everything.
func (f *Fixture) Admin() account.Caller { return f.Members[org.RoleAdmin] }

// Editor is the member with the role edit.
func (f *Fixture) Editor() account.Caller { return f.Members[org.RoleEdit] }

// Reviewer is the member with the role review.
func (f *Fixture) Reviewer() account.Caller { return f.Members[org.RoleReview] }
