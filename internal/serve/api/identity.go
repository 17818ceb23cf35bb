package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
)

type listProvidersInput struct {
	PageParams
	Organization string `path:"organizationId"`
}

// SAMLPath names a SAML provider.
type SAMLPath struct {
	Organization string `path:"organizationId"`
	Provider     string `path:"samlProviderId"`
}

// OIDCPath names an OpenID Connect provider.
type OIDCPath struct {
	Organization string `path:"organizationId"`
	Provider     string `path:"oidcProviderId"`
}

// ProviderDefaults are what people get who come in through a provider.
type ProviderDefaults struct {
	DefaultTeam Patch[string] `json:"defaultTeam,omitzero" required:"false" doc:"Id of the team that they join; null for none."`
	DefaultRole Patch[string] `json:"defaultRole,omitzero" required:"false" doc:"Their role; null for guests."`
}

// role is the default role as the domain takes it.
func (d ProviderDefaults) role() (optional.Value[org.Role], error) {
	if !d.DefaultRole.IsSet() || d.DefaultRole.IsNull() {
		if d.DefaultRole.IsNull() {
			return optional.Null[org.Role](), nil
		}
		return optional.Value[org.Role]{}, nil
	}
	role, err := org.ParseRole("defaultRole", d.DefaultRole.Or(""))
	return optional.Of(role), err
}

// listSAMLProviders lists the SAML providers of an organization.
func (a *API) listSAMLProviders(ctx context.Context, in *listProvidersInput) (*body[List[SAMLProvider]], error) {
	return listProviders(ctx, a, in, identity.SAML, a.wireSAML)
}

// listOIDCProviders lists the OpenID Connect providers of an organization.
func (a *API) listOIDCProviders(ctx context.Context, in *listProvidersInput) (*body[List[OIDCProvider]], error) {
	return listProviders(ctx, a, in, identity.OIDC, a.wireOIDC)
}

// wirer makes a function that gives providers their wire form, with the given teams.
type wirer[T any] func(teams map[string]*Team) func(identity.Provider) T

func listProviders[T any](ctx context.Context, a *API, in *listProvidersInput, kind identity.Kind,
	wire wirer[T]) (*body[List[T]], error) {
	name := string(kind) + "/" + in.Organization
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	providers, err := a.Identities.List(ctx, callerOf(ctx), in.Organization, kind, request)
	if err != nil {
		return nil, err
	}
	teams, err := a.defaultTeams(ctx, providers.Items...)
	if err != nil {
		return nil, err
	}
	return &body[List[T]]{Body: *listed(a, name, providers, wire(teams))}, nil
}

// oneProvider makes an answer of what the domain gave.
func oneProvider[T any](ctx context.Context, a *API, p identity.Provider, err error, wire wirer[T]) (*body[T], error) {
	if err != nil {
		return nil, err
	}
	teams, err := a.defaultTeams(ctx, p)
	if err != nil {
		return nil, err
	}
	return &body[T]{Body: wire(teams)(p)}, nil
}

func madeProvider[T any](ctx context.Context, a *API, p identity.Provider, err error,
	wire wirer[T]) (*created[T], error) {
	one, err := oneProvider(ctx, a, p, err, wire)
	if err != nil {
		return nil, err
	}
	return &created[T]{Location: a.providerURL(p), Body: one.Body}, nil
}

type createSAMLInput struct {
	Organization string `path:"organizationId"`
	Body         struct {
		Label       string `json:"label" minLength:"1" maxLength:"30" doc:"What people see on the sign-in page."`
		EntityID    string `json:"entityID,omitempty" maxLength:"1024" doc:"The issuer of the provider's assertions."`
		Certificate string `json:"certificate,omitempty" maxLength:"10000" doc:"Signing certificates as PEM, or as base64 with an empty line between them; up to 5."`
		SSOURL      string `json:"ssoURL,omitempty" maxLength:"2048" doc:"Where people are sent to sign in (HTTP-Redirect)."`
		ProviderDefaults
	}
}

