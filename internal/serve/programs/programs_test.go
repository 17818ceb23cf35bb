package programs_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// program is one that a person lets in, from outside.
type program struct {
	s      *apptest.Server
	client string
}

const callback = "http://127.0.0.1:43123/callback"

var (
	verifier = strings.Repeat("v", 50)
	form     = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
)

// send sends a request without cookies and without following anything.
func send(s *apptest.Server, method, path, body string, header http.Header) apptest.Answer {
	b := s.NewBrowser()
	b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return b.Send(method, path, body, header)
}

func decode[T any](t *testing.T, got apptest.Answer, status int) (value T) {
	t.Helper()
	if got.Status != status || got.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, want %d\n%s", got.Status, status, got.Body)
	}
	if err := json.Unmarshal(got.Body, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// register registers a program with a name.
func register(s *apptest.Server, name string) program {
	body, err := json.Marshal(map[string]any{"client_name": name, "redirect_uris": []string{
		"http://127.0.0.1/callback"}, "token_endpoint_auth_method": "none", "client_uri": "javascript:alert(1)",
		"logo_uri": "https://evil.example/logo.png", "grant_types": []string{"authorization_code", "refresh_token"}})
	if err != nil {
		s.T.Fatal(err)
	}
	got := send(s, http.MethodPost, "/oauth/register", string(body), http.Header{"Content-Type": {"application/json"}})
	made := decode[map[string]any](s.T, got, http.StatusCreated)
	if made["client_secret"] != nil || made["token_endpoint_auth_method"] != "none" || made["client_uri"] != nil {
		s.T.Errorf("%v", made)
	}
	return program{s, made["client_id"].(string)}
}

// address is that of the page that asks, with changes in pairs of name and value.
func (p program) address(changes ...string) string {
	sum := sha256.Sum256([]byte(verifier))
	query := url.Values{"response_type": {"code"}, "client_id": {p.client}, "redirect_uri": {callback},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
		"state": {"a state"}}
	for i := 0; i < len(changes); i += 2 {
		query.Set(changes[i], changes[i+1])
	}
	return "/oauth/authorize?" + query.Encode()
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// fields are those that a page's form carries on.
func fields(page string) url.Values {
	values := url.Values{}
	for _, each := range hidden.FindAllStringSubmatch(page, -1) {
		values.Set(each[1], html.UnescapeString(each[2]))
	}
	return values
}

// answer presses a button of the page in a browser and returns the answer.
func (p program) answer(b apptest.Browser, button string, changes ...string) apptest.Answer {
	p.s.T.Helper()
	page := b.Send(http.MethodGet, p.address(changes...), "", nil)
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Let it in") {
		p.s.T.Fatalf("the page: %d %s", page.Status, page.Body)
	}
	values := fields(string(page.Body))
	values.Set("answer", button)
	stay := b
	stay.Client = &http.Client{Jar: b.Jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return stay.Send(http.MethodPost, "/oauth/authorize", values.Encode(), apptest.FromPage)
}

// told returns what the program hears at its address.
func told(t *testing.T, got apptest.Answer) url.Values {
	t.Helper()
	to, query, _ := strings.Cut(got.Header.Get("Location"), "?")
	values, err := url.ParseQuery(query)
	if got.Status != http.StatusSeeOther || to != callback || err != nil {
		t.Fatalf("%d to %q", got.Status, got.Header.Get("Location"))
	}
	if got.Header.Get("Referrer-Policy") != "no-referrer" || got.Header.Get("Cache-Control") != "no-store" {
		t.Error(got.Header)
	}
	return values
}

type tokens struct {
	Access    string `json:"access_token"`
	Kind      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"`
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

func (p program) redeem(code string) apptest.Answer {
	return p.post("/oauth/token", "grant_type", "authorization_code", "code", code, "redirect_uri", callback,
		"code_verifier", verifier)
}

// post sends a form with the program's id.
func (p program) post(path string, pairs ...string) apptest.Answer {
	values := url.Values{"client_id": {p.client}}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return send(p.s, http.MethodPost, path, values.Encode(), form)
}

// letIn lets the program in and returns its tokens.
func (p program) letIn(b apptest.Browser, changes ...string) tokens {
	p.s.T.Helper()
	return decode[tokens](p.s.T, p.redeem(told(p.s.T, p.answer(b, "allow", changes...)).Get("code")), http.StatusOK)
}

// me returns the status of a call with a token.
func me(s *apptest.Server, token string) int {
	return s.Raw(http.MethodGet, "/v1/user", token, nil).Status
}

// TestAPersonLetsAProgramIn is the whole way, from what the server says of itself to the end of it.
func TestAPersonLetsAProgramIn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		type metadata struct {
			Issuer       string   `json:"issuer"`
			Authorize    string   `json:"authorization_endpoint"`
			Token        string   `json:"token_endpoint"`
			Registration string   `json:"registration_endpoint"`
			Revocation   string   `json:"revocation_endpoint"`
			Methods      []string `json:"code_challenge_methods_supported"`
			Scopes       []string `json:"scopes_supported"`
		}
		about := decode[metadata](t, send(s, http.MethodGet, "/.well-known/oauth-authorization-server", "", nil), 200)
		if about.Issuer != s.Base || about.Authorize != s.Base+"/oauth/authorize" || about.Token != s.Base+
			"/oauth/token" || about.Registration != s.Base+"/oauth/register" || about.Revocation != s.Base+
			"/oauth/revoke" || strings.Join(about.Methods, "") != "S256" || len(about.Scopes) < 10 {
			t.Errorf("%+v", about)
		}
		resource := decode[map[string]any](t, send(s, http.MethodGet, "/.well-known/oauth-protected-resource", "", nil),
			200)
		if resource["resource"] != s.Base {
			t.Error(resource)
		}
		p := register(s, "<b>Tool</b>")
		// Who is signed out signs in first, and comes back to the page.
		out := send(s, http.MethodGet, p.address(), "", nil)
		if out.Status != http.StatusSeeOther || out.Header.Get("Location") != "/signin?next="+url.QueryEscape(
			p.address()) {
			t.Fatalf("%d %s", out.Status, out.Header.Get("Location"))
		}
		b := s.SignedIn()
		page := b.Send(http.MethodGet, p.address("scope", "spaces:read sites:write"), "", nil)
		for _, text := range []string{"&lt;b&gt;Tool&lt;/b&gt;", "127.0.0.1:43123", "Read spaces", "Change sites",
			"ada@example.org"} {
			if !strings.Contains(string(page.Body), text) {
				t.Errorf("the page lacks %s\n%s", text, page.Body)
			}
		}
		policy := page.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || page.Header.Get("X-Frame-Options") != "DENY" ||
			!strings.Contains(policy, "form-action 'self' http://127.0.0.1:43123;") {
			t.Error(policy, page.Header)
		}
		heard := told(t, p.answer(b, "allow", "scope", "spaces:read users:read"))
		if heard.Get("state") != "a state" || heard.Get("iss") != s.Base {
			t.Error(heard)
		}
		got := p.redeem(heard.Get("code"))
		if got.Header.Get("Cache-Control") != "no-store" {
			t.Error(got.Header)
		}
		limited := decode[tokens](t, got, 200)
		if limited.Kind != "Bearer" || limited.ExpiresIn != 3600 || limited.Scope != "spaces:read users:read" {
			t.Errorf("%+v", limited)
		}
		s.CallAs(limited.Access, http.MethodGet, "/v1/user", nil, http.StatusOK, nil)
		s.CallAs(limited.Access, http.MethodPatch, "/v1/orgs/"+s.Organization, map[string]any{"title": "x"},
			http.StatusForbidden, nil)
		all := p.letIn(b)
		s.CallAs(all.Access, http.MethodGet, "/v1/orgs/"+s.Organization, nil, http.StatusOK, nil)
		next := decode[tokens](t, p.post("/oauth/token", "grant_type", "refresh_token", "refresh_token",
			all.Refresh), 200)
		if me(s, next.Access) != 200 {
			t.Error("a refreshed token does not work")
		}
		// The account lists them beside personal tokens, and ends them.
		list := string(b.Send(http.MethodGet, "/account/tokens", "", nil).Body)
		if strings.Count(list, "/account/programs/") != 2 || !strings.Contains(list, "Read spaces, Read users") ||
			!strings.Contains(list, "&lt;b&gt;Tool") {
			t.Error(list)
		}
		var personal struct{ Count int }
		s.Call(http.MethodGet, "/v1/user/tokens", nil, http.StatusOK, &personal)
		if personal.Count != 1 {
			t.Errorf("%d personal tokens, want that of the operator", personal.Count)
		}
		end := regexp.MustCompile(`/account/programs/[a-z0-9_]+/end`).FindString(list) // the newest first
		if after := b.Send(http.MethodPost, end, "", apptest.FromPage); !strings.Contains(string(after.Body),
			"signed out") {
			t.Error(string(after.Body))
		}
		if me(s, all.Access) != 401 || me(s, next.Access) != 401 || me(s, limited.Access) != 200 {
			t.Error("ending one program ends something else")
		}
		if got := p.post("/oauth/revoke", "token", limited.Refresh); got.Status != 200 || me(s, limited.Access) != 401 {
			t.Error(got.Status)
		}
	})
}

