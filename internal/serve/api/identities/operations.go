package identities

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those of single sign-on.
func (h *Handlers) Operations() []operation.Operation {
	const (
		samls     = "/v1/orgs/{organizationId}/saml"
		saml      = samls + "/{samlProviderId}"
		oidcs     = "/v1/orgs/{organizationId}/oidc"
		oidc      = oidcs + "/{oidcProviderId}"
		sso       = "/v1/orgs/{organizationId}/sso"
		emergency = sso + "/emergency-code"
	)
	conflict := operation.May(http.StatusConflict)
	return []operation.Operation{
		operation.New("listSAMLProvidersInOrganizationById", http.MethodGet, samls, "SSO", "List SAML providers",
			h.listSAMLProviders,
			operation.Describe("The oldest first.")),
		operation.New("createOrganizationSAMLProvider", http.MethodPost, samls, "SSO", "Create a SAML provider",
			h.createSAMLProvider,
			operation.Status(http.StatusCreated), conflict,
			operation.Describe(
				"It is pending until it has ssoURL, entityID and a certificate that is valid; service says what "+
					"the provider has to know of this server.")),
		operation.New("getOrganizationSAMLProviderById", http.MethodGet, saml, "SSO", "Get a SAML provider",
			h.getSAMLProvider),
		operation.New("updateOrganizationSAMLProvider", http.MethodPatch, saml, "SSO", "Change a SAML provider",
			h.updateSAMLProvider,
			conflict,
			operation.Describe(
				"To change its certificate without a break, give the old and the new one together, and later "+
					"the new one alone.")),
		operation.New("deleteOrganizationSAMLProvider", http.MethodDelete, saml, "SSO", "Delete a SAML provider",
			h.deleteSAMLProvider,
			operation.Status(http.StatusNoContent), conflict,
			operation.Describe("Nobody can sign in through it any more; accounts stay.")),

		operation.New("listOIDCProvidersInOrganizationById", http.MethodGet, oidcs, "SSO",
			"List OpenID Connect providers",
			h.listOIDCProviders, operation.Describe("The oldest first.")),
		operation.New("createOrganizationOIDCProvider", http.MethodPost, oidcs, "SSO",
			"Create an OpenID Connect provider",
			h.createOIDCProvider, operation.Status(http.StatusCreated), conflict,
			operation.Describe("It is pending until it has issuer, clientID and clientSecret.")),
		operation.New("getOrganizationOIDCProviderById", http.MethodGet, oidc, "SSO", "Get an OpenID Connect provider",
			h.getOIDCProvider,
			operation.Describe("The client secret is not shown.")),
		operation.New("updateOrganizationOIDCProvider", http.MethodPatch, oidc, "SSO",
			"Change an OpenID Connect provider",
			h.updateOIDCProvider, conflict),
		operation.New("deleteOrganizationOIDCProvider", http.MethodDelete, oidc, "SSO",
			"Delete an OpenID Connect provider",
			h.deleteOIDCProvider, operation.Status(http.StatusNoContent), conflict,
			operation.Describe("Nobody can sign in through it any more; accounts stay.")),

		operation.New("listSSOProviderLoginsInOrganization", http.MethodGet, sso, "SSO", "List ways to sign in",
			h.listSSOLogins,
			operation.Describe("The active providers of the organization, and where signing in with each begins.")),
		operation.New("getOrganizationEmergencyCode", http.MethodGet, emergency, "SSO",
			"See who has the emergency code", h.getEmergencyCode,
			operation.Describe("The code itself is not shown.")),
		operation.New("createOrganizationEmergencyCode", http.MethodPost, emergency, "SSO", "Make an emergency code",
			h.createEmergencyCode,
			operation.Status(http.StatusCreated),
			operation.Describe(
				"It lets you in once, at /signin/sso/emergency, when the identity provider does not work. It "+
					"takes the place of the one before, and is shown this once.")),
		operation.New("deleteOrganizationEmergencyCode", http.MethodDelete, emergency, "SSO",
			"Revoke the emergency code",
			h.deleteEmergencyCode, operation.Status(http.StatusNoContent)),
	}
}
