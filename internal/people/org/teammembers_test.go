package org_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// team returns who is in a team, with what they are there.
func (h *fixture) team(teamID id.Team) map[id.User]org.TeamRole {
	h.T.Helper()
	roles := map[id.User]org.TeamRole{}
	mates, err := h.Orgs.ListTeamMembers(h.T.Context(), h.Admin, h.Organization, teamID,
		paging.Request{Limit: 1000})
	if err != nil || mates.Count != len(mates.Items) {
		h.T.Fatal(mates.Count, err)
	}
	for _, mate := range mates.Items {
		roles[mate.User] = mate.TeamRole
	}
	return roles
}

// propertyCases is how many changes of a team are made up; RECTO_PROPERTY_CASES sets it, as for other properties.
func propertyCases(t *testing.T) int {
	t.Helper()
	// A case is several transactions on a database: a share of what pure ones run.
	return propertytest.Cases(t, 60, 500)
}

// TestTeamsFollowTheModel makes up changes of a team and holds what comes of them against a model of the rules: who is
// to be removed is not in it, everybody else who is named is; a role that is named counts, a known one stays; one wrong
// name and nothing changes.
func TestTeamsFollowTheModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		made, err := h.Orgs.CreateTeam(t.Context(), h.Admin, h.Organization, "Writers")
		if err != nil {
			t.Fatal(err)
		}
		var people []account.User
		for i := range 6 {
			people = append(people, h.Member(org.RoleRead, fmt.Sprintf("p%d@acme.example", i)).User)
		}
		random := rand.New(rand.NewPCG(1, 2))
		model := map[id.User]org.TeamRole{}
		for range propertyCases(t) {
			change := org.TeamChange{Memberships: map[string]org.TeamRole{}}
			after, wrong := maps.Clone(model), false
			name := func(user account.User) id.User {
				if random.IntN(2) == 0 {
					return id.User("P" + user.Email[1:])
				}
				return user.ID
			}
			pick := func() account.User { return people[random.IntN(len(people))] }
			for range random.IntN(4) {
				user := pick()
				change.Add = append(change.Add, name(user))
				if after[user.ID] == "" {
					after[user.ID] = org.TeamMember
				}
			}
			for range random.IntN(3) {
				user, role := pick(), []org.TeamRole{org.TeamOwner, org.TeamMember}[random.IntN(2)]
				change.Memberships[string(user.ID)] = role
				after[user.ID] = role
			}
			for range random.IntN(4) {
				user := pick()
				change.Remove = append(change.Remove, name(user))
				delete(after, user.ID)
			}
			for _, gone := range change.Remove {
				for _, user := range people {
					if gone == user.ID || string(gone)[1:] == user.Email[1:] {
						delete(after, user.ID)
					}
				}
			}
			switch random.IntN(6) {
			case 0:
				change.Add, wrong = slices.Insert(change.Add, random.IntN(len(change.Add)+1),
					"user_00000000000000000000000000"), true
			case 1:
				change.Remove, wrong = append(change.Remove, "somebody"), true
			case 2:
				change.Memberships["user_00000000000000000000000000"], wrong = org.TeamOwner, true
			}
			err := h.Orgs.ChangeTeamMembers(t.Context(), h.Admin, h.Organization, made.ID, change)
			if wrong != errs.Is(err, errs.Invalid) || !wrong && err != nil {
				t.Fatalf("%+v: %v", change, err)
			}
			if !wrong {
				model = after
			}
			if diff := cmp.Diff(model, h.team(made.ID)); diff != "" {
				t.Fatalf("%+v: %s", change, diff)
			}
		}
	})
}

