package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/people/org"
)

// memberSchema asks for the role and the teams of members, and for something of which the site's own program knows.
const memberSchema = `{"type":"object","properties":{"plan":{"type":"string","description":""},"member":{"type":"object","description":"","properties":{"role":{"type":"string","description":""},
	"teams":{"type":"array","description":"","items":{"type":"string","description":""}}},"additionalProperties":false}},"additionalProperties":false}`

// ping returns the token with the claims of whoever has an API token.
func (s *server) ping(token string) string {
	s.t.Helper()
	var seen struct{ ServiceVisitorClaims, GitBookVisitorClaims string }
	s.callAs(token, http.MethodPost, "/v1/orgs/"+s.organization+"/ping", nil, http.StatusOK, &seen)
	if seen.ServiceVisitorClaims != seen.GitBookVisitorClaims {
		s.t.Errorf("two tokens: %q and %q", seen.ServiceVisitorClaims, seen.GitBookVisitorClaims)
	}
	return seen.ServiceVisitorClaims
}

// TestMembersAsVisitors holds what a ping's token opens: sites that ask for it, of this organization, as far as its
// member may read, while they are one.
func TestMembersAsVisitors(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		reader, readerID := s.person(org.RoleRead, "reader@example.org")
		guest := s.member(org.RoleGuest, "guest@example.org")
		closed := s.audienceSite("Closed", "visitor-auth", onePage)
		if token := s.ping(s.token); token != "" {
			t.Errorf("nobody asks, and there is a token: %s", token)
		}
		paged := onePage +
			`,{"operation":"insert_page","title":"Writers","condition":"visitor.claims.member.role === \"admin\"","document":{"markdown":"For admins.\n"}}` +
			`,{"operation":"insert_page","title":"Paid","condition":"visitor.claims.plan === \"pro\"","document":{"markdown":"For buyers.\n"}}`
		site := s.audienceSite("Inside", "visitor-auth", paged)
		site.adapt(memberSchema)
		admins, readers := s.ping(s.token), s.ping(reader)
		if token := s.ping(guest); token != "" {
			t.Error("a guest has a token")
		}
		var limited struct {
			Token string
		}
		s.call(http.MethodPost, "/v1/user/tokens", `{"name":"limited","scopes":["organizations:write"]}`,
			http.StatusCreated, &limited)
		if token := s.ping(limited.Token); limited.Token == "" || token != "" {
			t.Errorf("a token that is limited to scopes makes one of more: %s", token)
		}
		parsed, _, err := jwt.NewParser().ParseUnverified(readers, jwt.MapClaims{})
		if err != nil {
			t.Fatal(err)
		}
		claims := parsed.Claims.(jwt.MapClaims)
		if about, _ := claims["member"].(map[string]any); claims["sub"] != readerID ||
			claims["aud"] != s.organization || about["role"] != "read" || len(about["teams"].([]any)) != 0 {
			t.Errorf("the claims: %v", claims)
		}
		at := func(home, path, token string) int {
			t.Helper()
			v := newVisitor(t)
			status, _, _ := v.open(home + path + "?jwt_token=" + token)
			return status
		}
		forged := func(key string, claims jwt.MapClaims) string { return sign(t, key, claims) }
		member := jwt.MapClaims{"sub": readerID, "aud": s.organization, "member": map[string]any{"role": "admin"}}
		parts := strings.Split(readers, ".")
		for name, test := range map[string]struct {
			home, path, token string
			want              int
		}{
			"reader":                   {site.home, "", readers, 200},
			"reader where admins may":  {site.home, "writers", readers, 404},
			"admin where admins may":   {site.home, "writers", admins, 200},
			"admin where buyers may":   {site.home, "paid", admins, 404},
			"a site that does not ask": {closed.home, "", readers, 404},
			"another signature": {site.home, "", parts[0] + "." + strings.Split(admins, ".")[1] + "." +
				parts[2], 404},
			"forged with no key":                {site.home, "", forged("x", member), 404},
			"forged with the organization's id": {site.home, "", forged(s.organization, member), 404},
			"the site's own program claims it":  {site.home, "writers", sign(t, site.key(), member), 404},
			"its token counts else":             {site.home, "", sign(t, site.key(), member), 200},
		} {
			if got := at(test.home, test.path, test.token); got != test.want {
				t.Errorf("%s: %d, want %d", name, got, test.want)
			}
		}
		lookedUp := func(token string) int {
			t.Helper()
			return s.raw(http.MethodPost, "/v1/urls/published", s.token, map[string]any{"url": site.home,
				"visitor": map[string]any{"jwtToken": token}}).status
		}
		if got := lookedUp(readers); got != http.StatusOK {
			t.Errorf("a look-up with the token: %d", got)
		}
		v := newVisitor(t)
		if status, _, _ := v.open(site.home + "?jwt_token=" + readers); status != 200 {
			t.Fatal(status)
		}
		// What they may not read any more is not there, in a visit that goes on too.
		s.call(http.MethodPatch, "/v1/spaces/"+site.space, `{"defaultLevel":null}`, http.StatusOK, nil)
		if status, _, _ := v.open(site.home); status != 404 {
			t.Errorf("a space that they may not read: %d", status)
		}
		if got := lookedUp(readers); got != http.StatusNotFound {
			t.Errorf("a look-up in a space that they may not read: %d", got)
		}
		if status := at(site.home, "", admins); status != 200 {
			t.Errorf("who may: %d", status)
		}
		s.call(http.MethodPatch, "/v1/spaces/"+site.space, `{"defaultLevel":"read"}`, http.StatusOK, nil)
		if status, _, _ := v.open(site.home); status != 200 {
			t.Errorf("a space that they may read again: %d", status)
		}
		s.call(http.MethodDelete, "/v1/orgs/"+s.organization+"/members/"+readerID, nil, http.StatusResetContent, nil)
		if status, _, _ := v.open(site.home); status != 404 {
			t.Errorf("somebody who is no member any more: %d", status)
		}
		if got := lookedUp(readers); got != http.StatusNotFound {
			t.Errorf("a look-up for somebody who is no member any more: %d", got)
		}
	})
}

// TestInspectionIsNoReader holds that a member who looks at a site as a visitor does not answer for readers.
func TestInspectionIsNoReader(t *testing.T) {
	s := onSQLite(t, nil)
	site := s.audienceSite("Asks", "public", onePage)
	var whole map[string]any
	s.call(http.MethodGet, site.path+"/customization", nil, http.StatusOK, &whole)
	whole["feedback"] = map[string]any{"enabled": true}
	s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
	var found struct{ URLs struct{ Preview string } }
	s.call(http.MethodGet, site.path, nil, http.StatusOK, &found)
	v := newVisitor(t)
	if status, _, _ := v.open(found.URLs.Preview); status != http.StatusOK {
		t.Fatal(status)
	}
	var tree struct{ Pages []page }
	s.call(http.MethodGet, "/v1/spaces/"+site.space+"/content/pages", nil, http.StatusOK, &tree)
	answer := url.Values{"page": {tree.Pages[0].ID}, "helpful": {"yes"}}
	for at, want := range map[string]int{"~/visitor/e30/~/feedback": http.StatusForbidden,
		"~/feedback": http.StatusOK} {
		got, err := v.client.PostForm(site.home+at, answer)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != want {
			t.Errorf("%s: %d, want %d", at, got.StatusCode, want)
		}
	}
}
