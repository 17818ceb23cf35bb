package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// described is a small API with one operation of each kind.
const described = `{"openapi": "3.1.0", "components": {"schemas": {
	"Site": {"type": "object", "required": ["title"], "properties": {
		"title": {"type": "string", "description": "Its title."}, "createSpace": {"type": "boolean"},
		"parent": {"type": ["string", "null"]}, "position": {"type": "integer"},
		"spaces": {"type": ["array", "null"], "items": {"type": "string"}}, "limit": {"type": "integer"},
		"visibility": {"type": "string", "enum": ["public", "unlisted"]}, "theme": {"type": "object"}}},
	"List": {"type": "object", "properties": {"items": {"type": "array"}}}}},
	"paths": {
	"/v1/orgs/{organizationId}/sites": {
		"get": {"operationId": "listSites", "summary": "List sites", "parameters": [
			{"name": "page", "in": "query", "schema": {"type": "string"}},
			{"name": "limit", "in": "query", "schema": {"type": "integer"}},
			{"name": "title", "in": "query", "description": "Part of the title.", "schema": {"type": "string"}}],
			"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/List"}}}}}},
		"post": {"operationId": "createSite", "summary": "Create a site", "requestBody": {"content": {
			"application/json": {"schema": {"$ref": "#/components/schemas/Site"}}}}, "responses": {}}},
	"/v1/orgs/{organizationId}/sites/{siteId}": {
		"get": {"operationId": "getSiteById", "responses": {}},
		"delete": {"operationId": "deleteSiteById", "responses": {}}},
	"/v1/spaces/{spaceId}/content/path/{pagePath}": {"get": {"operationId": "getPageByPath", "responses": {}}},
	"/v1/spaces/{spaceId}/content/files": {"post": {"operationId": "uploadFiles", "requestBody": {"content": {
		"multipart/form-data": {}}}, "responses": {}}},
	"/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge": {"post": {"operationId": "mergeChangeRequest",
		"parameters": [{"name": "dryRun", "in": "query", "schema": {"type": "boolean"}}], "responses": {}}}}}`

// terminal runs commands against a handler.
type terminal struct {
	t        *testing.T
	server   string
	settings map[string]string
	stdin    string
	out, err bytes.Buffer
}

func newTerminal(t *testing.T, handler http.HandlerFunc) *terminal {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &terminal{t: t, server: server.URL, settings: map[string]string{"server": server.URL, "token": "rct_x"}}
}

// run returns what the command wrote to standard output, and its error.
func (term *terminal) run(args ...string) (string, error) {
	term.t.Helper()
	term.out.Reset()
	term.err.Reset()
	host := Host{Stdin: strings.NewReader(term.stdin), Stdout: &term.out, Stderr: &term.err,
		Setting: func(flag string) string { return term.settings[flag] }}
	operations, err := Operations([]byte(described))
	if err != nil {
		term.t.Fatal(err)
	}
	root := Root(host)
	if err := Add(root, operations, host); err != nil {
		term.t.Fatal(err)
	}
	root.SetArgs(args)
	err = root.ExecuteContext(context.Background())
	return term.out.String(), err
}

func TestListsFollowPages(t *testing.T) {
	var asked []string
	term := newTerminal(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		if r.Header.Get("Authorization") != "Bearer rct_x" {
			t.Errorf("the token is %q", r.Header.Get("Authorization"))
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("page") == "" {
			fmt.Fprint(w, `{"items": [{"id": "site_1", "title": "One\u001b[31m"}], "count": 2, "next": {"page": "p2"}}`)
			return
		}
		fmt.Fprint(w, `{"items": [{"id": "site_2", "title": "Two", "visibility": "public"}], "count": 2}`)
	})
	shown, err := term.run("site", "list", "--org", "org_1", "--limit", "1", "--title", "a b")
	if err != nil {
		t.Fatal(err)
	}
	if want := "ID      TITLE\nsite_1  One\uFFFD[31m\n"; shown != want {
		t.Errorf("one page shows %q, want %q", shown, want)
	}
	if want := "1 of 2 are shown"; !strings.Contains(term.err.String(), want) {
		t.Errorf("standard error is %q, want %q", term.err.String(), want)
	}
	if want := "/v1/orgs/org_1/sites?limit=1&title=a+b"; len(asked) != 1 || asked[0] != want {
		t.Errorf("asked %q, want %s", asked, want)
	}
	shown, err = term.run("site", "list", "--org", "org_1", "--all", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Items []struct{ ID string }
		Next  *struct{}
	}
	if err := json.Unmarshal([]byte(shown), &whole); err != nil || len(whole.Items) != 2 || whole.Next != nil {
		t.Errorf("all as JSON is %s", shown)
	}
}

