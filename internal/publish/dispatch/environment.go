package dispatch

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// environment makes what a script finds beside an event: exactly the level that is called.
func (s *Service) environment(run integration.Running) ([]byte, error) {
	i := run.Integration
	endpoint := s.deps.Integrations.EndpointURL(i.Name)
	location := s.deps.BaseURL + "/v1/integrations/" + url.PathEscape(i.Name)
	signing := map[string]string{"integration": s.deps.Integrations.SigningSecret(string(i.ID))}
	tokens := map[string]string{"integration": s.deps.Integrations.Token(i.ID)}
	urls := map[string]string{
		"location": location, "app": s.app(run.Owner, i.Name), "assets": location + "/assets",
		"publicEndpoint": endpoint, "publicContentEndpoint": s.deps.Integrations.ContentURL(endpoint),
	}
	if i.Icon != nil {
		urls["icon"] = location + "/assets/" + i.Icon.AssetName()
	}
	environment := map[string]any{
		"integration": map[string]any{
			"object": "integration", "name": i.Name, "title": i.Title, "version": i.Version, "target": i.Target,
			"scopes": i.Scopes, "visibility": i.Visibility, "urls": urls,
		},
		"secrets": run.Secrets, "signingSecrets": signing, "apiEndpoint": s.deps.BaseURL, "apiTokens": tokens,
		"authToken": tokens["integration"], "signingSecret": signing["integration"],
	}
	if run.Installation == nil {
		return json.Marshal(environment)
	}
	one := run.Installation
	tokens["installation"] = s.deps.Integrations.InstallationToken(one.ID)
	signing["installation"] = s.deps.Integrations.SigningSecret(one.ID)
	environment["authToken"] = tokens["installation"]
	at := s.deps.Integrations.InstallationEndpointURL(i.Name, one.ID)
	environment["installation"] = map[string]any{
		"id": one.ID, "status": one.Status, "configuration": one.Configuration, "externalIds": one.ExternalIDs,
		"space_selection": one.SpaceSelection, "site_selection": one.SiteSelection, "spaces": one.Spaces,
		"createdAt": one.CreatedAt.Format(time.RFC3339), "updatedAt": one.UpdatedAt.Format(time.RFC3339),
		"target": map[string]any{"organization": one.Organization},
		"urls": map[string]string{
			"location": location + "/installations/" + one.ID, "app": s.app(one.Organization, i.Name),
			"publicEndpoint": at, "publicContentEndpoint": s.deps.Integrations.ContentURL(at),
		},
	}
	if on := run.OnContent; on != nil {
		kind, below := "space", "/spaces/"+on.Content
		if run.Level.Site != "" {
			kind, below = "site", "/sites/"+on.Content
		}
		signing[kind+"Installation"] = s.deps.Integrations.SigningSecret(one.ID, on.Content)
		environment[kind+"Installation"] = map[string]any{
			"integration": i.Name, "installation": one.ID, "status": on.Status, "configuration": on.Configuration,
			"externalIds": on.ExternalIDs, kind: on.Content, "urls": map[string]string{
				"location":       location + "/installations/" + one.ID + below,
				"publicEndpoint": at + below, "publicContentEndpoint": s.deps.Integrations.ContentURL(at + below),
			},
		}
	}
	return json.Marshal(environment)
}

// app returns the address of an integration in the app.
func (s *Service) app(organization id.Organization, name string) string {
	return s.deps.BaseURL + "/app/orgs/" + string(organization) + "/integrations/" + url.PathEscape(name)
}
