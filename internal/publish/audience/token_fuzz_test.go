package audience

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// tokenSchema names something signed, something about members, and something that visitors say of themselves.
const tokenSchema = `{"type":"object","additionalProperties":false,"properties":{"plan":{"type":"string","description":""},` +
	`"member":{"type":"object","description":"","additionalProperties":false,"properties":{"id":{"type":"string","description":""},"role":{"type":"string","description":""},"teams":{"type":"array","description":"","items":{"type":"string","description":""}}}},` +
	`"unsigned":{"type":"object","additionalProperties":false,"properties":{"plan":{"type":"string","description":""},"member":{"type":"object","description":"","additionalProperties":false,"properties":{"role":{"type":"string","description":""}}}}}}}`

// tokenNow is when the tokens are looked at.
var tokenNow = time.Unix(2_000_000_000, 0)

// Keys of the site, with the one before, and of the server for the site's organization and for another one.
var siteKey, formerKey, memberKey, foreignKey = []byte("the key of the site"), []byte("the key before"),
	[]byte("the server's"), []byte("the server's for others")

// tokenRules are those of a site that asks who of its members reads; its schema is from before names were the server's.
func tokenRules(t testing.TB) *Rules {
	t.Helper()
	schema, err := ParseSchema([]byte(tokenSchema))
	if err != nil {
		t.Fatal(err)
	}
	return &Rules{
		Schema: schema, organization: "org_1", member: memberKey,
		keys: []signingKey{{key: siteKey}, {key: formerKey, until: tokenNow.Add(time.Hour)}},
	}
}

// signedWith reports whether a text is a JWT with HS256 by a key, without the library that the package uses.
func signedWith(text string, key []byte) bool {
	signed, signature, found := cutLast(text, ".")
	if !found {
		return false
	}
	header, _, _ := strings.Cut(signed, ".")
	raw, err := base64.RawURLEncoding.Strict().DecodeString(header)
	var said struct {
		Alg string `json:"alg"`
	}
	if err != nil || json.Unmarshal(raw, &said) != nil || said.Alg != "HS256" {
		return false
	}
	given, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(signed))
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

// checkToken holds what a site makes of a token, a cookie and the parameters of an address, whatever they are: it
// accepts what is signed with a key of its own, and of members what the server has signed.
func checkToken(t *testing.T, rules *Rules, text, cookie, parameters string) {
	t.Helper()
	token, err := rules.Verify(text, tokenNow)
	bySite := signedWith(text, siteKey) || signedWith(text, formerKey)
	byServer := signedWith(text, memberKey)
	switch {
	case err != nil && (token.Claims != nil || token.Member != ""):
		t.Errorf("%q does not count, and says %+v", text, token)
	case err == nil && !bySite && !byServer:
		t.Errorf("%q counts without a signature", text)
	case err == nil && !token.Expires.After(tokenNow):
		t.Errorf("%q counts after its end", text)
	case token.Member != "" && !byServer:
		t.Errorf("%q is a member's without the server's signature", text)
	case token.Member == "" && token.Claims[memberClaim] != nil:
		t.Errorf("%q says of a member %v", text, token.Claims[memberClaim])
	}
	query, _ := url.ParseQuery(parameters) // what of it can be read is
	said, _ := rules.Schema.QueryClaims(query)
	claims := rules.Schema.Visitor(token, Merge(ReadUnsigned(cookie), said))
	about, _ := claims[memberClaim].(map[string]any)
	for name, value := range about {
		if list, isList := value.([]any); token.Member == "" && (!isList || len(list) > 0) {
			t.Errorf("%q with %q and %q: member.%s is %v", text, cookie, parameters, name, value)
		}
	}
	own, _ := claims[unsignedName].(map[string]any)
	if member, _ := own[memberClaim].(map[string]any); len(member) > 0 {
		t.Errorf("%q and %q: unsigned.member is %v", cookie, parameters, member)
	}
}

