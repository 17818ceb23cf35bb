package users_test

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
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// TestTokensThroughTheAPI makes, looks at and ends tokens with a token, and holds what a limited one passes on.
func TestTokensThroughTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		type token struct {
			ID, Name, Hint, Token, ExpiresAt, RevokedAt string
			Scopes                                      []string
		}
		var made token
		expires := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		s.Call(http.MethodPost, "/v1/user/tokens", map[string]any{"name": "deploy", "scopes": []string{"users:write",
			"users:read"}, "expiresAt": expires}, http.StatusCreated, &made)
		if !strings.HasPrefix(made.Token, "rct_") || !strings.HasSuffix(made.Token, made.Hint) || made.ExpiresAt == "" {
			t.Errorf("%+v", made)
		}
		one := "/v1/user/tokens/" + made.ID
		got := s.CallAs(made.Token, http.MethodGet, one, nil, http.StatusOK, nil)
		if strings.Contains(string(got.Body), made.Token[4:]) {
			t.Error("the secret is shown again")
		}
		s.CallAs(made.Token, http.MethodGet, "/v1/orgs", nil, http.StatusForbidden, nil)
		for _, body := range []any{
			map[string]any{"name": "more"}, map[string]any{"name": "more", "scopes": []string{"spaces:read"},
				"expiresAt": expires}, map[string]any{"name": "longer", "scopes": []string{"users:read"}},
		} {
			s.CallAs(made.Token, http.MethodPost, "/v1/user/tokens", body, http.StatusForbidden, nil)
		}
		s.CallAs(made.Token, http.MethodPost, "/v1/user/tokens", map[string]any{"name": "less",
			"scopes": []string{"users:read"}, "expiresAt": expires}, http.StatusCreated, nil)
		for _, body := range []string{`{"name":""}`, `{}`, `{"name":"n","scopes":["everything:write"]}`,
			`{"name":"n","scopes":["users"]}`, `{"name":"n","expiresAt":"2020-01-01T00:00:00Z"}`,
			`{"name":"n","expiresAt":"soon"}`} {
			s.Call(http.MethodPost, "/v1/user/tokens", body, http.StatusBadRequest, nil)
		}
		var list struct {
			Items []token
			Count int
			Next  *struct{ Page string }
		}
		s.Call(http.MethodGet, "/v1/user/tokens?limit=1", nil, http.StatusOK, &list)
		if list.Count != 3 || len(list.Items) != 1 || list.Items[0].Name != "recto init" || list.Next == nil {
			t.Errorf("%+v", list)
		}
		s.Call(http.MethodGet, "/v1/user/tokens?limit=1&page="+list.Next.Page, nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].ID != made.ID {
			t.Errorf("%+v", list)
		}
		// Another person of the organization sees none of them.
		other := s.Member("admin", "bob@example.org")
		s.CallAs(other, http.MethodGet, one, nil, http.StatusNotFound, nil)
		s.CallAs(other, http.MethodDelete, one, nil, http.StatusNotFound, nil)
		s.CallAs(other, http.MethodGet, "/v1/user/tokens?page="+list.Next.Page, nil, http.StatusBadRequest, nil)
		for range 2 {
			s.Call(http.MethodDelete, one, nil, http.StatusNoContent, nil)
		}
		s.CallAs(made.Token, http.MethodGet, "/v1/user", nil, http.StatusUnauthorized, nil)
		var after token
		s.Call(http.MethodGet, one, nil, http.StatusOK, &after)
		if after.RevokedAt == "" {
			t.Error("the token is not revoked")
		}
	})
}

