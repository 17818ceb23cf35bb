package identity_test

import (
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestProvidersAcceptNothingForPeople holds that an account which is there becomes a member when its owner says so, and
// not because an organization has invited it and its provider names it.
func TestProvidersAcceptNothingForPeople(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		evilOrg, evilAdmin := h.otherOrganization("eve@evil.example")
		evil := h.newIDP(evilAdmin, evilOrg, 1)
		alone, err := h.accounts.CreateUser(t.Context(), account.NewUser{DisplayName: "Alone",
			Email: "alone@free.example", EmailVerified: true})
		if err != nil {
			t.Fatal(err)
		}
		caller := account.Caller{User: alone}
		in := invite.Invitation{People: []invite.InvitedPerson{{Email: alone.Email}}}
		if _, err := h.invites.Send(t.Context(), evilAdmin, evilOrg, in); err != nil {
			t.Fatal(err)
		}
		_, err = h.enter(evil, says{nameID: "a1", email: alone.Email})
		refuse(t, err, errs.Forbidden, "once its owner says so")
		if _, found := h.memberOf(evilOrg, alone.ID); found || h.count("identity_link") != 0 {
			t.Error("the provider has accepted the invitation")
		}
		// Who is signed in says so on a page.
		b := newBrowser()
		b.signedIn = alone.ID
		ticket := h.arrive(b, evil, says{nameID: "a1", email: alone.Email})
		out, err := h.finish(b, ticket, "")
		if err != nil || out.Ask != identity.Connect {
			t.Fatalf("%+v %v", out, err)
		}
		out, err = h.finish(b, ticket, identity.Connect)
		if err != nil || out.User.ID != alone.ID {
			t.Fatalf("%+v %v", out, err)
		}
		// Who leaves takes the provider's key along.
		if err := h.orgs.RemoveMember(t.Context(), caller, evilOrg, alone.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := h.invites.Send(t.Context(), evilAdmin, evilOrg, in); err != nil {
			t.Fatal(err)
		}
		_, err = h.enter(evil, says{nameID: "a1", email: alone.Email})
		refuse(t, err, errs.Forbidden, "once its owner says so")

		// Who was removed and has nothing else comes back by the provider that made the account.
		grace := h.signIn(h.idp, says{}).User
		if err := h.orgs.RemoveMember(t.Context(), h.admin, h.org, grace.ID); err != nil {
			t.Fatal(err)
		}
		h.now = h.now.Add(time.Minute)
		if back := h.signIn(h.idp, says{}).User; back.ID != grace.ID {
			t.Errorf("%+v", back)
		}
	})
}
