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
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// browser is somebody's browser at the server.
type browser struct {
	*http.Client
	s *server
}

// adasPassword is that of the first admin, once signedIn was called.
const adasPassword = "analytical engine"

// signedIn gives the first admin a password and returns a browser in which they have signed in with it.
func (s *server) signedIn() browser {
	s.t.Helper()
	if _, err := app.SetPassword(s.t.Context(), s.storage, "ada@example.org", adasPassword,
		slog.New(slog.DiscardHandler)); err != nil {
		s.t.Fatal(err)
	}
	return s.browserOf(adasPassword)
}

// browserOf returns a browser in which the first admin has signed in.
func (s *server) browserOf(password string) browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	b := browser{&http.Client{Jar: jar}, s}
	page := b.send(http.MethodPost, "/signin", url.Values{"email": {"ada@example.org"}, "password": {password}}.
		Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}})
	if page.status != http.StatusOK || !strings.Contains(string(page.body), "Profile") {
		s.t.Fatalf("signing in: %d %s", page.status, page.body)
	}
	return b
}

func (b browser) send(method, path, body string, header http.Header) answer {
	b.s.t.Helper()
	request, err := http.NewRequestWithContext(b.s.t.Context(), method, b.s.base+path, strings.NewReader(body))
	if err != nil {
		b.s.t.Fatal(err)
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	response, err := b.Do(request)
	if err != nil {
		b.s.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		b.s.t.Fatal(err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: raw}
}

// ownPage are the headers of a request that a page of the server makes.
var ownPage = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Content-Type": {"application/json"}}

// TestTokensThroughTheAPI makes, looks at and ends tokens with a token, and holds what a limited one passes on.
func TestTokensThroughTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		type token struct {
			ID, Name, Hint, Token, ExpiresAt, RevokedAt string
			Scopes                                      []string
		}
		var made token
		expires := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		s.call(http.MethodPost, "/v1/user/tokens", map[string]any{"name": "deploy", "scopes": []string{"users:write",
			"users:read"}, "expiresAt": expires}, http.StatusCreated, &made)
		if !strings.HasPrefix(made.Token, "rct_") || !strings.HasSuffix(made.Token, made.Hint) || made.ExpiresAt == "" {
			t.Errorf("%+v", made)
		}
		one := "/v1/user/tokens/" + made.ID
		got := s.callAs(made.Token, http.MethodGet, one, nil, http.StatusOK, nil)
		if strings.Contains(string(got.body), made.Token[4:]) {
			t.Error("the secret is shown again")
		}
		s.callAs(made.Token, http.MethodGet, "/v1/orgs", nil, http.StatusForbidden, nil)
		for _, body := range []any{
			map[string]any{"name": "more"}, map[string]any{"name": "more", "scopes": []string{"spaces:read"},
				"expiresAt": expires}, map[string]any{"name": "longer", "scopes": []string{"users:read"}},
		} {
			s.callAs(made.Token, http.MethodPost, "/v1/user/tokens", body, http.StatusForbidden, nil)
		}
		s.callAs(made.Token, http.MethodPost, "/v1/user/tokens", map[string]any{"name": "less",
			"scopes": []string{"users:read"}, "expiresAt": expires}, http.StatusCreated, nil)
		for _, body := range []string{`{"name":""}`, `{}`, `{"name":"n","scopes":["everything:write"]}`,
			`{"name":"n","scopes":["users"]}`, `{"name":"n","expiresAt":"2020-01-01T00:00:00Z"}`,
			`{"name":"n","expiresAt":"soon"}`} {
			s.call(http.MethodPost, "/v1/user/tokens", body, http.StatusBadRequest, nil)
		}
		var list struct {
			Items []token
			Count int
			Next  *struct{ Page string }
		}
		s.call(http.MethodGet, "/v1/user/tokens?limit=1", nil, http.StatusOK, &list)
		if list.Count != 3 || len(list.Items) != 1 || list.Items[0].Name != "recto init" || list.Next == nil {
			t.Errorf("%+v", list)
		}
		s.call(http.MethodGet, "/v1/user/tokens?limit=1&page="+list.Next.Page, nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].ID != made.ID {
			t.Errorf("%+v", list)
		}
		// Another person of the organization sees none of them.
		other := s.member("admin", "bob@example.org")
		s.callAs(other, http.MethodGet, one, nil, http.StatusNotFound, nil)
		s.callAs(other, http.MethodDelete, one, nil, http.StatusNotFound, nil)
		s.callAs(other, http.MethodGet, "/v1/user/tokens?page="+list.Next.Page, nil, http.StatusBadRequest, nil)
		for range 2 {
			s.call(http.MethodDelete, one, nil, http.StatusNoContent, nil)
		}
		s.callAs(made.Token, http.MethodGet, "/v1/user", nil, http.StatusUnauthorized, nil)
		var after token
		s.call(http.MethodGet, one, nil, http.StatusOK, &after)
		if after.RevokedAt == "" {
			t.Error("the token is not revoked")
		}
	})
}

