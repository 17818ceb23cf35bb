package identities

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listProvidersInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
}

// SAMLPath names a SAML provider.
type SAMLPath struct {
	Organization id.Organization `path:"organizationId"`
	Provider     id.Provider     `path:"samlProviderId"`
}

// OIDCPath names an OpenID Connect provider.
type OIDCPath struct {
	Organization id.Organization `path:"organizationId"`
	Provider     id.Provider     `path:"oidcProviderId"`
}

// ProviderDefaults are what people get who come in through a provider.
type ProviderDefaults struct {
	DefaultTeam wire.Patch[string] `json:"defaultTeam,omitzero" required:"false" doc:"Id of the team that they join; null for none."`
	DefaultRole wire.Patch[string] `json:"defaultRole,omitzero" required:"false" doc:"Their role; null for guests."`
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
func (h *Handlers) listSAMLProviders(ctx context.Context,
	in *listProvidersInput) (*operation.Body[wire.List[SAMLProvider]], error) {
	return listProviders(ctx, h, in, identity.SAML, h.wireSAML)
}

// listOIDCProviders lists the OpenID Connect providers of an organization.
func (h *Handlers) listOIDCProviders(ctx context.Context,
	in *listProvidersInput) (*operation.Body[wire.List[OIDCProvider]], error) {
	return listProviders(ctx, h, in, identity.OIDC, h.wireOIDC)
}

// providerWriter makes a function that gives providers their wire form, with the given teams.
type providerWriter[T any] func(teams map[id.Team]*wire.Team) func(identity.Provider) T

func listProviders[T any](ctx context.Context, h *Handlers, in *listProvidersInput, kind identity.Kind,
	answer providerWriter[T]) (*operation.Body[wire.List[T]], error) {
	name := string(kind) + "/" + string(in.Organization)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	providers, err := h.Identities.List(ctx, operation.Caller(ctx), in.Organization, kind, request)
	if err != nil {
		return nil, err
	}
	teams, err := h.defaultTeams(ctx, providers.Items...)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[T]]{Body: *wire.Listed(h.Lists, name, providers, answer(teams))}, nil
}

// oneProvider makes an answer of what the domain gave.
func oneProvider[T any](ctx context.Context, h *Handlers, p identity.Provider, err error,
	wire providerWriter[T]) (*operation.Body[T], error) {
	if err != nil {
		return nil, err
	}
	teams, err := h.defaultTeams(ctx, p)
	if err != nil {
		return nil, err
	}
	return &operation.Body[T]{Body: wire(teams)(p)}, nil
}

func createdProvider[T any](ctx context.Context, h *Handlers, p identity.Provider, err error,
	wire providerWriter[T]) (*operation.Created[T], error) {
	one, err := oneProvider(ctx, h, p, err, wire)
	if err != nil {
		return nil, err
	}
	return &operation.Created[T]{Location: h.providerURL(p), Body: one.Body}, nil
}

type createSAMLInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         struct {
		Label       string `json:"label" minLength:"1" maxLength:"30" doc:"What people see on the sign-in page."`
		EntityID    string `json:"entityID,omitempty" maxLength:"1024" doc:"The issuer of the provider's assertions."`
		Certificate string `json:"certificate,omitempty" maxLength:"10000" doc:"Signing certificates as PEM, or as base64 with an empty line between them; up to 5."`
		SSOURL      string `json:"ssoURL,omitempty" maxLength:"2048" doc:"Where people are sent to sign in (HTTP-Redirect)."`
		ProviderDefaults
	}
}

