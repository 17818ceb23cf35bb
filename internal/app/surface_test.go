package app_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
)

// TestEveryOperationIsServed holds that what the OpenAPI document lists answers, and that nothing else does.
func TestEveryOperationIsServed(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	paths := s.Document["paths"].(map[string]any)
	if len(paths) < 20 {
		t.Fatalf("the document has only %d paths", len(paths))
	}
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	seen := map[string]bool{}
	for pattern, item := range paths {
		path := pattern
		path = strings.ReplaceAll(path, "{blob}", strings.Repeat("0", 64))
		path = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, "x")
		described := item.(map[string]any)
		for _, method := range methods {
			operation, listed := described[strings.ToLower(method)].(map[string]any)
			got := s.Raw(method, path, "", nil)
			switch {
			case listed && operation["security"] != nil && got.Status != http.StatusUnauthorized:
				t.Errorf("%s %s without a token answers %d", method, pattern, got.Status)
			case listed && operation["security"] == nil && (got.Status == http.StatusNotFound &&
				strings.Contains(string(got.Body), "no operation") || got.Status == http.StatusMethodNotAllowed ||
				got.Status == http.StatusUnauthorized):
				t.Errorf("%s %s answers %d", method, pattern, got.Status)
			case !listed && got.Status != http.StatusMethodNotAllowed:
				t.Errorf("%s %s is not in the document and answers %d", method, pattern, got.Status)
			}
			if !listed {
				if allow := got.Header.Get("Allow"); allow == "" {
					t.Errorf("%s %s: 405 without Allow", method, pattern)
				}
				continue
			}
			id, _ := operation["operationId"].(string)
			if id == "" || seen[id] {
				t.Errorf("%s %s has the operation id %q", method, pattern, id)
			}
			seen[id] = true
		}
	}
	for _, miss := range []string{"/v1", "/v1/", "/v1/nothing", "/v1/spaces", "/v1/orgs/x/y/z"} {
		got := s.Raw(http.MethodGet, miss, s.Token, nil)
		var body struct {
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(got.Body, &body); err != nil || got.Status != http.StatusNotFound ||
			body.Error.Code != http.StatusNotFound || body.Error.Message == "" {
			t.Errorf("GET %s: %d %s", miss, got.Status, got.Body)
		}
	}
}

// TestAddressesWithNothingShowAPage holds that who mistypes an address of the server gets a page that leads on, and
// that it is none of a published site's.
func TestAddressesWithNothingShowAPage(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	for _, path := range []string{"/nothing", "/singin", "/favicon.ico", "/account/nothing", "/sitesx/example"} {
		got := s.Raw(http.MethodGet, path, "", nil)
		if got.Status != http.StatusNotFound || got.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			!strings.Contains(string(got.Body), "There is no page at this address") ||
			!strings.Contains(string(got.Body), `href="/signin"`) {
			t.Errorf("%s: %d %s %.200s", path, got.Status, got.Header.Get("Content-Type"), got.Body)
		}
	}
	if got := s.Raw(http.MethodGet, "/sites/example/nothing", "", nil); got.Status != http.StatusNotFound ||
		strings.Contains(string(got.Body), "signin") {
		t.Errorf("a site that is not there: %d %.200s", got.Status, got.Body)
	}
}

