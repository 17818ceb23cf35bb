package oauth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is a service with one person, in a session, and one client. Its clock stands still until it is moved.
type fixture struct {
	*oauth.Service
	t        *testing.T
	db       *db.DB
	accounts *account.Service
	passed   atomic.Int64
	caller   account.Caller
	client   oauth.Client
}

func (f *fixture) now() time.Time {
	return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(f.passed.Load()))
}

const redirect = "http://127.0.0.1:43123/callback"

func each(t *testing.T, test func(t *testing.T, f *fixture)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := &fixture{t: t, db: d}
		f.accounts = accounttest.NewService(account.Deps{DB: d, Now: f.now,
			Scopes: []string{"spaces:read", "spaces:write", "users:read"}}, account.Hooks{
			Organizations: func(context.Context, db.Querier, id.User) ([]id.Organization, error) { return nil, nil }})
		f.Service = oauth.New(oauth.Deps{DB: d, Accounts: f.accounts, Key: []byte("0123456789abcdef"), Now: f.now})
		f.caller = f.person("ada@example.org")
		f.client = f.register("http://127.0.0.1/callback")
		test(t, f)
	})
}

// person makes a person who is signed in.
func (f *fixture) person(email string) account.Caller {
	f.t.Helper()
	user, err := f.accounts.CreateUser(f.t.Context(), account.NewUser{DisplayName: "Ada", Email: email})
	if err != nil {
		f.t.Fatal(err)
	}
	secret, _, err := f.accounts.StartSession(f.t.Context(), user.ID, account.NewSession{Method: account.ByPassword})
	if err != nil {
		f.t.Fatal(err)
	}
	caller, err := f.accounts.AuthenticateSession(f.t.Context(), secret)
	if err != nil {
		f.t.Fatal(err)
	}
	return caller
}

func (f *fixture) register(uris ...string) oauth.Client {
	f.t.Helper()
	client, err := f.Register(f.t.Context(), oauth.NewClient{Name: "Tool", RedirectURIs: uris})
	if err != nil {
		f.t.Fatal(err)
	}
	return client
}

var verifier = strings.Repeat("v", 43)

func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// query is what the client asks, with changes in pairs of name and value.
func (f *fixture) query(changes ...string) url.Values {
	values := url.Values{"response_type": {"code"}, "client_id": {f.client.ID}, "redirect_uri": {redirect},
		"code_challenge": {challenge(verifier)}, "code_challenge_method": {"S256"}, "state": {"s"}}
	for i := 0; i < len(changes); i += 2 {
		values.Set(changes[i], changes[i+1])
	}
	return values
}

// agree lets the client in and returns its code.
func (f *fixture) agree(changes ...string) string {
	f.t.Helper()
	request, err := f.ReadRequest(f.t.Context(), f.query(changes...))
	if err != nil {
		f.t.Fatal(err)
	}
	code, err := f.Agree(f.t.Context(), f.caller, request, f.Form(f.caller, request))
	if err != nil {
		f.t.Fatal(err)
	}
	return code
}

func (f *fixture) redeem(code string) (oauth.Tokens, error) {
	return f.Redeem(f.t.Context(), oauth.Exchange{Client: f.client.ID, Code: code, RedirectURI: redirect,
		Verifier: verifier})
}

// tokens lets the client in and returns its first tokens.
func (f *fixture) tokens(changes ...string) oauth.Tokens {
	f.t.Helper()
	tokens, err := f.redeem(f.agree(changes...))
	if err != nil {
		f.t.Fatal(err)
	}
	return tokens
}

// works reports whether an access token does.
func (f *fixture) works(tokens oauth.Tokens) bool {
	caller, err := f.accounts.Authenticate(f.t.Context(), tokens.Access)
	return err == nil && caller.User.ID == f.caller.User.ID
}

func (f *fixture) wantCode(err error, code string) {
	f.t.Helper()
	refusal, ok := errors.AsType[*oauth.Refusal](err)
	if !ok || refusal.Code != code {
		f.t.Errorf("got %v, want %s", err, code)
	}
}

