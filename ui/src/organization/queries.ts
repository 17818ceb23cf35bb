// What the settings of an organization ask of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, done, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";

export type SAML = Schemas["SAMLProvider"];
export type OIDC = Schemas["OIDCProvider"];
export type AuditEntry = Schemas["AuditEntry"];

const at = (organization: string) => ({ organizationId: organization });
const orgs = "/v1/orgs/{organizationId}" as const;

// update changes an organization; what is left out stays.
export const update = (organization: string, body: Schemas["UpdateOrganizationInputBody"]) =>
  taken(api.PATCH(orgs, { params: { path: at(organization) }, body }));

// samlOf and oidcOf ask for the identity providers.
export const samlOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.providers(organization), "saml"],
    queryFn: () => all((query) => api.GET(`${orgs}/saml`, { params: { path: at(organization), query } })),
  });
export const oidcOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.providers(organization), "oidc"],
    queryFn: () => all((query) => api.GET(`${orgs}/oidc`, { params: { path: at(organization), query } })),
  });

// domainOf asks for the record that proves that a domain is the organization's.
export const domainOf = (organization: string, domain: string) =>
  taken(
    api.GET(`${orgs}/email-domains/{emailDomain}`, { params: { path: { ...at(organization), emailDomain: domain } } }),
  );

type SAMLBody = Schemas["UpdateSAMLInputBody"];
type OIDCBody = Schemas["UpdateOIDCInputBody"];

// saveSAML and saveOIDC make a provider, or change the one with an id.
export const saveSAML = (
  organization: string,
  id: string | undefined,
  {
    label,
    ssoURL,
    entityID,
    certificate,
  }: Record<keyof SAMLBody & ("label" | "ssoURL" | "entityID" | "certificate"), string>,
) => {
  const body = {
    label,
    ...(ssoURL ? { ssoURL } : {}),
    ...(entityID ? { entityID } : {}),
    ...(certificate ? { certificate } : {}),
  };
  return taken(
    id
      ? api.PATCH(`${orgs}/saml/{samlProviderId}`, {
          params: { path: { ...at(organization), samlProviderId: id } },
          body,
        })
      : api.POST(`${orgs}/saml`, { params: { path: at(organization) }, body }),
  );
};
export const saveOIDC = (
  organization: string,
  id: string | undefined,
  {
    label,
    issuer,
    clientID,
    clientSecret,
  }: Record<keyof OIDCBody & ("label" | "issuer" | "clientID" | "clientSecret"), string>,
) => {
  const body = {
    label,
    ...(issuer ? { issuer } : {}),
    ...(clientID ? { clientID } : {}),
    ...(clientSecret ? { clientSecret } : {}),
  };
  return taken(
    id
      ? api.PATCH(`${orgs}/oidc/{oidcProviderId}`, {
          params: { path: { ...at(organization), oidcProviderId: id } },
          body,
        })
      : api.POST(`${orgs}/oidc`, { params: { path: at(organization) }, body }),
  );
};

export const deleteProvider = (organization: string, provider: SAML | OIDC) =>
  done(
    provider.object === "saml-provider"
      ? api.DELETE(`${orgs}/saml/{samlProviderId}`, {
          params: { path: { ...at(organization), samlProviderId: provider.id } },
        })
      : api.DELETE(`${orgs}/oidc/{oidcProviderId}`, {
          params: { path: { ...at(organization), oidcProviderId: provider.id } },
        }),
  );

export const newEmergencyCode = (organization: string) =>
  taken(api.POST(`${orgs}/sso/emergency-code`, { params: { path: at(organization) } }));

// AuditFilter says which entries of the log: of somebody, of a kind, in a time.
export type AuditFilter = { actor?: string; action?: string; from?: string; to?: string };

// auditOf asks for the log, the latest first.
export const auditOf = (organization: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...organizations.audit(organization), filter],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET(`${orgs}/audit`, {
          params: {
            path: at(organization),
            query: { limit: 50, ...filter, ...(pageParam ? { page: pageParam } : {}) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// exportOf is the address of all entries under a filter as a file.
export const exportOf = (organization: string, filter: AuditFilter, format: "csv" | "ndjson") =>
  `/v1/orgs/${organization}/audit/export?${new URLSearchParams({ ...filter, format })}`;

// busy and still are after how many milliseconds the state of search is asked for again, while something is done and
// while nothing is.
const busy = 1500;
const still = 15_000;

// searchOf asks how far search has come with the spaces of an organization.
export const searchOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.searchStatus(organization),
    queryFn: () => taken(api.GET(`${orgs}/search/status`, { params: { path: at(organization) } })),
    refetchInterval: ({ state: { data } }) =>
      data && (data.refreshing || data.index.reading > 0 || data.embeddings?.running) ? busy : still,
  });

// refreshSearch has all spaces of an organization read and embedded now.
export const refreshSearch = (organization: string) =>
  taken(api.POST(`${orgs}/search/refresh`, { params: { path: at(organization) } }));
