package identity_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// op is an OpenID provider that says whatever a test wants.
type op struct {
	*httptest.Server
	h        *fixture
	provider identity.Provider
	// key signs, under the algorithm and the key id of the header.
	key    *rsa.PrivateKey
	header map[string]any
	// claims are put over those that are right.
	claims map[string]any
	// userinfo is what it says of the user; described is put over its description.
	userinfo, described map[string]any
	// token is what the token endpoint was asked last.
	token  url.Values
	secret string
	nonce  string
	hmac   []byte
}

func newOP(h *fixture) *op {
	h.t.Helper()
	p := &op{h: h, key: keys()[0]}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	h.t.Cleanup(p.Close)
	var err error
	p.provider, err = h.service.Create(h.t.Context(), h.admin, h.org, identity.NewProvider{
		Kind: identity.OIDC, Label: "Open Login", Issuer: p.URL, ClientID: "recto", ClientSecret: "hush",
		DefaultRole: optional.Of(org.RoleEdit),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (p *op) serve(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer = map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri":          p.URL + "/keys",
			"userinfo_endpoint": p.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"RS256",
				"HS256", "none"},
		}
		maps.Copy(answer, p.described)
	case "/keys":
		public := keys()[0].PublicKey
		answer["keys"] = []any{map[string]any{
			"kty": "RSA", "use": "sig", "kid": "1", "n": base64.RawURLEncoding.EncodeToString(public.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(public.E)).Bytes()),
		}}
	case "/token":
		_ = r.ParseForm()
		p.token = r.PostForm
		_, p.secret, _ = r.BasicAuth()
		if r.PostForm.Get("code") != "good" {
			w.WriteHeader(http.StatusBadRequest)
			answer["error"] = "invalid_grant"
			break
		}
		answer = map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60}
		if p.claims["id_token"] != "none" {
			answer["id_token"] = p.jwt()
		}
	case "/userinfo":
		answer = p.userinfo
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// jwt is the id token.
func (p *op) jwt() string {
	header := map[string]any{"alg": "RS256", "kid": "1"}
	maps.Copy(header, p.header)
	claims := map[string]any{
		"iss": p.URL, "sub": "248289761001", "aud": "recto", "nonce": p.nonce, "iat": p.h.now.Unix(),
		"exp":   p.h.now.Add(time.Minute).Unix(),
		"email": "grace@example.org", "email_verified": true, "name": "Grace Hopper",
	}
	for name, value := range p.claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	part := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	signed := part(header) + "." + part(claims)
	hash := sha256.Sum256([]byte(signed))
	var signature []byte
	switch header["alg"] {
	case "none":
	case "HS256":
		mac := hmac.New(sha256.New, p.hmac)
		mac.Write([]byte(signed))
		signature = mac.Sum(nil)
	default:
		signature, _ = rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, hash[:])
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// begin begins a sign-in and returns the parameters that the provider gets.
func (p *op) begin(b *browser) (state string, query url.Values) {
	p.h.t.Helper()
	beginning, err := p.h.service.Begin(p.h.t.Context(), identity.OIDC, p.provider.ID, "/account")
	if err != nil {
		p.h.t.Fatal(err)
	}
	b.attempts[beginning.ID] = beginning.Attempt
	parsed, err := url.Parse(beginning.URL)
	if err != nil {
		p.h.t.Fatal(err)
	}
	p.nonce = parsed.Query().Get("nonce")
	return beginning.ID, parsed.Query()
}

func (p *op) receive(b *browser, in identity.Callback) (string, error) {
	in.Attempt = b.attempts[in.State]
	return p.h.service.ReceiveOIDC(p.h.t.Context(), p.provider.ID, in)
}

func TestOpenID(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		p := newOP(h)
		b := newBrowser()
		state, query := p.begin(b)
		if query.Get("state") != state || query.Get("code_challenge_method") != "S256" || query.Get("nonce") == "" ||
			query.Get("redirect_uri") != p.provider.Service.ACS ||
			query.Get("response_type") != "code" || !strings.Contains(query.Get("scope"), "openid") {
			t.Errorf("%v", query)
		}
		ticket, err := p.receive(b, identity.Callback{State: state, Code: "good"})
		if err != nil {
			t.Fatal(err)
		}
		challenge := sha256.Sum256([]byte(p.token.Get("code_verifier")))
		if base64.RawURLEncoding.EncodeToString(challenge[:]) != query.Get("code_challenge") || p.secret != "hush" {
			t.Errorf("%v, %q", p.token, p.secret)
		}
		outcome, err := h.finish(b, ticket, "")
		if err != nil || outcome.User.Email != "grace@example.org" || outcome.Kind != identity.OIDC ||
			outcome.ReturnTo != "/account" {
			t.Fatalf("%+v, %v", outcome, err)
		}
		if member, _ := h.memberOf(h.org, outcome.User.ID); member.Role != org.RoleEdit || !member.SSO {
			t.Errorf("%+v", member)
		}
		// The subject is who it is, whatever the address.
		p.claims = map[string]any{"email": "hopper@example.org"}
		b = newBrowser()
		state, _ = p.begin(b)
		if ticket, err = p.receive(b, identity.Callback{State: state, Code: "good", Issuer: p.URL}); err != nil {
			t.Fatal(err)
		}
		again, err := h.finish(b, ticket, "")
		if err != nil || again.User.ID != outcome.User.ID {
			t.Errorf("%+v, %v", again, err)
		}
		// What the id token leaves out is asked for.
		p.claims = map[string]any{"sub": "2", "email": nil, "email_verified": nil, "name": nil}
		p.userinfo = map[string]any{"sub": "2", "email": "linus@example.org", "email_verified": "true", "name": "Linus"}
		p.described = map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}
		b = newBrowser()
		state, _ = p.begin(b)
		if ticket, err = p.receive(b, identity.Callback{State: state, Code: "good"}); err != nil {
			t.Fatal(err)
		}
		if outcome, err = h.finish(b, ticket, ""); err != nil || outcome.User.Email != "linus@example.org" ||
			p.token.Get("client_secret") != "hush" {
			t.Errorf("%+v, %v", outcome, err)
		}
	})
}

func TestForgedTokensAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		p := newOP(h)
		public, err := json.Marshal(keys()[0].PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		before := []int{h.count("account_user"), h.count("identity_arrival"), h.count("identity_link"),
			h.count("organization_member")}
		const unsigned = "not signed by the provider"
		for name, test := range map[string]struct {
			claims, header, userinfo, described map[string]any
			key                                 *rsa.PrivateKey
			hmac                                []byte
			callback                            func(identity.Callback) identity.Callback
			says                                string
			kind                                errs.Kind
		}{
			"algorithm none": {header: map[string]any{"alg": "none"}, says: unsigned},
			"an HMAC with the client secret": {header: map[string]any{"alg": "HS256"}, hmac: []byte("hush"),
				says: unsigned},
			"an HMAC with the public key": {header: map[string]any{"alg": "HS256"}, hmac: public,
				says: unsigned},
			"another key":                    {key: keys()[1], says: unsigned},
			"another key under another name": {key: keys()[1], header: map[string]any{"kid": "2"}, says: unsigned},
			"another issuer": {claims: map[string]any{"iss": "https://evil.example"},
				says: unsigned},
			"another audience": {claims: map[string]any{"aud": "other"}, says: unsigned},
			"an audience of two, made for other": {claims: map[string]any{"aud": []string{"recto", "other"},
				"azp": "other"}, says: "made for"},
			"an audience of two, made for none": {claims: map[string]any{"aud": []string{"recto", "other"}},
				says: "made for"},
			"expired": {claims: map[string]any{"exp": h.now.Add(-time.Second).Unix()},
				says: unsigned},
			"no expiry": {claims: map[string]any{"exp": nil}, says: unsigned},
			"not valid yet": {claims: map[string]any{"nbf": h.now.Add(time.Hour).Unix()},
				says: unsigned},
			"another nonce": {claims: map[string]any{"nonce": "x"}, says: "another sign-in"},
			"no nonce":      {claims: map[string]any{"nonce": nil}, says: "another sign-in"},
			"nobody":        {claims: map[string]any{"sub": nil}, says: "names nobody"},
			"an address that is not verified": {claims: map[string]any{"email_verified": false},
				says: "email_verified"},
			"an address of which nothing is said": {claims: map[string]any{"email_verified": nil},
				says: "email_verified"},
			"a word for verified": {claims: map[string]any{"email_verified": "false"},
				says: "email_verified"},
			"no id token": {claims: map[string]any{"id_token": "none"}, says: "no id token"},
			"a user of another subject": {
				claims: map[string]any{"email": nil}, userinfo: map[string]any{"sub": "other",
					"email": "ada@example.org", "email_verified": true}, says: "two people",
			},
			"an address of the user that is not verified": {
				claims: map[string]any{"email": nil}, userinfo: map[string]any{"sub": "248289761001",
					"email": "ada@example.org"}, says: "email_verified",
			},
			"another code": {
				callback: func(c identity.Callback) identity.Callback {
					c.Code = "bad"
					return c
				}, says: "does not accept the code",
			},
			"no code": {
				callback: func(c identity.Callback) identity.Callback { c.Code = ""; return c }, says: "no code",
			},
			"an error": {
				callback: func(c identity.Callback) identity.Callback { c.Error = "access_denied"; return c },
				says:     "access_denied",
			},
			"another state": {
				callback: func(c identity.Callback) identity.Callback {
					c.State = "x"
					return c
				}, says: "not begun in this browser",
			},
			"the answer of another provider": {
				callback: func(c identity.Callback) identity.Callback { c.Issuer = "https://evil.example"; return c },
				says:     "comes from the issuer",
			},
			"no issuer where one is promised": {
				described: map[string]any{"authorization_response_iss_parameter_supported": true},
				says:      "comes from the issuer",
			},
			"a description of another issuer": {described: map[string]any{"issuer": "https://evil.example"},
				says: "does not answer as", kind: errs.Unavailable},
		} {
			t.Run(name, func(t *testing.T) {
				b := newBrowser()
				p.claims, p.header, p.userinfo, p.described, p.key, p.hmac = nil, nil, nil, nil, keys()[0], nil
				state, _ := p.begin(b)
				p.claims, p.header, p.userinfo, p.described, p.hmac = test.claims, test.header, test.userinfo,
					test.described, test.hmac
				if test.key != nil {
					p.key = test.key
				}
				callback := identity.Callback{State: state, Code: "good"}
				if test.callback != nil {
					callback = test.callback(callback)
				}
				ticket, err := p.receive(b, callback)
				if ticket != "" {
					t.Error("there is a ticket")
				}
				if test.kind == errs.Internal {
					test.kind = errs.Forbidden
				}
				refuse(t, err, test.kind, test.says)
			})
		}
		for i, table := range []string{"account_user", "identity_arrival", "identity_link", "organization_member"} {
			if after := h.count(table); after != before[i] {
				t.Errorf("%s has %d rows, it had %d", table, after, before[i])
			}
		}
	})
}