// TestDocumentForClients holds what generators of clients rely on.
func TestDocumentForClients(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	if s.Document["openapi"] != "3.1.0" {
		t.Errorf("openapi = %v", s.Document["openapi"])
	}
	printed, err := app.OpenAPI(s.Base, "test")
	if err != nil {
		t.Fatal(err)
	}
	if served := s.Raw(http.MethodGet, "/v1/openapi.json", "", nil); served.Status != http.StatusOK ||
		!bytes.Equal(served.Body, printed) {
		t.Errorf("the document that is served is not the one that is printed: %d, %d bytes and %d", served.Status,
			len(served.Body), len(printed))
	}
	docs := s.Raw(http.MethodGet, "/v1/docs", "", nil)
	if docs.Status != http.StatusOK || !strings.HasPrefix(docs.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("docs: %d %s", docs.Status, docs.Header.Get("Content-Type"))
	}
	for path, kind := range map[string]string{"/v1/docs/reference.css": "text/css",
		"/v1/docs/assets/site.css": "text/css", "/v1/docs/assets/site.js": "text/javascript",
		"/v1/docs/spaces": "text/html", "/v1/docs/search?q=space": "application/json"} {
		if got := s.Raw(http.MethodGet, path, "", nil); got.Status != http.StatusOK ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), kind) || len(got.Body) == 0 {
			t.Errorf("%s: %d %s", path, got.Status, got.Header.Get("Content-Type"))
		}
	}
	for pattern := range maps.Keys(s.Document["paths"].(map[string]any)) {
		if !strings.Contains(string(docs.Body), pattern) {
			t.Errorf("the page for people does not show %s", pattern)
		}
	}
	for _, path := range []string{"/v1/docs/none", "/v1/docs/assets/none.js", "/v1/docs/assets/..%2Fsite.css"} {
		if got := s.Raw(http.MethodGet, path, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	again, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+"/v1/docs", nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Header.Set("If-None-Match", docs.Header.Get("ETag"))
	if got := s.Send(again); got.Status != http.StatusNotModified {
		t.Errorf("conditional docs: %d", got.Status)
	}
}

func TestTokens(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	last := "x"
	if strings.HasSuffix(s.Token, last) {
		last = "y"
	}
	for name, header := range map[string]string{
		"none": "", "no scheme": s.Token, "another scheme": "Basic " + s.Token, "empty": "Bearer ",
		"made up": "Bearer rct_0000000000000000000000000000000000000000",
		"changed": "Bearer " + s.Token[:len(s.Token)-1] + last, "huge": "Bearer " + strings.Repeat("a", 4000),
		"control": "Bearer rct_\x01",
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+"/v1/user", nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			request.Header["Authorization"] = []string{header}
		}
		if strings.Contains(header, "\x01") {
			continue // the client refuses to send it
		}
		got := s.Send(request)
		if got.Status != http.StatusUnauthorized || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: %d, WWW-Authenticate %q", name, got.Status, got.Header.Get("WWW-Authenticate"))
		}
		if strings.Contains(string(got.Body), s.Token[8:]) {
			t.Errorf("%s: the answer repeats the token", name)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+"/v1/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "bearer "+s.Token)
	if got := s.Send(request); got.Status != http.StatusOK {
		t.Errorf("the scheme in lower case: %d", got.Status)
	}
}

func TestRateLimit(t *testing.T) {
	s := apptest.OnSQLite(t, func(settings *config.Serve) { settings.RateLimit = 60 })
	limited := false
	for range 40 {
		got := s.Raw(http.MethodGet, "/v1/user", s.Token, nil)
		if got.Header.Get("RateLimit-Limit") == "" {
			t.Fatalf("no RateLimit-Limit: %v", got.Header)
		}
		if got.Status == http.StatusTooManyRequests {
			limited = true
			if got.Header.Get("Retry-After") == "" {
				t.Error("429 without Retry-After")
			}
			break
		}
	}
	if !limited {
		t.Error("40 requests at once pass a limit of 60 a minute")
	}
}

// TestInvalidInput holds that a bad input gets a clear 4xx.
func TestInvalidInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	orgs := "/v1/orgs/" + s.Organization
	var site apptest.Identified
	s.Call(http.MethodPost, orgs+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)
	tests := []struct {
		name, method, path string
		body               any
		want               int
		says               string
	}{
		{"limit too large", http.MethodGet, orgs + "/spaces?limit=1001", nil, 400, "limit"},
		{"limit negative", http.MethodGet, orgs + "/spaces?limit=-1", nil, 400, "limit"},
		{"limit not a number", http.MethodGet, orgs + "/spaces?limit=ten", nil, 400, "limit"},
		{"cursor made up", http.MethodGet, orgs + "/spaces?page=abc", nil, 400, "page"},
		{"not JSON", http.MethodPost, orgs + "/spaces", `{"title":`, 400, ""},
		{"not an object", http.MethodPost, orgs + "/spaces", `[]`, 400, ""},
		{"wrong type", http.MethodPost, orgs + "/spaces", `{"title":7}`, 400, "title"},
		{"too long", http.MethodPost, orgs + "/spaces", map[string]any{"title": strings.Repeat("x", 51)}, 400, "title"},
		{"not in the list", http.MethodPost, orgs + "/spaces", `{"editMode":"sometimes"}`, 400, "editMode"},
		{"not an emoji", http.MethodPost, orgs + "/spaces", `{"emoji":"abc"}`, 400, "emoji"},
		{"control characters", http.MethodPatch, "/v1/spaces/" + space, `{"title":"a\u0000b"}`, 400, "title"},
		{"null where there has to be a value", http.MethodPatch, "/v1/spaces/" + space, `{"title":null}`, 400, "title"},
		{"unknown organization", http.MethodGet, "/v1/orgs/org_00000000000000000000000000", nil, 404, ""},
		{"id of another kind", http.MethodGet, "/v1/spaces/" + s.Organization, nil, 404, ""},
		{"id with a slash", http.MethodGet, "/v1/spaces/a%2Fb", nil, 404, ""},
		{"id with a zero byte", http.MethodGet, "/v1/spaces/a%00b", nil, 404, ""},
		{"page that is not there", http.MethodGet, "/v1/spaces/" + space + "/content/page/page_0", nil, 404, "page"},
		{"path that is not there", http.MethodGet, "/v1/spaces/" + space + "/content/path/no/such", nil, 404, "path"},
		{"file that is not there", http.MethodGet, "/v1/spaces/" + space + "/content/files/file_0", nil, 404, "file"},
		{"unknown format", http.MethodGet, "/v1/spaces/" + space + "/content/page/x?format=pdf", nil, 400, "format"},
		{"query too long", http.MethodGet, "/v1/spaces/" + space + "/search?query=" + strings.Repeat("a", 513), nil,
			400, "query"},
		{"import without an address", http.MethodPost, "/v1/spaces/" + space + "/content/import",
			`{"source":"website"}`, 400, "url"},
		{"import of an unknown source", http.MethodPost, "/v1/spaces/" + space + "/content/import",
			`{"url":"https://example.com","source":"fax"}`, 400, "source"},
		{"import from a private network", http.MethodPost, "/v1/spaces/" + space + "/content/import",
			`{"url":"http://127.0.0.1:1/","source":"website"}`, 400, ""},
		{"import from a file", http.MethodPost, "/v1/spaces/" + space + "/content/import",
			`{"url":"file:///etc/passwd","source":"html"}`, 400, ""},
		{"site title too short", http.MethodPost, orgs + "/sites", `{"title":"x"}`, 400, "title"},
		{"site with a space that is not there", http.MethodPost, orgs + "/sites",
			`{"title":"Docs","spaces":["space_00000000000000000000000000"]}`, 404, ""},
		{"site section that is not there", http.MethodPatch, orgs + "/sites/" + site.ID, `{"defaultSiteSection":"x"}`,
			400, "defaultSiteSection"},
		{"site proxy", http.MethodPatch, orgs + "/sites/" + site.ID, `{"proxy":"https://example.com/docs"}`, 400,
			"proxy"},
		{"download address made up", http.MethodGet, "/v1/downloads/" + space + "/" + strings.Repeat("0", 64) +
			"/a.png?expires=9999999999&signature=abc", nil, 403, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.In(t).Refused(test.method, test.path, test.body, test.want, test.says)
		})
	}
	if got := s.Raw(http.MethodPost, orgs+"/spaces", s.Token, `{"title":"`+strings.Repeat("a", 9<<20)+
		`"}`); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of 9 MB: %d", got.Status)
	}
}

