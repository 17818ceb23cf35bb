package identities_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
)

// held is what somebody has who came in by one way: a session or a token, and what was made with it.
type held struct {
	session                   *apptest.Browser
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
	enter func(f *federated, email string) (session *apptest.Browser, token string)
}

// waysIn are all of them.
var waysIn = []way{
	{"password from the operator", false, func(f *federated, email string) (*apptest.Browser, string) {
		f.OperatorAdds(email, f.evil, "admin")
		b := f.BrowserWith(email)
		return &b, ""
	}},
	{"passkey", false, func(f *federated, email string) (*apptest.Browser, string) {
		f.OperatorAdds(email, f.evil, "admin")
		b := f.BrowserWith(email)
		device := newPasskey(b)
		b, ok := byPasskey(f.Server, device)
		if !ok {
			f.T.Fatal("the passkey does not work")
		}
		return &b, ""
	}},
	{"link from the operator", false, func(f *federated, email string) (*apptest.Browser, string) {
		f.OperatorAdds(email, f.evil, "admin")
		b := byOperator(f.Server, email, "by the operator's link")
		return &b, ""
	}},
	{"recto user add", false, func(f *federated, email string) (*apptest.Browser, string) {
		return nil, f.OperatorAdds(email, f.evil, "admin")
	}},
	{"recto token create", false, func(f *federated, email string) (*apptest.Browser, string) {
		f.OperatorAdds(email, f.evil, "admin")
		secret, _, err := app.CreateToken(f.T.Context(), f.Storage, email, "operator", nil, 0,
			slog.New(slog.DiscardHandler))
		if err != nil {
			f.T.Fatal(err)
		}
		return nil, secret
	}},
	{"recto token create in an account that a provider made", false,
		func(f *federated, email string) (*apptest.Browser, string) {
			f.admit(email, f.bySAML)
			secret, _, err := app.CreateToken(f.T.Context(), f.Storage, email, "operator", nil, 0,
				slog.New(slog.DiscardHandler))
			if err != nil {
				f.T.Fatal(err)
			}
			return nil, secret
		}},
	{"SAML", true, func(f *federated, email string) (*apptest.Browser, string) { return f.admit(email, f.bySAML), "" }},
	{"OpenID Connect", true, func(f *federated, email string) (*apptest.Browser, string) {
		return f.admit(email, f.byOIDC), ""
	}},
	{"SAML into an account with a proven address", true, func(f *federated, email string) (*apptest.Browser, string) {
		f.OperatorAdds(email, f.evil, "admin")
		return f.admit(email, f.bySAML), ""
	}},
	{"SAML that the owner connected", false, func(f *federated, email string) (*apptest.Browser, string) {
		return f.connect(email, f.bySAML), ""
	}},
	{"OpenID Connect that the owner connected", false, func(f *federated, email string) (*apptest.Browser, string) {
		return f.connect(email, f.byOIDC), ""
	}},
	{"invitation by mail", false, func(f *federated, email string) (*apptest.Browser, string) {
		return f.register(email, false), ""
	}},
	{"invitation that was handed over", true, func(f *federated, email string) (*apptest.Browser, string) {
		return f.register(email, true), ""
	}},
	{"invite link", false, func(f *federated, email string) (*apptest.Browser, string) {
		b := f.elsewhere(email)
		var link apptest.Identified
		f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/link-invites", `{"role":"admin"}`, http.StatusCreated,
			&link)
		if got := b.Send(http.MethodPost, "/v1/orgs/"+f.evil+"/invites/"+link.ID, `{}`,
			apptest.OwnPage); got.Status != http.StatusOK {
			f.T.Fatalf("%d %s", got.Status, got.Body)
		}
		return b, ""
	}},
	{"e-mail domain", false, func(f *federated, email string) (*apptest.Browser, string) {
		b := f.elsewhere(email)
		f.Exec(`UPDATE organization SET email_domains = '["example.org"]' WHERE id = $1`, f.evil)
		if got := b.Send(http.MethodPost, "/v1/orgs/"+f.evil+"/join", "",
			apptest.OwnPage); got.Status != http.StatusNoContent {
			f.T.Fatalf("%d %s", got.Status, got.Body)
		}
		f.Exec(`UPDATE organization SET email_domains = '[]' WHERE id = $1`, f.evil)
		return b, ""
	}},
	{"invitation by mail in a session of the provider", false, func(f *federated, email string) (*apptest.Browser,
		string) {
		b := f.admit(email, f.bySAML)
		made := f.Server.Invite(f.third(), f.token, email)
		f.Exec(`UPDATE org_invite SET handed_over = $1 WHERE id = $2`, false, made.ID)
		if got := form(*b, local(f.Base, made.URLs.Accept), nil); got.Status != http.StatusOK {
			f.T.Fatalf("%d %s", got.Status, got.Body)
		}
		return b, ""
	}},
}

// admit invites an address and has a provider let it in.
func (f *federated) admit(email string, by func(apptest.Browser, string) apptest.Answer) *apptest.Browser {
	f.T.Helper()
	f.invite(email, "admin")
	b := f.NewBrowser()
	signedInAs(f.Server, by(b, email), email)
	return &b
}

// connect makes an account of two organizations, connects it with a provider, and comes in by the provider.
func (f *federated) connect(email string, by func(apptest.Browser, string) apptest.Answer) *apptest.Browser {
	f.T.Helper()
	f.OperatorAdds(email, f.evil, "admin")
	f.OperatorAdds(email, f.Organization, "admin")
	owner := f.BrowserWith(email)
	question := by(owner, email)
	signedInAs(f.Server, form(owner, "/signin/sso/finish", url.Values{"ticket": {ticketIn(question)},
		"yes": {"connect"}}),
		email)
	b := f.NewBrowser()
	signedInAs(f.Server, by(b, email), email)
	return &b
}

