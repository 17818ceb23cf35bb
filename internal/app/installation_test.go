package app_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// configurable is a description of configurations for all three places.
const configurable = `{
	"account":{"properties":{"key":{"type":"string"},"zone":{"type":"string","enum":["eu","us"],"default":"eu"}},"required":["key","zone"]},
	"space":{"properties":{"project":{"type":"string"},"depth":{"type":"number","default":2}},"required":["project"]},
	"site":{"properties":{"tag":{"type":"string"}}}}`

type apiContentInstallation struct {
	Integration, Installation, Status string
	Configuration                     map[string]any
	ExternalIDs                       []string
	Space, Site                       any
	URLs                              struct{ Location, PublicEndpoint string }
}

func TestInstallations(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		s.publish("tracker", map[string]any{"configurations": json.RawMessage(configurable)})
		guide, reference := s.space("Guide"), s.space("Reference")
		var site identified
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)

		installed := s.install("tracker")
		at := "/v1/integrations/tracker/installations/" + installed.ID
		if installed.Status != "pending" || installed.SpaceSelection != "selected" || installed.URLs.Location != s.base+
			at || installed.Configuration["zone"] != "eu" {
			t.Errorf("installed: %+v", installed)
		}
		s.call(http.MethodPost, "/v1/integrations/tracker/installations", map[string]any{"organization": "example"},
			http.StatusConflict, nil)
		for name, test := range map[string]struct{ body, says string }{
			"missing":   {`{"configuration":{"zone":"eu"}}`, "configuration.key"},
			"type":      {`{"configuration":{"key":5}}`, "configuration.key"},
			"list":      {`{"configuration":{"key":"k","zone":"asia"}}`, "configuration.zone"},
			"no object": {`{"configuration":[]}`, "configuration"},
			"deep": {`{"configuration":{"key":"k","a":` + strings.Repeat("[", 100) + strings.Repeat("]",
				100) + `}}`, "levels"},
			"very deep": {`{"configuration":{"key":"k","a":` + strings.Repeat("[", 20_000) + strings.Repeat("]",
				20_000) + `}}`, ""},
			"large":            {`{"configuration":{"key":"` + strings.Repeat("k", 64<<10) + `"}}`, "bytes"},
			"six external ids": {`{"externalIds":["1","2","3","4","5","6"]}`, "externalIds"},
			"long external id": {`{"externalIds":["` + strings.Repeat("1", 256) + `"]}`, "externalIds[0]"},
			"external numbers": {`{"externalIds":[1]}`, "externalIds"},
			"selection":        {`{"space_selection":"some"}`, "space_selection"},
		} {
			got := s.raw(http.MethodPatch, at, s.token, test.body)
			if got.status != http.StatusBadRequest || !strings.Contains(string(got.body), test.says) {
				t.Errorf("%s: %d %.200s", name, got.status, got.body)
			}
		}
		var changed apiInstallation
		s.call(http.MethodPatch, at,
			`{"configuration":{"key":"k","state":{"cursor":12345678901234567890}},"externalIds":["acme","acme","beta"]}`, http.StatusOK, &changed)
		if changed.Status != "active" || changed.Configuration["zone"] != "eu" ||
			fmt.Sprint(changed.ExternalIDs) != "[acme beta]" {
			t.Errorf("changed: %+v", changed)
		}
		raw := s.call(http.MethodGet, at, nil, http.StatusOK, nil)
		if !strings.Contains(string(raw.body), `"cursor":12345678901234567890`) {
			t.Errorf("a number was changed: %s", raw.body)
		}
		count := func(path string) int {
			t.Helper()
			var list struct{ Count int }
			s.call(http.MethodGet, path, nil, http.StatusOK, &list)
			return list.Count
		}
		if count("/v1/integrations/tracker/installations?externalId=beta") != 1 ||
			count("/v1/integrations/tracker/installations?externalId=gamma") != 0 {
			t.Error("external ids do not filter")
		}

		// On a space.
		var onSpace apiContentInstallation
		s.call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusCreated, &onSpace)
		if onSpace.Status != "pending" || onSpace.Space != guide || onSpace.Installation != installed.ID ||
			onSpace.Configuration["depth"] != 2.0 {
			t.Errorf("on a space: %+v", onSpace)
		}
		s.call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusConflict, nil)
		if got := s.raw(http.MethodPatch, at+"/spaces/"+guide, s.token,
			`{"configuration":{"depth":1}}`); got.status != http.StatusBadRequest || !strings.Contains(string(got.body),
			"configuration.project") {
			t.Errorf("without a project: %d %s", got.status, got.body)
		}
		s.call(http.MethodPatch, at+"/spaces/"+guide, `{"configuration":{"project":"p"},"externalIds":["space-1"]}`,
			http.StatusOK, &onSpace)
		if onSpace.Status != "active" {
			t.Errorf("configured: %+v", onSpace)
		}
		s.call(http.MethodGet, at+"/spaces/"+reference, nil, http.StatusNotFound, nil)
		s.call(http.MethodGet, at+"/spaces/"+guide+"?extended=true", nil, http.StatusOK, &onSpace)
		if whole, ok := onSpace.Space.(map[string]any); !ok || whole["title"] != "Guide" {
			t.Errorf("extended: %v", onSpace.Space)
		}
		if count(at+"/spaces") != 1 || count("/v1/integrations/tracker/spaces?externalId=space-1") != 1 ||
			count("/v1/integrations/tracker/spaces?externalId=none") != 0 {
			t.Error("lists of spaces")
		}
		if got := s.names(s.token, "/v1/spaces/"+guide+"/integrations"); got != "tracker" {
			t.Errorf("integrations of the space: %q", got)
		}
		if got := s.names(s.token, "/v1/spaces/"+reference+"/integrations"); got != "" {
			t.Errorf("integrations of another space: %q", got)
		}

		// On all spaces: each has one, also before somebody configures it.
		s.call(http.MethodPatch, at, `{"space_selection":"all"}`, http.StatusOK, &changed)
		if changed.Spaces != 2 || count(at+"/spaces") != 2 || count("/v1/integrations/tracker/spaces") != 2 {
			t.Errorf("all spaces: %+v", changed)
		}
		s.call(http.MethodGet, at+"/spaces/"+reference, nil, http.StatusOK, &onSpace)
		if onSpace.Status != "pending" {
			t.Errorf("one of all: %+v", onSpace)
		}
		s.call(http.MethodPatch, at+"/spaces/"+reference, `{"configuration":{"project":"q"}}`, http.StatusOK, &onSpace)
		s.call(http.MethodDelete, at+"/spaces/"+reference, nil, http.StatusConflict, nil)
		var page struct {
			Items []apiContentInstallation
			Next  *struct{ Page string }
		}
		for _, list := range []string{at + "/spaces", "/v1/integrations/tracker/spaces"} {
			page.Next = nil
			s.call(http.MethodGet, list+"?limit=1", nil, http.StatusOK, &page)
			first := page.Items[0].Space
			if page.Next == nil {
				t.Fatalf("%s has one page", list)
			}
			next := page.Next.Page
			page.Next = nil
			s.call(http.MethodGet, list+"?limit=1&page="+next, nil, http.StatusOK, &page)
			if first != guide || page.Items[0].Space != reference || page.Next != nil {
				t.Errorf("%s: %v, %+v", list, first, page)
			}
		}
		s.call(http.MethodPatch, at, `{"space_selection":null}`, http.StatusOK, &changed)
		s.call(http.MethodDelete, at+"/spaces/"+guide, nil, http.StatusResetContent, nil)
		s.call(http.MethodDelete, at+"/spaces/"+guide, nil, http.StatusNotFound, nil)
		// A space in the trash takes no part.
		s.call(http.MethodDelete, "/v1/spaces/"+reference, nil, http.StatusNoContent, nil)
		if count(at+"/spaces") != 0 {
			t.Error("a space in the trash is listed")
		}

		// On a site.
		var onSite apiContentInstallation
		s.call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, &onSite)
		if onSite.Status != "active" || onSite.Site != site.ID {
			t.Errorf("on a site: %+v", onSite)
		}
		s.call(http.MethodPatch, at+"/sites/"+site.ID+"?extended=true", `{"configuration":{"tag":"t"}}`, http.StatusOK,
			&onSite)
		if whole, ok := onSite.Site.(map[string]any); !ok || whole["title"] != "Docs" ||
			onSite.Configuration["tag"] != "t" {
			t.Errorf("extended: %+v", onSite)
		}
		if got := s.names(s.token, "/v1/orgs/"+s.organization+"/sites/"+site.ID+
			"/integrations?search=track"); got != "tracker" {
			t.Errorf("integrations of the site: %q", got)
		}
		s.call(http.MethodDelete, at+"/sites/"+site.ID, nil, http.StatusResetContent, nil)
		s.call(http.MethodGet, at+"/sites/"+site.ID, nil, http.StatusNotFound, nil)

		// A newer version may want more.
		s.publish("tracker", map[string]any{"configurations": json.RawMessage(
			`{"account":{"properties":{"more":{"type":"string"}},"required":["more"]}}`)})
		var status struct{ Status string }
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/integrations/tracker/installation_status", nil,
			http.StatusOK, &status)
		if status.Status != "pending" {
			t.Errorf("after a new version: %+v", status)
		}
		s.call(http.MethodDelete, at, nil, http.StatusResetContent, nil)
		s.call(http.MethodGet, at, nil, http.StatusNotFound, nil)
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/integrations/tracker/installation_status", nil,
			http.StatusNotFound, nil)
	})
}