// TestOrganization holds that the only organization is the default, and that of two one has to be named.
func TestOrganization(t *testing.T) {
	organizations, deleted := `[{"id": "org_1", "title": "A"}]`, ""
	term := newTerminal(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodDelete {
			deleted = r.URL.Path
			w.WriteHeader(http.StatusNoContent)
			return
		}
		fmt.Fprintf(w, `{"items": %s}`, organizations)
	})
	if _, err := term.run("site", "delete", "site_1"); err != nil || deleted != "/v1/orgs/org_1/sites/site_1" {
		t.Errorf("deleted %q, %v", deleted, err)
	}
	organizations = `[{"id": "org_1", "title": "A"}, {"id": "org_2", "title": "B"}]`
	_, err := term.run("site", "delete", "site_1")
	if ExitCode(err) != 2 || !strings.Contains(err.Error(), "org_2 (B)") {
		t.Errorf("two organizations: %v", err)
	}
	term.settings["org"] = "org_2"
	if _, err := term.run("site", "delete", "site_1"); err != nil || deleted != "/v1/orgs/org_2/sites/site_1" {
		t.Errorf("deleted %q, %v", deleted, err)
	}
}

func TestBodies(t *testing.T) {
	var sent, uri string
	term := newTerminal(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		sent, uri = string(raw), r.URL.RequestURI()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id": "site_1", "title": "T", "urls": {"app": "http://x/"}, "spaces": ["a", "b"]}`)
	})
	file := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(file, []byte(`{"theme": {"font": "x"}, "title": "old"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	term.stdin = `{"position": 9007199254740993}`
	for _, test := range []struct{ args, want string }{
		{"--title T --create-space --parent null --position 3 --spaces a,b --field-limit 7 --visibility public",
			`{"createSpace":true,"limit":7,"parent":null,"position":3,"spaces":["a","b"],"title":"T","visibility":"public"}`},
		{"--body " + file + " --title new", `{"theme":{"font":"x"},"title":"new"}`},
		{"--body -", `{"position":9007199254740993}`},
		{`--body {"title":"inline"}`, `{"title":"inline"}`},
		{"", "{}"},
	} {
		args := append([]string{"site", "create", "--org", "o"}, strings.Fields(test.args)...)
		shown, err := term.run(args...)
		if err != nil || sent != test.want {
			t.Errorf("%s sends %s, %v; want %s", test.args, sent, err, test.want)
		}
		if want := "id        site_1\ntitle     T\nspaces    a, b\nurls.app  http://x/\n"; shown != want {
			t.Errorf("shown is %q, want %q", shown, want)
		}
	}
	// A value cannot leave its segment of the path.
	_, err := term.run("page", "find", "../x", "a/b?c")
	if err != nil || uri != "/v1/spaces/..%2Fx/content/path/a%2Fb%3Fc" {
		t.Errorf("asked %s, %v", uri, err)
	}
	if _, err := term.run("change", "merge", "s", "7", "--dry-run"); err != nil ||
		uri != "/v1/spaces/s/change-requests/7/merge?dryRun=true" {
		t.Errorf("asked %s, %v", uri, err)
	}
	if _, err := term.run("file", "upload", "s", "--file", file); err != nil ||
		!strings.Contains(sent, `name="file"; filename="body.json"`) {
		t.Errorf("sent %s, %v", sent, err)
	}
}

func TestWrongCommandLines(t *testing.T) {
	term := newTerminal(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	for args, want := range map[string]string{
		"site get":                    "takes one argument",
		"site get a b":                "takes one argument",
		"site get ..":                 "must not be",
		"site nonsense":               "is no command",
		"site list --nonsense":        "nonsense",
		"site list --org o --limit 0": "at least 1",
		"site create --position x":    "must be a number",
		"site create --body [1]":      "cannot read",
		"site create --body {":        "one JSON object",
		"file upload s":               "--file",
	} {
		if _, err := term.run(strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	status := 0
	term := newTerminal(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error": {"code": 1, "message": "what the server said"}}`)
	})
	for code, want := range map[int]int{400: 1, 401: 3, 403: 3, 404: 4, 409: 5, 412: 5, 500: 1} {
		status = code
		_, err := term.run("site", "get", "site_1", "--org", "o")
		if ExitCode(err) != want || err.Error() != "what the server said" {
			t.Errorf("status %d: exit code %d, %v; want %d", code, ExitCode(err), err, want)
		}
	}
	if got := ExitCode(&Usage{}); got != 2 {
		t.Errorf("a wrong command line: exit code %d", got)
	}
}

// TestOutput holds that --output never writes over a file.
func TestOutput(t *testing.T) {
	term := newTerminal(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "%PDF") })
	file := filepath.Join(t.TempDir(), "out")
	if _, err := term.run("site", "get", "s", "--org", "o", "-o", file); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "%PDF" {
		t.Errorf("the file is %q, %v", raw, err)
	}
	if _, err := term.run("site", "get", "s", "--org", "o", "-o", file); err == nil {
		t.Error("a file was written over")
	}
}

func TestHelp(t *testing.T) {
	term := newTerminal(t, nil)
	shown, err := term.run("site", "create", "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"POST /v1/orgs/{organizationId}/sites", "Its title (required)",
		"one of public, unlisted", "null for none", "RECTO_TOKEN"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the help has no %q:\n%s", want, shown)
		}
	}
}