// TestSessionsCallTheAPI holds when the API takes the session of a browser.
func TestSessionsCallTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		b := s.signedIn()
		own := b.send(http.MethodGet, "/v1/user", "", ownPage)
		var user struct{ Email string }
		if err := json.Unmarshal(own.body, &user); err != nil || own.status != http.StatusOK ||
			user.Email != "ada@example.org" {
			t.Fatalf("%d %s", own.status, own.body)
		}
		if own.header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(own.header.Values("Vary"), ","), "Cookie") {
			t.Error("caches may keep it:", own.header)
		}
		if with := s.raw(http.MethodGet, "/v1/user", s.token, nil); with.header.Get("Vary") == "Cookie" {
			t.Error("answers to tokens depend on cookies")
		}
		with := func(header http.Header, name, value string) http.Header {
			header = header.Clone()
			header.Set(name, value)
			return header
		}
		tests := []struct {
			name, method string
			header       http.Header
			want         int
		}{
			{"own page", http.MethodPost, ownPage, http.StatusCreated},
			{"typed address", http.MethodGet, http.Header{"Sec-Fetch-Site": {"none"}}, http.StatusOK},
			{"old browser", http.MethodPost, http.Header{"Origin": {s.base}, "Content-Type": {"application/json"}},
				http.StatusCreated},
			{"other site", http.MethodPost, with(ownPage, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
			{"site beside", http.MethodGet, with(ownPage, "Sec-Fetch-Site", "same-site"), http.StatusForbidden},
			{"old browser at another site", http.MethodPost, http.Header{"Origin": {"https://evil.example"},
				"Content-Type": {"application/json"}}, http.StatusForbidden},
			{"nothing known", http.MethodPost, http.Header{"Content-Type": {"application/json"}}, http.StatusForbidden},
			{"bad token beside it", http.MethodGet, with(ownPage, "Authorization", "Bearer rct_"+strings.Repeat("a",
				40)), http.StatusUnauthorized},
			{"other scheme beside it", http.MethodGet, with(ownPage, "Authorization", "Basic YTpi"),
				http.StatusUnauthorized},
		}
		for _, test := range tests {
			body := ""
			if test.method == http.MethodPost {
				body = `{"name":"` + test.name + `"}`
			}
			if got := b.send(test.method, "/v1/user/tokens", body, test.header); got.status != test.want {
				t.Errorf("%s: %d, want %d %s", test.name, got.status, test.want, got.body)
			}
		}
		// A token in a cookie and a session in the header are neither.
		if got := s.raw(http.MethodGet, "/v1/user", b.secret(), nil); got.status != http.StatusUnauthorized {
			t.Errorf("a session is a token: %d", got.status)
		}
		b.Jar.SetCookies(b.address(), []*http.Cookie{{Name: "recto_session", Value: s.token}})
		if got := b.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusUnauthorized {
			t.Errorf("a token is a session: %d", got.status)
		}
	})
}