// TestSessionsCallTheAPI holds when the API takes the session of a browser.
func TestSessionsCallTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignedIn()
		own := b.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage)
		var user struct{ Email string }
		if err := json.Unmarshal(own.Body, &user); err != nil || own.Status != http.StatusOK ||
			user.Email != "ada@example.org" {
			t.Fatalf("%d %s", own.Status, own.Body)
		}
		if own.Header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(own.Header.Values("Vary"), ","), "Cookie") {
			t.Error("caches may keep it:", own.Header)
		}
		if with := s.Raw(http.MethodGet, "/v1/user", s.Token, nil); with.Header.Get("Vary") == "Cookie" {
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
			{"own page", http.MethodPost, apptest.OwnPage, http.StatusCreated},
			{"typed address", http.MethodGet, http.Header{"Sec-Fetch-Site": {"none"}}, http.StatusOK},
			{"old browser", http.MethodPost, http.Header{"Origin": {s.Base}, "Content-Type": {"application/json"}},
				http.StatusCreated},
			{"other site", http.MethodPost, with(apptest.OwnPage, "Sec-Fetch-Site", "cross-site"),
				http.StatusForbidden},
			{"site beside", http.MethodGet, with(apptest.OwnPage, "Sec-Fetch-Site", "same-site"), http.StatusForbidden},
			{"old browser at another site", http.MethodPost, http.Header{"Origin": {"https://evil.example"},
				"Content-Type": {"application/json"}}, http.StatusForbidden},
			{"nothing known", http.MethodPost, http.Header{"Content-Type": {"application/json"}}, http.StatusForbidden},
			{"bad token beside it", http.MethodGet, with(apptest.OwnPage, "Authorization",
				"Bearer rct_"+strings.Repeat("a",
					40)), http.StatusUnauthorized},
			{"other scheme beside it", http.MethodGet, with(apptest.OwnPage, "Authorization", "Basic YTpi"),
				http.StatusUnauthorized},
		}
		for _, test := range tests {
			body := ""
			if test.method == http.MethodPost {
				body = `{"name":"` + test.name + `"}`
			}
			if got := b.Send(test.method, "/v1/user/tokens", body, test.header); got.Status != test.want {
				t.Errorf("%s: %d, want %d %s", test.name, got.Status, test.want, got.Body)
			}
		}
		// A token in a cookie and a session in the header are neither.
		if got := s.Raw(http.MethodGet, "/v1/user", secret(b), nil); got.Status != http.StatusUnauthorized {
			t.Errorf("a session is a token: %d", got.Status)
		}
		b.Jar.SetCookies(b.Address(), []*http.Cookie{{Name: "recto_session", Value: s.Token}})
		if got := b.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusUnauthorized {
			t.Errorf("a token is a session: %d", got.Status)
		}
	})
}

// secret is that of the browser's session.
func secret(b apptest.Browser) string {
	for _, cookie := range b.Jar.Cookies(b.Address()) {
		if cookie.Name == "recto_session" {
			return cookie.Value
		}
	}
	b.S.T.Fatal("the browser has no session")
	return ""
}

// TestSessionsThroughTheAPI lists and ends sessions, with a session and with a token.
func TestSessionsThroughTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		one := s.SignedIn()
		two := s.BrowserOf(apptest.AdasPassword)
		var list struct {
			Items []struct {
				ID, Method, Agent string
				Current           bool
			}
			Count int
		}
		got := two.Send(http.MethodGet, "/v1/user/sessions", "", apptest.OwnPage)
		s.Check(http.MethodGet, "/v1/user/sessions", got)
		if err := json.Unmarshal(got.Body, &list); err != nil || list.Count != 2 || list.Items[0].Current ||
			!list.Items[1].Current || list.Items[0].Method != "password" {
			t.Fatalf("%v %s", err, got.Body)
		}
		if strings.Contains(string(got.Body), "rcs_") {
			t.Error("a secret is in the list")
		}
		path := "/v1/user/sessions/" + list.Items[0].ID
		other := s.Member("admin", "bob@example.org")
		s.CallAs(other, http.MethodDelete, path, nil, http.StatusNotFound, nil)
		s.CallAs(other, http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if got := two.Send(http.MethodDelete, path, "", apptest.OwnPage); got.Status != http.StatusNoContent {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		if got := one.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusUnauthorized {
			t.Errorf("the session goes on: %d", got.Status)
		}
		three := s.BrowserOf(apptest.AdasPassword)
		if got := two.Send(http.MethodDelete, "/v1/user/sessions", "",
			apptest.OwnPage); got.Status != http.StatusNoContent {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		if got := three.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusUnauthorized {
			t.Errorf("the other session goes on: %d", got.Status)
		}
		if got := two.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusOK {
			t.Errorf("the session itself has ended: %d", got.Status)
		}
		s.Call(http.MethodDelete, "/v1/user/sessions", nil, http.StatusNoContent, nil)
		if got := two.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusUnauthorized {
			t.Errorf("a token leaves a session: %d", got.Status)
		}
	})
}