func TestACodeIsGoodForOnceAndItsTokensEndWithItsMisuse(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		code := f.agree()
		tokens, err := f.redeem(code)
		if err != nil || !f.works(tokens) || len(tokens.Scopes) != 0 {
			t.Fatal(tokens, err)
		}
		list, err := f.List(t.Context(), f.caller, paging.Request{})
		if err != nil || list.Count != 1 || len(list.Items) != 1 || list.Items[0].Client.Name != "Tool" {
			t.Fatal(list, err)
		}
		_, err = f.redeem(code)
		f.wantCode(err, oauth.InvalidGrant)
		if f.works(tokens) {
			t.Error("a code came twice, and its tokens work on")
		}
		_, err = f.Refresh(t.Context(), f.client.ID, tokens.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
		if list, err := f.List(t.Context(), f.caller, paging.Request{}); err != nil || list.Count != 0 ||
			len(list.Items) != 0 {
			t.Error(list, err)
		}
	})
}

func TestACodeIsOfNoUseToOthers(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other := f.register("http://127.0.0.1/callback")
		for name, change := range map[string]func(*oauth.Exchange){
			"no verifier":         func(e *oauth.Exchange) { e.Verifier = "" },
			"another verifier":    func(e *oauth.Exchange) { e.Verifier = strings.Repeat("w", 43) },
			"the challenge":       func(e *oauth.Exchange) { e.Verifier = challenge(verifier) },
			"another client":      func(e *oauth.Exchange) { e.Client = other.ID },
			"no client":           func(e *oauth.Exchange) { e.Client = "" },
			"another port":        func(e *oauth.Exchange) { e.RedirectURI = "http://127.0.0.1:9/callback" },
			"no address":          func(e *oauth.Exchange) { e.RedirectURI = "" },
			"no code":             func(e *oauth.Exchange) { e.Code = "" },
			"another's code":      func(e *oauth.Exchange) { e.Code = "rcc_" + strings.Repeat("a", 40) },
			"an access token":     func(e *oauth.Exchange) { e.Code = "rct_" + strings.Repeat("a", 40) },
			"a verifier too long": func(e *oauth.Exchange) { e.Verifier = strings.Repeat("v", 129) },
		} {
			exchange := oauth.Exchange{Client: f.client.ID, Code: f.agree(), RedirectURI: redirect, Verifier: verifier}
			code := exchange.Code
			change(&exchange)
			if _, err := f.Redeem(t.Context(), exchange); err == nil {
				t.Errorf("%s: tokens", name)
			} else {
				f.wantCode(err, oauth.InvalidGrant)
			}
			// A code that somebody else has tried is burnt.
			if _, err := f.redeem(code); exchange.Code == code && err == nil {
				t.Errorf("%s: the code works on", name)
			}
		}
		late := f.agree()
		f.passed.Add(int64(time.Minute))
		_, err := f.redeem(late)
		f.wantCode(err, oauth.InvalidGrant)
	})
}

