package pub_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// memberSchema asks for the role and the teams of members, and for something of which the site's own program knows.
const memberSchema = `{"type":"object","properties":{"plan":{"type":"string","description":""},"member":{"type":"object","description":"","properties":{"role":{"type":"string","description":""},
	"teams":{"type":"array","description":"","items":{"type":"string","description":""}}},"additionalProperties":false}},"additionalProperties":false}`

// TestMembersAsVisitors holds what a ping's token opens: sites that ask for it, of this organization, as far as its
// member may read, while they are one.
func TestMembersAsVisitors(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		reader, readerID := s.Person(org.RoleRead, "reader@example.org")
		guest := s.Member(org.RoleGuest, "guest@example.org")
		closed := s.NewSite("Closed", "visitor-auth", apptest.OnePage)
		if token := s.Ping(s.Token); token != "" {
			t.Errorf("nobody asks, and there is a token: %s", token)
		}
		paged := apptest.OnePage +
			`,{"operation":"insert_page","title":"Writers","condition":"visitor.claims.member.role === \"admin\"","document":{"markdown":"For admins.\n"}}` +
			`,{"operation":"insert_page","title":"Paid","condition":"visitor.claims.plan === \"pro\"","document":{"markdown":"For buyers.\n"}}`
		site := s.NewSite("Inside", "visitor-auth", paged)
		site.Adapt(memberSchema)
		admins, readers := s.Ping(s.Token), s.Ping(reader)
		if token := s.Ping(guest); token != "" {
			t.Error("a guest has a token")
		}
		var limited struct {
			Token string
		}
		s.Call(http.MethodPost, "/v1/user/tokens", `{"name":"limited","scopes":["organizations:write"]}`,
			http.StatusCreated, &limited)
		if token := s.Ping(limited.Token); limited.Token == "" || token != "" {
			t.Errorf("a token that is limited to scopes makes one of more: %s", token)
		}
		parsed, _, err := jwt.NewParser().ParseUnverified(readers, jwt.MapClaims{})
		if err != nil {
			t.Fatal(err)
		}
		claims := parsed.Claims.(jwt.MapClaims)
		if about, _ := claims["member"].(map[string]any); claims["sub"] != readerID ||
			claims["aud"] != s.Organization || about["role"] != "read" || len(about["teams"].([]any)) != 0 {
			t.Errorf("the claims: %v", claims)
		}
		at := func(home, path, token string) int {
			t.Helper()
			v := apptest.NewVisitor(t)
			status, _, _ := v.Open(home + path + "?jwt_token=" + token)
			return status
		}
		forged := func(key string, claims jwt.MapClaims) string { return apptest.SignClaims(t, key, claims) }
		member := jwt.MapClaims{"sub": readerID, "aud": s.Organization, "member": map[string]any{"role": "admin"}}
		parts := strings.Split(readers, ".")
		for name, test := range map[string]struct {
			home, path, token string
			want              int
		}{
			"reader":                   {site.Home, "", readers, 200},
			"reader where admins may":  {site.Home, "writers", readers, 404},
			"admin where admins may":   {site.Home, "writers", admins, 200},
			"admin where buyers may":   {site.Home, "paid", admins, 404},
			"a site that does not ask": {closed.Home, "", readers, 404},
			"another signature": {site.Home, "", parts[0] + "." + strings.Split(admins, ".")[1] + "." +
				parts[2], 404},
			"forged with no key":                {site.Home, "", forged("x", member), 404},
			"forged with the organization's id": {site.Home, "", forged(s.Organization, member), 404},
			"the site's own program claims it":  {site.Home, "writers", apptest.SignClaims(t, site.Key(), member), 404},
			"its token counts else":             {site.Home, "", apptest.SignClaims(t, site.Key(), member), 200},
		} {
			if got := at(test.home, test.path, test.token); got != test.want {
				t.Errorf("%s: %d, want %d", name, got, test.want)
			}
		}
		lookedUp := func(token string) int {
			t.Helper()
			return s.Raw(http.MethodPost, "/v1/urls/published", s.Token, map[string]any{"url": site.Home,
				"visitor": map[string]any{"jwtToken": token}}).Status
		}
		if got := lookedUp(readers); got != http.StatusOK {
			t.Errorf("a look-up with the token: %d", got)
		}
		v := apptest.NewVisitor(t)
		if status, _, _ := v.Open(site.Home + "?jwt_token=" + readers); status != 200 {
			t.Fatal(status)
		}
		// What they may not read any more is not there, in a visit that goes on too.
		s.Call(http.MethodPatch, "/v1/spaces/"+site.Space, `{"defaultLevel":null}`, http.StatusOK, nil)
		if status, _, _ := v.Open(site.Home); status != 404 {
			t.Errorf("a space that they may not read: %d", status)
		}
		if got := lookedUp(readers); got != http.StatusNotFound {
			t.Errorf("a look-up in a space that they may not read: %d", got)
		}
		if status := at(site.Home, "", admins); status != 200 {
			t.Errorf("who may: %d", status)
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+site.Space, `{"defaultLevel":"read"}`, http.StatusOK, nil)
		if status, _, _ := v.Open(site.Home); status != 200 {
			t.Errorf("a space that they may read again: %d", status)
		}
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/members/"+readerID, nil, http.StatusResetContent, nil)
		if status, _, _ := v.Open(site.Home); status != 404 {
			t.Errorf("somebody who is no member any more: %d", status)
		}
		if got := lookedUp(readers); got != http.StatusNotFound {
			t.Errorf("a look-up for somebody who is no member any more: %d", got)
		}
	})
}

// TestInspectionIsNoReader holds that a member who looks at a site as a visitor does not answer for readers.
func TestInspectionIsNoReader(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	site := s.NewSite("Asks", "public", apptest.OnePage)
	var whole map[string]any
	s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &whole)
	whole["feedback"] = map[string]any{"enabled": true}
	s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
	var found struct{ URLs struct{ Preview string } }
	s.Call(http.MethodGet, site.Path, nil, http.StatusOK, &found)
	v := apptest.NewVisitor(t)
	if status, _, _ := v.Open(found.URLs.Preview); status != http.StatusOK {
		t.Fatal(status)
	}
	var tree struct{ Pages []apptest.Page }
	s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &tree)
	answer := url.Values{"page": {tree.Pages[0].ID}, "helpful": {"yes"}}
	for at, want := range map[string]int{"~/visitor/e30/~/feedback": http.StatusForbidden,
		"~/feedback": http.StatusOK} {
		got, err := v.Client.PostForm(site.Home+at, answer)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != want {
			t.Errorf("%s: %d, want %d", at, got.StatusCode, want)
		}
	}
}
