package identities_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/identity/identitytest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// withName gives a server an address with a name, which passkeys need, and lets it reach providers on loopback.
func withName(settings *config.Serve) {
	settings.BaseURL = strings.Replace(settings.BaseURL, "127.0.0.1", "localhost", 1)
	apptest.Fetching(settings)
}

// federated is a server with an organization beside the first one, whose admin says by its identity providers whatever
// they like.
type federated struct {
	*apptest.Server
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
func withProviders(s *apptest.Server) *federated {
	s.T.Helper()
	f := &federated{Server: s, saml: identitytest.NewSAML(s.T), oidc: identitytest.NewOIDC(s.T)}
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs", `{"title":"Evil","emailDomains":[],"type":"business","useCase":"docsSite"}`,
		http.StatusCreated, &made)
	f.evil = made.ID
	f.token = s.OperatorAdds("mallory@evil.example", f.evil, "admin")
	s.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/saml", map[string]any{
		"label": "Login", "ssoURL": identitytest.SSOURL, "entityID": identitytest.EntityID,
		"certificate": f.saml.Certificate(),
	}, http.StatusCreated, &f.samlAt)
	s.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/oidc", map[string]any{
		"label": "Open", "issuer": f.oidc.URL, "clientID": "recto", "clientSecret": "hush",
	}, http.StatusCreated, &f.oidcAt)
	return f
}

// form sends a form of the server's own pages.
func form(b apptest.Browser, path string, values url.Values) apptest.Answer {
	b.S.T.Helper()
	return profile(b, b.Send(http.MethodPost, path, values.Encode(), apptest.FromPage))
}

// stay is the browser without following where it is sent.
func stay(b apptest.Browser) apptest.Browser {
	return apptest.Browser{Client: &http.Client{Jar: b.Jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}, S: b.S}
}

// invite has the admin of the other organization invite an address.
func (f *federated) invite(email, role string) {
	f.T.Helper()
	f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/invites", map[string]any{"emails": []string{email},
		"role": role}, http.StatusOK, nil)
}

// bySAML has the other organization's provider say that whoever uses a browser has an address, and returns the last
// page.
func (f *federated) bySAML(b apptest.Browser, email string) apptest.Answer {
	f.T.Helper()
	begun := stay(b).Send(http.MethodGet, "/signin/saml/"+f.samlAt.ID, "", nil)
	said := f.saml.Answer(begun.Header.Get("Location"), f.samlAt.Service.ACSURL, f.samlAt.Service.EntityID,
		"subject of "+email, email)
	page := b.Send(http.MethodPost, "/signin/saml/"+f.samlAt.ID+"/acs", url.Values{"SAMLResponse": {said}}.Encode(),
		http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"}})
	return profile(b, page)
}

// byOIDC is bySAML for the provider of OpenID Connect.
func (f *federated) byOIDC(b apptest.Browser, email string) apptest.Answer {
	f.T.Helper()
	begun := stay(b).Send(http.MethodGet, "/signin/oidc/"+f.oidcAt.ID, "", nil)
	said := f.oidc.Answer(begun.Header.Get("Location"), "subject of "+email, email)
	return profile(b, b.Send(http.MethodGet, "/signin/oidc/"+f.oidcAt.ID+"/callback?"+said.Encode(), "", nil))
}

// profile returns the profile of whoever has come to the app, whose page is the same for everybody; other pages stay.
func profile(b apptest.Browser, page apptest.Answer) apptest.Answer {
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), `id="app"`) {
		return page
	}
	return b.Send(http.MethodGet, "/account", "", nil)
}

// signedInAs wants a page to be that of somebody's profile.
func signedInAs(s *apptest.Server, page apptest.Answer, email string) {
	s.T.Helper()
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), email) ||
		!strings.Contains(string(page.Body), "Sign out") {
		s.T.Fatalf("not signed in as %s: %d %s", email, page.Status, page.Body)
	}
}

// ticket reads the hidden field of the page that asks whether a provider may open an account.
func ticketIn(page apptest.Answer) string {
	found := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(string(page.Body))
	if found == nil {
		return ""
	}
	return found[1]
}

// newToken makes a token in a browser's session and returns its secret.
func newToken(b apptest.Browser, name string) string {
	b.S.T.Helper()
	got := b.Send(http.MethodPost, "/v1/user/tokens", `{"name":"`+name+`"}`, apptest.OwnPage)
	var made struct{ Token string }
	if err := json.Unmarshal(got.Body, &made); err != nil || got.Status != http.StatusCreated {
		b.S.T.Fatalf("a token: %d %s", got.Status, got.Body)
	}
	return made.Token
}

// setPassword sets the password on the page of whoever is signed in.
func setPassword(b apptest.Browser, password string) {
	b.S.T.Helper()
	if got := form(b, "/account/password", url.Values{"password": {password}}); got.Status != http.StatusOK {
		b.S.T.Fatalf("a password: %d %s", got.Status, got.Body)
	}
}