// TestWhatProgramsAreRefused has the stories of somebody who wants what is not theirs.
func TestWhatProgramsAreRefused(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		p, b := register(s, "Tool"), s.SignedIn()
		stay := b
		stay.Client = &http.Client{Jar: b.Jar, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		for _, to := range []string{"https://evil.example/", "http://127.0.0.1@evil.example/callback",
			"http://localhost.evil/callback", callback + "#", "//evil.example/callback", "/account", ""} {
			got := stay.Send(http.MethodGet, p.address("redirect_uri", to), "", nil)
			if got.Status != http.StatusBadRequest || got.Header.Get("Location") != "" {
				t.Errorf("%s: %d %s", to, got.Status, got.Header.Get("Location"))
			}
		}
		unknown := stay.Send(http.MethodGet, p.address("client_id", "client_x"), "", nil)
		if unknown.Status != http.StatusNotFound || unknown.Header.Get("Location") != "" {
			t.Error(unknown.Status)
		}
		if heard := told(t, stay.Send(http.MethodGet, p.address("code_challenge_method", "plain"), "",
			nil)); heard.Get("error") != "invalid_request" || heard.Get("state") != "a state" {
			t.Error(heard)
		}
		if heard := told(t, p.answer(b, "deny")); heard.Get("error") != "access_denied" || heard.Has("code") {
			t.Error(heard)
		}
		// Consent is not skipped: not by another site's form, not by a form without the page, not the second time.
		values := fields(string(b.Send(http.MethodGet, p.address(), "", nil).Body))
		values.Set("answer", "allow")
		for name, send := range map[string]func() apptest.Answer{
			"another site": func() apptest.Answer {
				return stay.Send(http.MethodPost, "/oauth/authorize", values.Encode(), http.Header{
					"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"}})
			},
			"another origin": func() apptest.Answer {
				return stay.Send(http.MethodPost, "/oauth/authorize", values.Encode(), http.Header{
					"Content-Type": {"application/x-www-form-urlencoded"}, "Origin": {"https://evil.example"}})
			},
			"no page": func() apptest.Answer {
				without, _ := url.ParseQuery(values.Encode())
				without.Del("form")
				return stay.Send(http.MethodPost, "/oauth/authorize", without.Encode(), apptest.FromPage)
			},
			"another scope": func() apptest.Answer {
				wider, _ := url.ParseQuery(values.Encode())
				wider.Set("scope", "spaces:write")
				return stay.Send(http.MethodPost, "/oauth/authorize", wider.Encode(), apptest.FromPage)
			},
		} {
			if got := send(); got.Status != http.StatusForbidden || got.Header.Get("Location") != "" {
				t.Errorf("%s: %d %s", name, got.Status, got.Header.Get("Location"))
			}
		}
		p.letIn(b)
		if again := stay.Send(http.MethodGet, p.address(), "", nil); again.Status != http.StatusOK {
			t.Error("the second time nobody asks")
		}
		// The code of one program is of no use to another, nor without the verifier.
		code := told(t, p.answer(b, "allow")).Get("code")
		other := register(s, "Other")
		if got := decode[map[string]string](t, other.redeem(code), 400); got["error"] != "invalid_grant" {
			t.Error(got)
		}
		code = told(t, p.answer(b, "allow")).Get("code")
		if got := decode[map[string]string](t, p.post("/oauth/token", "grant_type", "authorization_code", "code", code,
			"redirect_uri", callback), 400); got["error"] != "invalid_grant" {
			t.Error(got)
		}
		replayed := p.answer(b, "allow")
		first := decode[tokens](t, p.redeem(told(t, replayed).Get("code")), 200)
		decode[map[string]string](t, p.redeem(told(t, replayed).Get("code")), 400)
		if me(s, first.Access) != 401 {
			t.Error("a replayed code leaves its token")
		}
		// Whoever is removed from the organization takes nothing along.
		member := s.OperatorAdds("grace@example.org", s.Organization, "read")
		grace := s.UserOf(member)
		b = s.BrowserWith("grace@example.org")
		hers := p.letIn(b)
		s.CallAs(hers.Access, http.MethodGet, "/v1/orgs/"+s.Organization, nil, http.StatusOK, nil)
		s.CallAs(hers.Access, http.MethodPatch, "/v1/orgs/"+s.Organization, map[string]any{"title": "x"},
			http.StatusForbidden, nil)
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/members/"+grace, nil, http.StatusResetContent, nil)
		s.CallAs(hers.Access, http.MethodGet, "/v1/orgs/"+s.Organization, nil, http.StatusUnauthorized, nil)
		decode[map[string]string](t, p.post("/oauth/token", "grant_type", "refresh_token", "refresh_token",
			hers.Refresh), 400)
		// A token of a client that is gone.
		last := p.letIn(s.BrowserOf(apptest.AdasPassword))
		s.Exec(`DELETE FROM oauth_client WHERE id = $1`, p.client)
		if me(s, last.Access) != 401 {
			t.Error("the token of a client that is gone works")
		}
	})
}