func TestRefreshTokensRotate(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		first := f.tokens("scope", "spaces:read users:read openid unknown:read")
		if strings.Join(first.Scopes, " ") != "spaces:read users:read" {
			t.Error(first.Scopes)
		}
		f.passed.Add(int64(oauth.TokenLife))
		if f.works(first) {
			t.Error("a token works after its end")
		}
		second, err := f.Refresh(t.Context(), f.client.ID, first.Refresh, "spaces:read")
		if err != nil || !f.works(second) || strings.Join(second.Scopes, " ") != "spaces:read" {
			t.Fatal(second, err)
		}
		_, err = f.Refresh(t.Context(), f.client.ID, second.Refresh, "spaces:write")
		f.wantCode(err, oauth.InvalidScope)
		third, err := f.Refresh(t.Context(), f.client.ID, second.Refresh, "")
		if err != nil || strings.Join(third.Scopes, " ") != "spaces:read users:read" {
			t.Fatal(third, err)
		}
		// The second one again: it is in two hands.
		_, err = f.Refresh(t.Context(), f.client.ID, second.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
		if f.works(second) || f.works(third) {
			t.Error("a refresh token came twice, and the tokens work on")
		}
		_, err = f.Refresh(t.Context(), f.client.ID, third.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
		f.caller = f.person("grace@example.org")
		// Another program's, and one that nobody has used for long.
		stolen := f.tokens()
		_, err = f.Refresh(t.Context(), f.register("http://127.0.0.1/x").ID, stolen.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
		if f.works(stolen) {
			t.Error("another program has used a refresh token, and the tokens work on")
		}
		idle := f.tokens()
		f.passed.Add(int64(90 * 24 * time.Hour))
		_, err = f.Refresh(t.Context(), f.client.ID, idle.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
	})
}

func TestTokensEndWithTheirClientPersonAndRevocation(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		access, whole := f.tokens(), f.tokens()
		other := f.register("http://127.0.0.1/x")
		f.wantCode(f.Revoke(t.Context(), other.ID, access.Access), oauth.InvalidGrant)
		f.wantCode(f.Revoke(t.Context(), other.ID, access.Refresh), oauth.InvalidGrant)
		if err := errors.Join(f.Revoke(t.Context(), f.client.ID, access.Access),
			f.Revoke(t.Context(), f.client.ID, "nonsense"), f.Revoke(t.Context(), "", "rcr_"+strings.Repeat("a", 40)),
			f.Revoke(t.Context(), f.client.ID, whole.Refresh)); err != nil {
			t.Fatal(err)
		}
		if f.works(access) || f.works(whole) {
			t.Error("a token works after it was given back")
		}
		if _, err := f.Refresh(t.Context(), f.client.ID, access.Refresh, ""); err != nil {
			t.Errorf("giving an access token back has ended all: %v", err)
		}
		// Personal tokens are not given back here.
		personal, _, err := f.accounts.CreateTokenAs(t.Context(), f.caller, account.NewToken{Name: "n"})
		if err != nil || f.Revoke(t.Context(), f.client.ID, personal) != nil {
			t.Fatal(err)
		}
		if _, err := f.accounts.Authenticate(t.Context(), personal); err != nil {
			t.Error(err)
		}
		// By the person, and by nobody else.
		mine := f.tokens()
		list, err := f.List(t.Context(), f.caller, paging.Request{})
		if err != nil || len(list.Items) == 0 {
			t.Fatal(list, err)
		}
		stranger := f.person("eve@example.org")
		if err := f.End(t.Context(), stranger, list.Items[0].ID); !errs.Is(err, errs.NotFound) || !f.works(mine) {
			t.Error(err)
		}
		if none, err := f.List(t.Context(), stranger, paging.Request{}); err != nil || len(none.Items) != 0 {
			t.Error(none, err)
		}
		// A page of one has a next one, which goes on behind it.
		f.tokens()
		listed, err := f.List(t.Context(), f.caller, paging.Request{})
		if err != nil || listed.Count != len(listed.Items) || listed.Count < 2 || listed.Next != nil {
			t.Fatal(listed, err)
		}
		var paged []string
		for request := (paging.Request{Limit: 1}); ; {
			one, err := f.List(t.Context(), f.caller, request)
			if err != nil || len(one.Items) != 1 || one.Count != listed.Count {
				t.Fatal(one, err)
			}
			paged = append(paged, one.Items[0].ID)
			if request.After = one.Next; one.Next == nil {
				break
			}
		}
		for i, each := range listed.Items {
			if paged[i] != each.ID {
				t.Errorf("pages have %v, the list %v", paged, listed.Items)
			}
		}
		if err := f.End(t.Context(), f.caller, list.Items[0].ID); err != nil || f.works(mine) {
			t.Error(err)
		}
		// Of a client, and of a person, that is gone.
		left := f.tokens()
		f.exec(`DELETE FROM oauth_client WHERE id = $1`, f.client.ID)
		if f.works(left) {
			t.Error("a token works whose client is gone")
		}
		_, err = f.Refresh(t.Context(), f.client.ID, left.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
		if _, err := f.ReadRequest(t.Context(), f.query()); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		f.client = f.register("http://127.0.0.1/callback")
		left = f.tokens()
		f.exec(`DELETE FROM account_user WHERE id = $1`, f.caller.User.ID)
		if f.works(left) {
			t.Error("a token works whose person is gone")
		}
		_, err = f.Refresh(t.Context(), f.client.ID, left.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
	})
}

func (f *fixture) exec(statement string, args ...any) {
	f.t.Helper()
	err := f.db.Tx(f.t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, statement, args...)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// TestTokensOfProgramsAreNoPersonalTokens: they are in no list of tokens, and pass on no more than they have.
func TestTokensOfProgramsAreNoPersonalTokens(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		tokens := f.tokens("scope", "spaces:read")
		caller, err := f.accounts.Authenticate(t.Context(), tokens.Access)
		if err != nil || !caller.Token.Allows("spaces:read") || caller.Token.Allows("spaces:write") {
			t.Fatal(caller, err)
		}
		if _, err := f.accounts.TokenByID(t.Context(), f.caller, caller.Token.ID); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		for _, more := range []account.NewToken{{Name: "n"}, {Name: "n", Scopes: []string{"spaces:read"}},
			{Name: "n", Scopes: []string{"spaces:write"}, ExpiresAt: f.now().Add(time.Minute)}} {
			if _, _, err := f.accounts.CreateTokenAs(t.Context(), caller, more); !errs.Is(err, errs.Forbidden) {
				t.Errorf("%+v: %v", more, err)
			}
		}
	})
}

func TestRequestsThatAreRefused(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		// Nothing says that the address is the program's: the person hears of it, and nobody else.
		for name, changes := range map[string][]string{
			"an unknown client":   {"client_id", "client_00000000000000000000000000"},
			"no client":           {"client_id", ""},
			"another path":        {"redirect_uri", "http://127.0.0.1:1/other"},
			"a path below":        {"redirect_uri", "http://127.0.0.1:1/callback/"},
			"a query":             {"redirect_uri", redirect + "?a=b"},
			"another host":        {"redirect_uri", "http://localhost:1/callback"},
			"the web":             {"redirect_uri", "https://evil.example/callback"},
			"TLS":                 {"redirect_uri", "https://127.0.0.1/callback"},
			"a user":              {"redirect_uri", "http://127.0.0.1:80@evil.example/callback"},
			"a user before":       {"redirect_uri", "http://evil.example@127.0.0.1/callback"},
			"a fragment":          {"redirect_uri", redirect + "#x"},
			"a longer host":       {"redirect_uri", "http://127.0.0.1.evil.example/callback"},
			"a backslash":         {"redirect_uri", `http://127.0.0.1\.evil.example/callback`},
			"a script":            {"redirect_uri", "javascript:alert(1)//callback"},
			"no address":          {"redirect_uri", ""},
			"a strange port":      {"redirect_uri", "http://127.0.0.1:0080/callback"},
			"a port out of range": {"redirect_uri", "http://127.0.0.1:65536/callback"},
		} {
			request, err := f.ReadRequest(t.Context(), f.query(changes...))
			if _, ok := errors.AsType[*oauth.Refusal](err); err == nil || ok || request.RedirectURI != "" {
				t.Errorf("%s: %+v %v", name, request, err)
			}
		}
		twice := f.query()
		twice.Add("redirect_uri", "http://evil.example/")
		if _, err := f.ReadRequest(t.Context(), twice); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		// These go back to the program.
		for code, changes := range map[string][]string{
			oauth.UnsupportedAnswer: {"response_type", "token"},
			oauth.InvalidScope:      {"scope", "unknown:read"},
			oauth.InvalidRequest:    {"state", strings.Repeat("s", 501)},
		} {
			_, err := f.ReadRequest(t.Context(), f.query(changes...))
			f.wantCode(err, code)
		}
		for _, changes := range [][]string{{"code_challenge_method", "plain"}, {"code_challenge_method", ""},
			{"code_challenge", ""}, {"code_challenge", verifier[:42]}, {"code_challenge", challenge(verifier) + "="}} {
			_, err := f.ReadRequest(t.Context(), f.query(changes...))
			f.wantCode(err, oauth.InvalidRequest)
		}
	})
}

