package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
)

// held is what somebody has who came in by one way: a session or a token, and what was made with it.
type held struct {
	session                   *browser
	token, byToken, bySession string
	password                  string
	device                    *accounttest.Authenticator
}

// way is a way into an account.
type way struct {
	name string
	// vouched says that the organization with the providers alone vouches for it.
	vouched bool
	// enter makes the account of an address and comes in: with a session, or with a token alone.
	enter func(f *federated, email string) (session *browser, token string)
}

// waysIn are all of them.
var waysIn = []way{
	{"password from the operator", false, func(f *federated, email string) (*browser, string) {
		f.operatorAdds(email, f.evil, "admin")
		b := f.browserWith(email)
		return &b, ""
	}},
	{"passkey", false, func(f *federated, email string) (*browser, string) {
		f.operatorAdds(email, f.evil, "admin")
		b := f.browserWith(email)
		device := b.newPasskey()
		b, ok := f.byPasskey(device)
		if !ok {
			f.t.Fatal("the passkey does not work")
		}
		return &b, ""
	}},
	{"link from the operator", false, func(f *federated, email string) (*browser, string) {
		f.operatorAdds(email, f.evil, "admin")
		b := f.byOperator(email, "by the operator's link")
		return &b, ""
	}},
	{"recto user add", false, func(f *federated, email string) (*browser, string) {
		return nil, f.operatorAdds(email, f.evil, "admin")
	}},
	{"recto token create", false, func(f *federated, email string) (*browser, string) {
		f.operatorAdds(email, f.evil, "admin")
		secret, _, err := app.CreateToken(f.t.Context(), f.storage, email, "operator", nil, 0,
			slog.New(slog.DiscardHandler))
		if err != nil {
			f.t.Fatal(err)
		}
		return nil, secret
	}},
	{"recto token create in an account that a provider made", false,
		func(f *federated, email string) (*browser, string) {
			f.admit(email, f.bySAML)
			secret, _, err := app.CreateToken(f.t.Context(), f.storage, email, "operator", nil, 0,
				slog.New(slog.DiscardHandler))
			if err != nil {
				f.t.Fatal(err)
			}
			return nil, secret
		}},
	{"SAML", true, func(f *federated, email string) (*browser, string) { return f.admit(email, f.bySAML), "" }},
	{"OpenID Connect", true, func(f *federated, email string) (*browser, string) {
		return f.admit(email, f.byOIDC), ""
	}},
	{"SAML into an account with a proven address", true, func(f *federated, email string) (*browser, string) {
		f.operatorAdds(email, f.evil, "admin")
		return f.admit(email, f.bySAML), ""
	}},
	{"SAML that the owner connected", false, func(f *federated, email string) (*browser, string) {
		return f.connect(email, f.bySAML), ""
	}},
	{"OpenID Connect that the owner connected", false, func(f *federated, email string) (*browser, string) {
		return f.connect(email, f.byOIDC), ""
	}},
	{"invitation by mail", false, func(f *federated, email string) (*browser, string) {
		return f.register(email, false), ""
	}},
	{"invitation that was handed over", true, func(f *federated, email string) (*browser, string) {
		return f.register(email, true), ""
	}},
	{"invite link", false, func(f *federated, email string) (*browser, string) {
		b := f.elsewhere(email)
		var link identified
		f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/link-invites", `{"role":"admin"}`, http.StatusCreated,
			&link)
		if got := b.send(http.MethodPost, "/v1/orgs/"+f.evil+"/invites/"+link.ID, `{}`,
			ownPage); got.status != http.StatusOK {
			f.t.Fatalf("%d %s", got.status, got.body)
		}
		return b, ""
	}},
	{"e-mail domain", false, func(f *federated, email string) (*browser, string) {
		b := f.elsewhere(email)
		f.exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, f.evil)
		if got := b.send(http.MethodPost, "/v1/orgs/"+f.evil+"/join", "", ownPage); got.status != http.StatusNoContent {
			f.t.Fatalf("%d %s", got.status, got.body)
		}
		f.exec(`UPDATE organization SET email_domains = '[]' WHERE id = $1`, f.evil)
		return b, ""
	}},
	{"invitation by mail in a session of the provider", false, func(f *federated, email string) (*browser, string) {
		b := f.admit(email, f.bySAML)
		made := f.server.invite(f.third(), f.token, email)
		f.exec(`UPDATE org_invite SET handed_over = $1 WHERE id = $2`, false, made.ID)
		if got := b.form(local(f.base, made.URLs.Accept), nil); got.status != http.StatusOK {
			f.t.Fatalf("%d %s", got.status, got.body)
		}
		return b, ""
	}},
}

