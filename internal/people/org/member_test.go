package org_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// listed walks through all pages of a list of members.
func (h *fixture) listed(filter org.MemberFilter) []id.User {
	h.T.Helper()
	var ids []id.User
	request := paging.Request{Limit: 2}
	for {
		people, err := h.Orgs.ListMembers(h.T.Context(), h.Admin, h.Organization, filter, request)
		if err != nil {
			h.T.Fatal(err)
		}
		for _, person := range people.Items {
			ids = append(ids, person.User)
		}
		if people.Next == nil {
			if people.Count != len(ids) {
				h.T.Errorf("the list says %d and has %d", people.Count, len(ids))
			}
			return ids
		}
		request.After = people.Next
	}
}

func TestListMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		h := newFixture(t, d, org.Deps{Now: func() time.Time { now = now.Add(time.Second); return now }})
		bob, eve, zoë := h.Member(org.RoleRead, "bob@acme.example"), h.Member(org.RoleGuest, "eve_1@acme.example"),
			h.Member(org.RoleRead, "ZOË@acme.example")
		all := []id.User{h.Admin.User.ID, bob.User.ID, eve.User.ID, zoë.User.ID}
		backwards := slices.Clone(all)
		slices.Reverse(backwards)
		for _, caller := range []account.Caller{eve, bob} {
			if err := h.Orgs.Ping(t.Context(), caller, h.Organization); err != nil {
				t.Fatal(err)
			}
		}
		for name, test := range map[string]struct {
			filter org.MemberFilter
			want   []id.User
		}{
			"latest first":   {org.MemberFilter{}, backwards},
			"earliest first": {org.MemberFilter{Ascending: true}, all},
			"a role": {org.MemberFilter{Role: optional.Of(org.RoleRead)},
				[]id.User{zoë.User.ID, bob.User.ID}},
			"guests": {org.MemberFilter{Role: optional.Of(org.RoleGuest)}, []id.User{eve.User.ID}},
			"seen":   {org.MemberFilter{Sort: org.SortSeen}, []id.User{bob.User.ID, eve.User.ID}},
			"seen, earliest first": {org.MemberFilter{Sort: org.SortSeen, Ascending: true},
				[]id.User{eve.User.ID, bob.User.ID}},
			"seen with a role": {org.MemberFilter{Sort: org.SortSeen, Role: optional.Of(org.RoleRead)},
				[]id.User{bob.User.ID}},
			"a text":             {org.MemberFilter{Search: "zoë@"}, []id.User{zoë.User.ID}},
			"a text with a sign": {org.MemberFilter{Search: "e_1"}, []id.User{eve.User.ID}},
			"a sign":             {org.MemberFilter{Search: "%"}, nil},
			"no one":             {org.MemberFilter{Search: "nobody"}, nil},
		} {
			if diff := cmp.Diff(test.want, h.listed(test.filter)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		for name, filter := range map[string]org.MemberFilter{
			"sort": {Sort: "name"}, "role": {Role: optional.Of(org.Role("boss"))},
			"search": {Search: strings.Repeat("a", 257)},
		} {
			if _, err := h.Orgs.ListMembers(t.Context(), h.Admin, h.Organization, filter,
				paging.Request{}); !errs.Is(err, errs.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.Orgs.ListMembers(t.Context(), h.Admin, h.Organization, org.MemberFilter{},
			paging.Request{After: []string{"x", "y"}}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		if _, err := h.Orgs.ListMembers(t.Context(), eve, h.Organization, org.MemberFilter{},
			paging.Request{}); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		if person, err := h.Orgs.GetMember(t.Context(), eve, h.Organization, eve.User.ID); err != nil ||
			person.LastSeenAt.IsZero() {
			t.Error(person, err)
		}
		if _, err := h.Orgs.GetMember(t.Context(), eve, h.Organization, bob.User.ID); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
	})
}

// TestOneAdminStays lets admins take the role from each other, and remove each other, all at once.
func TestOneAdminStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		admins := []account.Caller{h.Admin}
		for i := range 4 {
			admins = append(admins, h.Member(org.RoleAdmin, fmt.Sprintf("a%d@acme.example", i)))
		}
		var all sync.WaitGroup
		outcomes := make([]error, 2*len(admins))
		for i := range admins {
			caller, other := admins[i], admins[(i+1)%len(admins)].User.ID
			all.Go(func() {
				_, outcomes[2*i] = h.Orgs.UpdateMember(context.Background(), caller, h.Organization, other,
					optional.Null[org.Role]())
			})
			all.Go(func() {
				outcomes[2*i+1] = h.Orgs.RemoveMember(context.Background(), caller, h.Organization, caller.User.ID)
			})
		}
		all.Wait()
		for _, err := range outcomes {
			if kind := errs.KindOf(err); err != nil && kind != errs.Conflict && kind != errs.Forbidden &&
				kind != errs.NotFound {
				t.Error(err)
			}
		}
		var left int
		if err := d.Read().QueryRowContext(t.Context(),
			`SELECT count(*) FROM organization_member WHERE role = 'admin'`).Scan(&left); err != nil || left < 1 {
			t.Errorf("%d admins are left, %v", left, err)
		}
	})
}