func (b browser) address() *url.URL {
	address, err := url.Parse(b.s.base)
	if err != nil {
		b.s.t.Fatal(err)
	}
	return address
}

// secret is that of the browser's session.
func (b browser) secret() string {
	for _, cookie := range b.Jar.Cookies(b.address()) {
		if cookie.Name == "recto_session" {
			return cookie.Value
		}
	}
	b.s.t.Fatal("the browser has no session")
	return ""
}

// TestSessionsThroughTheAPI lists and ends sessions, with a session and with a token.
func TestSessionsThroughTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		one := s.signedIn()
		two := s.browserOf(adasPassword)
		var list struct {
			Items []struct {
				ID, Method, Agent string
				Current           bool
			}
			Count int
		}
		got := two.send(http.MethodGet, "/v1/user/sessions", "", ownPage)
		s.check(http.MethodGet, "/v1/user/sessions", got)
		if err := json.Unmarshal(got.body, &list); err != nil || list.Count != 2 || list.Items[0].Current ||
			!list.Items[1].Current || list.Items[0].Method != "password" {
			t.Fatalf("%v %s", err, got.body)
		}
		if strings.Contains(string(got.body), "rcs_") {
			t.Error("a secret is in the list")
		}
		path := "/v1/user/sessions/" + list.Items[0].ID
		other := s.member("admin", "bob@example.org")
		s.callAs(other, http.MethodDelete, path, nil, http.StatusNotFound, nil)
		s.callAs(other, http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if got := two.send(http.MethodDelete, path, "", ownPage); got.status != http.StatusNoContent {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if got := one.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusUnauthorized {
			t.Errorf("the session goes on: %d", got.status)
		}
		three := s.browserOf(adasPassword)
		if got := two.send(http.MethodDelete, "/v1/user/sessions", "", ownPage); got.status != http.StatusNoContent {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if got := three.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusUnauthorized {
			t.Errorf("the other session goes on: %d", got.status)
		}
		if got := two.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusOK {
			t.Errorf("the session itself has ended: %d", got.status)
		}
		s.call(http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if got := two.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusUnauthorized {
			t.Errorf("a token leaves a session: %d", got.status)
		}
	})
}

// TestSignedOutMeansSignedOut holds that nothing of a session works once it has ended, in pages and in the API.
func TestSignedOutMeansSignedOut(t *testing.T) {
	s := onSQLite(t, nil)
	b := s.signedIn()
	secret := b.secret()
	b.send(http.MethodPost, "/signout", "", http.Header{"Sec-Fetch-Site": {"same-origin"}})
	b.Jar.SetCookies(b.address(), []*http.Cookie{{Name: "recto_session", Value: secret}})
	if got := b.send(http.MethodGet, "/v1/user", "", ownPage); got.status != http.StatusUnauthorized {
		t.Error(got.status)
	}
	if got := b.send(http.MethodGet, "/account", "", nil); !strings.Contains(string(got.body), "Sign in to Recto") {
		t.Errorf("%s", got.body)
	}
}

// TestLinksByOperators holds what recto user password gives out.
func TestLinksByOperators(t *testing.T) {
	s := onSQLite(t, nil)
	log := slog.New(slog.DiscardHandler)
	link, address, err := app.PasswordLink(t.Context(), s.storage, "ADA@example.org", s.base+"/", log)
	if err != nil || link.User.Email != "ada@example.org" || !strings.HasPrefix(address,
		s.base+"/signin/password?link=rcl_") {
		t.Fatal(link, address, err)
	}
	if got := s.raw(http.MethodGet, address, "", nil); got.status != http.StatusOK ||
		!strings.Contains(string(got.body), "Hello Ada") {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, work := range []func(config.Storage) error{
		func(storage config.Storage) error {
			_, _, err := app.PasswordLink(t.Context(), storage, "nobody@example.org", s.base, log)
			return err
		},
		func(storage config.Storage) error {
			_, err := app.SetPassword(t.Context(), storage, "nobody@example.org", "analytical engine", log)
			return err
		},
		func(storage config.Storage) error {
			_, err := app.SetPassword(t.Context(), storage, "ada@example.org", "password1", log)
			return err
		},
	} {
		if work(s.storage) == nil {
			t.Error("it worked")
		}
	}
}

// TestForgottenPasswords follows a link by mail from the question to the new password.
func TestForgottenPasswords(t *testing.T) {
	mailbox := mailtest.NewServer(t)
	s := onSQLite(t, func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = mailbox.URL, "Recto <docs@example.com>"
	})
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}
	ask := func(email string) answer {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/signin/forgot",
			strings.NewReader(url.Values{"email": {email}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = form
		return s.send(request)
	}
	known, unknown := ask("Ada@example.org"), ask("Bob@example.org")
	if known.status != http.StatusOK || strings.ReplaceAll(string(known.body), "Ada", "Bob") != string(unknown.body) {
		t.Errorf("the answer tells whether an address exists:\n%s\n%s", known.body, unknown.body)
	}
	if got := ask("no address"); got.status != http.StatusBadRequest || !strings.Contains(string(got.body),
		"What you typed is not an e-mail address") {
		t.Errorf("%d %s", got.status, got.body)
	}
	received := mailbox.To(t, "ada@example.org", 1)[0]
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(received.Data)))
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(regexp.QuoteMeta(s.base) + `/signin/password\?link=rcl_\w+`).FindString(string(text))
	if address == "" {
		t.Fatalf("there is no link in %s", text)
	}
	if got := s.raw(http.MethodGet, address, "", nil); got.status != http.StatusOK {
		t.Fatal(got.status)
	}
	_, secret, _ := strings.Cut(address, "link=")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := browser{&http.Client{Jar: jar}, s}
	body := url.Values{"link": {secret}, "password": {"difference engine"}}.Encode()
	if got := b.send(http.MethodPost, "/signin/password", body, form); got.status != http.StatusOK ||
		!strings.Contains(string(got.body), "Profile") {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if got := b.send(http.MethodPost, "/signin/password", body, form); got.status != http.StatusNotFound {
		t.Errorf("the link works twice: %d", got.status)
	}
	if got := len(mailbox.Received()); got != 1 {
		t.Errorf("%d mails were sent", got)
	}
	for range 2 {
		ask("ada@example.org")
	}
	if got := ask("ada@example.org"); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("mails without end: %d", got.status)
	}
}