// writeToken signs claims with a key and any algorithm of HMAC.
func writeToken(t testing.TB, method jwt.SigningMethod, key any, claims map[string]any) string {
	t.Helper()
	text, err := jwt.NewWithClaims(method, jwt.MapClaims(claims)).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// someTokens are tokens that count and that do not, to begin with.
func someTokens(t testing.TB) []string {
	soon := tokenNow.Add(time.Minute).Unix()
	admin := map[string]any{"id": "user_1", "role": "admin", "teams": []string{"team_1"}}
	claims := map[string]any{"exp": soon, "plan": "pro", "sub": "user_1", "aud": "org_1", "member": admin}
	var all []string
	for _, key := range [][]byte{siteKey, formerKey, memberKey, foreignKey, {}, []byte("org_1")} {
		all = append(all, writeToken(t, jwt.SigningMethodHS256, key, claims), writeToken(t, jwt.SigningMethodHS512, key,
			claims))
	}
	for _, changed := range []map[string]any{{"exp": soon - 3600}, {"exp": nil},
		{"exp": soon, "aud": "org_2", "sub": "user_1", "member": admin}, {"exp": soon, "aud": "org_1", "member": admin},
		{"exp": soon, "member": "admin"}} {
		all = append(all, writeToken(t, jwt.SigningMethodHS256, siteKey, changed), writeToken(t, jwt.SigningMethodHS256,
			memberKey, changed))
	}
	none := writeToken(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims)
	return append(all, none, none+"x", "", ".", "..", "a.b.c", all[0]+".", " "+all[0])
}

var (
	someCookies = []string{"", `%7B%22member%22%3A%7B%22role%22%3A%22admin%22%7D%7D`,
		`{"member":{"role":"admin"},"plan":"pro"}`, `{"unsigned":{"member":{"role":"admin"}}}`, `{"plan":1}`, `[]`, `{`,
		`%`}
	someParameters = []string{"", "visitor.member.role=admin", "visitor.claims.member.role=admin",
		"visitor.unsigned.member.role=admin", "visitor.claims.unsigned.member.role=admin",
		"visitor.plan=pro&visitor.member=x", "visitor.=x", "%&=;"}
)

// TestTokensAreVerifiedByTheirKey tries tokens whose parts are exchanged, cut and changed.
func TestTokensAreVerifiedByTheirKey(t *testing.T) {
	rules, tokens := tokenRules(t), someTokens(t)
	accepted := 0
	for _, text := range tokens {
		if _, err := rules.Verify(text, tokenNow); err == nil {
			accepted++
		}
		for _, cookie := range someCookies {
			for _, parameters := range someParameters {
				checkToken(t, rules, text, cookie, parameters)
			}
		}
	}
	if accepted < 4 {
		t.Errorf("%d tokens count: the test shows nothing", accepted)
	}
	random := rand.New(rand.NewPCG(7, 8))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for range 20_000 {
		one, other := strings.Split(pick(tokens), "."), strings.Split(pick(tokens), ".")
		at := random.IntN(len(one))
		one[at] = other[random.IntN(len(other))]
		text := []byte(strings.Join(one, "."))
		if len(text) > 0 && random.IntN(2) == 0 {
			text[random.IntN(len(text))] ^= byte(1 << random.IntN(7))
		}
		checkToken(t, rules, string(text), pick(someCookies), pick(someParameters))
	}
}

func FuzzVisitorTokens(f *testing.F) {
	rules := tokenRules(f)
	for i, text := range someTokens(f) {
		f.Add(text, someCookies[i%len(someCookies)], someParameters[i%len(someParameters)])
	}
	f.Fuzz(func(t *testing.T, text, cookie, parameters string) { checkToken(t, rules, text, cookie, parameters) })
}

// TestNamesOfTheServerInSchemas: a schema cannot give the server's name to claims of its own.
func TestNamesOfTheServerInSchemas(t *testing.T) {
	const member = `"member":{"type":"object","description":"","properties":{"role":{"type":"string","description":""}},"additionalProperties":false}`
	for properties, want := range map[string]string{
		member: "", `"plan":{"type":"string"}`: "",
		`"member":{"type":"boolean"}`: "jsonSchema.properties.member",
		`"unsigned":{"type":"object","properties":{` + member +
			`},"additionalProperties":false}`: "jsonSchema.properties.unsigned.properties.member",
	} {
		schema, err := ParseSchema([]byte(`{"type":"object","additionalProperties":false,"properties":{` + properties +
			`}}`))
		if err != nil {
			t.Fatal(err)
		}
		err = schema.checkMember()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", properties, err, want)
		}
	}
}
