package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// prepared is what somebody made in an account that an organization's provider opened before its person came.
type prepared struct {
	*federated
	email             string
	session           browser
	token, tokenOfOne string
	password          string
	device            *accounttest.Authenticator
	emergency         string
}

// prepare invites an address that nobody has to the other organization, as an admin, opens the account by its provider,
// and makes all that can be made there.
func (f *federated) prepare(email string) *prepared {
	f.t.Helper()
	p := &prepared{federated: f, email: email, session: f.newBrowser(), password: "prepared beforehand"}
	f.invite(email, "admin")
	f.signedInAs(f.bySAML(p.session, email), email)
	p.token = p.session.newToken("prepared")
	var second struct{ Token string }
	f.callAs(p.token, http.MethodPost, "/v1/user/tokens", `{"name":"by the token"}`, http.StatusCreated, &second)
	p.tokenOfOne = second.Token
	p.device = p.session.newPasskey()
	p.session.setPassword(p.password)
	b, ok := f.byPassword(email, p.password)
	if !ok || !b.reaches(f.evil) {
		f.t.Fatal("the password does not even open the organization that vouches for it")
	}
	for _, cookie := range b.Jar.Cookies(b.address()) {
		if strings.Contains(cookie.Name, "browser") {
			f.t.Error("the browser is known as one of the person's, whose guesses count by themselves")
		}
	}
	if b, ok := f.byPasskey(p.device); !ok || !b.reaches(f.evil) {
		f.t.Fatal("the passkey does not even open the organization that vouches for it")
	}
	var code struct{ Code string }
	f.callAs(p.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, &code)
	p.emergency = code.Code
	return p
}

// opens lists what of all that opens an organization, and tries everything anew.
func (p *prepared) opens(organization string) []string {
	p.t.Helper()
	var open []string
	note := func(what string, yes bool) {
		if yes {
			open = append(open, what)
		}
	}
	note("session", p.session.reaches(organization))
	note("token", p.tokenReaches(p.token, organization))
	note("token of the token", p.tokenReaches(p.tokenOfOne, organization))
	if b, ok := p.byPassword(p.email, p.password); ok {
		note("password", b.reaches(organization))
	}
	if b, ok := p.byPasskey(p.device); ok {
		note("passkey", b.reaches(organization))
	}
	b := p.newBrowser()
	p.bySAML(b, p.email)
	note("SAML again", b.reaches(organization))
	b = p.newBrowser()
	p.byOIDC(b, p.email)
	note("OpenID", b.reaches(organization))
	b = p.newBrowser()
	b.form("/signin/sso/emergency", url.Values{"code": {p.emergency}})
	note("emergency code", b.reaches(organization))
	return open
}

// TestAccountPreparedBeforehand plays somebody who opens an account in the name of a person that is to come, and fills
// it with ways in. The person sets a password by mail and joins the organization where they work: nothing that was
// prepared gets there.
func TestAccountPreparedBeforehand(t *testing.T) {
	var mailboxes sync.Map // by the address of the server
	onBothWith(t, func(settings *config.Serve) {
		withName(settings)
		mailbox := mailtest.NewServer(t)
		mailboxes.Store(settings.BaseURL, mailbox)
		settings.SMTPURL, settings.MailFrom = mailbox.URL, "Recto <docs@example.com>"
	}, func(t *testing.T, s *server) {
		f := withProviders(s)
		mailbox, _ := mailboxes.Load(s.base)
		const email = "v@example.org"
		p := f.prepare(email)
		secret := f.linkByMail(mailbox.(*mailtest.Server), email, 2) // the first mail was the invitation
		v := f.newBrowser()
		f.signedInAs(v.form("/signin/password", url.Values{"link": {secret}, "password": {"truly my own"}}), email)
		for what, works := range map[string]bool{"token": p.tokenReaches(p.token, f.evil),
			"token of the token": p.tokenReaches(p.tokenOfOne, f.evil), "session": p.session.reaches(f.evil)} {
			if works {
				t.Errorf("the %s works after the proof", what)
			}
		}
		f.joins(v, email)
		if open := p.opens(s.organization); len(open) > 0 {
			t.Errorf("what was prepared opens the organization that v joined: %s", open)
		}
		if b, ok := f.byPassword(email, "truly my own"); !ok || !b.reaches(s.organization) || !b.reaches(f.evil) {
			t.Error("v's own password does not open all that v may")
		}
	})
}

// joins lets somebody into the first organization by an invite link.
func (s *server) joins(b browser, email string) {
	s.t.Helper()
	var link struct{ ID string }
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites", `{"role":"edit"}`, http.StatusCreated, &link)
	b.form("/invites/"+s.organization+"/"+link.ID, nil)
	if !b.reaches(s.organization) {
		s.t.Fatalf("%s did not get in by a link", email)
	}
}

// TestAccountPreparedForTheOperator is the same when the operator adds the person, who never sets a password.
func TestAccountPreparedForTheOperator(t *testing.T) {
	onBothWith(t, withName, func(t *testing.T, s *server) {
		f := withProviders(s)
		p := f.prepare("v@example.org")
		own := s.operatorAdds("v@example.org", s.organization, "admin")
		if open := p.opens(s.organization); len(open) > 0 {
			t.Errorf("what was prepared opens the organization that the operator let v into: %s", open)
		}
		if !s.tokenReaches(own, s.organization) || !s.tokenReaches(own, f.evil) {
			t.Error("the operator's token does not open all that v may")
		}
	})
}

