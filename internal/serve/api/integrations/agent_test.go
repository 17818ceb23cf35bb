package integrations_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// agents makes tokens as the server does for scripts; now moves its clock.
func agents(t *testing.T, s *apptest.Server, now func() time.Time) *integration.Service {
	key, err := db.Secret(t.Context(), s.Database(), "integrations")
	if err != nil {
		t.Fatal(err)
	}
	return integration.Tokens(key, now)
}

// integrationID returns the id of an integration.
func integrationID(t *testing.T, s *apptest.Server, name string) id.Integration {
	var found id.Integration
	err := s.Database().Read().QueryRowContext(t.Context(), `SELECT id FROM integration WHERE name = $1`, name).
		Scan(&found)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestIntegrationsCallInTheirOwnName walks what the tokens of integrations open, and what an attacker tries with them.
func TestIntegrationsCallInTheirOwnName(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Publish("tracker", map[string]any{
			"configurations": json.RawMessage(configurable),
			"scopes":         []string{"space:content:read", "site:metadata:read", "site:adaptive:write"},
		})
		s.Publish("bystander", map[string]any{"scopes": []string{"space:content:read"}})
		s.Publish("blind", map[string]any{"scopes": []string{}})
		guide, other := s.Space("Guide"), s.Space("Other")
		var site, otherSite apptest.Identified
		siteAt := "/v1/orgs/" + s.Organization + "/sites/"
		s.Call(http.MethodPost, siteAt[:len(siteAt)-1], `{"title":"Docs"}`, http.StatusCreated, &site)
		s.Call(http.MethodPost, siteAt[:len(siteAt)-1], `{"title":"Other"}`, http.StatusCreated, &otherSite)
		installed, bystander, blind := s.Install("tracker"), s.Install("bystander"), s.Install("blind")
		at := "/v1/integrations/tracker/installations/" + installed.ID
		s.Call(http.MethodPost, at+"/spaces", map[string]any{"space": guide}, http.StatusCreated, nil)
		s.Call(http.MethodPost, at+"/sites", map[string]any{"siteId": site.ID}, http.StatusCreated, nil)
		s.Call(http.MethodPatch, "/v1/integrations/blind/installations/"+blind.ID, `{"space_selection":"all"}`,
			http.StatusOK, nil)
		elsewhere, _ := s.Elsewhere()

		s.Call(http.MethodPost, "/v1/spaces/"+guide+"/change-requests", `{"subject":"More"}`, http.StatusCreated, nil)
		find, books := "/v1/urls/content?url="+s.Base, s.Collection("Books", "")
		tokens := agents(t, s, nil)
		whole := tokens.Token(integrationID(t, s, "tracker"))
		var made struct{ Token string }
		s.CallAs(whole, http.MethodPost, at+"/tokens", nil, http.StatusOK, &made)
		one := made.Token
		stranger := tokens.Token(integrationID(t, s, "bystander"))
		strangerOne := tokens.InstallationToken(bystander.ID)
		blindOne := tokens.InstallationToken(blind.ID)
		old := agents(t, s, func() time.Time { return time.Now().Add(-2 * time.Hour) }).InstallationToken(installed.ID)
		forged := one[:len(one)-1] + "0"
		if forged == one {
			forged = one[:len(one)-1] + "1"
		}
		for _, test := range []struct {
			name, token, method, path, body string
			want                            int
		}{
			{"itself", whole, "GET", "/v1/integrations/tracker", "", 200},
			{"itself in other letters", one, "GET", "/v1/integrations/Tracker", "", 200},
			{"its installation", one, "GET", at, "", 200},
			{"its installations", whole, "GET", "/v1/integrations/tracker/installations", "", 200},
			{"configures", one, "PATCH", at, `{"configuration":{"key":"k"},"externalIds":["acme"]}`, 200},
			{"finds by external id", whole, "GET", "/v1/integrations/tracker/installations?externalId=acme", "", 200},
			{"configures a space", whole, "PATCH", at + "/spaces/" + guide,
				`{"configuration":{"project":"p"},"externalIds":["s"]}`, 200},
			{"configures a site", one, "PATCH", at + "/sites/" + site.ID, `{"configuration":{"tag":"t"}}`, 200},
			{"reads a site", one, "GET", siteAt + site.ID, "", 200},
			{"writes a schema", one, "PUT", siteAt + site.ID + "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{"unsigned":{"type":"object","description":"u","properties":{},"additionalProperties":false}},"additionalProperties":false}}`,
				0},
			{"reads a space", one, "GET", "/v1/spaces/" + guide, "", 200},
			{"reads content", one, "GET", "/v1/spaces/" + guide + "/content", "", 200},
			{"lists its spaces", one, "GET", "/v1/integrations/tracker/spaces?externalId=s", "", 200},

			{"finds content by its address", one, "GET", find + "/app/spaces/" + guide, "", 200},
			{"asks", one, "POST", "/v1/orgs/" + s.Organization + "/ask", `{"query":"How?"}`, 200},

			{"finds another space by its address", one, "GET", find + "/app/spaces/" + other, "", 404},
			{"finds a collection by its address", one, "GET", find + "/app/collections/" + books, "", 404},
			{"finds a change request by its address", one, "GET", find + "/app/spaces/" + guide + "/changes/1", "",
				404},
			{"asks another organization", one, "POST", "/v1/orgs/" + elsewhere + "/ask", `{"query":"How?"}`, 404},
			{"asks without an installation", whole, "POST", "/v1/orgs/" + s.Organization + "/ask", `{"query":"How?"}`,
				404},
			{"widens its reach", one, "PATCH", at, `{"space_selection":"all"}`, 403},
			{"installs itself", one, "POST", at + "/spaces", `{"space":"` + other + `"}`, 403},
			{"uninstalls itself", whole, "DELETE", at, "", 403},
			{"publishes", whole, "POST", "/v1/integrations/tracker", `{}`, 403},
			{"another space", one, "GET", "/v1/spaces/" + other, "", 404},
			{"another space's content", one, "GET", "/v1/spaces/" + other + "/content", "", 404},
			{"another site", one, "GET", siteAt + otherSite.ID, "", 404},
			{"configures another space", one, "PATCH", at + "/spaces/" + other, `{"externalIds":["x"]}`, 404},
			{"another organization", one, "GET", "/v1/orgs/" + elsewhere + "/sites/" + site.ID, "", 404},
			{"people", one, "GET", "/v1/orgs/" + s.Organization + "/members", "", 403},
			{"who am I", one, "GET", "/v1/user", "", 403},
			{"a space without an installation", whole, "GET", "/v1/spaces/" + guide, "", 404},
			{"writes a space", one, "PATCH", "/v1/spaces/" + guide, `{"title":"Mine"}`, 403},
			{"makes a token for people", one, "POST", "/v1/user/tokens", `{"name":"n"}`, 403},

			{"a stranger", stranger, "GET", at, "", 404},
			{"a stranger asks for a token", stranger, "POST", at + "/tokens", "", 404},
			{"a stranger asks under its own name", stranger, "POST",
				strings.Replace(at, "/tracker/", "/bystander/", 1) + "/tokens", "", 404},
			{"a stranger's installation", strangerOne, "PATCH", at, `{"externalIds":["x"]}`, 404},
			{"a stranger reads", strangerOne, "GET", "/v1/spaces/" + guide, "", 404},
			{"without the scope", blindOne, "GET", "/v1/spaces/" + guide, "", 403},
			{"a person asks for a token", s.Token, "POST", at + "/tokens", "", 403},
			{"an old token", old, "GET", at, "", 401},
			{"a forged token", forged, "GET", at, "", 401},
			{"half a token", one[:30], "GET", at, "", 401},
			{"nothing but the prefix", integration.TokenPrefix, "GET", at, "", 401},
		} {
			var body any
			if test.body != "" {
				body = test.body
			}
			got := s.Raw(test.method, test.path, test.token, body)
			if test.want == 0 && (got.Status == 403 || got.Status == 404 || got.Status == 401) ||
				test.want != 0 && got.Status != test.want {
				t.Errorf("%s: %d, want %d: %.300s", test.name, got.Status, test.want, got.Body)
			}
		}
		var list struct{ Count int }
		s.CallAs(strangerOne, http.MethodGet, "/v1/integrations/bystander/installations", nil, http.StatusOK, &list)
		if list.Count != 1 {
			t.Errorf("an installation sees %d", list.Count)
		}
		// What is gone opens nothing from that moment on.
		s.Call(http.MethodDelete, at, nil, http.StatusResetContent, nil)
		for _, token := range []string{one, whole} {
			if got := s.Raw(http.MethodGet, at, token, nil); got.Status != http.StatusUnauthorized &&
				got.Status != http.StatusNotFound {
				t.Errorf("after it was uninstalled: %d", got.Status)
			}
		}
		s.Call(http.MethodDelete, "/v1/integrations/bystander", nil, http.StatusNoContent, nil)
		if got := s.Raw(http.MethodGet, "/v1/integrations/bystander", stranger,
			nil); got.Status != http.StatusUnauthorized {
			t.Errorf("after it was unpublished: %d", got.Status)
		}
	})
}
