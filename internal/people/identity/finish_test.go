package identity_test

import (
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// arrive goes as far as the ticket.
func (h *fixture) arrive(b *browser, p *idp, s says) string {
	h.t.Helper()
	s.inResponseTo = h.begin(b, p, "")
	ticket, err := h.receive(p, p.encode(p.good(s)))
	if err != nil {
		h.t.Fatal(err)
	}
	return ticket
}

// enter goes as far as Finish.
func (h *fixture) enter(p *idp, s says) (identity.Outcome, error) {
	h.t.Helper()
	b := newBrowser()
	return h.finish(b, h.arrive(b, p, s), "")
}

func (h *fixture) memberOf(organization id.Organization, user id.User) (org.Member, bool) {
	h.t.Helper()
	member, found, err := org.MemberIn(h.t.Context(), h.db.Read(), organization, user)
	if err != nil {
		h.t.Fatal(err)
	}
	return member, found
}

func TestNewPeopleBecomeMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		team, err := h.orgs.CreateTeam(t.Context(), h.admin, h.org, "Everybody")
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID, identity.Change{
			DefaultTeam: optional.Of(string(team.ID)), DefaultRole: optional.Of(org.RoleReview),
		})
		if err != nil {
			t.Fatal(err)
		}
		made := h.signIn(h.idp, says{}).User
		member, found := h.memberOf(h.org, made.ID)
		if !found || member.Role != org.RoleReview || !member.SSO || !made.EmailVerifiedAt.IsZero() {
			t.Errorf("%+v, %+v", member, made)
		}
		if team, err = h.orgs.GetTeam(t.Context(), h.admin, h.org, team.ID); err != nil || team.Members != 1 {
			t.Errorf("%+v, %v", team, err)
		}
		// The next time nothing is made, and what an admin has changed stays.
		h.member(h.org, made.ID, org.RoleRead)
		entries := h.count("audit_entry")
		again := h.signIn(h.idp, says{email: "new-name@example.org"}).User
		member, _ = h.memberOf(h.org, made.ID)
		if again.ID != made.ID || member.Role != org.RoleRead || h.count("identity_link") != 1 ||
			h.count("audit_entry") != entries {
			t.Errorf("%+v, %+v", again, member)
		}
		// A guest of the provider's choice.
		if _, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
			identity.Change{DefaultRole: optional.Null[org.Role]()}); err != nil {
			t.Fatal(err)
		}
		guest := h.signIn(h.idp, says{nameID: "guest", email: "guest@example.org"}).User
		if member, _ := h.memberOf(h.org, guest.ID); member.Role != org.RoleGuest {
			t.Errorf("%+v", member)
		}
	})
}

func TestStrangersStayOutside(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		before := h.count("account_user")
		for name, s := range map[string]struct {
			says says
			want string
		}{
			"another domain":         {says{email: "mallory@elsewhere.example"}, "no verified e-mail domain"},
			"a domain below":         {says{email: "mallory@sub.example.org"}, "no verified e-mail domain"},
			"no address":             {says{noEmail: true}, "no e-mail address"},
			"something else":         {says{email: "grace"}, "no e-mail address"},
			"two addresses":          {says{email: "grace@example.org, ada@example.org"}, "no e-mail address"},
			"an address with a name": {says{email: "Ada <ada@example.org>"}, "no e-mail address"},
		} {
			t.Run(name, func(t *testing.T) {
				_, err := h.enter(h.idp, s.says)
				refuse(t, err, errs.Forbidden, s.want)
			})
		}
		if h.count("account_user") != before || h.count("identity_link") != 0 {
			t.Error("something has changed")
		}
	})
}

