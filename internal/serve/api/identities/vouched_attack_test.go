package identities_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// prepared is what somebody made in an account that an organization's provider opened before its person came.
type prepared struct {
	*federated
	email             string
	session           apptest.Browser
	token, tokenOfOne string
	password          string
	device            *accounttest.Authenticator
	emergency         string
}

// prepare invites an address that nobody has to the other organization, as an admin, opens the account by its provider,
// and makes all that can be made there.
func (f *federated) prepare(email string) *prepared {
	f.T.Helper()
	p := &prepared{federated: f, email: email, session: f.NewBrowser(), password: "prepared beforehand"}
	f.invite(email, "admin")
	signedInAs(f.Server, f.bySAML(p.session, email), email)
	p.token = newToken(p.session, "prepared")
	var second struct{ Token string }
	f.CallAs(p.token, http.MethodPost, "/v1/user/tokens", `{"name":"by the token"}`, http.StatusCreated, &second)
	p.tokenOfOne = second.Token
	p.device = newPasskey(p.session)
	setPassword(p.session, p.password)
	b, ok := byPassword(f.Server, email, p.password)
	if !ok || !reaches(b, f.evil) {
		f.T.Fatal("the password does not even open the organization that vouches for it")
	}
	for _, cookie := range b.Jar.Cookies(b.Address()) {
		if strings.Contains(cookie.Name, "browser") {
			f.T.Error("the browser is known as one of the person's, whose guesses count by themselves")
		}
	}
	if b, ok := byPasskey(f.Server, p.device); !ok || !reaches(b, f.evil) {
		f.T.Fatal("the passkey does not even open the organization that vouches for it")
	}
	var code struct{ Code string }
	f.CallAs(p.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, &code)
	p.emergency = code.Code
	return p
}

// opens lists what of all that opens an organization, and tries everything anew.
func (p *prepared) opens(organization string) []string {
	p.T.Helper()
	var open []string
	note := func(what string, yes bool) {
		if yes {
			open = append(open, what)
		}
	}
	note("session", reaches(p.session, organization))
	note("token", tokenReaches(p.federated.Server, p.token, organization))
	note("token of the token", tokenReaches(p.federated.Server, p.tokenOfOne, organization))
	if b, ok := byPassword(p.federated.Server, p.email, p.password); ok {
		note("password", reaches(b, organization))
	}
	if b, ok := byPasskey(p.federated.Server, p.device); ok {
		note("passkey", reaches(b, organization))
	}
	b := p.NewBrowser()
	p.bySAML(b, p.email)
	note("SAML again", reaches(b, organization))
	b = p.NewBrowser()
	p.byOIDC(b, p.email)
	note("OpenID", reaches(b, organization))
	b = p.NewBrowser()
	form(b, "/signin/sso/emergency", url.Values{"code": {p.emergency}})
	note("emergency code", reaches(b, organization))
	return open
}

// TestAccountPreparedBeforehand plays somebody who opens an account in the name of a person that is to come, and fills
// it with ways in. The person sets a password by mail and joins the organization where they work: nothing that was
// prepared gets there.
func TestAccountPreparedBeforehand(t *testing.T) {
	var mailboxes sync.Map // by the address of the server
	apptest.OnBothWith(t, func(settings *config.Serve) {
		withName(settings)
		mailbox := mailtest.NewServer(t)
		mailboxes.Store(settings.BaseURL, mailbox)
		settings.SMTPURL, settings.MailFrom = mailbox.URL, "Recto <docs@example.com>"
	}, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		mailbox, _ := mailboxes.Load(s.Base)
		const email = "v@example.org"
		p := f.prepare(email)
		secret := linkByMail(f.Server, mailbox.(*mailtest.Server), email, 2) // the first mail was the invitation
		v := f.NewBrowser()
		signedInAs(f.Server, form(v, "/signin/password", url.Values{"link": {secret}, "password": {"truly my own"}}),
			email)
		for what, works := range map[string]bool{"token": tokenReaches(p.federated.Server, p.token, f.evil),
			"token of the token": tokenReaches(p.federated.Server, p.tokenOfOne, f.evil), "session": reaches(p.session,
				f.evil)} {
			if works {
				t.Errorf("the %s works after the proof", what)
			}
		}
		joins(f.Server, v, email)
		if open := p.opens(s.Organization); len(open) > 0 {
			t.Errorf("what was prepared opens the organization that v joined: %s", open)
		}
		if b, ok := byPassword(f.Server, email, "truly my own"); !ok || !reaches(b, s.Organization) || !reaches(b,
			f.evil) {
			t.Error("v's own password does not open all that v may")
		}
	})
}

// joins lets somebody into the first organization by an invite link.
func joins(s *apptest.Server, b apptest.Browser, email string) {
	s.T.Helper()
	var link struct{ ID string }
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites", `{"role":"edit"}`, http.StatusCreated, &link)
	form(b, "/invites/"+s.Organization+"/"+link.ID, nil)
	if !reaches(b, s.Organization) {
		s.T.Fatalf("%s did not get in by a link", email)
	}
}

// TestAccountPreparedForTheOperator is the same when the operator adds the person, who never sets a password.
func TestAccountPreparedForTheOperator(t *testing.T) {
	apptest.OnBothWith(t, withName, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		p := f.prepare("v@example.org")
		own := s.OperatorAdds("v@example.org", s.Organization, "admin")
		if open := p.opens(s.Organization); len(open) > 0 {
			t.Errorf("what was prepared opens the organization that the operator let v into: %s", open)
		}
		if !tokenReaches(s, own, s.Organization) || !tokenReaches(s, own, f.evil) {
			t.Error("the operator's token does not open all that v may")
		}
	})
}

