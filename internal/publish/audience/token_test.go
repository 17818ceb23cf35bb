package audience_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// TestTokens holds tokens against the rules of one site: those that count, and all the ways of not counting.
func TestTokens(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	other := f.newSite("Other")
	auth, err := f.service.Auth(t.Context(), f.caller, f.organization, f.site.ID)
	if err != nil {
		t.Fatal(err)
	}
	otherAuth, err := f.service.Auth(t.Context(), f.caller, f.organization, other.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(auth.PrivateKey) < 43 || auth.PrivateKey == otherAuth.PrivateKey {
		t.Fatalf("keys %q and %q", auth.PrivateKey, otherAuth.PrivateKey)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	soon := f.now.Add(time.Hour).Unix()
	sign := func(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
		text, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	mine := []byte(auth.PrivateKey)
	good := sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": soon, "plan": "pro"})
	demanding := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"exp": soon})
	demanding.Header["crit"], demanding.Header["b64"] = []string{"b64"}, false
	critical, err := demanding.SignedString(mine)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	for name, test := range map[string]struct {
		token string
		want  error
	}{
		"good": {good, nil},
		"the same, not yet": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": soon, "nbf": soon - 10}),
			audience.ErrTokenInvalid},
		"expired": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": f.now.Unix() - 1}),
			audience.ErrTokenExpired},
		"expires now": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": f.now.Unix()}),
			audience.ErrTokenExpired},
		"expired, of another key": {sign(jwt.SigningMethodHS256, []byte("x"), jwt.MapClaims{"exp": f.now.Unix() - 1}),
			audience.ErrTokenInvalid},
		"no exp": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"plan": "pro"}),
			audience.ErrTokenInvalid},
		"exp as text": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": "tomorrow"}),
			audience.ErrTokenInvalid},
		"exp null": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": nil}),
			audience.ErrTokenInvalid},
		"key of another site": {sign(jwt.SigningMethodHS256, []byte(otherAuth.PrivateKey),
			jwt.MapClaims{"exp": soon}), audience.ErrTokenInvalid},
		"empty key": {sign(jwt.SigningMethodHS256, []byte{}, jwt.MapClaims{"exp": soon}),
			audience.ErrTokenInvalid},
		"HS512": {sign(jwt.SigningMethodHS512, mine, jwt.MapClaims{"exp": soon}),
			audience.ErrTokenInvalid},
		"RS256": {sign(jwt.SigningMethodRS256, rsaKey, jwt.MapClaims{"exp": soon}),
			audience.ErrTokenInvalid},
		"none": {sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType,
			jwt.MapClaims{"exp": soon}), audience.ErrTokenInvalid},
		"none with the signature": {encode([]byte(`{"alg":"none"}`)) + "." + parts[1] + "." + parts[2],
			audience.ErrTokenInvalid},
		"None":         {encode([]byte(`{"alg":"None"}`)) + "." + parts[1] + ".", audience.ErrTokenInvalid},
		"no signature": {parts[0] + "." + parts[1] + ".", audience.ErrTokenInvalid},
		"changed claims": {parts[0] + "." + encode([]byte(`{"exp":9999999999,"plan":"enterprise"}`)) + "." +
			parts[2], audience.ErrTokenInvalid},
		"demands in its header":  {critical, audience.ErrTokenInvalid},
		"no header":              {"." + parts[1] + "." + parts[2], audience.ErrTokenInvalid},
		"two parts":              {parts[0] + "." + parts[1], audience.ErrTokenInvalid},
		"claims that are a list": {parts[0] + "." + encode([]byte(`[]`)) + "." + parts[2], audience.ErrTokenInvalid},
		"empty":                  {"", audience.ErrTokenInvalid},
		"not base64":             {"a.b.c", audience.ErrTokenInvalid},
		"huge": {sign(jwt.SigningMethodHS256, mine,
			jwt.MapClaims{"exp": soon, "x": strings.Repeat("x", 4000)}), audience.ErrTokenTooLong},
		"very deep": {parts[0] + "." + encode([]byte(strings.Repeat(`[`, 1000))) + "." + parts[2],
			audience.ErrTokenInvalid},
		"exp beyond all times": {sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": 1e300}),
			audience.ErrTokenExpired},
		"white space around it": {" " + good + " ", audience.ErrTokenInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			token, err := f.rules().Verify(test.token, f.now)
			if !errors.Is(err, test.want) {
				t.Fatalf("%v, want %v", err, test.want)
			}
			seen, failure := f.sites.Get(t.Context(), f.caller, f.organization, f.site.ID)
			if failure != nil {
				t.Fatal(failure)
			}
			seen.Visibility = site.VisibilityVisitorAuth
			query := url.Values{audience.TokenParameter: {test.token}}.Encode()
			verdict, failure := f.service.Admit(t.Context(), &site.Served{Site: seen}, audience.Visitor{Query: query})
			if failure != nil || verdict.Signed != (err == nil) || verdict.Problem != err ||
				(verdict.Decision == audience.Admitted) != (err == nil) {
				t.Errorf("%+v, %v", verdict, failure)
			}
			if err == nil && (token.Claims["plan"] != "pro" || token.Expires.Unix() != soon) {
				t.Errorf("%+v", token)
			}
		})
	}

	t.Run("rotation", func(t *testing.T) {
		long := sign(jwt.SigningMethodHS256, mine, jwt.MapClaims{"exp": f.now.Add(1000 * time.Hour).Unix()})
		after, err := f.service.RegenerateKey(t.Context(), f.caller, f.organization, f.site.ID)
		if err != nil || after.PrivateKey == auth.PrivateKey {
			t.Fatal(after.PrivateKey, err)
		}
		token, err := f.rules().Verify(long, f.now)
		if err != nil || token.Expires.After(f.now.Add(audience.KeyOverlap)) {
			t.Errorf("just after: %v, until %v", err, token.Expires)
		}
		if _, err := f.rules().Verify(long, f.now.Add(audience.KeyOverlap)); !errors.Is(err, audience.ErrTokenInvalid) {
			t.Errorf("a day later: %v", err)
		}
		fresh := sign(jwt.SigningMethodHS256, []byte(after.PrivateKey), jwt.MapClaims{"exp": soon})
		if _, err := f.rules().Verify(fresh, f.now); err != nil {
			t.Error(err)
		}
		if _, err := f.service.RegenerateKey(t.Context(), f.caller, f.organization, f.site.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := f.rules().Verify(long, f.now); !errors.Is(err, audience.ErrTokenInvalid) {
			t.Errorf("after the second regeneration: %v", err)
		}
		if _, err := f.rules().Verify(fresh, f.now); err != nil {
			t.Error(err)
		}
	})
}
