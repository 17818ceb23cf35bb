package identity_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestMayEnforce holds that an admin switches enforced single sign-on on only who gets in themselves afterwards.
func TestMayEnforce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		may := func(caller account.Caller) error { return h.service.MayEnforce(t.Context(), d.Read(), caller, h.org) }
		locked := func(caller account.Caller, why string) {
			t.Helper()
			refuse(t, may(caller), errs.Conflict, "lock yourself out")
			refuse(t, may(caller), errs.Conflict, "createOrganizationEmergencyCode (POST /v1/orgs/"+string(h.org)+
				"/sso/emergency-code)")
			if t.Failed() {
				t.Log(why)
			}
		}
		open := func(caller account.Caller, why string) {
			t.Helper()
			if err := may(caller); err != nil {
				t.Error(why, err)
			}
		}
		second := account.Caller{User: h.user("grace@example.org")}
		h.member(h.org, second.User.ID, org.RoleAdmin)
		locked(h.admin, "nobody has signed in")

		// A code is its maker's, until it is taken back, used, or another admin has made the next one.
		make := func(caller account.Caller) string {
			t.Helper()
			code, _, err := h.service.MakeEmergencyCode(t.Context(), caller, h.org)
			if err != nil {
				t.Fatal(err)
			}
			return code
		}
		code := make(h.admin)
		open(h.admin, "the code is theirs")
		locked(second, "the code is another admin's")
		if _, err := h.service.UseEmergencyCode(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		locked(h.admin, "the code is used up")
		make(h.admin)
		make(second)
		locked(h.admin, "another code has taken its place")
		open(second, "the code is theirs")
		if err := h.service.RevokeEmergencyCode(t.Context(), h.admin, h.org); err != nil {
			t.Fatal(err)
		}
		locked(second, "the code was taken back")

		// A sign-in by the provider counts while the provider works and may open the account.
		h.signIn(h.idp, says{})
		open(second, "they signed in by the provider")
		locked(h.admin, "another admin signed in")
		otherOrg, _ := h.otherOrganization("eve@other.example")
		h.member(otherOrg, second.User.ID, org.RoleRead)
		locked(second, "the provider does not open an account that is elsewhere, too")
		h.exec(`UPDATE identity_link SET confirmed = $1`, true)
		open(second, "they said that the provider may")
		spare := h.newIDP(h.admin, h.org, 1)
		open(second, "there is another provider, too")
		if _, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
			identity.Change{SSOURL: optional.Of("")}); err != nil {
			t.Fatal(err)
		}
		locked(second, "their provider is not active; "+string(spare.provider.ID)+" is")
	})
}

// TestEmergencyCodeNeedsAllLimitsOff holds that what is limited makes no code that is not.
func TestEmergencyCodeNeedsAllLimitsOff(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	for name, caller := range map[string]account.Caller{
		"scopes": {User: h.admin.User, Token: account.Token{ID: "t", Scopes: []string{"orgs:write"}}},
		"expiry": {User: h.admin.User, Token: account.Token{ID: "t", ExpiresAt: h.now.AddDate(0, 0, 1)}},
	} {
		_, _, err := h.service.MakeEmergencyCode(t.Context(), caller, h.org)
		refuse(t, err, errs.Forbidden, "without limits")
		if h.count("identity_emergency_code") != 0 {
			t.Error(name, "made a code")
		}
	}
	stale := account.Caller{User: h.admin.User, Session: account.Session{ID: "s", SignedInAt: h.now.AddDate(0, 0, -1)}}
	_, _, err := h.service.MakeEmergencyCode(t.Context(), stale, h.org)
	refuse(t, err, errs.Precondition, "Sign in again")
}