// createSAMLProvider adds a SAML provider.
func (h *Handlers) createSAMLProvider(ctx context.Context,
	in *createSAMLInput) (*operation.Created[SAMLProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := h.Identities.Create(ctx, operation.Caller(ctx), in.Organization, identity.NewProvider{
		Kind: identity.SAML, Label: in.Body.Label, EntityID: in.Body.EntityID, Certificate: in.Body.Certificate,
		SSOURL:      in.Body.SSOURL,
		DefaultTeam: in.Body.DefaultTeam.Or(""), DefaultRole: role,
	})
	return createdProvider(ctx, h, p, err, h.wireSAML)
}

// getSAMLProvider answers one SAML provider.
func (h *Handlers) getSAMLProvider(ctx context.Context, in *SAMLPath) (*operation.Body[SAMLProvider], error) {
	p, err := h.Identities.Get(ctx, operation.Caller(ctx), in.Organization, identity.SAML, in.Provider)
	return oneProvider(ctx, h, p, err, h.wireSAML)
}

type updateSAMLInput struct {
	SAMLPath
	Body struct {
		Label       wire.Patch[string] `json:"label,omitzero" required:"false" doc:"1 to 30 characters."`
		EntityID    wire.Patch[string] `json:"entityID,omitzero" required:"false" doc:"Another one makes people strangers: their accounts are found by address again."`
		Certificate wire.Patch[string] `json:"certificate,omitzero" required:"false" doc:"All that are to hold from now on; up to 5."`
		SSOURL      wire.Patch[string] `json:"ssoURL,omitzero" required:"false"`
		ProviderDefaults
	}
}

// updateSAMLProvider changes a SAML provider.
func (h *Handlers) updateSAMLProvider(ctx context.Context, in *updateSAMLInput) (*operation.Body[SAMLProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := h.Identities.Update(ctx, operation.Caller(ctx), in.Organization, identity.SAML, in.Provider,
		identity.Change{
			Label: in.Body.Label.Value, EntityID: in.Body.EntityID.Value, Certificate: in.Body.Certificate.Value,
			SSOURL:      in.Body.SSOURL.Value,
			DefaultTeam: in.Body.DefaultTeam.Value, DefaultRole: role,
		})
	return oneProvider(ctx, h, p, err, h.wireSAML)
}

// deleteSAMLProvider removes a SAML provider.
func (h *Handlers) deleteSAMLProvider(ctx context.Context, in *SAMLPath) (*operation.Nothing, error) {
	return operation.Done(h.Identities.Delete(ctx, operation.Caller(ctx), in.Organization, identity.SAML, in.Provider))
}

type createOIDCInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         struct {
		Label        string `json:"label" minLength:"1" maxLength:"30" doc:"What people see on the sign-in page."`
		Issuer       string `json:"issuer,omitempty" maxLength:"2048" doc:"The provider's address, below which it describes itself."`
		ClientID     string `json:"clientID,omitempty" maxLength:"255"`
		ClientSecret string `json:"clientSecret,omitempty" maxLength:"1024" doc:"Kept encrypted and never shown."`
		ProviderDefaults
	}
}

// createOIDCProvider adds an OpenID Connect provider.
func (h *Handlers) createOIDCProvider(ctx context.Context,
	in *createOIDCInput) (*operation.Created[OIDCProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := h.Identities.Create(ctx, operation.Caller(ctx), in.Organization, identity.NewProvider{
		Kind: identity.OIDC, Label: in.Body.Label, Issuer: in.Body.Issuer, ClientID: in.Body.ClientID,
		ClientSecret: in.Body.ClientSecret,
		DefaultTeam:  in.Body.DefaultTeam.Or(""), DefaultRole: role,
	})
	return createdProvider(ctx, h, p, err, h.wireOIDC)
}

// getOIDCProvider answers one OpenID Connect provider.
func (h *Handlers) getOIDCProvider(ctx context.Context, in *OIDCPath) (*operation.Body[OIDCProvider], error) {
	p, err := h.Identities.Get(ctx, operation.Caller(ctx), in.Organization, identity.OIDC, in.Provider)
	return oneProvider(ctx, h, p, err, h.wireOIDC)
}

type updateOIDCInput struct {
	OIDCPath
	Body struct {
		Label        wire.Patch[string] `json:"label,omitzero" required:"false" doc:"1 to 30 characters."`
		Issuer       wire.Patch[string] `json:"issuer,omitzero" required:"false" doc:"Another one makes people strangers: their accounts are found by address again."`
		ClientID     wire.Patch[string] `json:"clientID,omitzero" required:"false"`
		ClientSecret wire.Patch[string] `json:"clientSecret,omitzero" required:"false" doc:"Absent, it stays; null takes it away."`
		ProviderDefaults
	}
}

// updateOIDCProvider changes an OpenID Connect provider.
func (h *Handlers) updateOIDCProvider(ctx context.Context, in *updateOIDCInput) (*operation.Body[OIDCProvider], error) {
	role, err := in.Body.role()
	if err != nil {
		return nil, err
	}
	p, err := h.Identities.Update(ctx, operation.Caller(ctx), in.Organization, identity.OIDC, in.Provider,
		identity.Change{
			Label: in.Body.Label.Value, Issuer: in.Body.Issuer.Value, ClientID: in.Body.ClientID.Value,
			ClientSecret: in.Body.ClientSecret.Value,
			DefaultTeam:  in.Body.DefaultTeam.Value, DefaultRole: role,
		})
	return oneProvider(ctx, h, p, err, h.wireOIDC)
}

// deleteOIDCProvider removes an OpenID Connect provider.
func (h *Handlers) deleteOIDCProvider(ctx context.Context, in *OIDCPath) (*operation.Nothing, error) {
	return operation.Done(h.Identities.Delete(ctx, operation.Caller(ctx), in.Organization, identity.OIDC, in.Provider))
}

// listSSOLogins lists the ways to sign in to an organization.
func (h *Handlers) listSSOLogins(ctx context.Context, in *wire.OrganizationPath) (*operation.Body[SSOLogins], error) {
	logins, err := h.Identities.Logins(ctx, operation.Caller(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	answer := SSOLogins{Items: make([]SSOLogin, len(logins))}
	for i, login := range logins {
		answer.Items[i] = SSOLogin{ID: login.ID, Label: login.Label, StartURL: login.StartURL}
	}
	return &operation.Body[SSOLogins]{Body: answer}, nil
}

// getEmergencyCode says who has the emergency code.
func (h *Handlers) getEmergencyCode(ctx context.Context,
	in *wire.OrganizationPath) (*operation.Body[EmergencyCode], error) {
	found, err := h.Identities.FindEmergencyCode(ctx, operation.Caller(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireEmergencyCode(ctx, found)
	return &operation.Body[EmergencyCode]{Body: answer}, err
}

// createEmergencyCode makes an emergency code and shows it this once.
func (h *Handlers) createEmergencyCode(ctx context.Context,
	in *wire.OrganizationPath) (*operation.Body[NewEmergencyCode], error) {
	code, created, err := h.Identities.MakeEmergencyCode(ctx, operation.Caller(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireEmergencyCode(ctx, created)
	return &operation.Body[NewEmergencyCode]{Body: NewEmergencyCode{EmergencyCode: answer, Code: code}}, err
}

// deleteEmergencyCode takes the emergency code away.
func (h *Handlers) deleteEmergencyCode(ctx context.Context, in *wire.OrganizationPath) (*operation.Nothing, error) {
	return operation.Done(h.Identities.RevokeEmergencyCode(ctx, operation.Caller(ctx), in.Organization))
}

func (h *Handlers) wireEmergencyCode(ctx context.Context, code identity.EmergencyCode) (EmergencyCode, error) {
	users, err := h.Accounts.UsersByIDs(ctx, []id.User{code.User})
	if err != nil {
		return EmergencyCode{}, err
	}
	return EmergencyCode{Object: "emergency-code", User: h.Wire.User(users[code.User]),
		CreatedAt: wire.Timestamp(code.CreatedAt)}, nil
}
