package org_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestTeams(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		orgs := orgtest.NewService(t, org.Deps{DB: d, Accounts: accounts}, org.Hooks{})
		made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		admin, organization := account.Caller{User: made.User}, made.Organization.ID
		person := func(role org.Role) account.Caller {
			added, err := orgs.AddUser(ctx, org.NewMember{Email: "m" + string(role) + "@example.org",
				Organization: organization, Role: role})
			if err != nil {
				t.Fatal(err)
			}
			return account.Caller{User: added.User}
		}
		creator, reader, guest := person(org.RoleCreate), person(org.RoleRead), person(org.RoleGuest)
		stranger, err := accounts.CreateUser(ctx, account.NewUser{DisplayName: "S", Email: "s@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		outsider := account.Caller{User: stranger}

		var teams []org.Team
		for _, title := range []string{"Writers", " Reviewers "} {
			team, err := orgs.CreateTeam(ctx, admin, organization, title)
			if err != nil || team.Title != strings.TrimSpace(title) || team.Members != 0 {
				t.Fatal(team, err)
			}
			teams = append(teams, team)
		}
		put := func(caller account.Caller, team id.Team, in org.TeamChange) error {
			return orgs.ChangeTeamMembers(ctx, caller, organization, team, in)
		}
		add := func(userIDs ...id.User) org.TeamChange { return org.TeamChange{Add: userIDs} }
		if err := put(admin, teams[0].ID, add(reader.User.ID, guest.User.ID, reader.User.ID)); err != nil {
			t.Error(err)
		}
		if err := put(admin, teams[0].ID, org.TeamChange{Add: []id.User{creator.User.ID},
			Remove: []id.User{reader.User.ID, guest.User.ID}}); err != nil {
			t.Error(err)
		}
		got, err := orgs.GetTeam(ctx, reader, organization, teams[0].ID)
		if err != nil || got.Title != "Writers" || got.Members != 1 {
			t.Error(got, err)
		}
		listed, err := orgs.ListTeams(ctx, reader, organization, org.TeamFilter{},
			paging.Request{Limit: 1})
		if err != nil || listed.Count != 2 || len(listed.Items) != 1 || listed.Items[0].ID != teams[0].ID ||
			listed.Next == nil {
			t.Error(listed.Items, listed.Count, listed.Next, err)
		}
		listed, err = orgs.ListTeams(ctx, reader, organization, org.TeamFilter{},
			paging.Request{Limit: 1, After: listed.Next})
		if err != nil || len(listed.Items) != 1 || listed.Items[0].ID != teams[1].ID || listed.Next != nil {
			t.Error(listed.Items, listed.Next, err)
		}

		for name, test := range map[string]struct {
			err  error
			want errs.Kind
		}{
			"a title too long": {second(orgs.CreateTeam(ctx, admin, organization, strings.Repeat("a", 65))),
				errs.Invalid},
			"no title":            {second(orgs.CreateTeam(ctx, admin, organization, " ")), errs.Invalid},
			"made by a creator":   {second(orgs.CreateTeam(ctx, creator, organization, "T")), errs.Forbidden},
			"made by an outsider": {second(orgs.CreateTeam(ctx, outsider, organization, "T")), errs.NotFound},
			"seen by a guest":     {second(orgs.GetTeam(ctx, guest, organization, teams[0].ID)), errs.Forbidden},
			"unknown": {second(orgs.GetTeam(ctx, admin, organization, id.Team(id.New("team")))),
				errs.NotFound},
			"no id":                   {second(orgs.GetTeam(ctx, admin, organization, "x")), errs.NotFound},
			"unknown organization":    {second(orgs.GetTeam(ctx, admin, "x", teams[0].ID)), errs.NotFound},
			"an outsider put into it": {put(admin, teams[0].ID, add(stranger.ID)), errs.Invalid},
			"no user put into it":     {put(admin, teams[0].ID, add("x")), errs.Invalid},
			"too many put into it":    {put(admin, teams[0].ID, add(make([]id.User, 1001)...)), errs.Invalid},
			"filled by a creator":     {put(creator, teams[1].ID, add()), errs.Forbidden},
			"made of an outsider": {second(orgs.CreateTeam(ctx, admin, organization, "T", string(stranger.ID))),
				errs.Invalid},
			"a cursor of another list": {second(orgs.ListTeams(ctx, admin, organization, org.TeamFilter{},
				paging.Request{After: []string{"a", "b"}})), errs.Invalid},
		} {
			if !errs.Is(test.err, test.want) {
				t.Errorf("%s: %v", name, test.err)
			}
		}
		if got, err := orgs.GetTeam(ctx, admin, organization, teams[0].ID); err != nil || got.Members != 1 {
			t.Errorf("a refusal changed the team: %+v, %v", got, err)
		}
	})
}

func second[T any](_ T, err error) error { return err }