func TestMalformedRequests(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		asJSON := http.Header{"Content-Type": {"application/json"}}
		for name, c := range map[string]struct {
			path, body string
			header     http.Header
			want       string
		}{
			"no form":           {"/oauth/token", `{}`, asJSON, "invalid_request"},
			"no grant":          {"/oauth/token", "", form, "invalid_request"},
			"a password":        {"/oauth/token", "grant_type=password&username=a", form, "unsupported_grant_type"},
			"twice":             {"/oauth/token", "grant_type=refresh_token&grant_type=x", form, "invalid_request"},
			"an unknown token":  {"/oauth/token", "grant_type=refresh_token&refresh_token=x", form, "invalid_grant"},
			"a large form":      {"/oauth/token", strings.Repeat("a", 40<<10), form, "invalid_request"},
			"nothing to revoke": {"/oauth/revoke", "", form, "invalid_request"},
			"no JSON":           {"/oauth/register", "{", asJSON, "invalid_client_metadata"},
			"a form":            {"/oauth/register", "a=b", form, "invalid_client_metadata"},
			"no address":        {"/oauth/register", "{}", asJSON, "invalid_redirect_uri"},
			"a large one": {"/oauth/register", `{"client_name":"` + strings.Repeat("a", 40<<10), asJSON,
				"invalid_client_metadata"},
			"a NUL": {"/oauth/token", "grant_type=refresh_token&refresh_token=rcr_%00", form, "invalid_grant"},
			"a client of a NUL": {"/oauth/token", "grant_type=refresh_token&client_id=%00&refresh_token=rcr_" +
				strings.Repeat("a", 40), form, "invalid_grant"},
			"parameters in front": {"/oauth/token?grant_type=refresh_token", "", form, "invalid_request"},
		} {
			got := decode[map[string]string](t, send(s, http.MethodPost, c.path, c.body, c.header), 400)
			if got["error"] != c.want || got["error_description"] == "" {
				t.Errorf("%s: %v", name, got)
			}
		}
		if got := send(s, http.MethodGet, "/oauth/token", "", nil); got.Status != http.StatusMethodNotAllowed {
			t.Error(got.Status)
		}
	})
}

