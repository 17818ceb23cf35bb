package app_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/identity/identitytest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// fromPage are the headers of a form of the server's own pages.
var fromPage = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}

// withName gives a server an address with a name, which passkeys need, and lets it reach providers on loopback.
func withName(settings *config.Serve) {
	settings.BaseURL = strings.Replace(settings.BaseURL, "127.0.0.1", "localhost", 1)
	fetching(settings)
}

// federated is a server with an organization beside the first one, whose admin says by its identity providers whatever
// they like.
type federated struct {
	*server
	// evil is the organization, token that of its admin.
	evil, token string
	saml        *identitytest.SAML
	oidc        *identitytest.OIDC
	samlAt      apiProvider
	oidcAt      apiProvider
	// listsRest says for addresses whether a new password leaves something that its page lists.
	listsRest map[string]bool
}

// withProviders makes that organization.
func withProviders(s *server) *federated {
	s.t.Helper()
	f := &federated{server: s, saml: identitytest.NewSAML(s.t), oidc: identitytest.NewOIDC(s.t)}
	var made identified
	s.call(http.MethodPost, "/v1/orgs", `{"title":"Evil","emailDomains":[],"type":"business","useCase":"docsSite"}`,
		http.StatusCreated, &made)
	f.evil = made.ID
	f.token = s.operatorAdds("mallory@evil.example", f.evil, "admin")
	s.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/saml", map[string]any{
		"label": "Login", "ssoURL": identitytest.SSOURL, "entityID": identitytest.EntityID,
		"certificate": f.saml.Certificate(),
	}, http.StatusCreated, &f.samlAt)
	s.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/oidc", map[string]any{
		"label": "Open", "issuer": f.oidc.URL, "clientID": "recto", "clientSecret": "hush",
	}, http.StatusCreated, &f.oidcAt)
	return f
}

// operatorAdds is recto user add; it returns the token.
func (s *server) operatorAdds(email, organization, role string) string {
	s.t.Helper()
	made, err := app.AddUser(s.t.Context(), s.storage, app.NewMember{Email: email, Name: "Somebody",
		Organization: organization, Role: role}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Secret
}

// newBrowser is a browser that knows nothing.
func (s *server) newBrowser() browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return browser{&http.Client{Jar: jar}, s}
}

// form sends a form of the server's own pages.
func (b browser) form(path string, values url.Values) answer {
	b.s.t.Helper()
	return b.send(http.MethodPost, path, values.Encode(), fromPage)
}

// stay is the browser without following where it is sent.
func (b browser) stay() browser {
	return browser{&http.Client{Jar: b.Jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}, b.s}
}

// invite has the admin of the other organization invite an address.
func (f *federated) invite(email, role string) {
	f.t.Helper()
	f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/invites", map[string]any{"emails": []string{email},
		"role": role}, http.StatusOK, nil)
}

