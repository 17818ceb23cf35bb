package apptest

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/id"
)

// Publication is a body that publishes an integration, with some fields of its own.
func (s *Server) Publication(fields map[string]any) map[string]any {
	body := map[string]any{
		"organization": s.Organization, "title": "Tracker", "description": "Links to tickets.",
		"script": "void 0;",
		"scopes": []string{"site:script:inject", "space:content:read"}, "visibility": "public",
	}
	maps.Copy(body, fields)
	return body
}

// Integration is what the tests look at of an integration.
type Integration struct {
	Name, Title, Target, Visibility, Description string
	Version                                      int
	Verified                                     bool
	PreviewImages                                []string
	Configurations                               json.RawMessage
	ContentSecurityPolicy                        string
	Owner                                        struct {
		ID           string
		EmailDomains []string
		Permissions  struct{ View bool }
	}
	URLs        struct{ Location, Icon, Assets, PublicEndpoint string }
	Permissions struct{ Admin, Install bool }
}

// Publish publishes an integration as the first admin.
func (s *Server) Publish(name string, fields map[string]any) Integration {
	s.T.Helper()
	var published Integration
	s.Call(http.MethodPost, "/v1/integrations/"+name, s.Publication(fields), http.StatusOK, &published)
	return published
}

// Installation is what the tests look at of an installation.
type Installation struct {
	ID, Status     string
	SpaceSelection string `json:"space_selection"`
	Spaces         int
	Configuration  map[string]any
	ExternalIDs    []string
	URLs           struct{ Location, PublicEndpoint string }
}

// Install installs an integration in the organization of the first admin.
func (s *Server) Install(name string) Installation {
	s.T.Helper()
	var installed Installation
	s.Call(http.MethodPost, "/v1/integrations/"+name+"/installations", map[string]any{"organization": s.Organization},
		http.StatusCreated, &installed)
	return installed
}

// Elsewhere makes a second organization and returns the token of somebody who is admin there and nothing here.
func (s *Server) Elsewhere() (organization, token string) {
	s.T.Helper()
	var made Identified
	s.Call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &made)
	person, err := app.AddUser(s.T.Context(), s.Storage, app.NewMember{Email: "eve@example.net", Name: "Eve",
		Organization: id.Organization(made.ID), Role: "admin"}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.T.Fatal(err)
	}
	return made.ID, person.Secret
}
