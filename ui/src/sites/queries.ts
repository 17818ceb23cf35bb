// What the screens of sites ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
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
    queryFn: () => all((query) => api.GET("/v1/orgs/{organizationId}/sites", { params: { path: { organizationId: organization }, query } })),
  });

// keyOf is what everything about one site is kept under.
export const keyOf = (organization: string, site: string) => [...organizations.sites(organization), "one", site] as const;

export const siteOf = (organization: string, site: string) =>
  queryOptions({ queryKey: [...keyOf(organization, site), "site"], queryFn: () => taken(api.GET(root, { params: { path: at(organization, site) } })) });

export const structureOf = (organization: string, site: string) =>
  queryOptions({ queryKey: [...keyOf(organization, site), "structure"], queryFn: () => taken(api.GET(`${root}/structure`, { params: { path: at(organization, site) } })) });

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
  return destination.url ?? destination.path ?? destination.pageId ?? destination.siteSpaceId ?? destination.siteSectionId ?? "";
}

// destinationOf reads what was typed: an address elsewhere, or a path on the site.
export const destinationOf = (text: string): Schemas["RedirectDestination"] => (/^https?:\/\//i.test(text) ? { kind: "external", url: text } : { kind: "path", path: text.startsWith("/") ? text : `/${text}` });