// TestNobodyAgreesUnseen: the form is good for one request, in one session, for a while, soon after signing in.
func TestNobodyAgreesUnseen(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		request, err := f.ReadRequest(t.Context(), f.query("scope", "spaces:read"))
		if err != nil {
			t.Fatal(err)
		}
		wider, err := f.ReadRequest(t.Context(), f.query())
		if err != nil {
			t.Fatal(err)
		}
		form := f.Form(f.caller, request)
		eve := f.person("eve@example.org")
		for name, agree := range map[string]func() (string, error){
			"no form":         func() (string, error) { return f.Agree(t.Context(), f.caller, request, "") },
			"another request": func() (string, error) { return f.Agree(t.Context(), f.caller, wider, form) },
			"another person":  func() (string, error) { return f.Agree(t.Context(), eve, request, form) },
			"her form": func() (string, error) {
				return f.Agree(t.Context(), f.caller, request, f.Form(eve, request))
			},
		} {
			if _, err := agree(); !errs.Is(err, errs.Forbidden) {
				t.Errorf("%s: %v", name, err)
			}
		}
		f.passed.Add(int64(15 * time.Minute))
		if _, err := f.Agree(t.Context(), f.caller, request, form); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		f.passed.Add(int64(15 * time.Minute))
		if _, err := f.Agree(t.Context(), f.caller, request, f.Form(f.caller, request)); !errs.Is(err,
			errs.Precondition) {
			t.Error(err)
		}
	})
}

