package api

import "net/http"

// identityOperations are those of single sign-on.
func (a *API) identityOperations() []operation {
	const (
		samls     = "/v1/orgs/{organizationId}/saml"
		saml      = samls + "/{samlProviderId}"
		oidcs     = "/v1/orgs/{organizationId}/oidc"
		oidc      = oidcs + "/{oidcProviderId}"
		sso       = "/v1/orgs/{organizationId}/sso"
		emergency = sso + "/emergency-code"
	)
	conflict := may(http.StatusConflict)
	return []operation{
		row("listSAMLProvidersInOrganizationById", get, samls, "SSO", "List SAML providers", a.listSAMLProviders,
			describe("The oldest first.")),
		row("createOrganizationSAMLProvider", post, samls, "SSO", "Create a SAML provider", a.createSAMLProvider,
			status(http.StatusCreated), conflict,
			describe("It is pending until it has ssoURL, entityID and a certificate that is valid; service says what "+
				"the provider has to know of this server.")),
		row("getOrganizationSAMLProviderById", get, saml, "SSO", "Get a SAML provider", a.getSAMLProvider),
		row("updateOrganizationSAMLProvider", patch, saml, "SSO", "Change a SAML provider", a.updateSAMLProvider,
			conflict,
			describe("To change its certificate without a break, give the old and the new one together, and later "+
				"the new one alone.")),
		row("deleteOrganizationSAMLProvider", remove, saml, "SSO", "Delete a SAML provider", a.deleteSAMLProvider,
			status(http.StatusNoContent), conflict,
			describe("Nobody can sign in through it any more; accounts stay.")),

		row("listOIDCProvidersInOrganizationById", get, oidcs, "SSO", "List OpenID Connect providers",
			a.listOIDCProviders, describe("The oldest first.")),
		row("createOrganizationOIDCProvider", post, oidcs, "SSO", "Create an OpenID Connect provider",
			a.createOIDCProvider, status(http.StatusCreated), conflict,
			describe("It is pending until it has issuer, clientID and clientSecret.")),
		row("getOrganizationOIDCProviderById", get, oidc, "SSO", "Get an OpenID Connect provider", a.getOIDCProvider,
			describe("The client secret is not shown.")),
		row("updateOrganizationOIDCProvider", patch, oidc, "SSO", "Change an OpenID Connect provider",
			a.updateOIDCProvider, conflict),
		row("deleteOrganizationOIDCProvider", remove, oidc, "SSO", "Delete an OpenID Connect provider",
			a.deleteOIDCProvider, status(http.StatusNoContent), conflict,
			describe("Nobody can sign in through it any more; accounts stay.")),

		row("listSSOProviderLoginsInOrganization", get, sso, "SSO", "List ways to sign in", a.listSSOLogins,
			describe("The active providers of the organization, and where signing in with each begins.")),
		row("getOrganizationEmergencyCode", get, emergency, "SSO", "See who has the emergency code", a.getEmergencyCode,
			describe("The code itself is not shown.")),
		row("createOrganizationEmergencyCode", post, emergency, "SSO", "Make an emergency code", a.createEmergencyCode,
			status(http.StatusCreated),
			describe("It lets you in once, at /signin/sso/emergency, when the identity provider does not work. It "+
				"takes the place of the one before, and is shown this once.")),
		row("deleteOrganizationEmergencyCode", remove, emergency, "SSO", "Revoke the emergency code",
			a.deleteEmergencyCode, status(http.StatusNoContent)),
	}
}
