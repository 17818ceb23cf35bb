// What the screens of integrations ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { organizations, spaces } from "../api/queries";

export type Integration = Schemas["Integration"];
export type Installation = Schemas["IntegrationInstallation"];
export type Status = Installation["status"];

export const root = "/v1/integrations/{integrationName}" as const;
export const installed = `${root}/installations/{installationId}` as const;

// offered asks for what can be installed in an organization.
export const offered = (organization: string, search: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), "offered", search],
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/integrations", {
          params: { path: { organizationId: organization }, query: { ...query, ...(search ? { search } : {}) } },
        }),
      ),
    placeholderData: (before) => before,
  });

// statuses asks which integrations are installed, and whether each works.
export const statuses = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), "statuses"],
    queryFn: async () =>
      new Map(
        (
          await all((query) =>
            api.GET("/v1/orgs/{organizationId}/integrations/installations-status", {
              params: { path: { organizationId: organization }, query },
            }),
          )
        ).map((each) => [each.integration.name, each.status]),
      ),
  });

export const integrationOf = (organization: string, name: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), name, "integration"],
    queryFn: () => taken(api.GET(root, { params: { path: { integrationName: name } } })),
  });

// installationOf asks for the installation of an integration in an organization; null when there is none.
export const installationOf = (organization: string, name: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), name, "installation"],
    queryFn: async () =>
      (
        await all((query) => api.GET(`${root}/installations`, { params: { path: { integrationName: name }, query } }))
      ).find((each) => each.target.organization === organization) ?? null,
  });

// onSpaces and onSites ask where an installation is.
export const onSpaces = (organization: string, name: string, installation: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), name, "spaces", installation],
    queryFn: () =>
      all((query) =>
        api.GET(`${installed}/spaces`, {
          params: { path: { integrationName: name, installationId: installation }, query },
        }),
      ),
  });

export const onSites = (organization: string, name: string, installation: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), name, "sites", installation],
    queryFn: () =>
      all((query) =>
        api.GET(`${installed}/sites`, {
          params: { path: { integrationName: name, installationId: installation }, query },
        }),
      ),
  });

// ofSpace asks which integrations a space has.
export const ofSpace = (space: string) =>
  queryOptions({
    queryKey: [...spaces.one(space), "integrations"],
    queryFn: () =>
      all((query) => api.GET("/v1/spaces/{spaceId}/integrations", { params: { path: { spaceId: space }, query } })),
  });
