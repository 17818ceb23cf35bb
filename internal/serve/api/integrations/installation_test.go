package integrations_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
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
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("tracker", map[string]any{"configurations": json.RawMessage(configurable)})
		guide, reference := s.Space("Guide"), s.Space("Reference")
		var site apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)

		installed := s.Install("tracker")
		at := "/v1/integrations/tracker/installations/" + installed.ID
		if installed.Status != "pending" || installed.SpaceSelection != "selected" || installed.URLs.Location != s.Base+
			at || installed.Configuration["zone"] != "eu" {
			t.Errorf("installed: %+v", installed)
		}
		s.Call(http.MethodPost, "/v1/integrations/tracker/installations", map[string]any{"organization": "example"},
			http.StatusConflict, nil)
		for name, test := range map[string]struct{ body, says string }{
			"no object": {`{"configuration":[]}`, "configuration"},
			"very deep": {`{"configuration":{"key":"k","a":` + strings.Repeat("[", 20_000) + strings.Repeat("]",
				20_000) + `}}`, ""},
			"external numbers": {`{"externalIds":[1]}`, "externalIds"},
		} {
			got := s.Raw(http.MethodPatch, at, s.Token, test.body)
			if got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body), test.says) {
				t.Errorf("%s: %d %.200s", name, got.Status, got.Body)
			}
		}
		var changed apptest.Installation
		s.Call(http.MethodPatch, at,
			`{"configuration":{"key":"k","state":{"cursor":12345678901234567890}},"externalIds":["acme","acme","beta"]}`, http.StatusOK, &changed)
		if changed.Status != "active" || changed.Configuration["zone"] != "eu" ||
			fmt.Sprint(changed.ExternalIDs) != "[acme beta]" {
			t.Errorf("changed: %+v", changed)
		}
		raw := s.Call(http.MethodGet, at, nil, http.StatusOK, nil)
		if !strings.Contains(string(raw.Body), `"cursor":12345678901234567890`) {
			t.Errorf("a number was changed: %s", raw.Body)
		}
		count := func(path string) int {
			t.Helper()
			var list struct{ Count int }
			s.Call(http.MethodGet, path, nil, http.StatusOK, &list)
			return list.Count
		}
		if count("/v1/integrations/tracker/installations?externalId=beta") != 1 ||
			count("/v1/integrations/tracker/installations?externalId=gamma") != 0 {
			t.Error("external ids do not filter")
		}

		// On a space.
		var onSpace apiContentInstallation
		s.Call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusCreated, &onSpace)
		if onSpace.Status != "pending" || onSpace.Space != guide || onSpace.Installation != installed.ID ||
			onSpace.Configuration["depth"] != 2.0 {
			t.Errorf("on a space: %+v", onSpace)
		}
		s.Call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusConflict, nil)
		// A configuration is filled in step by step, and pending until what is required is there.
		s.Call(http.MethodPatch, at+"/spaces/"+guide, `{"configuration":{"depth":1}}`, http.StatusOK, &onSpace)
		if onSpace.Status != "pending" || onSpace.Configuration["depth"] != 1.0 {
			t.Errorf("in part: %+v", onSpace)
		}
		s.Call(http.MethodPatch, at+"/spaces/"+guide, `{"configuration":{"project":"p"},"externalIds":["space-1"]}`,
			http.StatusOK, &onSpace)
		if onSpace.Status != "active" {
			t.Errorf("configured: %+v", onSpace)
		}
		s.Call(http.MethodGet, at+"/spaces/"+reference, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, at+"/spaces/"+guide+"?extended=true", nil, http.StatusOK, &onSpace)
		if whole, ok := onSpace.Space.(map[string]any); !ok || whole["title"] != "Guide" {
			t.Errorf("extended: %v", onSpace.Space)
		}
		if count(at+"/spaces") != 1 || count("/v1/integrations/tracker/spaces?externalId=space-1") != 1 ||
			count("/v1/integrations/tracker/spaces?externalId=none") != 0 {
			t.Error("lists of spaces")
		}
		if got := names(s, s.Token, "/v1/spaces/"+guide+"/integrations"); got != "tracker" {
			t.Errorf("integrations of the space: %q", got)
		}
		if got := names(s, s.Token, "/v1/spaces/"+reference+"/integrations"); got != "" {
			t.Errorf("integrations of another space: %q", got)
		}

		// On all spaces: each has one, also before somebody configures it.
		s.Call(http.MethodPatch, at, `{"space_selection":"all"}`, http.StatusOK, &changed)
		if changed.Spaces != 2 || count(at+"/spaces") != 2 || count("/v1/integrations/tracker/spaces") != 2 {
			t.Errorf("all spaces: %+v", changed)
		}
		s.Call(http.MethodGet, at+"/spaces/"+reference, nil, http.StatusOK, &onSpace)
		if onSpace.Status != "pending" {
			t.Errorf("one of all: %+v", onSpace)
		}
		s.Call(http.MethodPatch, at+"/spaces/"+reference, `{"configuration":{"project":"q"}}`, http.StatusOK, &onSpace)
		s.Call(http.MethodDelete, at+"/spaces/"+reference, nil, http.StatusConflict, nil)
		var page struct {
			Items []apiContentInstallation
			Next  *struct{ Page string }
		}
		for _, list := range []string{at + "/spaces", "/v1/integrations/tracker/spaces"} {
			page.Next = nil
			s.Call(http.MethodGet, list+"?limit=1", nil, http.StatusOK, &page)
			first := page.Items[0].Space
			if page.Next == nil {
				t.Fatalf("%s has one page", list)
			}
			next := page.Next.Page
			page.Next = nil
			s.Call(http.MethodGet, list+"?limit=1&page="+next, nil, http.StatusOK, &page)
			if first != guide || page.Items[0].Space != reference || page.Next != nil {
				t.Errorf("%s: %v, %+v", list, first, page)
			}
		}
		s.Call(http.MethodPatch, at, `{"space_selection":null}`, http.StatusOK, &changed)
		s.Call(http.MethodDelete, at+"/spaces/"+guide, nil, http.StatusResetContent, nil)
		s.Call(http.MethodDelete, at+"/spaces/"+guide, nil, http.StatusNotFound, nil)
		// A space in the trash takes no part.
		s.Call(http.MethodDelete, "/v1/spaces/"+reference, nil, http.StatusNoContent, nil)
		if count(at+"/spaces") != 0 {
			t.Error("a space in the trash is listed")
		}

		// On a site.
		var onSite apiContentInstallation
		s.Call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, &onSite)
		if onSite.Status != "active" || onSite.Site != site.ID {
			t.Errorf("on a site: %+v", onSite)
		}
		// Its program answers nothing, so there is no script at its address.
		script := installed.URLs.PublicEndpoint + "/sites/" + site.ID + "/script.js?version=1"
		if got := s.Raw(http.MethodGet, script, "", nil); got.Status != http.StatusInternalServerError {
			t.Errorf("%s: %d", script, got.Status)
		}
		s.Call(http.MethodPatch, at+"/sites/"+site.ID+"?extended=true", `{"configuration":{"tag":"t"}}`, http.StatusOK,
			&onSite)
		if whole, ok := onSite.Site.(map[string]any); !ok || whole["title"] != "Docs" ||
			onSite.Configuration["tag"] != "t" {
			t.Errorf("extended: %+v", onSite)
		}
		if got := names(s, s.Token, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+
			"/integrations?search=track"); got != "tracker" {
			t.Errorf("integrations of the site: %q", got)
		}
		s.Call(http.MethodDelete, at+"/sites/"+site.ID, nil, http.StatusResetContent, nil)
		s.Call(http.MethodGet, at+"/sites/"+site.ID, nil, http.StatusNotFound, nil)

		// A newer version may want more.
		s.Publish("tracker", map[string]any{"configurations": json.RawMessage(
			`{"account":{"properties":{"more":{"type":"string"}},"required":["more"]}}`)})
		var status struct{ Status string }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/integrations/tracker/installation_status", nil,
			http.StatusOK, &status)
		if status.Status != "pending" {
			t.Errorf("after a new version: %+v", status)
		}
		s.Call(http.MethodDelete, at, nil, http.StatusResetContent, nil)
		s.Call(http.MethodGet, at, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/integrations/tracker/installation_status", nil,
			http.StatusNotFound, nil)
	})
}

