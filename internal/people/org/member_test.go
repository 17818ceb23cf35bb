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
	h.t.Helper()
	var ids []id.User
	request := paging.Request{Limit: 2}
	for {
		people, err := h.orgs.ListMembers(h.t.Context(), h.admin, h.organization, filter, request)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, person := range people.Items {
			ids = append(ids, person.User)
		}
		if people.Next == nil {
			if people.Count != len(ids) {
				h.t.Errorf("the list says %d and has %d", people.Count, len(ids))
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
		bob, eve, zoë := h.member(org.RoleRead, "bob@acme.example"), h.member(org.RoleGuest, "eve_1@acme.example"),
			h.member(org.RoleRead, "ZOË@acme.example")
		all := []id.User{h.admin.User.ID, bob.User.ID, eve.User.ID, zoë.User.ID}
		backwards := slices.Clone(all)
		slices.Reverse(backwards)
		for _, caller := range []account.Caller{eve, bob} {
			if err := h.orgs.Ping(t.Context(), caller, h.organization); err != nil {
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
			if _, err := h.orgs.ListMembers(t.Context(), h.admin, h.organization, filter,
				paging.Request{}); !errs.Is(err, errs.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.orgs.ListMembers(t.Context(), h.admin, h.organization, org.MemberFilter{},
			paging.Request{After: []string{"x", "y"}}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		if _, err := h.orgs.ListMembers(t.Context(), eve, h.organization, org.MemberFilter{},
			paging.Request{}); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		if person, err := h.orgs.GetMember(t.Context(), eve, h.organization, eve.User.ID); err != nil ||
			person.LastSeenAt.IsZero() {
			t.Error(person, err)
		}
		if _, err := h.orgs.GetMember(t.Context(), eve, h.organization, bob.User.ID); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
	})
}

// TestOneAdminStays lets admins take the role from each other, and remove each other, all at once.
func TestOneAdminStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		admins := []account.Caller{h.admin}
		for i := range 4 {
			admins = append(admins, h.member(org.RoleAdmin, fmt.Sprintf("a%d@acme.example", i)))
		}
		var all sync.WaitGroup
		outcomes := make([]error, 2*len(admins))
		for i := range admins {
			caller, other := admins[i], admins[(i+1)%len(admins)].User.ID
			all.Go(func() {
				_, outcomes[2*i] = h.orgs.UpdateMember(context.Background(), caller, h.organization, other,
					optional.Null[org.Role]())
			})
			all.Go(func() {
				outcomes[2*i+1] = h.orgs.RemoveMember(context.Background(), caller, h.organization, caller.User.ID)
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
		if _, err := h.orgs.UpdateMember(t.Context(), h.admin, h.organization, h.admin.User.ID,
			optional.Of(org.RoleEdit)); !errs.Is(err, errs.Conflict) {
			t.Error(err)
		}
		if err := h.orgs.RemoveMember(t.Context(), h.admin, h.organization, h.admin.User.ID); !errs.Is(err,
			errs.Conflict) {
			t.Error(err)
		}
		if _, err := h.orgs.UpdateMember(t.Context(), h.admin, h.organization, h.admin.User.ID,
			optional.Value[org.Role]{}); err != nil {
			t.Error(err)
		}
		if _, err := h.orgs.UpdateMember(t.Context(), h.admin, h.organization, h.admin.User.ID,
			optional.Of(org.RoleAdmin)); err != nil {
			t.Error(err)
		}
		other := h.member(org.RoleAdmin, "b@acme.example")
		if err := h.orgs.RemoveMember(t.Context(), other, h.organization, h.admin.User.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestRemovedPeopleLoseEverything(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		h.exec(`UPDATE organization SET email_domains = '["acme.example"]' WHERE id = $1`, h.organization)
		bob := h.member(org.RoleAdmin, "bob@acme.example")
		team, err := h.orgs.CreateTeam(t.Context(), h.admin, h.organization, "Writers", string(bob.User.ID))
		if err != nil {
			t.Fatal(err)
		}
		secret, _, err := h.accounts.CreateToken(t.Context(), account.NewToken{User: bob.User.ID, Name: "t"})
		if err != nil {
			t.Fatal(err)
		}
		link, err := h.invites.CreateLink(t.Context(), bob, h.organization, invite.NewLink{Role: org.RoleRead})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.orgs.RemoveMember(t.Context(), h.admin, h.organization, bob.User.ID); err != nil {
			t.Fatal(err)
		}
		if err := h.orgs.RemoveMember(t.Context(), h.admin, h.organization, bob.User.ID); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		if got, err := h.orgs.GetTeam(t.Context(), h.admin, h.organization, team.ID); err != nil || got.Members != 0 {
			t.Error(got, err)
		}
		if _, err := h.accounts.Authenticate(t.Context(), secret); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("the token of somebody without an organization still works: %v", err)
		}
		if _, err := h.invites.Accept(t.Context(), bob, h.organization, link.Secret); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		own, err := h.invites.CreateLink(t.Context(), h.admin, h.organization, invite.NewLink{Role: org.RoleRead})
		if err != nil {
			t.Fatal(err)
		}
		for _, back := range []error{second(h.invites.Accept(t.Context(), bob, h.organization, own.Secret)),
			h.orgs.JoinByDomain(t.Context(), bob, h.organization)} {
			if !errs.Is(back, errs.Forbidden) {
				t.Error(back)
			}
		}
		done, err := h.invites.Send(t.Context(), h.admin, h.organization,
			invite.Invitation{People: []invite.InvitedPerson{{Email: "BOB@acme.example"}}})
		if err != nil || len(done.Invites) != 1 {
			t.Fatal(done, err)
		}
		if _, err := h.invites.Accept(t.Context(), bob, h.organization, done.Invites[0].ID); err != nil {
			t.Error(err)
		}
		// Who leaves by themselves may come back by themselves, and keeps their tokens.
		secret, _, err = h.accounts.CreateToken(t.Context(), account.NewToken{User: bob.User.ID, Name: "t"})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.orgs.RemoveMember(t.Context(), bob, h.organization, bob.User.ID); err != nil {
			t.Error(err)
		}
		if _, err := h.accounts.Authenticate(t.Context(), secret); err != nil {
			t.Error(err)
		}
		if err := h.orgs.JoinByDomain(t.Context(), bob, h.organization); err != nil {
			t.Error(err)
		}
	})
}

func TestSSOIsForOneOrganization(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		bob := h.member(org.RoleRead, "bob@acme.example")
		if person, err := h.orgs.SetSSO(t.Context(), h.admin, h.organization, bob.User.ID); err != nil || !person.SSO {
			t.Error(person, err)
		}
		eve := h.member(org.RoleRead, "eve@acme.example")
		if _, err := h.orgs.Create(t.Context(), eve, org.NewOrganization{Title: "Other"}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.orgs.SetSSO(t.Context(), h.admin, h.organization, eve.User.ID); !errs.Is(err, errs.Conflict) {
			t.Error(err)
		}
		if _, err := h.orgs.SetSSO(t.Context(), bob, h.organization, bob.User.ID); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		if _, err := h.orgs.SetSSO(t.Context(), h.admin, h.organization, "user_none"); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
	})
}

// TestChangesAreLogged holds that a change and its entry come together.
func TestChangesAreLogged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		bob := h.member(org.RoleRead, "bob@acme.example")
		if _, err := h.orgs.UpdateMember(t.Context(), h.admin, h.organization, bob.User.ID,
			optional.Of(org.RoleEdit)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.orgs.UpdateMember(t.Context(), h.admin, h.organization, bob.User.ID,
			optional.Of(org.RoleEdit)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.orgs.UpdateMember(t.Context(), bob, h.organization, bob.User.ID,
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
		if err != nil || details != `{"role":{"from":"read","to":"edit"}}` || actor != h.admin.User.ID ||
			token != h.admin.Token.ID {
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
