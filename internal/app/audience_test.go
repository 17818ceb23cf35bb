package app_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/rectodocs/recto/internal/people/org"
)

// audienceSite is a published site with the addresses of its operations.
type audienceSite struct {
	s          *server
	path, home string
	space      string
	files      []string // addresses below home, on the site that is crawled
	proposal   proposal // on the site that is crawled
}

// audienceSite makes a published site with one space that holds the pages of a body of updateContent.
func (s *server) audienceSite(title, visibility, changes string) audienceSite {
	s.t.Helper()
	space := s.space(title)
	s.call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[`+changes+`]}`, http.StatusOK, nil)
	var site struct {
		ID   string
		URLs struct{ Published string }
	}
	sites := "/v1/orgs/" + s.organization + "/sites"
	s.call(http.MethodPost, sites, map[string]any{"title": title, "visibility": visibility, "spaces": []string{space}},
		http.StatusCreated, &site)
	s.call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
	return audienceSite{s: s, path: sites + "/" + site.ID, home: site.URLs.Published, space: space}
}

// link makes a share link and returns its id and address.
func (a audienceSite) link(name string) (id, address string) {
	a.s.t.Helper()
	var made struct {
		ID   string
		URLs struct{ Published string }
	}
	a.s.call(http.MethodPost, a.path+"/share-links", map[string]any{"name": name}, http.StatusCreated, &made)
	return made.ID, made.URLs.Published
}

// key returns the key that visitors' tokens are signed with.
func (a audienceSite) key() string {
	a.s.t.Helper()
	var auth struct{ PrivateKey string }
	a.s.call(http.MethodGet, a.path+"/publishing/auth", nil, http.StatusOK, &auth)
	return auth.PrivateKey
}

// adapt turns adaptive content on with a schema.
func (a audienceSite) adapt(schema string) {
	a.s.t.Helper()
	a.s.call(http.MethodPut, a.path+"/adaptive-schema", `{"jsonSchema":`+schema+`}`, http.StatusOK, nil)
	a.s.call(http.MethodPatch, a.path, `{"adaptiveContent":{"enabled":true}}`, http.StatusOK, nil)
}

// sign makes a visitor's token that holds for an hour.
func sign(t testing.TB, key string, claims map[string]any) string {
	t.Helper()
	all := jwt.MapClaims{"exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, claims)
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, all).SignedString([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const onePage = `{"operation":"insert_page","title":"Start","document":{"markdown":"The whole text.\n"}}`

func TestShareLinkSite(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Shared", "share-link",
			onePage+`,{"operation":"insert_page","title":"Next","document":{"markdown":"More.\n"}}`)
		id, address := site.link("Customers")
		_, other := site.link("Partners")
		stranger := newVisitor(t)
		// Somebody without a link cannot tell the site from one that is not there.
		nothing := s.raw(http.MethodGet, strings.Replace(site.home, "/shared/", "/nothing/", 1), "", nil)
		for _, at := range []string{"", "next", "~/assets/x.css", "~/search?q=text", strings.Repeat("a", 32) + "/"} {
			got := s.raw(http.MethodGet, site.home+at, "", nil)
			if got.status != http.StatusNotFound || string(got.body) != string(nothing.body) {
				t.Errorf("a stranger at %q: %d %s", at, got.status, got.body)
			}
			for name := range nothing.header {
				if name != "X-Request-Id" && name != "Date" && got.header.Get(name) != nothing.header.Get(name) {
					t.Errorf("a stranger at %q: %s is %q, not %q", at, name, got.header.Get(name),
						nothing.header.Get(name))
				}
			}
			if len(got.header) != len(nothing.header) {
				t.Errorf("a stranger at %q: %v", at, got.header)
			}
		}
		reader := newVisitor(t)
		status, body, answer := reader.open(address + "next?x=1")
		if status != http.StatusOK || !strings.Contains(body, "More.") || answer.Request.URL.String() != site.home+
			"next?x=1" {
			t.Fatalf("through the link: %d at %s", status, answer.Request.URL)
		}
		if answer.Header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Cookie") ||
			answer.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("headers: %v", answer.Header)
		}
		first := s.raw(http.MethodGet, address, "", nil)
		cookie := first.header.Get("Set-Cookie")
		if first.status != http.StatusSeeOther || first.header.Get("Cache-Control") != "no-store" ||
			!strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") ||
			!strings.Contains(cookie, "Path="+strings.TrimPrefix(site.home, s.base)+";") {
			t.Errorf("the link answers %d with %v", first.status, first.header)
		}
		if status, _, _ := stranger.open(site.home); status != http.StatusNotFound {
			t.Errorf("a stranger later: %d", status)
		}
		tag := answer.Header.Get("ETag")
		conditional := func(v *visitor) int {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.home+"next", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("If-None-Match", tag)
			answer, err := v.client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer.StatusCode
		}
		if mine, theirs := conditional(reader), conditional(stranger); mine != http.StatusNotModified ||
			theirs != http.StatusNotFound {
			t.Errorf("304s: %d for a reader, %d for a stranger", mine, theirs)
		}

		partner := newVisitor(t)
		partner.open(other)
		s.call(http.MethodPatch, site.path+"/share-links/"+id, `{"active":false}`, http.StatusOK, nil)
		if status, body, _ := reader.open(site.home); status != http.StatusNotFound || strings.Contains(body,
			"The whole") {
			t.Errorf("an open session of an inactive link: %d", status)
		}
		if got := conditional(reader); got != http.StatusNotFound {
			t.Errorf("its 304: %d", got)
		}
		if status, _, _ := newVisitor(t).open(address); status != http.StatusNotFound {
			t.Errorf("an inactive link: %d", status)
		}
		if status, _, _ := partner.open(site.home); status != http.StatusOK {
			t.Errorf("the other link: %d", status)
		}
		s.call(http.MethodPatch, site.path+"/share-links/"+id, `{"active":true}`, http.StatusOK, nil)
		if status, _, _ := reader.open(site.home); status != http.StatusOK {
			t.Errorf("active again: %d", status)
		}
		s.call(http.MethodDelete, site.path+"/share-links/"+id, nil, http.StatusResetContent, nil)
		if status, _, _ := reader.open(site.home); status != http.StatusNotFound {
			t.Errorf("a deleted link: %d", status)
		}

		key := strings.TrimSuffix(strings.TrimPrefix(other, site.home), "/")
		var profile struct {
			Site      struct{ URLs struct{ Published string } }
			Structure struct {
				Structure []struct{ URLs struct{ Published string } }
			}
		}
		s.call(http.MethodGet, site.path+"/published?shareKey="+key, nil, http.StatusOK, &profile)
		if profile.Site.URLs.Published != other || profile.Structure.Structure[0].URLs.Published != other {
			t.Errorf("with the share key: %+v", profile)
		}
		s.call(http.MethodGet, site.path+"/published?shareKey="+strings.Repeat("a", 32), nil, http.StatusNotFound, nil)
		var space struct{ URLs struct{ Published string } }
		s.call(http.MethodGet, "/v1/spaces/"+site.space+"?shareKey="+key, nil, http.StatusOK, &space)
		if space.URLs.Published != other {
			t.Errorf("the space with the share key: %+v", space)
		}
		type place struct{ URLs struct{ Published string } }
		var structure struct{ Structure []place }
		var spaces, sections struct{ Items []place }
		s.call(http.MethodGet, site.path+"/structure?shareKey="+key, nil, http.StatusOK, &structure)
		s.call(http.MethodGet, site.path+"/site-spaces?shareKey="+key, nil, http.StatusOK, &spaces)
		if len(structure.Structure) != 1 || structure.Structure[0].URLs.Published != other || len(spaces.Items) != 1 ||
			spaces.Items[0].URLs.Published != other {
			t.Errorf("with the share key, the structure has %+v and the spaces %+v", structure, spaces)
		}
		second := s.space("Second")
		s.call(http.MethodPost, site.path+"/sections", map[string]any{"spaceId": second, "title": "More"},
			http.StatusCreated, nil)
		s.call(http.MethodGet, site.path+"/sections?shareKey="+key, nil, http.StatusOK, &sections)
		if len(sections.Items) != 2 || sections.Items[0].URLs.Published != other ||
			sections.Items[1].URLs.Published != other+"more/" {
			t.Errorf("with the share key, the sections have %+v", sections)
		}
		for source, destination := range map[string]string{"/inside": `{"kind":"path","spaceId":"` + site.space +
			`","path":"/next"}`, "/outside": `{"kind":"external","url":"https://example.com/there"}`} {
			s.call(http.MethodPost, site.path+"/redirects", `{"source":"`+source+`","destination":`+destination+`}`,
				http.StatusCreated, nil)
		}
		var inside, outside struct{ Target string }
		s.call(http.MethodGet, site.path+"/redirect?source=/inside&shareKey="+key, nil, http.StatusOK, &inside)
		s.call(http.MethodGet, site.path+"/redirect?source=/outside&shareKey="+key, nil, http.StatusOK, &outside)
		if inside.Target != other+"next" || outside.Target != "https://example.com/there" {
			t.Errorf("with the share key, redirects lead to %q and %q", inside.Target, outside.Target)
		}
		elsewhere := s.audienceSite("Elsewhere", "share-link", onePage)
		_, foreign := elsewhere.link("Another")
		foreign = strings.TrimSuffix(strings.TrimPrefix(foreign, elsewhere.home), "/")
		for _, wrong := range []string{strings.Repeat("a", 32), foreign, "x", "%20"} {
			for _, operation := range []string{"/structure?", "/site-spaces?", "/sections?",
				"/redirect?source=/inside&"} {
				s.call(http.MethodGet, site.path+operation+"shareKey="+wrong, nil, http.StatusNotFound, nil)
			}
		}
	})
}