func TestIntegrationAccess(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("own", map[string]any{"visibility": "private"})
		s.Publish("other", nil)
		installed := s.Install("own")
		guide := s.Space("Guide")
		var site apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Docs"}`, http.StatusCreated, &site)
		at := "/v1/integrations/own/installations/" + installed.ID
		s.Call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusCreated, nil)
		s.Call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, nil)
		organization, eve := s.Elsewhere()
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		publication, err := json.Marshal(s.Publication(map[string]any{"visibility": "private"}))
		if err != nil {
			t.Fatal(err)
		}
		o := "/v1/orgs/" + s.Organization
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
			{"install", http.MethodPost, "/v1/integrations/other/installations", `{"organization":"` + s.Organization +
				`"}`, org.RoleAdmin, 201, 403},
			{"unpublish", http.MethodDelete, "/v1/integrations/other", "", org.RoleAdmin, 204, 403},
			{"uninstall from space", http.MethodDelete, at + "/spaces/" + guide, "", org.RoleAdmin, 205, 403},
			{"uninstall from site", http.MethodDelete, at + "/sites/" + site.ID, "", org.RoleAdmin, 205, 403},
			{"uninstall", http.MethodDelete, at, "", org.RoleAdmin, 205, 403},
		}
		send := func(method, path, token, body string) apptest.Answer {
			if body == "" {
				return s.Raw(method, path, token, nil)
			}
			return s.Raw(method, path, token, body)
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
				if got.Status != want && (role != org.RoleGuest || got.Status != http.StatusForbidden &&
					got.Status != http.StatusNotFound) {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.Status, want, got.Body)
				}
				s.Check(test.method, test.path, got)
			}
			if got := send(test.method, test.path, "", test.body); got.Status != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", test.name, got.Status)
			}
			// The other integration is public: who may not unpublish it knows it.
			want := http.StatusNotFound
			if got := send(test.method, test.path, eve, test.body); got.Status != want {
				t.Errorf("%s from another organization: %d %.200s", test.name, got.Status, got.Body)
			}
			foreign := strings.Replace(test.path, s.Organization, organization, 1)
			if strings.Contains(test.path, "/sites/") && foreign != test.path {
				if got := send(test.method, foreign, tokens[org.RoleAdmin],
					test.body); got.Status != http.StatusNotFound {
					t.Errorf("%s in another organization: %d", test.name, got.Status)
				}
			}
		}
	})
}