func TestInvitedPeopleGetWhatTheInviteSays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		team, err := h.orgs.CreateTeam(t.Context(), h.admin, h.org, "Partners")
		if err != nil {
			t.Fatal(err)
		}
		h.exec(
			`INSERT INTO org_invite (id, organization_id, email, email_key, secret_hash, role, sso, created_by,
				created_at, expires_at)
			VALUES ('invite_1', $1, 'Pat@partner.example', 'pat@partner.example', $2, 'comment', $3, $4, 1, $5)`,
			h.org, []byte("x"), false, h.admin.User.ID, h.now.Add(time.Hour).UnixMicro())
		h.exec(`INSERT INTO org_invite_team (invite_id, team_id, role) VALUES ('invite_1', $1, 'owner')`, team.ID)
		pat := h.signIn(h.idp, says{nameID: "pat", email: "pat@Partner.example"}).User
		if member, _ := h.memberOf(h.org, pat.ID); member.Role != org.RoleComment || !member.SSO {
			t.Errorf("%+v", member)
		}
		if team, err = h.orgs.GetTeam(t.Context(), h.admin, h.org, team.ID); err != nil || team.Members != 1 ||
			h.count("org_invite") != 0 {
			t.Errorf("%+v, %v", team, err)
		}
		h.exec(
			`INSERT INTO org_invite (id, organization_id, email, email_key, secret_hash, role, sso, created_by,
				created_at, expires_at)
			VALUES ('invite_2', $1, 'late@partner.example', 'late@partner.example', $2, 'comment', $3, $4, 1, $5)`,
			h.org, []byte("y"), false, h.admin.User.ID, h.now.UnixMicro())
		_, err = h.enter(h.idp, says{nameID: "late", email: "late@partner.example"})
		refuse(t, err, errs.Forbidden, "nobody has invited it")
	})
}

// TestAccountsOfOthers holds the rules of ADR 21: a provider opens no account that belongs to people outside its
// organization.
func TestAccountsOfOthers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		evilOrg, evilAdmin := h.otherOrganization("eve@evil.example")
		evil := h.newIDP(evilAdmin, evilOrg, 1)
		evil.provider.Organization = evilOrg

		t.Run("of a member of another organization", func(t *testing.T) {
			_, err := h.enter(evil, says{nameID: "x1", email: "ada@example.org"})
			refuse(t, err, errs.Forbidden, "no verified e-mail domain")
		})
		t.Run("though their organization claims the domain", func(t *testing.T) {
			h.exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, evilOrg)
			_, err := h.enter(evil, says{nameID: "x1", email: "ada@example.org"})
			refuse(t, err, errs.Forbidden, "once its owner says so")
			_, err = h.enter(evil, says{nameID: "x1", email: "ADA@Example.org"})
			refuse(t, err, errs.Forbidden, "once its owner says so")
		})
		t.Run("though the person is a member there, too", func(t *testing.T) {
			h.member(evilOrg, h.admin.User.ID, org.RoleRead)
			_, err := h.enter(evil, says{nameID: "x1", email: "ada@example.org"})
			refuse(t, err, errs.Forbidden, "belongs to other organizations")
		})
		t.Run("with the subject of another provider", func(t *testing.T) {
			grace := h.signIn(h.idp, says{}).User
			_, err := h.enter(evil, says{email: "grace@example.org"})
			refuse(t, err, errs.Forbidden, "once its owner says so")
			if member, found := h.memberOf(evilOrg, grace.ID); found {
				t.Errorf("%+v", member)
			}
		})
		t.Run("who came into another organization later", func(t *testing.T) {
			user := h.signIn(evil, says{nameID: "x2", email: "linus@example.org"}).User
			outcome := h.signIn(evil, says{nameID: "x2", email: "linus@example.org"})
			secret, _, err := h.accounts.StartSession(t.Context(), user.ID, account.NewSession{Method: account.BySAML,
				VouchedBy: outcome.VouchedBy})
			if err != nil {
				t.Fatal(err)
			}
			h.member(h.org, user.ID, org.RoleAdmin)
			// What the provider opened before, it has not opened with this.
			caller, err := h.accounts.AuthenticateSession(t.Context(), secret)
			if err != nil || !caller.Reaches(evilOrg) || caller.Reaches(h.org) {
				t.Errorf("the session that the provider began opens %+v, %v", caller.Session, err)
			}
			if _, err := h.orgs.Get(t.Context(), caller, h.org); !errs.Is(err, errs.NotFound) {
				t.Error(err)
			}
			_, err = h.enter(evil, says{nameID: "x2", email: "linus@example.org"})
			refuse(t, err, errs.Forbidden, "belongs to other organizations")
			// Another subject with the same address does not get further.
			_, err = h.enter(evil, says{nameID: "x3", email: "linus@example.org"})
			refuse(t, err, errs.Forbidden, "belongs to other organizations")
		})
		if links := h.count("identity_link"); links != 2 {
			t.Errorf("there are %d links", links)
		}
	})
}