func TestVisitorAuthSite(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Members", "visitor-auth", onePage)
		key := site.key()
		if got := s.raw(http.MethodGet, site.home, "", nil); got.status != http.StatusNotFound {
			t.Errorf("without a fallback: %d", got.status)
		}
		if got := s.raw(http.MethodGet, site.home+"~/auth/logout", "", nil); got.status != http.StatusNotFound {
			t.Errorf("log-out without a fallback: %d", got.status)
		}
		s.call(http.MethodPatch, site.path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login?from=docs","logoutURL":"https://example.com/bye"}`, http.StatusOK, nil)
		ask := func(v *visitor, path, accept string) *http.Response {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.home+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept", accept)
			client := *v.client
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			answer, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer
		}
		stranger := newVisitor(t)
		answer := ask(stranger, "a%20page?x=1", "text/html")
		if answer.StatusCode != http.StatusSeeOther ||
			answer.Header.Get("Location") != "https://example.com/login?from=docs&location="+
				url.QueryEscape("/a%20page?x=1") || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("sent to sign in: %d %v", answer.StatusCode, answer.Header)
		}
		if answer := ask(stranger, "feed.xml", "*/*"); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("a feed without a token: %d", answer.StatusCode)
		}
		for name, token := range map[string]string{
			"garbage": "x.y.z", "another key": sign(t, "another key", nil),
			"expired": sign(t, key, map[string]any{"exp": 1}),
			"none":    "eyJhbGciOiJub25lIn0.eyJleHAiOjk5OTk5OTk5OTl9.",
			"huge":    sign(t, key, map[string]any{"x": strings.Repeat("x", 4000)}),
		} {
			if answer := ask(stranger, "?jwt_token="+token,
				"text/html"); answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.home, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Cookie", "recto_visitor="+token)
			if got := s.send(request); got.status != http.StatusUnauthorized {
				t.Errorf("%s in the cookie: %d", name, got.status)
			}
		}
		reader := newVisitor(t)
		token := sign(t, key, map[string]any{"exp": time.Now().Add(time.Minute).Unix()})
		answer = ask(reader, "start?a=b&jwt_token="+token, "text/html")
		if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != strings.TrimPrefix(site.home,
			s.base)+"start?a=b" {
			t.Errorf("a token: %d %v", answer.StatusCode, answer.Header)
		}
		for _, cookie := range answer.Cookies() {
			if cookie.Name != "recto_visitor" || !cookie.HttpOnly || time.Until(cookie.Expires) > time.Minute ||
				cookie.Path != strings.TrimPrefix(site.home, s.base) {
				t.Errorf("the cookie: %v", cookie)
			}
		}
		if status, body, answer := reader.open(site.home); status != http.StatusOK || !strings.Contains(body,
			"The whole text.") || answer.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("signed in: %d", status)
		}
		// A new key: tokens of the old one still count, and new ones do.
		s.call(http.MethodPost, site.path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		if status, _, _ := reader.open(site.home); status != http.StatusOK {
			t.Errorf("after a new key: %d", status)
		}
		if fresh := site.key(); fresh == key {
			t.Error("the key is the old one")
		} else if status, _, _ := newVisitor(t).open(site.home + "?jwt_token=" + sign(t, fresh,
			nil)); status != http.StatusOK {
			t.Errorf("with the new key: %d", status)
		}
		if answer := ask(reader, "~/auth/logout", "text/html"); answer.StatusCode != http.StatusSeeOther ||
			answer.Header.Get("Location") != "https://example.com/bye" {
			t.Errorf("log-out: %d %v", answer.StatusCode, answer.Header)
		}
		if answer := ask(reader, "", "text/html"); answer.StatusCode != http.StatusSeeOther {
			t.Errorf("after log-out: %d", answer.StatusCode)
		}
		if answer := ask(stranger, "~/auth/login?location=//evil.example/", "text/html"); answer.Header.Get(
			"Location") != "https://example.com/login?from=docs&location=%2Fevil.example%2F" {
			t.Errorf("sign-in: %v", answer.Header)
		}
		s.call(http.MethodPost, site.path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		again := newVisitor(t)
		if status, _, _ := again.open(site.home + "?jwt_token=" + token); status != http.StatusUnauthorized {
			t.Errorf("a token of the key before the last one: %d", status)
		}
	})
}

