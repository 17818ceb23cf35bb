// What the screens of sites ask of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, Failure, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";

export type Site = Schemas["Site"];
export type SiteSpace = Schemas["SiteSpace"];
export type ShareLink = Schemas["ShareLink"];
export type Redirect = Schemas["SiteRedirect"];

export const root = "/v1/orgs/{organizationId}/sites/{siteId}" as const;
export const at = (organization: string, site: string) => ({ organizationId: organization, siteId: site });

// sitesOf asks for all sites that the person may see.
export const sitesOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.sites(organization), "all"],
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/sites", { params: { path: { organizationId: organization }, query } }),
      ),
  });

// keyOf is what everything about one site is kept under.
export const keyOf = (organization: string, site: string) =>
  [...organizations.sites(organization), "one", site] as const;

export const siteOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "site"],
    queryFn: () => taken(api.GET(root, { params: { path: at(organization, site) } })),
  });

export const structureOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "structure"],
    queryFn: () => taken(api.GET(`${root}/structure`, { params: { path: at(organization, site) } })),
  });

export const shareLinksOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "share-links"],
    queryFn: () => all((query) => api.GET(`${root}/share-links`, { params: { path: at(organization, site), query } })),
  });

export const redirectsOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "redirects"],
    queryFn: () => all((query) => api.GET(`${root}/redirects`, { params: { path: at(organization, site), query } })),
  });

// leadsTo says where a redirect leads, as a person would write it.
export function leadsTo({ destination }: Redirect): string {
  return (
    destination.url ??
    destination.path ??
    destination.pageId ??
    destination.siteSpaceId ??
    destination.siteSectionId ??
    ""
  );
}

// destinationOf reads what was typed: an address elsewhere, or a path on the site.
export const destinationOf = (text: string): Schemas["RedirectDestination"] =>
  /^https?:\/\//i.test(text)
    ? { kind: "external", url: text }
    : { kind: "path", path: text.startsWith("/") ? text : `/${text}` };

// conditionsOf asks for conditions that the adaptive schema of a site makes possible.
export const conditionsOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "conditions"],
    queryFn: async () =>
      (
        await taken(
          api.GET(`${root}/adaptive-schema/template-conditions`, { params: { path: at(organization, site) } }),
        )
      ).items ?? [],
  });

// authOf asks how a site knows its visitors.
export const authOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "auth"],
    queryFn: () => taken(api.GET(`${root}/publishing/auth`, { params: { path: at(organization, site) } })),
  });

// schemaQuery asks what a site may know of its visitors; null when nobody has said so yet.
export const schemaQuery = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "schema"],
    queryFn: async () => {
      try {
        return await taken(api.GET(`${root}/adaptive-schema`, { params: { path: at(organization, site) } }));
      } catch (failure) {
        if (failure instanceof Failure && failure.status === 404) return null;
        throw failure;
      }
    },
  });

export type Customization = Schemas["SiteCustomization"];

// customizationOf asks how a site looks, or a space on it.
export const customizationOf = (organization: string, site: string, siteSpace = "") =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "customization", siteSpace],
    queryFn: async (): Promise<Customization & { hasOverrides?: boolean }> =>
      siteSpace
        ? taken(
            api.GET(`${root}/site-spaces/{siteSpaceId}/customization`, {
              params: { path: { ...at(organization, site), siteSpaceId: siteSpace } },
            }),
          )
        : taken(api.GET(`${root}/customization`, { params: { path: at(organization, site) } })),
  });

// feedbackByPage counts what readers answered, by page.
export const feedbackByPage = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...keyOf(organization, site), "feedback", "pages"],
    queryFn: () =>
      all((query) => api.GET(`${root}/feedback/pages`, { params: { path: at(organization, site), query } })),
  });

// feedbackOf lists what readers answered, the newest first.
export const feedbackOf = (organization: string, site: string, filter: { commented: boolean; page: string }) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(organization, site), "feedback", "answers", filter],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET(`${root}/feedback`, {
          params: {
            path: at(organization, site),
            query: {
              limit: 50,
              ...(filter.commented ? { commented: true } : {}),
              ...(filter.page ? { pageId: filter.page } : {}),
              ...(pageParam ? { page: pageParam } : {}),
            },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (piece) => piece.next?.page,
  });

// integrationsOf asks for the integrations that are on a site.
export const integrationsOf = (organization: string, site: string) =>
  queryOptions({
    queryKey: [...organizations.integrations(organization), "site", site],
    queryFn: () => all((query) => api.GET(`${root}/integrations`, { params: { path: at(organization, site), query } })),
  });