// TestSignedOutMeansSignedOut holds that nothing of a session works once it has ended, in pages and in the API.
func TestSignedOutMeansSignedOut(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	b := s.SignedIn()
	secret := secret(b)
	b.Send(http.MethodPost, "/signout", "", http.Header{"Sec-Fetch-Site": {"same-origin"}})
	b.Jar.SetCookies(b.Address(), []*http.Cookie{{Name: "recto_session", Value: secret}})
	if got := b.Send(http.MethodGet, "/v1/user", "", apptest.OwnPage); got.Status != http.StatusUnauthorized {
		t.Error(got.Status)
	}
	if got := b.Send(http.MethodGet, "/account", "", nil); !strings.Contains(string(got.Body), "Sign in to Recto") {
		t.Errorf("%s", got.Body)
	}
}

// TestLinksByOperators holds what recto user password gives out.
func TestLinksByOperators(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	log := slog.New(slog.DiscardHandler)
	link, address, err := app.PasswordLink(t.Context(), s.Storage, "ADA@example.org", s.Base+"/", log)
	if err != nil || link.User.Email != "ada@example.org" || !strings.HasPrefix(address,
		s.Base+"/signin/password?link=rcl_") {
		t.Fatal(link, address, err)
	}
	if got := s.Raw(http.MethodGet, address, "", nil); got.Status != http.StatusOK ||
		!strings.Contains(string(got.Body), "Hello Ada") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for _, work := range []func(config.Storage) error{
		func(storage config.Storage) error {
			_, _, err := app.PasswordLink(t.Context(), storage, "nobody@example.org", s.Base, log)
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
		if work(s.Storage) == nil {
			t.Error("it worked")
		}
	}
}

// TestForgottenPasswords follows a link by mail from the question to the new password.
func TestForgottenPasswords(t *testing.T) {
	mailbox := mailtest.NewServer(t)
	s := apptest.OnSQLite(t, func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = mailbox.URL, "Recto <docs@example.com>"
	})
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}
	ask := func(email string) apptest.Answer {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/signin/forgot",
			strings.NewReader(url.Values{"email": {email}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = form
		return s.Send(request)
	}
	known, unknown := ask("Ada@example.org"), ask("Bob@example.org")
	if known.Status != http.StatusOK || strings.ReplaceAll(string(known.Body), "Ada", "Bob") != string(unknown.Body) {
		t.Errorf("the answer tells whether an address exists:\n%s\n%s", known.Body, unknown.Body)
	}
	if got := ask("no address"); got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body),
		"What you typed is not an e-mail address") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	received := mailbox.To(t, "ada@example.org", 1)[0]
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(received.Data)))
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(regexp.QuoteMeta(s.Base) + `/signin/password\?link=rcl_\w+`).FindString(string(text))
	if address == "" {
		t.Fatalf("there is no link in %s", text)
	}
	if got := s.Raw(http.MethodGet, address, "", nil); got.Status != http.StatusOK {
		t.Fatal(got.Status)
	}
	_, secret, _ := strings.Cut(address, "link=")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := apptest.Browser{Client: &http.Client{Jar: jar}, S: s}
	body := url.Values{"link": {secret}, "password": {"difference engine"}}.Encode()
	if got := b.Send(http.MethodPost, "/signin/password", body, form); got.Status != http.StatusOK ||
		!strings.Contains(string(got.Body), `id="app"`) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := b.Send(http.MethodPost, "/signin/password", body, form); got.Status != http.StatusNotFound {
		t.Errorf("the link works twice: %d", got.Status)
	}
	if got := len(mailbox.Received()); got != 1 {
		t.Errorf("%d mails were sent", got)
	}
	for range 2 {
		ask("ada@example.org")
	}
	if got := ask("ada@example.org"); got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
		t.Errorf("mails without end: %d", got.Status)
	}
}

// TestSignInsAreRecorded looks at what the organization's log says.
func TestSignInsAreRecorded(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignedIn()
		if got := b.Send(http.MethodPost, "/v1/user/tokens", `{"name":"laptop"}`,
			apptest.OwnPage); got.Status != http.StatusCreated {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		b.Send(http.MethodPost, "/signout", "", http.Header{"Sec-Fetch-Site": {"same-origin"}})
		database, err := db.Open(t.Context(), db.Config{URL: s.Storage.Database()})
		if err != nil {
			t.Fatal(err)
		}
		defer database.Close()
		rows, err := database.Read().QueryContext(t.Context(),
			`SELECT action, actor_id, token_id, address, details FROM audit_entry WHERE organization_id = $1
				ORDER BY id`, s.Organization)
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