// TestAudienceRoles goes through operation, role and outcome.
func TestAudienceRoles(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Shared", "share-link", onePage)
		id, _ := site.link("Customers")
		site.adapt(
			`{"type":"object","properties":{"isBeta":{"type":"boolean","description":""}},"additionalProperties":false}`)
		people := map[string]string{"guest": s.member("", "guest@example.org")}
		for _, role := range []org.Role{"read", "comment", "edit", "review", "create", "admin"} {
			people[string(role)] = s.member(role, string(role)+"@example.org")
		}
		changes := func(ok int) map[string]int {
			return map[string]int{"guest": 404, "read": 403, "comment": 403, "edit": 403, "review": 403, "create": ok,
				"admin": ok}
		}
		reads := map[string]int{"guest": 404, "read": 200, "comment": 200, "edit": 200, "review": 200, "create": 200,
			"admin": 200}
		for _, test := range []struct {
			method, path, body string
			want               map[string]int
		}{
			{http.MethodGet, "/adaptive-schema", "", reads},
			{http.MethodGet, "/adaptive-schema/template-conditions", "", reads},
			{http.MethodPut, "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`, changes(200)},
			{http.MethodGet, "/share-links", "", changes(200)},
			{http.MethodPost, "/share-links", `{"name":"x"}`, changes(201)},
			{http.MethodPatch, "/share-links/" + id, `{"name":"y"}`, changes(200)},
			{http.MethodGet, "/publishing/auth", "", changes(200)},
			{http.MethodPatch, "/publishing/auth", `{"backend":"custom"}`, changes(200)},
			{http.MethodPost, "/publishing/auth/regenerate", "", changes(200)},
		} {
			for who, want := range test.want {
				var body any
				if test.body != "" {
					body = test.body
				}
				if got := s.raw(test.method, site.path+test.path, people[who], body); got.status != want {
					t.Errorf("%s: %s %s answers %d, want %d: %.200s", who, test.method, test.path, got.status, want,
						got.body)
				}
			}
		}
		for who, want := range changes(205) {
			one, _ := site.link("for " + who)
			if got := s.raw(http.MethodDelete, site.path+"/share-links/"+one, people[who], nil); got.status != want {
				t.Errorf("%s: DELETE answers %d, want %d", who, got.status, want)
			}
		}
		for _, bad := range []struct{ method, path, body, where string }{
			{http.MethodPost, "/share-links", `{"name":"` + strings.Repeat("x", 51) + `"}`, "name"},
			{http.MethodPatch, "/share-links/" + id, `{"active":null}`, "active"},
			{http.MethodPatch, "/publishing/auth", `{"backend":"custom","fallbackURL":"nowhere"}`, "fallbackURL"},
			{http.MethodPut, "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{"a":{"type":"string","format":"email"}},"additionalProperties":false}}`, "jsonSchema.properties.a.format"},
		} {
			got := s.raw(bad.method, site.path+bad.path, s.token, bad.body)
			if got.status != http.StatusBadRequest || !strings.Contains(string(got.body), bad.where) {
				t.Errorf("%s %s: %d %s", bad.method, bad.path, got.status, got.body)
			}
		}
	})
}