func TestTeamOwners(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		ctx := t.Context()
		owner, mate, reader := h.Member(org.RoleGuest, "o@acme.example"), h.Member(org.RoleRead, "m@acme.example"),
			h.Member(org.RoleRead, "r@acme.example")
		guest := h.Member(org.RoleGuest, "g@acme.example")
		made,
			err := h.Orgs.CreateTeam(ctx, h.Admin, h.Organization, "Writers", string(owner.User.ID),
			string(mate.User.ID))
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Orgs.PutTeamMember(ctx, h.Admin, h.Organization, made.ID, owner.User.ID,
			optional.Of(org.TeamOwner)); err != nil {
			t.Fatal(err)
		}
		put := func(caller account.Caller, userID id.User) error {
			return h.Orgs.PutTeamMember(ctx, caller, h.Organization, made.ID, userID, optional.Value[org.TeamRole]{})
		}
		take := func(caller account.Caller, userID id.User) error {
			return h.Orgs.RemoveTeamMember(ctx, caller, h.Organization, made.ID, userID)
		}
		const fine = errs.Kind(-1)
		for _, test := range []struct {
			name string
			err  error
			want errs.Kind
		}{
			{"an owner adds", put(owner, reader.User.ID), fine},
			{"an owner keeps what they are", put(owner, owner.User.ID), fine},
			{"a mate adds", put(mate, guest.User.ID), errs.Forbidden},
			{"a reader adds", put(reader, guest.User.ID), errs.Forbidden},
			{"a guest adds", put(guest, guest.User.ID), errs.NotFound},
			{"an owner adds nobody", put(owner, "user_none"), errs.NotFound},
			{"an owner invites", h.Orgs.ChangeTeamMembers(ctx, owner, h.Organization, made.ID,
				org.TeamChange{Add: []id.User{"new@else.example"}}), errs.Forbidden},
			{"an owner renames", second(h.Orgs.UpdateTeam(ctx, owner, h.Organization, made.ID, "Writers of all")),
				fine},
			{"an owner sees it", second(h.Orgs.GetTeam(ctx, owner, h.Organization, made.ID)), fine},
			{"a mate renames", second(h.Orgs.UpdateTeam(ctx, mate, h.Organization, made.ID, "Mine")), errs.Forbidden},
			{"a mate deletes the team", h.Orgs.DeleteTeam(ctx, mate, h.Organization, made.ID), errs.Forbidden},
			{"a guest sees it", second(h.Orgs.GetTeam(ctx, guest, h.Organization, made.ID)), errs.Forbidden},
			{"a guest deletes the team", h.Orgs.DeleteTeam(ctx, guest, h.Organization, made.ID), errs.NotFound},
			{"an owner lists", second(h.Orgs.ListTeamMembers(ctx, owner, h.Organization, made.ID, paging.Request{})),
				fine},
			{"a guest lists", second(h.Orgs.ListTeamMembers(ctx, guest, h.Organization, made.ID, paging.Request{})),
				errs.NotFound},
			{"a mate takes another out", take(mate, reader.User.ID), errs.Forbidden},
			{"a mate leaves", take(mate, mate.User.ID), fine},
			{"an owner takes out", take(owner, reader.User.ID), fine},
		} {
			if test.want == fine && test.err != nil || test.want != fine && !errs.Is(test.err, test.want) {
				t.Errorf("%s: %v", test.name, test.err)
			}
		}
		if diff := cmp.Diff(map[id.User]org.TeamRole{owner.User.ID: org.TeamOwner}, h.team(made.ID)); diff != "" {
			t.Error(diff)
		}
		owned, err := h.Orgs.OwnedTeams(ctx, owner, h.Organization)
		if err != nil || !owned[made.ID] {
			t.Error(owned, err)
		}
		got, err := h.Orgs.Get(ctx, owner, h.Organization)
		if err != nil || !got.OwnsTeam {
			t.Error(got, err)
		}
		for filter, want := range map[org.TeamFilter]int{{Owner: owner.User.ID}: 1, {Owner: mate.User.ID}: 0,
			{Title: "WRIT"}: 1, {Title: "x"}: 0} {
			if teams, err := h.Orgs.ListTeams(ctx, h.Admin, h.Organization, filter,
				paging.Request{}); err != nil || len(teams.Items) != want || teams.Count != want {
				t.Errorf("%+v: %v %v", filter, teams.Items, err)
			}
		}
		if renamed, err := h.Orgs.UpdateTeam(ctx, h.Admin, h.Organization, made.ID, "Editors"); err != nil ||
			renamed.Title != "Editors" || renamed.Members != 1 {
			t.Error(renamed, err)
		}
		if err := h.Orgs.DeleteTeam(ctx, owner, h.Organization, made.ID); err != nil {
			t.Error(err)
		}
		if err := h.Orgs.DeleteTeam(ctx, h.Admin, h.Organization, made.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("a second time: %v", err)
		}
	})
}
