package dispatch

import "github.com/rectodocs/recto/internal/publish/integration"

// scopes are what a manifest needs for its script to be told of something.
var scopes = map[string]integration.Scope{
	"space_content_updated":    integration.ScopeContent,
	"space_visibility_updated": integration.ScopeMetadata,
	"site_view":                integration.ScopeViews,
	"page_feedback":            integration.ScopeFeedback,
}
