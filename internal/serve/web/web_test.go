package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/serve/web"
)

// site is the pages on loopback, with one user whom the address /signin/sso signs in. Its clock stands still.
type site struct {
	t        *testing.T
	accounts *account.Service
	user     account.User
	base     string
	pages    *web.Server
	passed   atomic.Int64 // how far the clock was moved

	organizations *org.Service
}

// setupCode is that of the site.
const setupCode = "ABCD-EFGH-IJKL-MNOP"

// list has one site for everybody, and one more for who is signed in.
func (*site) list(_ context.Context, caller account.Caller) (list web.SiteList, _ error) {
	list.Public = []web.ListedSite{{Title: "Guide <1>", Organization: "Example", URL: "/sites/example/guide/"}}
	if caller.User.ID != "" {
		list.Own = []web.ListedSite{{Title: "Handbook", Organization: "Team", URL: "/sites/team/handbook/",
			Restricted: true}}
	}
	return list, nil
}

func (s *site) now() time.Time {
	return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(time.Duration(s.passed.Load()))
}

func start(t *testing.T) *site {
	t.Helper()
	made := empty(t)
	var err error
	made.user, err = made.accounts.CreateUser(t.Context(), account.NewUser{DisplayName: "Ada <L>",
		Email: "ada@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// empty is start without the user.
func empty(t *testing.T) *site {
	t.Helper()
	made := &site{t: t}
	database := dbtest.SQLite(t)
	accounts := accounttest.NewService(account.Deps{DB: database, Key: []byte("0123456789abcdef"),
		BaseURL: "http://localhost", Now: made.now, Scopes: []string{"pages:read", "pages:write", "search:read"}},
		account.Hooks{})
	sessions := &web.Sessions{Accounts: accounts}
	fonts := fstest.MapFS{}
	for _, name := range []string{"latin", "latin-ext", "cyrillic", "greek"} {
		fonts["inter-"+name+"-wght-normal.woff2"] = &fstest.MapFile{Data: []byte(name)}
	}
	organizations, invites := invitetest.New(t, org.Deps{DB: database, Accounts: accounts}, org.Hooks{}, invite.Deps{})
	secrets, err := seal.NewBox(make([]byte, seal.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	identities := identity.New(identity.Deps{DB: database, Accounts: accounts, Organizations: organizations,
		Secrets: secrets, Fetch: fetch.New(fetch.Options{}), BaseURL: "http://localhost",
		Log: slog.New(slog.DiscardHandler)})
	pages, err := web.New(requiredtest.Fill(web.Deps{
		Accounts: accounts, Organizations: organizations, Invites: invites, Identities: identities, Sessions: sessions,
		OAuth:  oauth.New(oauth.Deps{DB: database, Accounts: accounts, Key: []byte("0123456789abcdef"), Now: made.now}),
		Issuer: "http://localhost",
		Fonts:  fonts, SetupCode: setupCode, Sites: made.list, Host: "that of the test server, see below",
		Drawing: func(w http.ResponseWriter, _ *http.Request, file string) {
			w.Header().Set("Cache-Control", "no-cache")
			_, _ = io.WriteString(w, "draws with "+file)
		},
		App: fstest.MapFS{
			"index.html":                  {Data: []byte("<!doctype html><title>The app</title>")},
			"assets/index-0123abcd.js.gz": {Data: packed("start()")},
			"assets/inter-0123abcd.woff2": {Data: []byte("a font")},
		},
		Now: made.now, Scopes: []string{"pages:read", "pages:write", "search:read"},
		Log: slog.New(slog.DiscardHandler),
		Choices: func(_ context.Context, next string) ([]web.Choice, error) {
			return []web.Choice{{Title: "Continue with Example", URL: "/signin/sso?next=" + url.QueryEscape(next)}}, nil
		},
		Federation: func(s *web.Server) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := sessions.SignIn(w, r, account.Identified{User: made.user}, account.BySAML,
					r.FormValue("next")); err != nil {
					s.Refuse(w, r, err)
				}
			})
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, path := range web.Paths {
		mux.Handle(path, pages)
	}
	server := httptest.NewServer(httpx.Edge{Log: slog.New(slog.DiscardHandler)}.Wrap(mux))
	t.Cleanup(server.Close)
	pages.Host = strings.TrimPrefix(server.URL, "http://")
	made.accounts, made.organizations, made.base, made.pages = accounts, organizations, server.URL, pages
	return made
}

// browser keeps cookies and follows redirects.
type browser struct {
	*http.Client
	site *site
}

func (s *site) browser() browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return browser{&http.Client{Jar: jar}, s}
}

// shown is a page as it arrived.
type shown struct {
	status int
	path   string
	header http.Header
	body   string
}

func (b browser) do(method, path string, form url.Values, header http.Header) shown {
	b.site.t.Helper()
	request, err := http.NewRequestWithContext(b.site.t.Context(), method, b.site.base+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		b.site.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	response, err := b.Do(request)
	if err != nil {
		b.site.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.site.t.Fatal(err)
	}
	return shown{status: response.StatusCode, path: response.Request.URL.RequestURI(), header: response.Header,
		body: string(body)}
}

func (b browser) get(path string) shown { return b.do(http.MethodGet, path, nil, nil) }

func (b browser) post(path string, form url.Values) shown {
	return b.do(http.MethodPost, path, form, nil)
}

// want fails the test unless a page has a status, an address and all texts.
func (b browser) want(got shown, status int, path string, texts ...string) {
	b.site.t.Helper()
	if got.status != status || got.path != path {
		b.site.t.Fatalf("status %d at %s, want %d at %s\n%s", got.status, got.path, status, path, got.body)
	}
	for _, text := range texts {
		if !strings.Contains(got.body, text) {
			b.site.t.Errorf("%s lacks %q\n%s", path, text, got.body)
		}
	}
}

func TestSignInThroughAnotherAreaAndOut(t *testing.T) {
	s := start(t)
	b := s.browser()
	b.want(b.get("/"), http.StatusOK, "/", `href="/signin"`)
	b.want(b.get("/account/sessions"), http.StatusOK, "/signin?next=%2Faccount%2Fsessions", "Continue with Example",
		`href="/signin/sso?next=%2Faccount%2Fsessions"`)
	b.want(b.get("/signin/sso?next=%2Faccount%2Fsessions"), http.StatusOK, "/account/sessions", "This browser",
		"single sign-on", "Ada &lt;L&gt;")
	b.want(b.get("/account"), http.StatusOK, "/account", "ada@example.org")
	b.want(b.get("/"), http.StatusOK, "/", "Welcome, Ada &lt;L&gt;", `href="/account"`)
	b.want(b.get("/signout"), http.StatusOK, "/signout", "Sign out?")
	b.want(b.post("/signout", nil), http.StatusOK, "/signin?out=sso", "sign out there as well")
	b.want(b.get("/account"), http.StatusOK, "/signin?next=%2Faccount")
	b.want(b.get("/signout"), http.StatusOK, "/signin")
}

func TestSessionsAreEndedFromAnotherBrowser(t *testing.T) {
	s := start(t)
	one, two, three := s.browser(), s.browser(), s.browser()
	for _, b := range []browser{one, two, three} {
		b.want(b.get("/signin/sso"), http.StatusOK, "/app")
	}
	page := one.get("/account/sessions")
	if strings.Count(page.body, "<li>\n<div") != 3 || strings.Count(page.body, "This browser") != 1 {
		t.Error(page.body)
	}
	caller := func(b browser) string {
		base, _ := url.Parse(s.base)
		caller, err := s.accounts.AuthenticateSession(t.Context(), b.Jar.Cookies(base)[0].Value)
		if err != nil {
			t.Fatal(err)
		}
		return caller.Session.ID
	}
	one.want(one.post("/account/sessions/"+caller(two)+"/end", nil), http.StatusOK, "/account/sessions?done=session",
		"That session is signed out.")
	two.want(two.get("/account"), http.StatusOK, "/signin?next=%2Faccount")
	one.want(one.post("/account/sessions/end-others", nil), http.StatusOK, "/account/sessions?done=sessions")
	three.want(three.get("/account"), http.StatusOK, "/signin?next=%2Faccount")
	one.want(one.post("/account/sessions/session_x/end", nil), http.StatusNotFound, "/account/sessions/session_x/end",
		"no such session")
	one.want(one.post("/account/sessions/"+caller(one)+"/end", nil), http.StatusOK, "/signin")
}

func TestSigningInAgainEndsTheSessionBefore(t *testing.T) {
	s := start(t)
	b := s.browser()
	base, _ := url.Parse(s.base)
	b.get("/signin/sso")
	before := b.Jar.Cookies(base)[0].Value
	b.get("/signin/sso")
	if after := b.Jar.Cookies(base)[0].Value; after == before {
		t.Error("the secret is the same")
	}
	if _, err := s.accounts.AuthenticateSession(t.Context(), before); err == nil {
		t.Error("the session before goes on")
	}
}

func TestFormsOfOtherSitesDoNothing(t *testing.T) {
	s := start(t)
	b := s.browser()
	b.get("/signin/sso")
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}},
		{"Sec-Fetch-Site": {""}, "Origin": {"https://evil.example"}},
	} {
		got := b.do(http.MethodPost, "/signout", nil, header)
		b.want(got, http.StatusForbidden, "/signout", "came from another site")
	}
	b.want(b.get("/account"), http.StatusOK, "/account")
}

func TestEveryPageIsSafe(t *testing.T) {
	s := start(t)
	b := s.browser()
	b.get("/signin/sso")
	for _, path := range []string{"/", "/signin", "/signin/forgot", "/signin/password", "/signout", "/account",
		"/account/security", "/account/sessions", "/account/tokens", "/account/nothing"} {
		got := b.get(path)
		header := got.header
		if header.Get("Cache-Control") != "no-store" || header.Get("X-Frame-Options") != "DENY" ||
			header.Get("X-Content-Type-Options") != "nosniff" {
			t.Error(path, header)
		}
		policy := header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Error(path, policy)
		}
		if strings.Contains(got.body, " style=") || strings.Contains(got.body, "onclick") {
			t.Error(path, "has inline styles or scripts")
		}
	}
	sheet := b.get("/signin").body
	sheet = sheet[strings.Index(sheet, `rel="stylesheet" href="`)+len(`rel="stylesheet" href="`):]
	sheet = sheet[:strings.IndexByte(sheet, '"')]
	got := b.get(sheet)
	if got.status != http.StatusOK || !strings.Contains(got.header.Get("Cache-Control"), "immutable") ||
		strings.Contains(got.body, "asset:") {
		t.Error(sheet, got.status, got.header)
	}
	b.want(b.get("/-/nothing.css"), http.StatusNotFound, "/-/nothing.css")
}

// TestWhatNeedsALateSignIn holds what somebody may not do who signed in some time ago, and where it leads.
func TestWhatNeedsALateSignIn(t *testing.T) {
	s := start(t)
	b := s.browser()
	b.want(b.get("/signin/sso"), http.StatusOK, "/app")
	b.want(b.get("/account/security"), http.StatusOK, "/account/security", "You have none yet", "Set the password")
	b.want(b.post("/account/password", url.Values{"password": {"short"}}), http.StatusBadRequest, "/account/password",
		"The password has 5 characters; at least 8 are needed.")
	b.want(b.post("/account/password", url.Values{"password": {"analytical engine"}}), http.StatusOK,
		"/account/security?done=password", "Your password is set")
	s.passed.Add(int64(time.Hour))
	page := b.get("/account/security")
	b.want(page, http.StatusOK, "/account/security", "Current password", "Sign in again")
	if strings.Contains(page.body, "data-passkey-add") {
		t.Error("a passkey can be added")
	}
	b.want(b.post("/account/password", url.Values{"current": {"wrong"}, "password": {"difference engine"}}),
		http.StatusBadRequest, "/account/password", "What you typed is not your current password.")
	b.want(b.post("/account/password", url.Values{"current": {"analytical engine"}, "password": {"difference engine"}}),
		http.StatusOK, "/account/security?done=password")
	b.want(b.get("/account/tokens"), http.StatusOK, "/account/tokens", "There are none.", "to make a token")
	token := url.Values{"name": {"laptop"}, "days": {"30"}, "scope": {"pages:read"}}
	b.want(b.post("/account/tokens", token), http.StatusOK, "/signin?next=%2Faccount%2Ftokens", "Sign in again",
		`value="ada@example.org"`)
	b.want(b.post("/account/passkeys/begin", nil), http.StatusBadRequest, "/account/passkeys/begin",
		`"problem":"You signed in some time ago`)

	form := url.Values{"email": {"ada@example.org"}, "password": {"difference engine"}, "next": {"/account/tokens"}}
	b.want(b.post("/signin", form), http.StatusOK, "/account/tokens", "New token", `value="pages:write"`)
	made := b.post("/account/tokens", token)
	b.want(made, http.StatusOK, "/account/tokens", "rct_", "Copy it now", "pages:read · never used · expires on",
		"21 December 2026")
	if strings.Contains(b.get("/account/tokens").body, "rct_") {
		t.Error("the secret is shown again")
	}
	for _, bad := range []url.Values{{"name": {""}, "days": {"30"}}, {"name": {"n"}, "days": {"31"}}, {"name": {"n"}},
		{"name": {"n"}, "days": {"30"}, "scope": {"No Scope"}}} {
		if got := b.post("/account/tokens", bad); got.status != http.StatusBadRequest {
			t.Errorf("%v: %d", bad, got.status)
		}
	}
	b.want(b.post("/account/passkeys/begin", nil), http.StatusOK, "/account/passkeys/begin", `"challenge"`)
	b.want(b.post("/account/passkeys/x/rename", url.Values{"name": {"n"}}), http.StatusNotFound,
		"/account/passkeys/x/rename", "no such passkey")
	b.want(b.post("/account", url.Values{"name": {"  "}}), http.StatusBadRequest, "/account", "The name ")
}

// TestSigningInGoesWrong looks at the answers to what does not let in.
func TestSigningInGoesWrong(t *testing.T) {
	s := start(t)
	if err := s.accounts.GivePassword(t.Context(), s.user, "analytical engine"); err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	attempt := func(email, password string) shown {
		return b.post("/signin", url.Values{"email": {email}, "password": {password}, "next": {"//evil.example"}})
	}
	wrong, unknown := attempt("ada@example.org", "wrong"), attempt("bob@example.org", "wrong")
	b.want(wrong, http.StatusUnauthorized, "/signin", "The e-mail address or the password is not right.",
		`name="next" value="/app"`)
	if strings.ReplaceAll(wrong.body, "ada@", "bob@") != unknown.body {
		t.Error("the answer tells whether an address exists")
	}
	for range 4 {
		attempt("ada@example.org", "wrong")
	}
	waiting := attempt("ada@example.org", "analytical engine")
	b.want(waiting, http.StatusTooManyRequests, "/signin", "Wait a few seconds and try again.")
	if waiting.header.Get("Retry-After") != "1" {
		t.Error(waiting.header)
	}
	s.passed.Add(int64(time.Second))
	b.want(attempt("ada@example.org", "analytical engine"), http.StatusOK, "/app")
	// From now on the browser is known, whoever guesses elsewhere.
	stranger := s.browser()
	for range 6 {
		stranger.post("/signin", url.Values{"email": {"ada@example.org"}, "password": {"wrong"}})
	}
	b.post("/signout", nil)
	b.want(attempt("ada@example.org", "analytical engine"), http.StatusOK, "/app")

	b.want(b.get("/signin/password?link=rcl_x"), http.StatusNotFound, "/signin/password?link=rcl_x", "used already")
	b.want(b.get("/signin/forgot"), http.StatusOK, "/signin/forgot", "sends no mail")
	b.want(b.post("/signin/forgot", url.Values{"email": {"ada@example.org"}}), http.StatusNotFound, "/signin/forgot")
	b.want(b.post("/signin/passkey/finish", nil), http.StatusBadRequest, "/signin/passkey/finish", `"problem":`)
	b.want(b.post("/signin", url.Values{"email": {strings.Repeat("a", 100_000)}}), http.StatusBadRequest, "/signin",
		"too large")
}
