// Package orgtest makes organizations with people, for the tests of packages that stand on package org.
package orgtest

import (
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
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
	Organization id.Organization
	Members      map[org.Role]account.Caller
	// Other is the id of the other organization, and Stranger its admin.
	Other    id.Organization
	Stranger account.Caller
}

// New makes a Fixture in an empty database.
func New(t testing.TB, d *db.DB) *Fixture {
	t.Helper()
	f := &Fixture{Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{}),
		Members: map[org.Role]account.Caller{}}
	f.Organizations = NewService(t, org.Deps{DB: d, Accounts: f.Accounts}, org.Hooks{})
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

// NewService returns a service for tests of what needs organizations: what it is not given besides the database and the
// accounts is there and does nothing.
func NewService(t testing.TB, deps org.Deps, hooks org.Hooks) *org.Service {
	t.Helper()
	if deps.Blobs == nil {
		var err error
		if deps.Blobs, err = blob.OpenStore("dir:" + t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	if deps.ChallengeKey == nil {
		deps.ChallengeKey = []byte("0123456789abcdef")
	}
	if deps.Creators == "" {
		deps.Creators = org.Everyone
	}
	return requiredtest.Wire(org.New(requiredtest.Fill(deps)), hooks)
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