func TestOwnersConnectTheirAccounts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		otherOrg, _ := h.otherOrganization("eve@other.example")
		h.member(otherOrg, h.admin.User.ID, org.RoleRead)
		b := newBrowser()
		b.signedIn = h.admin.User.ID
		ticket := h.arrive(b, h.idp, says{nameID: "ada", email: "ada@example.org"})
		for _, yes := range []identity.Question{"", identity.Continue} {
			asked, err := h.finish(b, ticket, yes)
			if err != nil || asked.Ask != identity.Connect || asked.User.ID != "" {
				t.Fatalf("%+v, %v", asked, err)
			}
		}
		// Whoever else is signed in cannot say yes to it.
		b.signedIn = h.user("mallory@example.org").ID
		_, err := h.finish(b, ticket, identity.Connect)
		refuse(t, err, errs.Forbidden, "belongs to other organizations")
		b.signedIn = h.admin.User.ID
		outcome, err := h.finish(b, ticket, identity.Connect)
		if err != nil || outcome.User.ID != h.admin.User.ID {
			t.Fatalf("%+v, %v", outcome, err)
		}
		// From now on the provider opens it by itself.
		if again := h.signIn(h.idp, says{nameID: "ada", email: "ada@example.org"}); again.User.ID != h.admin.User.ID ||
			again.VouchedBy != "" {
			t.Errorf("%+v", again)
		}
	})
}

func TestAnotherIssuerIsAnotherProvider(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	h.signIn(h.idp, says{})
	changed, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
		identity.Change{EntityID: optional.Of("https://new.example/idp")})
	if err != nil || h.count("identity_link") != 0 {
		t.Errorf("%+v, %v, %d links", changed, err, h.count("identity_link"))
	}
}

func TestEnforcedSignOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		otherOrg, otherAdmin := h.otherOrganization("eve@other.example")
		refuse(t, h.service.MayEnforce(t.Context(), d.Read(), otherAdmin, otherOrg), errs.Conflict,
			"no identity provider")
		h.exec(`UPDATE organization SET sso = $2 WHERE id = $1`, h.org, true)
		// The last provider stays while it is the only way in.
		refuse(t, h.service.Delete(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID), errs.Conflict,
			"only provider")
		_, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
			identity.Change{SSOURL: optional.Of("")})
		refuse(t, err, errs.Conflict, "only provider")
		h.newIDP(h.admin, h.org, 1)
		if err := h.service.Delete(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestEmergencyCode(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		if _, err := h.service.FindEmergencyCode(t.Context(), h.admin, h.org); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		old, _, err := h.service.MakeEmergencyCode(t.Context(), h.admin, h.org)
		if err != nil {
			t.Fatal(err)
		}
		code, made, err := h.service.MakeEmergencyCode(t.Context(), h.admin, h.org)
		if err != nil || made.User != h.admin.User.ID {
			t.Fatalf("%+v, %v", made, err)
		}
		for _, wrong := range []string{"", old, code + "A", "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA"} {
			_, err := h.service.UseEmergencyCode(t.Context(), wrong)
			refuse(t, err, errs.Forbidden, "not known")
		}
		// However it is typed.
		user, err := h.service.UseEmergencyCode(t.Context(), " "+lower(code)+" ")
		if err != nil || user.ID != h.admin.User.ID {
			t.Fatalf("%+v, %v", user, err)
		}
		_, err = h.service.UseEmergencyCode(t.Context(), code)
		refuse(t, err, errs.Forbidden, "used before")
		if uses := h.actions("emergency-code.use"); uses != 1 {
			t.Errorf("%d uses are in the log", uses)
		}

		// It goes with the role, and with who takes it back.
		code, _, err = h.service.MakeEmergencyCode(t.Context(), h.admin, h.org)
		if err != nil {
			t.Fatal(err)
		}
		second := account.Caller{User: h.user("second@example.org")}
		h.member(h.org, second.User.ID, org.RoleAdmin)
		h.member(h.org, h.admin.User.ID, org.RoleRead)
		_, err = h.service.UseEmergencyCode(t.Context(), code)
		refuse(t, err, errs.Forbidden, "not known")
		code, _, err = h.service.MakeEmergencyCode(t.Context(), second, h.org)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := h.service.RevokeEmergencyCode(t.Context(), second, h.org); err != nil {
				t.Error(err)
			}
		}
		_, err = h.service.UseEmergencyCode(t.Context(), code)
		refuse(t, err, errs.Forbidden, "not known")
		if _, _, err := h.service.MakeEmergencyCode(t.Context(), h.admin, h.org); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
	})
}
