package org_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/db/dbtest"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/org"
	"github.com/rectodocs/recto/internal/paging"
)

func TestTeams(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		accounts := account.New(account.Deps{DB: d})
		orgs := org.New(org.Deps{DB: d, Accounts: accounts})
		made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		admin, organization := account.Caller{User: made.User}, made.Organization.ID
		person := func(role org.Role) account.Caller {
			added, err := orgs.AddUser(ctx, org.NewMember{Email: "m" + string(role) + "@example.org", Organization: organization, Role: role})
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
		set, err := orgs.SetTeamMembers(ctx, admin, organization, teams[0].ID, []string{reader.User.ID, guest.User.ID, reader.User.ID})
		if err != nil || set.Members != 2 {
			t.Error(set, err)
		}
		if set, err = orgs.SetTeamMembers(ctx, admin, organization, teams[0].ID, []string{creator.User.ID}); err != nil || set.Members != 1 {
			t.Error(set, err)
		}
		got, err := orgs.GetTeam(ctx, reader, organization, teams[0].ID)
		if err != nil || got.Title != "Writers" || got.Members != 1 {
			t.Error(got, err)
		}
		listed, count, next, err := orgs.ListTeams(ctx, reader, organization, paging.Request{Limit: 1})
		if err != nil || count != 2 || len(listed) != 1 || listed[0].ID != teams[0].ID || next == nil {
			t.Error(listed, count, next, err)
		}
		listed, _, next, err = orgs.ListTeams(ctx, reader, organization, paging.Request{Limit: 1, After: next})
		if err != nil || len(listed) != 1 || listed[0].ID != teams[1].ID || next != nil {
			t.Error(listed, next, err)
		}

		for name, test := range map[string]struct {
			err  error
			want errs.Kind
		}{
			"a title too long":         {second(orgs.CreateTeam(ctx, admin, organization, strings.Repeat("a", 65))), errs.Invalid},
			"no title":                 {second(orgs.CreateTeam(ctx, admin, organization, " ")), errs.Invalid},
			"made by a creator":        {second(orgs.CreateTeam(ctx, creator, organization, "T")), errs.Forbidden},
			"made by an outsider":      {second(orgs.CreateTeam(ctx, outsider, organization, "T")), errs.NotFound},
			"seen by a guest":          {second(orgs.GetTeam(ctx, guest, organization, teams[0].ID)), errs.Forbidden},
			"unknown":                  {second(orgs.GetTeam(ctx, admin, organization, id.New("team"))), errs.NotFound},
			"no id":                    {second(orgs.GetTeam(ctx, admin, organization, "x")), errs.NotFound},
			"unknown organization":     {second(orgs.GetTeam(ctx, admin, "x", teams[0].ID)), errs.NotFound},
			"an outsider put into it":  {second(orgs.SetTeamMembers(ctx, admin, organization, teams[0].ID, []string{stranger.ID})), errs.NotFound},
			"no user put into it":      {second(orgs.SetTeamMembers(ctx, admin, organization, teams[0].ID, []string{"x"})), errs.NotFound},
			"too many put into it":     {second(orgs.SetTeamMembers(ctx, admin, organization, teams[0].ID, make([]string, 10_001))), errs.Invalid},
			"filled by a creator":      {second(orgs.SetTeamMembers(ctx, creator, organization, teams[0].ID, nil)), errs.Forbidden},
			"a cursor of another list": {fourth(orgs.ListTeams(ctx, admin, organization, paging.Request{After: []string{"a", "b"}})), errs.Invalid},
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

func fourth[A, B, C any](_ A, _ B, _ C, err error) error { return err }
