// What the screens of API descriptions ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { type Use, usesIn } from "../files/queries";
import { type Operation, operationsOf } from "./operations";

export type Spec = Schemas["OpenAPISpec"];

export const root = "/v1/orgs/{organizationId}/openapi/{specSlug}" as const;
const at = (organization: string, slug: string) => ({ organizationId: organization, specSlug: slug });

// How often a description that is read is asked for, in milliseconds.
const soon = 1000;
const busy = (spec: Spec | undefined) => spec !== undefined && spec.processingState !== "complete";

// specsOf asks for the descriptions of an organization.
export const specsOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.specs(organization),
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/openapi", { params: { path: { organizationId: organization }, query } }),
      ),
    refetchInterval: (query) => (query.state.data?.some(busy) ? soon : false),
  });

export const specOf = (organization: string, slug: string) =>
  queryOptions({
    queryKey: organizations.spec(organization, slug),
    queryFn: () => taken(api.GET(root, { params: { path: at(organization, slug) } })),
    refetchInterval: (query) => (busy(query.state.data) ? soon : false),
  });

export const versionsOf = (organization: string, slug: string, latest: string | undefined) =>
  queryOptions({
    queryKey: [...organizations.spec(organization, slug), "versions", latest ?? ""],
    queryFn: () => all((query) => api.GET(`${root}/versions`, { params: { path: at(organization, slug), query } })),
  });

// operationsIn asks for what a version of a description describes.
export const operationsIn = (organization: string, slug: string, version: string) =>
  queryOptions({
    queryKey: [...organizations.spec(organization, slug), "operations", version],
    queryFn: async (): Promise<Operation[]> => {
      const content = await taken(
        api.GET(`${root}/versions/{versionId}/content`, {
          params: { path: { ...at(organization, slug), versionId: version } },
        }),
      );
      return operationsOf(Object.values(content.filesystem).find(({ isEntrypoint }) => isEntrypoint)?.specification);
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: version !== "",
  });

// SpecUse is what a space does with a description: the places that name it.
export type SpecUse = { slug: string; places: Use[] };

// specsIn asks which descriptions the content of a space names, and where.
export const specsIn = (space: string, change?: number) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "specs"],
    queryFn: async (): Promise<SpecUse[]> => {
      const links = await all((query) =>
        change === undefined
          ? api.GET("/v1/spaces/{spaceId}/links", { params: { path: { spaceId: space }, query } })
          : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links", {
              params: { path: { spaceId: space, changeRequestId: String(change) }, query },
            }),
      );
      return specsOfLinks(links);
    },
  });

// specsOfLinks gathers, from the links of a space, which places name which description.
export function specsOfLinks(links: Pick<Schemas["LinkUsage"], "written" | "locationReferences">[]): SpecUse[] {
  const found = new Map<string, Schemas["ContentLocation"][]>();
  for (const { written, locationReferences } of links) {
    const slug = /^\/openapi\/([^/?#]+)$/.exec(written)?.[1];
    if (slug) found.set(slug, [...(found.get(slug) ?? []), ...(locationReferences ?? [])]);
  }
  return [...found].map(([slug, places]) => ({ slug, places: usesIn(places) }));
}