// TestVouchedSessionOpensNothingElse holds what a session may not do that an organization alone vouches for, whatever
// its person may.
func TestVouchedSessionOpensNothingElse(t *testing.T) {
	apptest.OnBothWith(t, withName, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		f.invite("v@example.org", "admin")
		b := f.NewBrowser()
		signedInAs(f.Server, f.bySAML(b, "v@example.org"), "v@example.org")
		token := newToken(b, "marked")
		var list struct {
			Items []struct{ Name, VouchedBy string }
		}
		f.CallAs(token, http.MethodGet, "/v1/user/tokens", nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].VouchedBy != f.evil {
			t.Errorf("%+v", list)
		}
		for path, says := range map[string]string{"/account/tokens": "Evil alone vouches for this sign-in",
			"/account/sessions": "opens Evil only"} {
			if page := b.Send(http.MethodGet, path, "", nil); !strings.Contains(string(page.Body), says) {
				t.Errorf("%s does not say %q: %s", path, says, page.Body)
			}
		}
		space := s.Space("Secret")
		var link struct{ ID string }
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites", `{"role":"edit"}`, http.StatusCreated,
			&link)
		try := func(method, path, body string, want int) {
			t.Helper()
			for who, got := range map[string]apptest.Answer{"session": b.Send(method, path, body, apptest.OwnPage),
				"token": s.Raw(method, path, token, json.RawMessage(body))} {
				if got.Status != want {
					t.Errorf("%s: %s %s answers %d, want %d: %s", who, method, path, got.Status, want, got.Body)
				}
			}
		}
		refusals := func() {
			t.Helper()
			try(http.MethodPost, "/v1/orgs",
				`{"title":"Mine","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusForbidden)
			try(http.MethodPost, "/v1/orgs/"+s.Organization+"/invites/"+link.ID, `{}`, http.StatusForbidden)
		}
		refusals()
		// v's own doing elsewhere makes no difference: by the operator's link, since that ends nothing but what is
		// vouched for.
		v := byOperator(s, "v@example.org", "truly my own")
		proven := newToken(v, "proven")
		joins(f.Server, v, "v@example.org")
		if reaches(b, f.evil) {
			t.Error("the session works on after the proof")
		}
		// The provider opens the account no more, unless v says so in a session of their own.
		b = f.NewBrowser()
		if page := f.bySAML(b, "v@example.org"); page.Status != http.StatusForbidden ||
			!strings.Contains(string(page.Body), "other organizations") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		// Were it to, as in a session that outlived this: everything of the organization that v joined is not there.
		b, _ = byPassword(f.Server, "v@example.org", "truly my own")
		token = newToken(b, "marked")
		s.Exec(`UPDATE account_token SET vouched_by = $1 WHERE name = 'marked'`, f.evil)
		s.Exec(`UPDATE account_session SET vouched_by = $1 WHERE method = 'password'`, f.evil)
		refusals()
		// Whether another provider may open the account is not for this session to say.
		if page := f.byOIDC(b, "v@example.org"); page.Status != http.StatusForbidden || ticketIn(page) != "" {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		for _, path := range []string{
			"/v1/orgs/" + s.Organization, "/v1/orgs/" + s.Organization + "/members", "/v1/orgs/" + s.Organization +
				"/spaces", "/v1/orgs/" + s.Organization + "/teams",
			"/v1/spaces/" + space, "/v1/spaces/" + space + "/content", "/v1/orgs/" + s.Organization + "/search?query=x",
			"/v1/orgs/" + s.Organization + "/sites",
			"/v1/orgs/" + s.Organization + "/change-requests",
		} {
			try(http.MethodGet, path, `null`, http.StatusNotFound)
		}
		try(http.MethodPost, "/v1/orgs/"+s.Organization+"/ping", `null`, http.StatusNotFound)
		try(http.MethodGet, "/v1/orgs/"+f.evil, `null`, http.StatusOK)
		var orgs struct {
			Items []apptest.Identified
			Count int
		}
		f.CallAs(token, http.MethodGet, "/v1/orgs", nil, http.StatusOK, &orgs)
		if orgs.Count != 1 || len(orgs.Items) != 1 || orgs.Items[0].ID != f.evil {
			t.Errorf("%+v", orgs)
		}
		// The address opens nothing, though it is proven: neither does it join by its domain, nor prove it.
		s.Exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, s.Organization)
		s.Exec(`INSERT INTO org_email_domain (domain, organization_id) VALUES ('example.org', $1)`, s.Organization)
		try(http.MethodPost, "/v1/orgs/"+s.Organization+"/join", `null`, http.StatusForbidden)
		try(http.MethodGet, "/v1/email-domains/example.org/orgs", `null`, http.StatusNotFound)
		try(http.MethodPatch, "/v1/orgs/"+f.evil, `{"emailDomains":["example.org"]}`, http.StatusBadRequest)
		// The account itself: nothing of the other ways in is seen, changed or ended.
		try(http.MethodPatch, "/v1/users/"+s.UserOf(token), `{"displayName":"Changed"}`, http.StatusForbidden)
		f.CallAs(token, http.MethodGet, "/v1/user/tokens", nil, http.StatusOK, &list)
		for _, each := range list.Items {
			if each.VouchedBy != f.evil {
				t.Errorf("sees %+v", each)
			}
		}
		if got := form(b, "/account/password",
			url.Values{"password": {"something else"}}); got.Status != http.StatusForbidden {
			t.Errorf("replaces the password: %d %s", got.Status, got.Body)
		}
		f.CallAs(token, http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if !reaches(v, s.Organization) || !tokenReaches(s, proven, s.Organization) {
			t.Error("what v has does not work any more")
		}
		if _, ok := byPassword(s, "v@example.org", "truly my own"); !ok {
			t.Error("v's password does not work any more")
		}
	})
}