// createSAMLProvider adds a SAML provider.
func (a *API) createSAMLProvider(ctx context.Context, in *createSAMLInput) (*created[SAMLProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := a.Identities.Create(ctx, callerOf(ctx), in.Organization, identity.NewProvider{
		Kind: identity.SAML, Label: in.Body.Label, EntityID: in.Body.EntityID, Certificate: in.Body.Certificate,
		SSOURL:      in.Body.SSOURL,
		DefaultTeam: in.Body.DefaultTeam.Or(""), DefaultRole: role,
	})
	return madeProvider(ctx, a, p, err, a.wireSAML)
}

// getSAMLProvider answers one SAML provider.
func (a *API) getSAMLProvider(ctx context.Context, in *SAMLPath) (*body[SAMLProvider], error) {
	p, err := a.Identities.Get(ctx, callerOf(ctx), in.Organization, identity.SAML, in.Provider)
	return oneProvider(ctx, a, p, err, a.wireSAML)
}

type updateSAMLInput struct {
	SAMLPath
	Body struct {
		Label       Patch[string] `json:"label,omitzero" required:"false" doc:"1 to 30 characters."`
		EntityID    Patch[string] `json:"entityID,omitzero" required:"false" doc:"Another one makes people strangers: their accounts are found by address again."`
		Certificate Patch[string] `json:"certificate,omitzero" required:"false" doc:"All that are to hold from now on; up to 5."`
		SSOURL      Patch[string] `json:"ssoURL,omitzero" required:"false"`
		ProviderDefaults
	}
}

// updateSAMLProvider changes a SAML provider.
func (a *API) updateSAMLProvider(ctx context.Context, in *updateSAMLInput) (*body[SAMLProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := a.Identities.Update(ctx, callerOf(ctx), in.Organization, identity.SAML, in.Provider, identity.Change{
		Label: in.Body.Label.Value, EntityID: in.Body.EntityID.Value, Certificate: in.Body.Certificate.Value,
		SSOURL:      in.Body.SSOURL.Value,
		DefaultTeam: in.Body.DefaultTeam.Value, DefaultRole: role,
	})
	return oneProvider(ctx, a, p, err, a.wireSAML)
}

// deleteSAMLProvider removes a SAML provider.
func (a *API) deleteSAMLProvider(ctx context.Context, in *SAMLPath) (*nothing, error) {
	return done(a.Identities.Delete(ctx, callerOf(ctx), in.Organization, identity.SAML, in.Provider))
}

type createOIDCInput struct {
	Organization string `path:"organizationId"`
	Body         struct {
		Label        string `json:"label" minLength:"1" maxLength:"30" doc:"What people see on the sign-in page."`
		Issuer       string `json:"issuer,omitempty" maxLength:"2048" doc:"The provider's address, below which it describes itself."`
		ClientID     string `json:"clientID,omitempty" maxLength:"255"`
		ClientSecret string `json:"clientSecret,omitempty" maxLength:"1024" doc:"Kept encrypted and never shown."`
		ProviderDefaults
	}
}

// createOIDCProvider adds an OpenID Connect provider.
func (a *API) createOIDCProvider(ctx context.Context, in *createOIDCInput) (*created[OIDCProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := a.Identities.Create(ctx, callerOf(ctx), in.Organization, identity.NewProvider{
		Kind: identity.OIDC, Label: in.Body.Label, Issuer: in.Body.Issuer, ClientID: in.Body.ClientID,
		ClientSecret: in.Body.ClientSecret,
		DefaultTeam:  in.Body.DefaultTeam.Or(""), DefaultRole: role,
	})
	return madeProvider(ctx, a, p, err, a.wireOIDC)
}

// getOIDCProvider answers one OpenID Connect provider.
func (a *API) getOIDCProvider(ctx context.Context, in *OIDCPath) (*body[OIDCProvider], error) {
	p, err := a.Identities.Get(ctx, callerOf(ctx), in.Organization, identity.OIDC, in.Provider)
	return oneProvider(ctx, a, p, err, a.wireOIDC)
}

type updateOIDCInput struct {
	OIDCPath
	Body struct {
		Label        Patch[string] `json:"label,omitzero" required:"false" doc:"1 to 30 characters."`
		Issuer       Patch[string] `json:"issuer,omitzero" required:"false" doc:"Another one makes people strangers: their accounts are found by address again."`
		ClientID     Patch[string] `json:"clientID,omitzero" required:"false"`
		ClientSecret Patch[string] `json:"clientSecret,omitzero" required:"false" doc:"Absent, it stays; null takes it away."`
		ProviderDefaults
	}
}

// updateOIDCProvider changes an OpenID Connect provider.
func (a *API) updateOIDCProvider(ctx context.Context, in *updateOIDCInput) (*body[OIDCProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := a.Identities.Update(ctx, callerOf(ctx), in.Organization, identity.OIDC, in.Provider, identity.Change{
		Label: in.Body.Label.Value, Issuer: in.Body.Issuer.Value, ClientID: in.Body.ClientID.Value,
		ClientSecret: in.Body.ClientSecret.Value,
		DefaultTeam:  in.Body.DefaultTeam.Value, DefaultRole: role,
	})
	return oneProvider(ctx, a, p, err, a.wireOIDC)
}

// deleteOIDCProvider removes an OpenID Connect provider.
func (a *API) deleteOIDCProvider(ctx context.Context, in *OIDCPath) (*nothing, error) {
	return done(a.Identities.Delete(ctx, callerOf(ctx), in.Organization, identity.OIDC, in.Provider))
}

// listSSOLogins lists the ways to sign in to an organization.
func (a *API) listSSOLogins(ctx context.Context, in *organizationInput) (*body[SSOLogins], error) {
	logins, err := a.Identities.Logins(ctx, callerOf(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	wire := SSOLogins{Items: make([]SSOLogin, len(logins))}
	for i, login := range logins {
		wire.Items[i] = SSOLogin{ID: login.ID, Label: login.Label, StartURL: login.StartURL}
	}
	return &body[SSOLogins]{Body: wire}, nil
}

// getEmergencyCode says who has the emergency code.
func (a *API) getEmergencyCode(ctx context.Context, in *organizationInput) (*body[EmergencyCode], error) {
	found, err := a.Identities.FindEmergencyCode(ctx, callerOf(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireEmergencyCode(ctx, found)
	return &body[EmergencyCode]{Body: wire}, err
}

// createEmergencyCode makes an emergency code and shows it this once.
func (a *API) createEmergencyCode(ctx context.Context, in *organizationInput) (*body[NewEmergencyCode], error) {
	code, made, err := a.Identities.MakeEmergencyCode(ctx, callerOf(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireEmergencyCode(ctx, made)
	return &body[NewEmergencyCode]{Body: NewEmergencyCode{EmergencyCode: wire, Code: code}}, err
}

// deleteEmergencyCode takes the emergency code away.
func (a *API) deleteEmergencyCode(ctx context.Context, in *organizationInput) (*nothing, error) {
	return done(a.Identities.RevokeEmergencyCode(ctx, callerOf(ctx), in.Organization))
}

func (a *API) wireEmergencyCode(ctx context.Context, code identity.EmergencyCode) (EmergencyCode, error) {
	users, err := a.Accounts.UsersByIDs(ctx, []string{code.User})
	if err != nil {
		return EmergencyCode{}, err
	}
	return EmergencyCode{Object: "emergency-code", User: a.wireUser(users[code.User]),
		CreatedAt: timestamp(code.CreatedAt)}, nil
}