func TestOpenIDAttemptsAreUsedOnce(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	p := newOP(h)
	b := newBrowser()
	state, _ := p.begin(b)
	if _, err := p.receive(b, identity.Callback{State: state, Code: "good"}); err != nil {
		t.Fatal(err)
	}
	_, err := p.receive(b, identity.Callback{State: state, Code: "good"})
	refuse(t, err, errs.Forbidden, "answered before")
	// An attempt at one provider is none at another, and none for ever.
	other := newOP(h)
	state, _ = p.begin(b)
	_, err = other.receive(b, identity.Callback{State: state, Code: "good"})
	refuse(t, err, errs.Forbidden, "not begun in this browser")
	h.now = h.now.Add(identity.AttemptLifetime)
	_, err = p.receive(b, identity.Callback{State: state, Code: "good"})
	refuse(t, err, errs.Forbidden, "not begun in this browser")
}

// TestOpenIDProvidersArePublic holds that nobody has the server ask addresses of its own network.
func TestOpenIDProvidersArePublic(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	p := newOP(h)
	h.deps.Fetch = fetch.New(fetch.Options{})
	h.service = identity.New(h.deps)
	_, err := h.service.Begin(t.Context(), identity.OIDC, p.provider.ID, "")
	refuse(t, err, errs.Unavailable, "is not public")
}