// TestVouchedSessionOpensNothingElse holds what a session may not do that an organization alone vouches for, whatever
// its person may.
func TestVouchedSessionOpensNothingElse(t *testing.T) {
	onBothWith(t, withName, func(t *testing.T, s *server) {
		f := withProviders(s)
		f.invite("v@example.org", "admin")
		b := f.newBrowser()
		f.signedInAs(f.bySAML(b, "v@example.org"), "v@example.org")
		token := b.newToken("marked")
		var list struct {
			Items []struct{ Name, VouchedBy string }
		}
		f.callAs(token, http.MethodGet, "/v1/user/tokens", nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].VouchedBy != f.evil {
			t.Errorf("%+v", list)
		}
		for path, says := range map[string]string{"/account/tokens": "Evil alone vouches for this sign-in",
			"/account/sessions": "opens Evil only"} {
			if page := b.send(http.MethodGet, path, "", nil); !strings.Contains(string(page.body), says) {
				t.Errorf("%s does not say %q: %s", path, says, page.body)
			}
		}
		space := s.space("Secret")
		var link struct{ ID string }
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites", `{"role":"edit"}`, http.StatusCreated,
			&link)
		try := func(method, path, body string, want int) {
			t.Helper()
			for who, got := range map[string]answer{"session": b.send(method, path, body, ownPage),
				"token": s.raw(method, path, token, json.RawMessage(body))} {
				if got.status != want {
					t.Errorf("%s: %s %s answers %d, want %d: %s", who, method, path, got.status, want, got.body)
				}
			}
		}
		refusals := func() {
			t.Helper()
			try(http.MethodPost, "/v1/orgs",
				`{"title":"Mine","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusForbidden)
			try(http.MethodPost, "/v1/orgs/"+s.organization+"/invites/"+link.ID, `{}`, http.StatusForbidden)
		}
		refusals()
		// v's own doing elsewhere makes no difference: by the operator's link, since that ends nothing but what is
		// vouched for.
		v := s.byOperator("v@example.org", "truly my own")
		proven := v.newToken("proven")
		f.joins(v, "v@example.org")
		if b.reaches(f.evil) {
			t.Error("the session works on after the proof")
		}
		// The provider opens the account no more, unless v says so in a session of their own.
		b = f.newBrowser()
		if page := f.bySAML(b, "v@example.org"); page.status != http.StatusForbidden ||
			!strings.Contains(string(page.body), "other organizations") {
			t.Errorf("%d %s", page.status, page.body)
		}
		// Were it to, as in a session that outlived this: everything of the organization that v joined is not there.
		b, _ = f.byPassword("v@example.org", "truly my own")
		token = b.newToken("marked")
		s.exec(`UPDATE account_token SET vouched_by = $1 WHERE name = 'marked'`, f.evil)
		s.exec(`UPDATE account_session SET vouched_by = $1 WHERE method = 'password'`, f.evil)
		refusals()
		// Whether another provider may open the account is not for this session to say.
		if page := f.byOIDC(b, "v@example.org"); page.status != http.StatusForbidden || ticketIn(page) != "" {
			t.Errorf("%d %s", page.status, page.body)
		}
		for _, path := range []string{
			"/v1/orgs/" + s.organization, "/v1/orgs/" + s.organization + "/members", "/v1/orgs/" + s.organization +
				"/spaces", "/v1/orgs/" + s.organization + "/teams",
			"/v1/spaces/" + space, "/v1/spaces/" + space + "/content", "/v1/orgs/" + s.organization + "/search?query=x",
			"/v1/orgs/" + s.organization + "/sites",
			"/v1/orgs/" + s.organization + "/change-requests",
		} {
			try(http.MethodGet, path, `null`, http.StatusNotFound)
		}
		try(http.MethodPost, "/v1/orgs/"+s.organization+"/ping", `null`, http.StatusNotFound)
		try(http.MethodGet, "/v1/orgs/"+f.evil, `null`, http.StatusOK)
		var orgs struct {
			Items []identified
			Count int
		}
		f.callAs(token, http.MethodGet, "/v1/orgs", nil, http.StatusOK, &orgs)
		if orgs.Count != 1 || len(orgs.Items) != 1 || orgs.Items[0].ID != f.evil {
			t.Errorf("%+v", orgs)
		}
		// The address opens nothing, though it is proven: neither does it join by its domain, nor prove it.
		s.exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, s.organization)
		s.exec(`INSERT INTO org_email_domain (domain, organization_id) VALUES ('example.org', $1)`, s.organization)
		try(http.MethodPost, "/v1/orgs/"+s.organization+"/join", `null`, http.StatusForbidden)
		try(http.MethodGet, "/v1/email-domains/example.org/orgs", `null`, http.StatusNotFound)
		try(http.MethodPatch, "/v1/orgs/"+f.evil, `{"emailDomains":["example.org"]}`, http.StatusBadRequest)
		// The account itself: nothing of the other ways in is seen, changed or ended.
		try(http.MethodPatch, "/v1/users/"+s.userOf(token), `{"displayName":"Changed"}`, http.StatusForbidden)
		f.callAs(token, http.MethodGet, "/v1/user/tokens", nil, http.StatusOK, &list)
		for _, each := range list.Items {
			if each.VouchedBy != f.evil {
				t.Errorf("sees %+v", each)
			}
		}
		if got := b.form("/account/password",
			url.Values{"password": {"something else"}}); got.status != http.StatusForbidden {
			t.Errorf("replaces the password: %d %s", got.status, got.body)
		}
		f.callAs(token, http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if !v.reaches(s.organization) || !s.tokenReaches(proven, s.organization) {
			t.Error("what v has does not work any more")
		}
		if _, ok := s.byPassword("v@example.org", "truly my own"); !ok {
			t.Error("v's password does not work any more")
		}
	})
}