// TestInstallationTargets holds that an integration is installed on nothing that it is not for.
func TestInstallationTargets(t *testing.T) {
	s := onSQLite(t, nil)
	guide := s.space("Guide")
	s.publish("sites", map[string]any{"target": "site"})
	at := "/v1/integrations/sites/installations/" + s.install("sites").ID
	s.call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusConflict, nil)
	s.call(http.MethodPatch, at, `{"space_selection":"all"}`, http.StatusBadRequest, nil)
	s.call(http.MethodPatch, at, `{"site_selection":"all"}`, http.StatusOK, nil)
	for target, want := range map[string]int{"": 1, "?target=organization": 1, "?target=site": 1, "?target=space": 0} {
		var list struct {
			Count int
			Items []struct {
				Status      string
				Integration apiIntegration
			}
		}
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/integrations/installations-status"+target, nil,
			http.StatusOK, &list)
		if list.Count != want || len(list.Items) != want {
			t.Errorf("%q: %+v", target, list)
		}
	}
	// With the next version it is for organizations alone.
	s.publish("sites", map[string]any{"target": "organization"})
	var site identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)
	if got := s.names(s.token, "/v1/orgs/"+s.organization+"/sites/"+site.ID+"/integrations"); got != "" {
		t.Errorf("on the site: %q", got)
	}
}

