package org_test

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is an organization with its admin.
type fixture struct {
	*invitetest.Fixture
}

func newFixture(t *testing.T, d *db.DB, deps org.Deps) *fixture {
	t.Helper()
	return &fixture{invitetest.NewFixture(t, d, deps, invite.Deps{})}
}

func (h *fixture) join(in org.JoinRequest) (member org.Member, joined bool, err error) {
	in.Organization = h.Organization
	err = h.DB.Tx(h.T.Context(), func(ctx context.Context, q db.Querier) error {
		member, joined, err = h.Orgs.Join(ctx, q, in)
		return err
	})
	return member, joined, err
}

func TestJoinHoldsTheRulesOfEachWay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		set := func(links, sso bool) {
			h.Exec(
				`UPDATE organization SET invite_links = $2, sso = $3, email_domains = '["acme.example"]',
					default_role = 'comment' WHERE id = $1`, h.Organization, links, sso)
		}
		const fine = errs.Kind(-1)
		for name, test := range map[string]struct {
			links, sso bool
			email      string
			unverified bool
			way        org.Way
			want       errs.Kind
		}{
			"link":                      {links: true, email: "1@else.example", way: org.ByLink, want: fine},
			"link while there are none": {email: "2@else.example", way: org.ByLink, want: errs.Forbidden},
			"link with single sign-on": {links: true, sso: true, email: "3@else.example", way: org.ByLink,
				want: errs.Forbidden},
			"domain": {email: "4@ACME.example", way: org.ByDomain, want: fine},
			"domain with single sign-on": {sso: true, email: "5@acme.example", way: org.ByDomain,
				want: errs.Forbidden},
			"another domain": {email: "6@else.example", way: org.ByDomain, want: errs.Invalid},
			"a domain below": {email: "6@sub.acme.example", way: org.ByDomain, want: errs.Invalid},
			"an address that nobody knows": {email: "7@acme.example", unverified: true, way: org.ByDomain,
				want: errs.Invalid},
			"invite": {sso: true, email: "8@else.example", way: org.ByInvite, want: fine},
			"single sign-on": {sso: true, email: "9@else.example", unverified: true, way: org.BySSO,
				want: fine},
			"no way": {links: true, email: "0@else.example", want: errs.Invalid},
		} {
			set(test.links, test.sso)
			who := h.Person(test.email, !test.unverified)
			member, joined, err := h.join(org.JoinRequest{User: who.User.ID, Way: test.way})
			if test.want != fine {
				if !errs.Is(err, test.want) || joined {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil || !joined || member.Role != org.RoleComment || member.SSO != (test.way == org.BySSO) {
				t.Errorf("%s: %+v %v", name, member, err)
			}
		}
	})
}

func TestJoinKeepsMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d, org.Deps{})
		team, err := h.Orgs.CreateTeam(t.Context(), h.Admin, h.Organization, "Writers")
		if err != nil {
			t.Fatal(err)
		}
		who := h.Member(org.RoleEdit, "e@acme.example")
		for range 2 {
			member, joined, err := h.join(org.JoinRequest{
				User: who.User.ID, Way: org.BySSO, Role: optional.Of(org.RoleAdmin),
				Teams: []org.TeamPlace{{Team: team.ID}},
			})
			if err != nil || joined || member.Role != org.RoleEdit || !member.SSO {
				t.Errorf("%+v %v %v", member, joined, err)
			}
		}
		if got, err := h.Orgs.GetTeam(t.Context(), h.Admin, h.Organization, team.ID); err != nil || got.Members != 1 {
			t.Error(got, err)
		}
		guest := h.Person("g@acme.example", true)
		if member, joined, err := h.join(org.JoinRequest{User: guest.User.ID, Way: org.ByInvite,
			Role: optional.Null[org.Role]()}); err != nil || !joined || member.Role != org.RoleGuest {
			t.Error(member, joined, err)
		}
		if _, _, err := h.join(org.JoinRequest{User: guest.User.ID, Way: org.ByInvite,
			Teams: []org.TeamPlace{{Team: "team_none"}}}); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		if _, _, err := h.join(org.JoinRequest{User: "user_none", Way: org.ByInvite}); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
	})
}