// admit invites an address and has a provider let it in.
func (f *federated) admit(email string, by func(browser, string) answer) *browser {
	f.t.Helper()
	f.invite(email, "admin")
	b := f.newBrowser()
	f.signedInAs(by(b, email), email)
	return &b
}

// connect makes an account of two organizations, connects it with a provider, and comes in by the provider.
func (f *federated) connect(email string, by func(browser, string) answer) *browser {
	f.t.Helper()
	f.operatorAdds(email, f.evil, "admin")
	f.operatorAdds(email, f.organization, "admin")
	owner := f.browserWith(email)
	question := by(owner, email)
	f.signedInAs(owner.form("/signin/sso/finish", url.Values{"ticket": {ticketIn(question)}, "yes": {"connect"}}),
		email)
	b := f.newBrowser()
	f.signedInAs(by(b, email), email)
	return &b
}

// elsewhere makes an account in another organization and signs in to it.
func (f *federated) elsewhere(email string) *browser {
	f.t.Helper()
	f.operatorAdds(email, f.organization, "read")
	b := f.browserWith(email)
	return &b
}

// register makes an account from an invitation.
func (f *federated) register(email string, handedOver bool) *browser {
	f.t.Helper()
	made := f.server.invite(f.evil, f.token, email)
	f.exec(`UPDATE org_invite SET handed_over = $1, role = 'admin' WHERE id = $2`, handedOver, made.ID)
	b := f.newBrowser()
	if got := b.form(local(f.base, made.URLs.Accept), url.Values{"name": {"Somebody"},
		"password": {"from an invitation"}}); got.status != http.StatusOK || !b.reaches(f.evil) {
		f.t.Fatalf("%d %s", got.status, got.body)
	}
	return &b
}