// TestInstallationOfOthers holds what is left of an installation when the integration is no more offered.
func TestInstallationOfOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		organization, eve := s.elsewhere()
		s.publish("tracker", map[string]any{"blocks": []any{map[string]any{"id": "b", "title": "Block"}}})
		var theirs apiInstallation
		s.callAs(eve, http.MethodPost, "/v1/integrations/tracker/installations",
			map[string]any{"organization": organization}, http.StatusCreated, &theirs)
		reader := s.member(org.RoleCreate, "reader@example.org")
		at := "/v1/integrations/tracker/installations/" + theirs.ID
		// Even who has published it finds no installation of others.
		s.callAs(reader, http.MethodGet, at, nil, http.StatusNotFound, nil)
		var list struct{ Count int }
		s.callAs(reader, http.MethodGet, "/v1/integrations/tracker/installations", nil, http.StatusOK, &list)
		if list.Count != 0 {
			t.Error("an installation of others is listed")
		}
		var space identified
		s.callAs(eve, http.MethodPost, "/v1/orgs/"+organization+"/spaces", `{"title":"Theirs"}`, http.StatusCreated,
			&space)
		s.callAs(eve, http.MethodPost, at+"/spaces", map[string]any{"space": s.space("Ours")}, http.StatusNotFound, nil)
		s.callAs(eve, http.MethodPost, at+"/spaces", map[string]any{"space": space.ID}, http.StatusCreated, nil)
		var blocks []struct {
			Name   string
			Blocks []identified
		}
		s.callAs(eve, http.MethodGet, "/v1/spaces/"+space.ID+"/integration-blocks", nil, http.StatusOK, &blocks)
		if len(blocks) != 1 || blocks[0].Name != "tracker" || blocks[0].Blocks[0].ID != "b" {
			t.Errorf("blocks: %+v", blocks)
		}

		s.publish("tracker", map[string]any{"visibility": "private"})
		s.callAs(eve, http.MethodGet, at, nil, http.StatusOK, &theirs)
		if theirs.Status != "paused" {
			t.Errorf("of a private integration of others: %+v", theirs)
		}
		s.callAs(eve, http.MethodGet, "/v1/integrations/tracker", nil, http.StatusOK, nil)
		if got := s.names(eve, "/v1/spaces/"+space.ID+"/integrations"); got != "" {
			t.Errorf("in the space: %q", got)
		}
		s.publish("tracker", nil)
		// A space leaves its integrations behind with its organization.
		s.call(http.MethodPost, "/v1/spaces/"+space.ID+"/transfer", map[string]any{"organization": s.organization},
			http.StatusOK, nil)
		s.callAs(eve, http.MethodGet, at+"/spaces", nil, http.StatusOK, &list)
		if list.Count != 0 {
			t.Error("a space that left is listed")
		}
		s.call(http.MethodDelete, "/v1/integrations/tracker", nil, http.StatusNoContent, nil)
		s.publish("tracker", nil)
		s.callAs(eve, http.MethodGet, at, nil, http.StatusNotFound, nil)
	})
}