// TestWhatIsLetInIsListedAndEndedByTheAPI does what the account's page does.
func TestWhatIsLetInIsListedAndEndedByTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		b, other := s.SignedIn(), s.Member("read", "reader@example.org")
		limited := register(s, "Limited").letIn(b, "scope", "spaces:read users:read")
		ended := register(s, "All")
		all := ended.letIn(b)
		type listed struct {
			Object, ID, Name, LastUsedAt string
			Scopes                       []string
		}
		var list struct {
			Count int
			Items []listed
			Next  *struct{ Page string }
		}
		const at = "/v1/user/programs"
		s.Call(http.MethodGet, at, nil, http.StatusOK, &list)
		if list.Count != 2 || list.Items[0].Name != "All" || len(list.Items[0].Scopes) != 0 ||
			list.Items[1].Name != "Limited" || strings.Join(list.Items[1].Scopes, " ") != "spaces:read users:read" {
			t.Fatalf("%+v", list)
		}
		first, second := list.Items[0].ID, list.Items[1].ID
		s.Call(http.MethodGet, at+"?limit=1", nil, http.StatusOK, &list)
		if list.Items[0].ID != first || list.Next == nil {
			t.Fatalf("%+v", list)
		}
		next := list.Next.Page
		list.Next = nil
		s.Call(http.MethodGet, at+"?limit=1&page="+next, nil, http.StatusOK, &list)
		if list.Items[0].ID != second || list.Next != nil {
			t.Fatalf("%+v", list)
		}
		// Others see and end none of them, nor does a program that may only read.
		s.CallAs(other, http.MethodGet, at, nil, http.StatusOK, &list)
		if list.Count != 0 || len(list.Items) != 0 {
			t.Errorf("somebody else: %+v", list)
		}
		s.CallAs(other, http.MethodDelete, at+"/"+first, nil, http.StatusNotFound, nil)
		s.CallAs(limited.Access, http.MethodDelete, at+"/"+first, nil, http.StatusForbidden, nil)
		for _, typo := range []string{"authorization_0", "token_" + strings.Repeat("0", 26), "%00"} {
			s.Call(http.MethodDelete, at+"/"+typo, nil, http.StatusNotFound, nil)
		}
		if me(s, all.Access) != 200 || me(s, limited.Access) != 200 {
			t.Fatal("who may not has ended a program")
		}
		s.Call(http.MethodDelete, at+"/"+first, nil, http.StatusNoContent, nil)
		if me(s, all.Access) != 401 || me(s, limited.Access) != 200 {
			t.Error("ending one program ends something else, or nothing")
		}
		if got := ended.post("/oauth/token", "grant_type", "refresh_token", "refresh_token",
			all.Refresh); got.Status != http.StatusBadRequest {
			t.Errorf("a program that was ended renews its token: %d", got.Status)
		}
		s.Call(http.MethodDelete, at+"/"+first, nil, http.StatusNoContent, nil) // again changes nothing
		s.Call(http.MethodGet, at, nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].ID != second || list.Items[0].LastUsedAt == "" {
			t.Errorf("%+v", list)
		}
	})
}