// TestSignInsAreRecorded looks at what the organization's log says.
func TestSignInsAreRecorded(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		b := s.signedIn()
		if got := b.send(http.MethodPost, "/v1/user/tokens", `{"name":"laptop"}`,
			ownPage); got.status != http.StatusCreated {
			t.Fatalf("%d %s", got.status, got.body)
		}
		b.send(http.MethodPost, "/signout", "", http.Header{"Sec-Fetch-Site": {"same-origin"}})
		database, err := db.Open(t.Context(), db.Config{URL: s.storage.Database()})
		if err != nil {
			t.Fatal(err)
		}
		defer database.Close()
		rows, err := database.Read().QueryContext(t.Context(),
			`SELECT action, actor_id, token_id, address, details FROM audit_entry WHERE organization_id = $1
				ORDER BY id`, s.organization)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var actions []string
		for rows.Next() {
			var action, actor, token, address, details string
			if err := rows.Scan(&action, &actor, &token, &address, &details); err != nil {
				t.Fatal(err)
			}
			actions = append(actions, action)
			byPerson := action == "session.start" || action == "session.end"
			if byPerson && (actor == "" || address != "127.0.0.1") || action == "password.give" && actor != "" {
				t.Errorf("%s by %q from %q", action, actor, address)
			}
			if strings.Contains(details, "analytical") || strings.Contains(details, "rct_") {
				t.Error("a secret is in the log:", details)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(actions,
			" "); got != "organization.create token.create password.give session.start token.create session.end" {
			t.Errorf("recorded %q", got)
		}
	})
}