func TestIntegrationAccess(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		s.publish("own", map[string]any{"visibility": "private"})
		s.publish("other", nil)
		installed := s.install("own")
		guide := s.space("Guide")
		var site identified
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)
		at := "/v1/integrations/own/installations/" + installed.ID
		s.call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusCreated, nil)
		s.call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, nil)
		organization, eve := s.elsewhere()
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.member(role, "role-"+string(role)+"@example.org")
		}
		publication, err := json.Marshal(s.publication(map[string]any{"visibility": "private"}))
		if err != nil {
			t.Fatal(err)
		}
		o := "/v1/orgs/" + s.organization
		tests := []struct {
			name, method, path, body string
			least                    org.Role
			ok, refused              int
		}{
			{"get", http.MethodGet, "/v1/integrations/own", "", org.RoleRead, 200, 404},
			{"publish", http.MethodPost, "/v1/integrations/own", string(publication), org.RoleAdmin, 200, 403},
			{"list for the organization", http.MethodGet, o + "/integrations", "", org.RoleRead, 200, 403},
			{"statuses", http.MethodGet, o + "/integrations/installations-status", "", org.RoleRead, 200, 403},
			{"status", http.MethodGet, o + "/integrations/own/installation_status", "", org.RoleRead, 200, 403},
			{"list installed", http.MethodGet, o + "/installations", "", org.RoleCreate, 200, 403},
			{"get installation", http.MethodGet, at, "", org.RoleCreate, 200, 403},
			{"change installation", http.MethodPatch, at, `{"externalIds":["a"]}`, org.RoleAdmin, 200, 403},
			{"list spaces", http.MethodGet, at + "/spaces", "", org.RoleCreate, 200, 403},
			{"list sites", http.MethodGet, at + "/sites", "", org.RoleCreate, 200, 403},
			{"install on space again", http.MethodPost, at + "/spaces", `{"space":"` + guide + `"}`, org.RoleCreate,
				409, 403},
			{"install on site again", http.MethodPost, at + "/sites", `{"siteId":"` + site.ID + `"}`, org.RoleCreate,
				409, 403},
			{"get on space", http.MethodGet, at + "/spaces/" + guide, "", org.RoleCreate, 200, 403},
			{"get on site", http.MethodGet, at + "/sites/" + site.ID, "", org.RoleCreate, 200, 403},
			{"change on space", http.MethodPatch, at + "/spaces/" + guide, `{"externalIds":["a"]}`, org.RoleCreate, 200,
				403},
			{"change on site", http.MethodPatch, at + "/sites/" + site.ID, `{"externalIds":["a"]}`, org.RoleCreate, 200,
				403},
			{"integrations of space", http.MethodGet, "/v1/spaces/" + guide + "/integrations", "", org.RoleRead, 200,
				404},
			{"blocks of space", http.MethodGet, "/v1/spaces/" + guide + "/integration-blocks", "", org.RoleRead, 200,
				404},
			{"integrations of site", http.MethodGet, o + "/sites/" + site.ID + "/integrations", "", org.RoleRead, 200,
				404},
			{"install", http.MethodPost, "/v1/integrations/other/installations", `{"organization":"` + s.organization +
				`"}`, org.RoleAdmin, 201, 403},
			{"unpublish", http.MethodDelete, "/v1/integrations/other", "", org.RoleAdmin, 204, 403},
			{"uninstall from space", http.MethodDelete, at + "/spaces/" + guide, "", org.RoleAdmin, 205, 403},
			{"uninstall from site", http.MethodDelete, at + "/sites/" + site.ID, "", org.RoleAdmin, 205, 403},
			{"uninstall", http.MethodDelete, at, "", org.RoleAdmin, 205, 403},
		}
		send := func(method, path, token, body string) answer {
			if body == "" {
				return s.raw(method, path, token, nil)
			}
			return s.raw(method, path, token, body)
		}
		for _, test := range tests {
			may := false
			for _, role := range roles {
				if role == org.RoleCreate && strings.HasPrefix(test.name, "uninstall from") {
					continue // would take away what the admin is to remove
				}
				may = may || role == test.least
				want := test.refused
				if may {
					want = test.ok
				}
				got := send(test.method, test.path, tokens[role], test.body)
				if got.status != want && (role != org.RoleGuest || got.status != http.StatusForbidden &&
					got.status != http.StatusNotFound) {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.status, want, got.body)
				}
				s.check(test.method, test.path, got)
			}
			if got := send(test.method, test.path, "", test.body); got.status != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", test.name, got.status)
			}
			// The other integration is public: who may not unpublish it knows it.
			want := http.StatusNotFound
			if got := send(test.method, test.path, eve, test.body); got.status != want {
				t.Errorf("%s from another organization: %d %.200s", test.name, got.status, got.body)
			}
			foreign := strings.Replace(test.path, s.organization, organization, 1)
			if strings.Contains(test.path, "/sites/") && foreign != test.path {
				if got := send(test.method, foreign, tokens[org.RoleAdmin],
					test.body); got.status != http.StatusNotFound {
					t.Errorf("%s in another organization: %d", test.name, got.status)
				}
			}
		}
	})
}