// byPassword signs in with a password; ok says whether that works.
func byPassword(s *apptest.Server, email, password string) (b apptest.Browser, ok bool) {
	s.T.Helper()
	b = s.NewBrowser()
	got := form(b, "/signin", url.Values{"email": {email}, "password": {password}, "next": {"/account"}})
	return b, got.Status == http.StatusOK && strings.Contains(string(got.Body), "Sign out")
}

// newPasskey adds a passkey on the page of whoever is signed in.
func newPasskey(b apptest.Browser) *accounttest.Authenticator {
	b.S.T.Helper()
	device := accounttest.NewAuthenticator(b.S.T, b.S.Base, "localhost")
	challenge := challenge(b, "/account/passkeys/begin")
	answer(b, "/account/passkeys/finish", map[string]any{"state": challenge.State, "name": "Device",
		"answer": json.RawMessage(device.Register(challenge))})
	return device
}

// byPasskey signs in with a passkey; ok says whether that works.
func byPasskey(s *apptest.Server, device *accounttest.Authenticator) (b apptest.Browser, ok bool) {
	s.T.Helper()
	b = s.NewBrowser()
	challenge := challenge(b, "/signin/passkey/begin")
	body, err := json.Marshal(map[string]any{"state": challenge.State, "next": "/account",
		"answer": json.RawMessage(device.Sign(challenge))})
	if err != nil {
		s.T.Fatal(err)
	}
	return b, b.Send(http.MethodPost, "/signin/passkey/finish", string(body), apptest.OwnPage).Status == http.StatusOK
}

func challenge(b apptest.Browser, path string) (challenge account.Challenge) {
	b.S.T.Helper()
	got := b.Send(http.MethodPost, path, `{}`, apptest.OwnPage)
	if err := json.Unmarshal(got.Body, &challenge); err != nil || got.Status != http.StatusOK {
		b.S.T.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
	return challenge
}

func answer(b apptest.Browser, path string, body any) {
	b.S.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.S.T.Fatal(err)
	}
	if got := b.Send(http.MethodPost, path, string(text), apptest.OwnPage); got.Status != http.StatusOK {
		b.S.T.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
}

// byOperator uses a link that the operator hands over to set a password, and returns the browser of the session that
// follows.
func byOperator(s *apptest.Server, email, password string) apptest.Browser {
	s.T.Helper()
	link, _, err := app.PasswordLink(s.T.Context(), s.Storage, email, s.Base, slog.New(slog.DiscardHandler))
	if err != nil {
		s.T.Fatal(err)
	}
	b := s.NewBrowser()
	signedInAs(s, form(b, "/signin/password", url.Values{"link": {link.Secret}, "password": {password}}), email)
	return b
}

// linkByMail asks for a new password and returns the secret of the link that comes.
func linkByMail(s *apptest.Server, mailbox *mailtest.Server, email string, mails int) string {
	s.T.Helper()
	if got := form(s.NewBrowser(), "/signin/forgot", url.Values{"email": {email}}); got.Status != http.StatusOK {
		s.T.Fatalf("%d %s", got.Status, got.Body)
	}
	received := mailbox.To(s.T, email, mails)
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(received[mails-1].Data)))
	if err != nil {
		s.T.Fatal(err)
	}
	found := regexp.MustCompile(`link=(rcl_\w+)`).FindSubmatch(text)
	if found == nil {
		s.T.Fatalf("there is no link in %s", text)
	}
	return string(found[1])
}

// reaches reports whether a session opens an organization.
func reaches(b apptest.Browser, organization string) bool {
	b.S.T.Helper()
	return isOpen(b.S, b.Send(http.MethodGet, "/v1/orgs/"+organization, "", apptest.OwnPage))
}

// tokenReaches reports whether a token opens an organization.
func tokenReaches(s *apptest.Server, token, organization string) bool {
	s.T.Helper()
	return isOpen(s, s.Raw(http.MethodGet, "/v1/orgs/"+organization, token, nil))
}

func isOpen(s *apptest.Server, got apptest.Answer) bool {
	s.T.Helper()
	switch got.Status {
	case http.StatusOK:
		return true
	case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden:
		return false
	}
	s.T.Fatalf("neither open nor closed: %d %s", got.Status, got.Body)
	return false
}

// newEmergencyCode makes an emergency code on the page about signing in, and returns it.
func newEmergencyCode(b apptest.Browser, organization string) string {
	b.S.T.Helper()
	page := b.Send(http.MethodGet, "/account/security", "", nil)
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), `action="/account/emergency-codes/`+
		organization+`"`) {
		b.S.T.Fatalf("the page offers no code: %d %s", page.Status, page.Body)
	}
	made := form(b, "/account/emergency-codes/"+organization, nil)
	found := regexp.MustCompile(`value="([A-Z2-7-]{29})"`).FindSubmatch(made.Body)
	if made.Status != http.StatusOK || found == nil {
		b.S.T.Fatalf("there is no code: %d %s", made.Status, made.Body)
	}
	if again := b.Send(http.MethodGet, "/account/security", "", nil); strings.Contains(string(again.Body),
		string(found[1])) || !strings.Contains(string(again.Body), "You made its code on") {
		b.S.T.Errorf("the code is shown again, or nothing of it: %s", again.Body)
	}
	return string(found[1])
}
