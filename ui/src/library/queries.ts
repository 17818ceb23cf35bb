// What the screens of reusable contents, variables and links ask of the API, on main or in a change request.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";
import { usesIn, type Use } from "../files/queries";

export type LinkUsage = Schemas["LinkUsage"];

// content asks for a space whole: what it holds beside pages comes with it alone.
export const content = (space: string, change: number | undefined) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "revision"],
    queryFn: () => {
      const query = { metadata: false, computed: false };
      if (change === undefined)
        return taken(api.GET("/v1/spaces/{spaceId}/content", { params: { path: { spaceId: space }, query } }));
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: { path: { spaceId: space, changeRequestId: String(change) }, query },
        }),
      );
    },
  });

// usesOfReusable asks what includes a reusable content, each place once.
export const usesOfReusable = (space: string, change: number | undefined, id: string) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "reusable-uses", id],
    queryFn: async (): Promise<Use[]> => {
      const found = await all((piece) => {
        if (change === undefined) {
          const path = { spaceId: space, reusableContentId: id };
          return api.GET("/v1/spaces/{spaceId}/content/reusable-contents/{reusableContentId}/backlinks", {
            params: { path, query: piece },
          });
        }
        const path = { spaceId: space, changeRequestId: String(change), reusableContentId: id };
        return api.GET(
          "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/backlinks",
          { params: { path, query: piece } },
        );
      });
      return usesIn(found);
    },
  });

export const linkFilters = ["broken", "all"] as const;
export type LinkFilter = (typeof linkFilters)[number];

// links asks for the links of a space, piece by piece, those that need attention first.
export const links = (space: string, change: number | undefined, filter: LinkFilter) =>
  infiniteQueryOptions({
    queryKey: [...spaces.content(space, change), "links", filter],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: 100,
        ...(filter === "broken" ? { status: "broken" as const } : {}),
        ...(pageParam ? { page: pageParam } : {}),
      };
      if (change === undefined)
        return taken(api.GET("/v1/spaces/{spaceId}/links", { params: { path: { spaceId: space }, query } }));
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links", {
          params: { path: { spaceId: space, changeRequestId: String(change) }, query },
        }),
      );
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// replaced is the change that makes variables others: those that are gone are taken away.
export const replaced = (before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.keys(before).filter((name) => !(name in after)).map((name) => [name, null])),
  ...Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value)),
});
