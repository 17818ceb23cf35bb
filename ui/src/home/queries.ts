// What the home screen asks of the API, for one organization.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";

export type Collection = Schemas["Collection"];

// spacesOf asks for all spaces that the person may read.
export const spacesOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.spaces(organization),
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/spaces", { params: { path: { organizationId: organization }, query } }),
      ),
  });

// collectionsOf asks for all collections, those within others included.
export const collectionsOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.collections(organization),
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/collections", { params: { path: { organizationId: organization }, query } }),
      ),
  });

// Filter says which change requests: of somebody, or that wait for their review.
export type Filter = { status: "draft" | "open"; creator?: string; requestedReviewer?: string };

// changeRequestsOf asks for the change requests that changed last.
export const changeRequestsOf = (organization: string, filter: Filter) =>
  queryOptions({
    queryKey: organizations.changeRequests(organization, filter),
    queryFn: async () => {
      const query = { ...filter, status: [filter.status], limit: 20 };
      const path = { organizationId: organization };
      return (
        (await taken(api.GET("/v1/orgs/{organizationId}/change-requests", { params: { path, query } }))).items ?? []
      );
    },
  });
