// What the palette asks of the API.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import type { Notes } from "../look/SearchNotes";
import { t } from "../words/words";
import type { Entry } from "./entries";

// The most pages, and the most parts of one, that are shown.
const mostPages = 8;
const mostParts = 2;

// again is after how many milliseconds pages are asked for once more while some are still being indexed.
const again = 1500;

// Found are pages with parts of them, and what is said of them together. Popular ones answer no words.
export interface Found extends Notes {
  entries: Entry[];
  popular: boolean;
}

// pagesWith asks for the pages of all spaces that have some words, or for those that are read most when there are none.
export const pagesWith = (organization: string, words: string) =>
  queryOptions({
    queryKey: organizations.search(organization, words),
    queryFn: async (): Promise<Found> => {
      const params = { path: { organizationId: organization }, query: { query: words, limit: mostPages } };
      const { items, closest, incomplete, popular, suggestion } = await taken(
        api.GET("/v1/orgs/{organizationId}/search", { params }),
      );
      const pages = (items ?? []).flatMap((space) =>
        (space.pages ?? []).map((page) => ({ ...page, space: space.title, at: space.id })),
      );
      const entries = pages
        .sort((a, b) => a.rank - b.rank)
        .slice(0, mostPages)
        .flatMap((page) => {
          const to = `/spaces/${page.at}/pages/${page.id}`;
          const trail = [page.space, ...(page.ancestors ?? []).map(({ title }) => title)].join(" / ");
          const parts = (page.sections ?? [])
            .filter(({ title }) => title)
            .slice(0, mostParts)
            .map((part): Entry => {
              const anchor = part.path.split("#")[1];
              return {
                id: `${page.id} ${part.id}`,
                kind: "section",
                title: part.title,
                about: page.title,
                to: anchor ? `${to}#${anchor}` : to,
              };
            });
          const about = popular ? `${t("look.found.popular")} · ${trail}` : trail;
          return [{ id: page.id, kind: "page", title: page.title, about, to } satisfies Entry, ...parts];
        });
      return { entries, closest, incomplete, popular, ...(suggestion ? { suggestion } : {}) };
    },
    enabled: words.length !== 1,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.incomplete ? again : false),
    staleTime: 30_000,
  });

// peopleOf asks for members of an organization; who may not see them gets none.
export const peopleOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.people(organization),
    queryFn: async () =>
      (
        await taken(
          api.GET("/v1/orgs/{organizationId}/members", {
            params: { path: { organizationId: organization }, query: { limit: 1000 } },
          }),
        )
      ).items ?? [],
    staleTime: 5 * 60_000,
    retry: false,
  });

// sitesOf asks for the sites of an organization.
export const sitesOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.sites(organization),
    queryFn: async () =>
      (
        await taken(
          api.GET("/v1/orgs/{organizationId}/sites", {
            params: { path: { organizationId: organization }, query: { limit: 1000 } },
          }),
        )
      ).items ?? [],
    staleTime: 5 * 60_000,
  });