// TestSiteScripts holds which scripts integrations put on a site.
func TestSiteScripts(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		s.publish("counter", map[string]any{
			"scopes":                []string{"site:script:inject", "site:script:cookies"},
			"contentSecurityPolicy": "script-src https://count.example",
			"configurations": json.RawMessage(
				`{"site":{"properties":{"key":{"type":"string"}},"required":["key"]}}`),
		})
		s.publish("reader", map[string]any{"scopes": []string{"site:views:read"}})
		s.publish("banner", map[string]any{"target": "site"})
		s.publish("spaces", map[string]any{"target": "space"})
		var site identified
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)
		for _, name := range []string{"reader", "banner", "spaces"} {
			at := "/v1/integrations/" + name + "/installations/" + s.install(name).ID
			if name != "spaces" {
				s.call(http.MethodPatch, at, `{"site_selection":"all"}`, http.StatusOK, nil)
			}
		}
		counter := "/v1/integrations/counter/installations/" + s.install("counter").ID
		database, err := db.Open(t.Context(), db.Config{URL: s.storage.Database()})
		if err != nil {
			t.Fatal(err)
		}
		defer database.Close()
		service := integration.New(integration.Deps{DB: database, Secrets: s.secrets(), BaseURL: s.base})
		names := func() string {
			t.Helper()
			scripts, err := service.SiteScripts(t.Context(), s.organization, site.ID)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, each := range scripts {
				found = append(found, fmt.Sprint(each.Integration, " ", each.Cookies, " ", each.Policy))
				if got := s.raw(http.MethodGet, each.Script, "", nil); got.status != http.StatusNotFound {
					t.Errorf("%s: %d", each.Script, got.status)
				}
			}
			return strings.Join(found, ", ")
		}
		if got := names(); got != "banner false " {
			t.Errorf("before: %q", got)
		}
		s.call(http.MethodPost, counter+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, nil)
		if got := names(); got != "banner false " {
			t.Errorf("without a configuration: %q", got)
		}
		s.call(http.MethodPatch, counter+"/sites/"+site.ID, `{"configuration":{"key":"k"}}`, http.StatusOK, nil)
		if got := names(); got != "banner false , counter true script-src https://count.example" {
			t.Errorf("configured: %q", got)
		}
	})
}

// secrets opens the box of the server's key.
func (s *server) secrets() *seal.Box {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.storage.Data, "secret.key"))
	if err != nil {
		s.t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		s.t.Fatal(err)
	}
	box, err := seal.NewBox(key)
	if err != nil {
		s.t.Fatal(err)
	}
	return box
}
