package sites

import (
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ShareLink is an address of a site with a secret in it.
type ShareLink struct {
	Object    string `json:"object" enum:"share-link"`
	ID        string `json:"id"`
	CreatedAt string `json:"createdAt" format:"date-time"`
	Name      string `json:"name"`
	Active    bool   `json:"active"`
	// LastUsedAt is missing while nobody has come through the link.
	LastUsedAt string        `json:"lastUsedAt,omitempty" format:"date-time" doc:"When the link last let somebody in, to about a minute."`
	URLs       ShareLinkURLs `json:"urls"`
}

// ShareLinkURLs are the addresses of a share link.
type ShareLinkURLs struct {
	Published string `json:"published,omitempty" format:"uri" doc:"Whoever has this address may read the site. It is missing while the site is not published."`
}

func wireShareLink(l audience.ShareLink) ShareLink {
	answer := ShareLink{
		Object: "share-link", ID: l.ID, CreatedAt: wire.Timestamp(l.CreatedAt), Name: l.Name, Active: l.Active,
		URLs: ShareLinkURLs{Published: l.PublishedURL},
	}
	if !l.LastUsedAt.IsZero() {
		answer.LastUsedAt = wire.Timestamp(l.LastUsedAt)
	}
	return answer
}

// PublishingAuth is how a site knows its visitors.
type PublishingAuth struct {
	Object      string `json:"object" enum:"publishing-auth"`
	Backend     string `json:"backend" enum:"custom,integration" doc:"Who signs visitors' tokens: a program of your own, or an integration."`
	PrivateKey  string `json:"privateKey" doc:"Key of the tokens: HS256 with the bytes of this text."`
	FallbackURL string `json:"fallbackURL,omitempty" format:"uri" doc:"Where visitors without a token are sent, with the path that they wanted as location."`
	LogoutURL   string `json:"logoutURL,omitempty" format:"uri" doc:"Where visitors who log out are sent."`
	Integration string `json:"integration,omitempty" doc:"Name of the integration that signs tokens; the key and the addresses are not used then."`
}

func wirePublishingAuth(auth audience.Auth) PublishingAuth {
	answer := PublishingAuth{Object: "publishing-auth", Backend: "custom", PrivateKey: auth.PrivateKey,
		FallbackURL: auth.FallbackURL, LogoutURL: auth.LogoutURL, Integration: auth.Integration}
	if auth.Integration != "" {
		answer.Backend = "integration"
	}
	return answer
}

// AdaptiveSchema is what a site may know of its visitors.
type AdaptiveSchema struct {
	Object     string          `json:"object" enum:"site-adaptive-schema"`
	JSONSchema wire.JSONObject `json:"jsonSchema"`
	UpdatedAt  string          `json:"updatedAt" format:"date-time"`
}

func wireAdaptiveSchema(schema audience.AdaptiveSchema) AdaptiveSchema {
	return AdaptiveSchema{Object: "site-adaptive-schema", JSONSchema: wire.JSONObject(schema.JSON),
		UpdatedAt: wire.Timestamp(schema.UpdatedAt)}
}

// TemplateCondition is a condition that authors can take as it is.
type TemplateCondition struct {
	Description string `json:"description"`
	Condition   string `json:"condition"`
}

// TemplateConditions are those of a site.
type TemplateConditions struct {
	Items []TemplateCondition `json:"items"`
}