// third makes another organization of the same admin.
func (f *federated) third() string {
	f.t.Helper()
	var made identified
	f.callAs(f.token, http.MethodPost, "/v1/orgs",
		`{"title":"Third","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &made)
	return made.ID
}

// local is an address of a server without the server.
func local(base, address string) string { return strings.TrimPrefix(address, base) }

// fill makes everything that can be made with what somebody came in with.
func (w way) fill(f *federated, email string) *held {
	f.t.Helper()
	h := &held{}
	h.session, h.token = w.enter(f, email)
	if h.session == nil {
		var second struct{ Token string }
		f.callAs(h.token, http.MethodPost, "/v1/user/tokens", `{"name":"by a token"}`, http.StatusCreated, &second)
		h.byToken = second.Token
		return h
	}
	h.bySession = h.session.newToken("by the session")
	var second struct{ Token string }
	f.callAs(h.bySession, http.MethodPost, "/v1/user/tokens", `{"name":"by a token"}`, http.StatusCreated, &second)
	h.byToken = second.Token
	h.device = h.session.newPasskey()
	h.password = "by the session itself"
	h.session.setPassword(h.password)
	return h
}

// reach is what of all that opens an organization.
func (h *held) reach(f *federated, email, organization string) map[string]bool {
	f.t.Helper()
	open := map[string]bool{}
	for name, token := range map[string]string{"token": h.token, "token by the session": h.bySession,
		"token by a token": h.byToken} {
		if token != "" {
			open[name] = f.tokenReaches(token, organization)
		}
	}
	if h.session == nil {
		return open
	}
	f.exec(`DELETE FROM account_attempt`) // so many wrong passwords from one place have to wait
	open["session"] = h.session.reaches(organization)
	b, ok := f.byPassword(email, h.password)
	open["password"] = ok && b.reaches(organization)
	b, ok = f.byPasskey(h.device)
	open["passkey"] = ok && b.reaches(organization)
	return open
}

// proof is a way in which an address is proven. ends are what of a proven person's it ends, too.
type proof struct {
	name string
	ends []string
	give func(f *federated, email string)
}

var proofs = []proof{
	{"a link, as it is mailed", []string{"session", "password"}, func(f *federated, email string) {
		f.byOperator(email, "after the proof")
	}},
	{"a password from the operator", []string{"session", "password"}, func(f *federated, email string) {
		f.browserWith(email)
	}},
	{"recto user add", nil, func(f *federated, email string) { f.operatorAdds(email, f.third(), "read") }},
	{"a link with what is left", []string{"session", "password", "passkey", "token", "token by the session",
		"token by a token"}, func(f *federated, email string) {
		link, _, err := app.PasswordLink(f.t.Context(), f.storage, email, f.base, slog.New(slog.DiscardHandler))
		if err != nil {
			f.t.Fatal(err)
		}
		b := f.newBrowser()
		page := b.send(http.MethodGet, "/signin/password?link="+link.Secret, "", nil)
		marked := strings.Contains(string(page.body), "by the session")
		f.signedInAs(b.form("/signin/password", url.Values{"link": {link.Secret}, "password": {"after the proof"},
			"end": {"rest"}}), email)
		if marked != f.listsRest[email] {
			f.t.Errorf("%s: the page lists what is left: %t, want %t: %s", email, marked, f.listsRest[email], page.body)
		}
	}},
}

// TestWaysIn is the table of who vouches for what: each way in, what is made with it, the organization that vouches and
// another one, before and after each proof of the address.
func TestWaysIn(t *testing.T) {
	onBothWith(t, withName, func(t *testing.T, s *server) {
		f := withProviders(s)
		f.listsRest = map[string]bool{}
		for n, each := range waysIn {
			tried := proofs
			if !each.vouched {
				// what a proof ends of a proven person's does not depend on the way
				tried = proofs[n%len(proofs) : n%len(proofs)+1]
			}
			for m, proof := range tried {
				what, email := each.name+", then "+proof.name, fmt.Sprintf("person%d-%d@example.org", n, m)
				h := each.fill(f, email)
				f.listsRest[email] = !each.vouched && h.session != nil
				// Whatever way the person takes into the other organization.
				for _, organization := range []string{f.evil, s.organization} {
					s.exec(
						`INSERT INTO organization_member (organization_id, user_id, role, joined_at, sso)
							SELECT $1, id, 'admin', 1, $2 FROM account_user WHERE email = $3
						ON CONFLICT (organization_id, user_id) DO NOTHING`, organization, false, email)
				}
				for credential, open := range h.reach(f, email, f.evil) {
					if !open {
						t.Errorf("%s: the %s does not open the organization that it came from", what, credential)
					}
				}
				for credential, open := range h.reach(f, email, s.organization) {
					if open == each.vouched {
						t.Errorf("%s: the %s opens the other organization: %t", what, credential, open)
					}
				}
				proof.give(f, email)
				ended := map[string]bool{}
				for _, credential := range proof.ends {
					ended[credential] = true
				}
				for _, organization := range []string{f.evil, s.organization} {
					for credential, open := range h.reach(f, email, organization) {
						if want := !each.vouched && !ended[credential]; open != want {
							t.Errorf("%s: afterwards the %s opens %s: %t", what, credential, organization, open)
						}
					}
				}
			}
		}
	})
}