// TestAccess holds which role may call what, and that other organizations do not exist for a caller.
func TestAccess(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "page.md", []byte("# Page\n\nText.\n"))
		var site apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		closed := s.Space("Closed")
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)

		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		// Another organization of the same server; its admin is nobody here.
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		var other apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)
		var foreign apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs/"+other.ID+"/spaces", `{"title":"Foreign"}`, http.StatusCreated,
			&foreign)

		orgs := "/v1/orgs/" + s.Organization
		tests := []struct {
			name, method, path string
			body               any
			least              org.Role // the lowest role that may
			ok                 int
			below              int // what the others get
		}{
			{"read the organization", http.MethodGet, orgs, nil, org.RoleGuest, 200, 0},
			{"list spaces", http.MethodGet, orgs + "/spaces", nil, org.RoleGuest, 200, 0},
			{"read a space", http.MethodGet, "/v1/spaces/" + space, nil, org.RoleRead, 200, 404},
			{"read content", http.MethodGet, "/v1/spaces/" + space + "/content", nil, org.RoleRead, 200, 404},
			{"read pages", http.MethodGet, "/v1/spaces/" + space + "/content/pages", nil, org.RoleRead, 200, 404},
			{"read by path", http.MethodGet, "/v1/spaces/" + space + "/content/path/page", nil, org.RoleRead, 200, 404},
			{"read files", http.MethodGet, "/v1/spaces/" + space + "/content/files", nil, org.RoleRead, 200, 404},
			{"search a space", http.MethodGet, "/v1/spaces/" + space + "/search?query=text", nil, org.RoleRead, 200,
				404},
			{"export", http.MethodGet, "/v1/spaces/" + space + "/content/export", nil, org.RoleRead, 200, 404},
			{"a closed space", http.MethodGet, "/v1/spaces/" + closed, nil, org.RoleAdmin, 200, 404},
			{"content of a closed space", http.MethodGet, "/v1/spaces/" + closed + "/content", nil, org.RoleAdmin, 200,
				404},
			{"rename a space", http.MethodPatch, "/v1/spaces/" + space, `{"title":"Guide"}`, org.RoleCreate, 200, 403},
			{"make a space", http.MethodPost, orgs + "/spaces", `{"title":"Another"}`, org.RoleCreate, 201, 403},
			{"import", http.MethodPost, "/v1/spaces/" + space + "/content/upload?name=page.md",
				[]byte("# Page\n\nText.\n"), org.RoleEdit, 201, 403},
			{"list sites", http.MethodGet, orgs + "/sites", nil, org.RoleGuest, 200, 0},
			{"make a site", http.MethodPost, orgs + "/sites", `{"title":"More docs"}`, org.RoleCreate, 201, 403},
			{"change a site", http.MethodPatch, orgs + "/sites/" + site.ID, `{"title":"Docs"}`, org.RoleCreate, 200,
				403},
			{"publish a site", http.MethodPost, orgs + "/sites/" + site.ID + "/publish", nil, org.RoleCreate, 200, 403},
			{"read a profile", http.MethodGet, orgs + "/sites/" + site.ID + "/published", nil, org.RoleRead, 200, 403},
		}
		for _, test := range tests {
			may := false
			for _, role := range roles {
				may = may || role == test.least
				want := test.below
				if may {
					want = test.ok
				} else if role == org.RoleGuest && want == 403 && (strings.HasPrefix(test.path, "/v1/spaces/") ||
					strings.Contains(test.path, "/sites/")) {
					want = 404 // a guest does not see the thing at all
				}
				got := s.Raw(test.method, test.path, tokens[role], test.body)
				if got.Status != want {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.Status, want, got.Body)
				}
				s.Check(test.method, test.path, got)
			}
			if got := s.Raw(test.method, test.path, stranger, test.body); strings.HasPrefix(test.path, "/v1/spaces/") &&
				got.Status != 404 {
				t.Errorf("%s from a guest: %d", test.name, got.Status)
			}
		}
		for _, path := range []string{
			"/v1/orgs/" + other.ID, "/v1/orgs/" + other.ID + "/spaces", "/v1/orgs/" + other.ID + "/sites",
			"/v1/orgs/" + other.ID + "/search?query=x",
			"/v1/org/" + other.ID + "/imports", "/v1/spaces/" + foreign.ID, "/v1/spaces/" + foreign.ID + "/content",
			"/v1/spaces/" + foreign.ID + "/search?query=x",
		} {
			if got := s.Raw(http.MethodGet, path, s.Token, nil); got.Status != http.StatusNotFound {
				t.Errorf("GET %s of another organization: %d", path, got.Status)
			}
		}
		var found struct{ Items []struct{ ID string } }
		s.CallAs(tokens[org.RoleRead], http.MethodGet, orgs+"/spaces?limit=1000", nil, 200, &found)
		if slices.ContainsFunc(found.Items, func(i struct{ ID string }) bool { return i.ID == closed }) {
			t.Error("the list shows a closed space")
		}
	})
}

func TestMetricsAskForTheirToken(t *testing.T) {
	ask := func(s *apptest.Server, authorization string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", authorization)
		return s.Send(request).Status
	}
	open := apptest.Start(t, apptest.InSQLite(t), nil)
	if got := ask(open, ""); got != http.StatusOK {
		t.Errorf("without the setting: status %d", got)
	}
	guarded := apptest.Start(t, apptest.InSQLite(t), func(settings *config.Serve) { settings.MetricsToken = "sesame" })
	for authorization, want := range map[string]int{"": http.StatusUnauthorized,
		"Bearer " + guarded.Token: http.StatusUnauthorized, "Bearer sesame": http.StatusOK} {
		if got := ask(guarded, authorization); got != want {
			t.Errorf("%q: status %d, want %d", authorization, got, want)
		}
	}
}