func TestLastAdmin(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		if _, err := h.Orgs.UpdateMember(t.Context(), h.Admin, h.Organization, h.Admin.User.ID,
			optional.Of(org.RoleEdit)); !errs.Is(err, errs.Conflict) {
			t.Error(err)
		}
		if err := h.Orgs.RemoveMember(t.Context(), h.Admin, h.Organization, h.Admin.User.ID); !errs.Is(err,
			errs.Conflict) {
			t.Error(err)
		}
		if _, err := h.Orgs.UpdateMember(t.Context(), h.Admin, h.Organization, h.Admin.User.ID,
			optional.Value[org.Role]{}); err != nil {
			t.Error(err)
		}
		if _, err := h.Orgs.UpdateMember(t.Context(), h.Admin, h.Organization, h.Admin.User.ID,
			optional.Of(org.RoleAdmin)); err != nil {
			t.Error(err)
		}
		other := h.Member(org.RoleAdmin, "b@acme.example")
		if err := h.Orgs.RemoveMember(t.Context(), other, h.Organization, h.Admin.User.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestRemovedPeopleLoseEverything(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		h.Exec(`UPDATE organization SET email_domains = '["acme.example"]' WHERE id = $1`, h.Organization)
		bob := h.Member(org.RoleAdmin, "bob@acme.example")
		team, err := h.Orgs.CreateTeam(t.Context(), h.Admin, h.Organization, "Writers", string(bob.User.ID))
		if err != nil {
			t.Fatal(err)
		}
		secret, _, err := h.Accounts.CreateToken(t.Context(), account.NewToken{User: bob.User.ID, Name: "t"})
		if err != nil {
			t.Fatal(err)
		}
		link, err := h.Invites.CreateLink(t.Context(), bob, h.Organization, invite.NewLink{Role: org.RoleRead})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Orgs.RemoveMember(t.Context(), h.Admin, h.Organization, bob.User.ID); err != nil {
			t.Fatal(err)
		}
		if err := h.Orgs.RemoveMember(t.Context(), h.Admin, h.Organization, bob.User.ID); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		if got, err := h.Orgs.GetTeam(t.Context(), h.Admin, h.Organization, team.ID); err != nil || got.Members != 0 {
			t.Error(got, err)
		}
		if _, err := h.Accounts.Authenticate(t.Context(), secret); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("the token of somebody without an organization still works: %v", err)
		}
		if _, err := h.Invites.Accept(t.Context(), bob, h.Organization, link.Secret); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		own, err := h.Invites.CreateLink(t.Context(), h.Admin, h.Organization, invite.NewLink{Role: org.RoleRead})
		if err != nil {
			t.Fatal(err)
		}
		for _, back := range []error{second(h.Invites.Accept(t.Context(), bob, h.Organization, own.Secret)),
			h.Orgs.JoinByDomain(t.Context(), bob, h.Organization)} {
			if !errs.Is(back, errs.Forbidden) {
				t.Error(back)
			}
		}
		done, err := h.Invites.Send(t.Context(), h.Admin, h.Organization,
			invite.Invitation{People: []invite.InvitedPerson{{Email: "BOB@acme.example"}}})
		if err != nil || len(done.Invites) != 1 {
			t.Fatal(done, err)
		}
		if _, err := h.Invites.Accept(t.Context(), bob, h.Organization, done.Invites[0].ID); err != nil {
			t.Error(err)
		}
		// Who leaves by themselves may come back by themselves, and keeps their tokens.
		secret, _, err = h.Accounts.CreateToken(t.Context(), account.NewToken{User: bob.User.ID, Name: "t"})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Orgs.RemoveMember(t.Context(), bob, h.Organization, bob.User.ID); err != nil {
			t.Error(err)
		}
		if _, err := h.Accounts.Authenticate(t.Context(), secret); err != nil {
			t.Error(err)
		}
		if err := h.Orgs.JoinByDomain(t.Context(), bob, h.Organization); err != nil {
			t.Error(err)
		}
	})
}

func TestSSOIsForOneOrganization(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		bob := h.Member(org.RoleRead, "bob@acme.example")
		if person, err := h.Orgs.SetSSO(t.Context(), h.Admin, h.Organization, bob.User.ID); err != nil || !person.SSO {
			t.Error(person, err)
		}
		eve := h.Member(org.RoleRead, "eve@acme.example")
		if _, err := h.Orgs.Create(t.Context(), eve, org.NewOrganization{Title: "Other"}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orgs.SetSSO(t.Context(), h.Admin, h.Organization, eve.User.ID); !errs.Is(err, errs.Conflict) {
			t.Error(err)
		}
		if _, err := h.Orgs.SetSSO(t.Context(), bob, h.Organization, bob.User.ID); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		if _, err := h.Orgs.SetSSO(t.Context(), h.Admin, h.Organization, "user_none"); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
	})
}

// TestChangesAreLogged holds that a change and its entry come together.
func TestChangesAreLogged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		bob := h.Member(org.RoleRead, "bob@acme.example")
		if _, err := h.Orgs.UpdateMember(t.Context(), h.Admin, h.Organization, bob.User.ID,
			optional.Of(org.RoleEdit)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orgs.UpdateMember(t.Context(), h.Admin, h.Organization, bob.User.ID,
			optional.Of(org.RoleEdit)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orgs.UpdateMember(t.Context(), bob, h.Organization, bob.User.ID,
			optional.Of(org.RoleAdmin)); !errs.Is(err, errs.Forbidden) {
			t.Fatal(err)
		}
		var (
			details string
			actor   id.User
			token   string
		)
		err := d.Read().QueryRowContext(t.Context(),
			`SELECT details, actor_id, token_id FROM audit_entry WHERE action = 'member.update'`).Scan(&details, &actor,
			&token)
		if err != nil || details != `{"role":{"from":"read","to":"edit"}}` || actor != h.Admin.User.ID ||
			token != h.Admin.Token.ID {
			t.Error(details, actor, token, err)
		}
		var entries int
		if err := d.Read().QueryRowContext(t.Context(),
			`SELECT count(*) FROM audit_entry WHERE action = 'member.update'`).Scan(&entries); err != nil ||
			entries != 1 {
			t.Error(entries, err)
		}
	})
}