// bySAML has the other organization's provider say that whoever sits at a browser has an address, and returns the last
// page.
func (f *federated) bySAML(b browser, email string) answer {
	f.t.Helper()
	begun := b.stay().send(http.MethodGet, "/signin/saml/"+f.samlAt.ID, "", nil)
	said := f.saml.Answer(begun.header.Get("Location"), f.samlAt.Service.ACSURL, f.samlAt.Service.EntityID,
		"subject of "+email, email)
	return b.send(http.MethodPost, "/signin/saml/"+f.samlAt.ID+"/acs", url.Values{"SAMLResponse": {said}}.Encode(),
		http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"}})
}

// byOIDC is bySAML for the provider of OpenID Connect.
func (f *federated) byOIDC(b browser, email string) answer {
	f.t.Helper()
	begun := b.stay().send(http.MethodGet, "/signin/oidc/"+f.oidcAt.ID, "", nil)
	said := f.oidc.Answer(begun.header.Get("Location"), "subject of "+email, email)
	return b.send(http.MethodGet, "/signin/oidc/"+f.oidcAt.ID+"/callback?"+said.Encode(), "", nil)
}

// signedInAs wants a page to be that of somebody's profile.
func (s *server) signedInAs(page answer, email string) {
	s.t.Helper()
	if page.status != http.StatusOK || !strings.Contains(string(page.body), email) ||
		!strings.Contains(string(page.body), "Sign out") {
		s.t.Fatalf("not signed in as %s: %d %s", email, page.status, page.body)
	}
}

// ticket reads the hidden field of the page that asks whether a provider may open an account.
func ticketIn(page answer) string {
	found := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(string(page.body))
	if found == nil {
		return ""
	}
	return found[1]
}

// newToken makes a token in a browser's session and returns its secret.
func (b browser) newToken(name string) string {
	b.s.t.Helper()
	got := b.send(http.MethodPost, "/v1/user/tokens", `{"name":"`+name+`"}`, ownPage)
	var made struct{ Token string }
	if err := json.Unmarshal(got.body, &made); err != nil || got.status != http.StatusCreated {
		b.s.t.Fatalf("a token: %d %s", got.status, got.body)
	}
	return made.Token
}

// setPassword sets the password on the page of whoever is signed in.
func (b browser) setPassword(password string) {
	b.s.t.Helper()
	if got := b.form("/account/password", url.Values{"password": {password}}); got.status != http.StatusOK {
		b.s.t.Fatalf("a password: %d %s", got.status, got.body)
	}
}

// byPassword signs in with a password; ok says whether that works.
func (s *server) byPassword(email, password string) (b browser, ok bool) {
	s.t.Helper()
	b = s.newBrowser()
	got := b.form("/signin", url.Values{"email": {email}, "password": {password}})
	return b, got.status == http.StatusOK && strings.Contains(string(got.body), "Sign out")
}

// newPasskey adds a passkey on the page of whoever is signed in.
func (b browser) newPasskey() *accounttest.Authenticator {
	b.s.t.Helper()
	device := accounttest.NewAuthenticator(b.s.t, b.s.base, "localhost")
	challenge := b.challenge("/account/passkeys/begin")
	b.answer("/account/passkeys/finish", map[string]any{"state": challenge.State, "name": "Device",
		"answer": json.RawMessage(device.Register(challenge))})
	return device
}

// byPasskey signs in with a passkey; ok says whether that works.
func (s *server) byPasskey(device *accounttest.Authenticator) (b browser, ok bool) {
	s.t.Helper()
	b = s.newBrowser()
	challenge := b.challenge("/signin/passkey/begin")
	body, err := json.Marshal(map[string]any{"state": challenge.State, "next": "/account",
		"answer": json.RawMessage(device.Sign(challenge))})
	if err != nil {
		s.t.Fatal(err)
	}
	return b, b.send(http.MethodPost, "/signin/passkey/finish", string(body), ownPage).status == http.StatusOK
}

func (b browser) challenge(path string) (challenge account.Challenge) {
	b.s.t.Helper()
	got := b.send(http.MethodPost, path, `{}`, ownPage)
	if err := json.Unmarshal(got.body, &challenge); err != nil || got.status != http.StatusOK {
		b.s.t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	return challenge
}

func (b browser) answer(path string, body any) {
	b.s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.s.t.Fatal(err)
	}
	if got := b.send(http.MethodPost, path, string(text), ownPage); got.status != http.StatusOK {
		b.s.t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
}

// byOperator uses a link that the operator hands over to set a password, and returns the browser of the session that
// follows.
func (s *server) byOperator(email, password string) browser {
	s.t.Helper()
	link, _, err := app.PasswordLink(s.t.Context(), s.storage, email, s.base, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.newBrowser()
	s.signedInAs(b.form("/signin/password", url.Values{"link": {link.Secret}, "password": {password}}), email)
	return b
}

// linkByMail asks for a new password and returns the secret of the link that comes.
func (s *server) linkByMail(mailbox *mailtest.Server, email string, mails int) string {
	s.t.Helper()
	if got := s.newBrowser().form("/signin/forgot", url.Values{"email": {email}}); got.status != http.StatusOK {
		s.t.Fatalf("%d %s", got.status, got.body)
	}
	received := mailbox.To(s.t, email, mails)
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(received[mails-1].Data)))
	if err != nil {
		s.t.Fatal(err)
	}
	found := regexp.MustCompile(`link=(rcl_\w+)`).FindSubmatch(text)
	if found == nil {
		s.t.Fatalf("there is no link in %s", text)
	}
	return string(found[1])
}

// reaches reports whether a session opens an organization.
func (b browser) reaches(organization string) bool {
	b.s.t.Helper()
	return b.s.isOpen(b.send(http.MethodGet, "/v1/orgs/"+organization, "", ownPage))
}

// tokenReaches reports whether a token opens an organization.
func (s *server) tokenReaches(token, organization string) bool {
	s.t.Helper()
	return s.isOpen(s.raw(http.MethodGet, "/v1/orgs/"+organization, token, nil))
}

func (s *server) isOpen(got answer) bool {
	s.t.Helper()
	switch got.status {
	case http.StatusOK:
		return true
	case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden:
		return false
	}
	s.t.Fatalf("neither open nor closed: %d %s", got.status, got.body)
	return false
}

// exec changes what no operation changes.
func (s *server) exec(statement string, args ...any) {
	s.t.Helper()
	if s.opened == nil {
		s.opened = s.database()
	}
	if _, err := s.opened.Write().ExecContext(s.t.Context(), statement, args...); err != nil {
		s.t.Fatal(err)
	}
}

// userOf returns the id of whom a token stands for.
func (s *server) userOf(token string) string {
	s.t.Helper()
	var user identified
	s.callAs(token, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
	return user.ID
}

// newEmergencyCode makes an emergency code on the page about signing in, and returns it.
func (b browser) newEmergencyCode(organization string) string {
	b.s.t.Helper()
	page := b.send(http.MethodGet, "/account/security", "", nil)
	if page.status != http.StatusOK || !strings.Contains(string(page.body), `action="/account/emergency-codes/`+
		organization+`"`) {
		b.s.t.Fatalf("the page offers no code: %d %s", page.status, page.body)
	}
	made := b.form("/account/emergency-codes/"+organization, nil)
	found := regexp.MustCompile(`value="([A-Z2-7-]{29})"`).FindSubmatch(made.body)
	if made.status != http.StatusOK || found == nil {
		b.s.t.Fatalf("there is no code: %d %s", made.status, made.body)
	}
	if again := b.send(http.MethodGet, "/account/security", "", nil); strings.Contains(string(again.body),
		string(found[1])) || !strings.Contains(string(again.body), "You made its code on") {
		b.s.t.Errorf("the code is shown again, or nothing of it: %s", again.body)
	}
	return string(found[1])
}