// elsewhere makes an account in another organization and signs in to it.
func (f *federated) elsewhere(email string) *apptest.Browser {
	f.T.Helper()
	f.OperatorAdds(email, f.Organization, "read")
	b := f.BrowserWith(email)
	return &b
}

// register makes an account from an invitation.
func (f *federated) register(email string, handedOver bool) *apptest.Browser {
	f.T.Helper()
	made := f.Server.Invite(f.evil, f.token, email)
	f.Exec(`UPDATE org_invite SET handed_over = $1, role = 'admin' WHERE id = $2`, handedOver, made.ID)
	b := f.NewBrowser()
	if got := form(b, local(f.Base, made.URLs.Accept), url.Values{"name": {"Somebody"},
		"password": {"from an invitation"}}); got.Status != http.StatusOK || !reaches(b, f.evil) {
		f.T.Fatalf("%d %s", got.Status, got.Body)
	}
	return &b
}

// third makes another organization of the same admin.
func (f *federated) third() string {
	f.T.Helper()
	var made apptest.Identified
	f.CallAs(f.token, http.MethodPost, "/v1/orgs",
		`{"title":"Third","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &made)
	return made.ID
}

// local is an address of a server without the server.
func local(base, address string) string { return strings.TrimPrefix(address, base) }

// fill makes everything that can be made with what somebody came in with.
func (w way) fill(f *federated, email string) *held {
	f.T.Helper()
	h := &held{}
	h.session, h.token = w.enter(f, email)
	if h.session == nil {
		var second struct{ Token string }
		f.CallAs(h.token, http.MethodPost, "/v1/user/tokens", `{"name":"by a token"}`, http.StatusCreated, &second)
		h.byToken = second.Token
		return h
	}
	h.bySession = newToken(*h.session, "by the session")
	var second struct{ Token string }
	f.CallAs(h.bySession, http.MethodPost, "/v1/user/tokens", `{"name":"by a token"}`, http.StatusCreated, &second)
	h.byToken = second.Token
	h.device = newPasskey(*h.session)
	h.password = "by the session itself"
	setPassword(*h.session, h.password)
	return h
}

// reach is what of all that opens an organization.
func (h *held) reach(f *federated, email, organization string) map[string]bool {
	f.T.Helper()
	open := map[string]bool{}
	for name, token := range map[string]string{"token": h.token, "token by the session": h.bySession,
		"token by a token": h.byToken} {
		if token != "" {
			open[name] = tokenReaches(f.Server, token, organization)
		}
	}
	if h.session == nil {
		return open
	}
	f.Exec(`DELETE FROM account_attempt`) // so many wrong passwords from one place have to wait
	open["session"] = reaches(*h.session, organization)
	b, ok := byPassword(f.Server, email, h.password)
	open["password"] = ok && reaches(b, organization)
	b, ok = byPasskey(f.Server, h.device)
	open["passkey"] = ok && reaches(b, organization)
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
		byOperator(f.Server, email, "after the proof")
	}},
	{"a password from the operator", []string{"session", "password"}, func(f *federated, email string) {
		f.BrowserWith(email)
	}},
	{"recto user add", nil, func(f *federated, email string) { f.OperatorAdds(email, f.third(), "read") }},
	{"a link with what is left", []string{"session", "password", "passkey", "token", "token by the session",
		"token by a token"}, func(f *federated, email string) {
		link, _, err := app.PasswordLink(f.T.Context(), f.Storage, email, f.Base, slog.New(slog.DiscardHandler))
		if err != nil {
			f.T.Fatal(err)
		}
		b := f.NewBrowser()
		page := b.Send(http.MethodGet, "/signin/password?link="+link.Secret, "", nil)
		marked := strings.Contains(string(page.Body), "by the session")
		signedInAs(f.Server, form(b, "/signin/password", url.Values{"link": {link.Secret},
			"password": {"after the proof"},
			"end":      {"rest"}}), email)
		if marked != f.listsRest[email] {
			f.T.Errorf("%s: the page lists what is left: %t, want %t: %s", email, marked, f.listsRest[email], page.Body)
		}
	}},
}

// TestWaysIn is the table of who vouches for what: each way in, what is made with it, the organization that vouches and
// another one, before and after each proof of the address.
func TestWaysIn(t *testing.T) {
	apptest.OnBothWith(t, withName, func(t *testing.T, s *apptest.Server) {
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
				for _, organization := range []string{f.evil, s.Organization} {
					s.Exec(
						`INSERT INTO organization_member (organization_id, user_id, role, joined_at, sso)
							SELECT $1, id, 'admin', 1, $2 FROM account_user WHERE email = $3
						ON CONFLICT (organization_id, user_id) DO NOTHING`, organization, false, email)
				}
				for credential, open := range h.reach(f, email, f.evil) {
					if !open {
						t.Errorf("%s: the %s does not open the organization that it came from", what, credential)
					}
				}
				for credential, open := range h.reach(f, email, s.Organization) {
					if open == each.vouched {
						t.Errorf("%s: the %s opens the other organization: %t", what, credential, open)
					}
				}
				proof.give(f, email)
				ended := map[string]bool{}
				for _, credential := range proof.ends {
					ended[credential] = true
				}
				for _, organization := range []string{f.evil, s.Organization} {
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
