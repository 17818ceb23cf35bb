package identities

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SAMLProvider is a SAML 2.0 identity provider of an organization.
type SAMLProvider struct {
	Object      string          `json:"object" enum:"saml-provider"`
	ID          id.Provider     `json:"id"`
	Label       string          `json:"label" minLength:"1" maxLength:"30"`
	SSOURL      string          `json:"ssoURL" maxLength:"2048" doc:"Where people are sent to sign in; empty while it is not known."`
	EntityID    string          `json:"entityID" maxLength:"1024" doc:"The issuer of the provider's assertions; empty while it is not known."`
	Certificate string          `json:"certificate" maxLength:"10000" doc:"One or several, as they were given; empty while there is none."`
	DefaultTeam *wire.Team      `json:"defaultTeam,omitempty" doc:"The team that people join who come in through the provider."`
	DefaultRole wire.RoleOrNull `json:"defaultRole" doc:"The role of people who come in through the provider; null for guests."`
	CreatedAt   string          `json:"createdAt" format:"date-time"`
	Status      string          `json:"status" enum:"active,pending" doc:"People can sign in through an active provider; a pending one lacks something."`
	Service     SAMLService     `json:"service"`
	URLs        ProviderURLs    `json:"urls"`
}

// SAMLService is what a SAML provider has to know of this server.
type SAMLService struct {
	ACSURL   string `json:"acsURL" format:"uri" doc:"Where the provider sends its answers."`
	StartURL string `json:"startURL" format:"uri" doc:"Where signing in begins."`
	EntityID string `json:"entityID" doc:"This server's name for the provider, and the address of its metadata."`
}

// OIDCProvider is an OpenID Connect provider of an organization.
type OIDCProvider struct {
	Object      string          `json:"object" enum:"oidc-provider"`
	ID          id.Provider     `json:"id"`
	Label       string          `json:"label" minLength:"1" maxLength:"30"`
	Issuer      string          `json:"issuer" maxLength:"2048" doc:"The provider's address, below which it describes itself; empty while it is not known."`
	ClientID    string          `json:"clientID" maxLength:"255"`
	HasSecret   bool            `json:"hasClientSecret" doc:"Whether there is a client secret; it is not shown."`
	DefaultTeam *wire.Team      `json:"defaultTeam,omitempty" doc:"The team that people join who come in through the provider."`
	DefaultRole wire.RoleOrNull `json:"defaultRole" doc:"The role of people who come in through the provider; null for guests."`
	CreatedAt   string          `json:"createdAt" format:"date-time"`
	Status      string          `json:"status" enum:"active,pending" doc:"People can sign in through an active provider; a pending one lacks something."`
	Service     OIDCService     `json:"service"`
	URLs        ProviderURLs    `json:"urls"`
}

// OIDCService is what an OpenID Connect provider has to know of this server.
type OIDCService struct {
	RedirectURL string `json:"redirectURL" format:"uri" doc:"Where the provider sends people back."`
	StartURL    string `json:"startURL" format:"uri" doc:"Where signing in begins."`
}

// ProviderURLs are a provider's addresses.
type ProviderURLs struct {
	Location string `json:"location" format:"uri"`
}

// SSOLogin is a way to sign in.
type SSOLogin struct {
	ID       id.Provider `json:"id"`
	Label    string      `json:"label"`
	StartURL string      `json:"startURL" format:"uri"`
}

// SSOLogins are the ways to sign in to an organization.
type SSOLogins struct {
	Items []SSOLogin `json:"items"`
}

// EmergencyCode says who has the emergency code of an organization.
type EmergencyCode struct {
	Object    string    `json:"object" enum:"emergency-code"`
	User      wire.User `json:"user" doc:"The admin who made it and whom it lets in."`
	CreatedAt string    `json:"createdAt" format:"date-time"`
}

// NewEmergencyCode is an emergency code, shown once.
type NewEmergencyCode struct {
	EmergencyCode
	Code string `json:"code" doc:"Keep it where you find it when the identity provider is away. It cannot be shown again."`
}

// defaultTeams makes the wire form of the default teams of an organization's providers, by their id.
func (h *Handlers) defaultTeams(ctx context.Context, providers ...identity.Provider) (map[id.Team]*wire.Team, error) {
	teams, wanted := map[id.Team]*wire.Team{}, []org.Team(nil)
	for _, p := range providers {
		if p.Team != nil && teams[p.Team.ID] == nil {
			teams[p.Team.ID] = &wire.Team{}
			wanted = append(wanted, *p.Team)
		}
	}
	if len(wanted) == 0 {
		return teams, nil
	}
	answer, err := h.TeamWriter.Write(ctx, providers[0].Organization, wanted)
	if err != nil {
		return nil, err
	}
	for i := range answer {
		teams[answer[i].ID] = &answer[i]
	}
	return teams, nil
}

func (h *Handlers) providerURL(p identity.Provider) string {
	return h.Wire.BaseURL + "/v1/orgs/" + string(p.Organization) + "/" + string(p.Kind) + "/" + string(p.ID)
}

// wireSAML makes the wire form of SAML providers with the given teams.
func (h *Handlers) wireSAML(teams map[id.Team]*wire.Team) func(identity.Provider) SAMLProvider {
	return func(p identity.Provider) SAMLProvider {
		return SAMLProvider{
			Object: "saml-provider", ID: p.ID, Label: p.Label, SSOURL: p.SSOURL, EntityID: p.EntityID,
			Certificate: p.Certificate,
			DefaultTeam: teams[id.Team(p.DefaultTeam)], DefaultRole: wire.RoleOrNull(p.DefaultRole),
			CreatedAt: wire.Timestamp(p.CreatedAt), Status: string(p.Status),
			Service: SAMLService{ACSURL: p.Service.ACS, StartURL: p.Service.Start, EntityID: p.Service.EntityID},
			URLs:    ProviderURLs{Location: h.providerURL(p)},
		}
	}
}

// wireOIDC makes the wire form of OpenID Connect providers with the given teams.
func (h *Handlers) wireOIDC(teams map[id.Team]*wire.Team) func(identity.Provider) OIDCProvider {
	return func(p identity.Provider) OIDCProvider {
		return OIDCProvider{
			Object: "oidc-provider", ID: p.ID, Label: p.Label, Issuer: p.Issuer, ClientID: p.ClientID,
			HasSecret:   p.HasSecret,
			DefaultTeam: teams[id.Team(p.DefaultTeam)], DefaultRole: wire.RoleOrNull(p.DefaultRole),
			CreatedAt: wire.Timestamp(p.CreatedAt), Status: string(p.Status),
			Service: OIDCService{RedirectURL: p.Service.ACS, StartURL: p.Service.Start},
			URLs:    ProviderURLs{Location: h.providerURL(p)},
		}
	}
}