func TestRegistration(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for _, uri := range []string{"", "http://example.org/cb", "https://127.0.0.1/cb",
			"http://localhost.evil/cb", "http://127.0.0.1@evil.example/", "http://u:p@localhost/cb",
			"http://localhost/cb#f", "javascript:alert(1)",
			"http://127.0.0.2/", "http://[::2]/", "http://LOCALHOST/", "http://localhost:/", "myapp://cb", "http:///cb",
			"http://localhost/\n", "http://127.1/", "http://2130706433/",
			"http://localhost/" + strings.Repeat("a", 500), "http://0.0.0.0/"} {
			_, err := f.Register(t.Context(), oauth.NewClient{Name: "n", RedirectURIs: []string{uri}})
			f.wantCode(err, oauth.InvalidRedirectURI)
		}
		for _, uri := range []string{"http://localhost", "http://[::1]:8080/cb?x=1", "http://127.0.0.1/"} {
			f.register(uri)
		}
		for _, in := range []oauth.NewClient{{AuthMethod: "client_secret_basic"}, {GrantTypes: []string{"password"}},
			{ResponseTypes: []string{"token"}}} {
			in.RedirectURIs = []string{"http://localhost/"}
			_, err := f.Register(t.Context(), in)
			f.wantCode(err, oauth.InvalidMetadata)
		}
		for name, want := range map[string]string{
			"": "A program without a name", "  A\n\tB\u202e\u200b ": "A B", "x\xff": "x",
			strings.Repeat("n", 200): strings.Repeat("n", 80) + "…",
		} {
			client, err := f.Register(t.Context(), oauth.NewClient{Name: name,
				RedirectURIs: []string{"http://localhost/"}})
			if err != nil || client.Name != want {
				t.Errorf("%q is %q, %v", name, client.Name, err)
			}
		}
	})
}

// TestUnusedClientsGoAway: anybody may register, so there is room for so many, and for a day.
func TestUnusedClientsGoAway(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		used := f.tokens()
		f.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
			INSERT INTO oauth_client (id, name, redirect_uris, created_at)
			SELECT 'client_flood' || i, 'n', '[]', CAST($1 AS BIGINT) FROM n`, f.now().UnixMicro())
		_, err := f.Register(t.Context(), oauth.NewClient{RedirectURIs: []string{"http://localhost/"}})
		f.wantCode(err, oauth.Unavailable)
		f.passed.Add(int64(16 * time.Minute))
		fresh := f.register("http://localhost/")
		f.passed.Add(int64(23 * time.Hour))
		count := func() (n int) {
			if err := f.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := f.db.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM oauth_client`).Scan(
				&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if got := count(); got != 2 {
			t.Errorf("%d clients are left, want that in use and that of today", got)
		}
		f.passed.Add(int64(time.Hour))
		f.client.ID, fresh.ID = fresh.ID, f.client.ID
		if got := count(); got != 1 {
			t.Errorf("%d clients are left, want that in use", got)
		}
		if _, err := f.Refresh(t.Context(), fresh.ID, used.Refresh, ""); err != nil {
			t.Error(err)
		}
		f.passed.Add(int64(300 * 24 * time.Hour))
		if got := count(); got != 0 {
			t.Errorf("%d clients are left", got)
		}
	})
}

// TestWhatOneOrganizationVouchesFor: tokens carry the mark of the session, and end when the address is proven.
func TestWhatOneOrganizationVouchesFor(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.caller.Token.VouchedBy, f.caller.Token.Through = "org_a", "org_a"
		tokens := f.tokens()
		caller, err := f.accounts.Authenticate(t.Context(), tokens.Access)
		if err != nil || caller.VouchedBy() != "org_a" || caller.Through() != "org_a" {
			t.Fatal(caller, err)
		}
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if _, err := f.accounts.Prove(ctx, q, f.caller.User.ID, ""); err != nil {
				return err
			}
			return oauth.EndVouched(ctx, q, f.caller.User.ID)
		})
		if err != nil || f.works(tokens) {
			t.Error("what was not proven works on", err)
		}
		_, err = f.Refresh(t.Context(), f.client.ID, tokens.Refresh, "")
		f.wantCode(err, oauth.InvalidGrant)
	})
}

func TestAnswers(t *testing.T) {
	request := oauth.Request{RedirectURI: "http://127.0.0.1:1/cb?a=b"}
	got := request.Answer("https://docs.example.org", "code", "x&y")
	if got != "http://127.0.0.1:1/cb?a=b&code=x%26y&iss=https%3A%2F%2Fdocs.example.org" {
		t.Error(got)
	}
}
