// What the history of a space asks of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";

export type Revision = Schemas["RevisionSummary"];
export type PageRevision = Schemas["PageRevision"];

// revisions asks for the revisions of main, the newest first, piece by piece.
export const revisions = (space: string) =>
  infiniteQueryOptions({
    queryKey: [...spaces.revisions(space), "list"],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET("/v1/spaces/{spaceId}/revisions", {
          params: { path: { spaceId: space }, query: { limit: 50, ...(pageParam ? { page: pageParam } : {}) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// revision asks for one, without its content. It never changes.
export const revision = (space: string, id: string) =>
  queryOptions({
    queryKey: [...spaces.revisions(space), "one", id],
    staleTime: Infinity,
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}", {
          params: { path: { spaceId: space, revisionId: id }, query: { metadata: false, computed: false } },
        }),
      ),
  });

// So often an answer without a find is gone on from at once: it is that of some hundred revisions.
const patience = 10;

// pageRevisions asks for the revisions that changed a page, on main or in a change request, the newest first.
export const pageRevisions = (space: string, change: number | undefined, page: string) =>
  infiniteQueryOptions({
    queryKey: [
      ...(change === undefined ? spaces.revisions(space) : changeRequests.changes(space, change)),
      "page",
      page,
    ],
    queryFn: async ({ pageParam }) => {
      for (let at = pageParam, tries = 1; ; tries++) {
        const query = { limit: 30, ...(at ? { page: at } : {}) };
        const found = await taken(
          change === undefined
            ? api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/revisions", {
                params: { path: { spaceId: space, pageId: page }, query },
              })
            : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/revisions", {
                params: { path: { spaceId: space, changeRequestId: String(change), pageId: page }, query },
              }),
        );
        if (!found.next || (found.items ?? []).length > 0 || tries === patience) return found;
        at = found.next.page;
      }
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// days puts revisions together that were made on one day, in their order.
export function days<R extends Revision>(list: R[], language: string): { day: string; list: R[] }[] {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "full" });
  const found: { day: string; list: R[] }[] = [];
  for (const each of list) {
    const day = format.format(new Date(each.createdAt));
    if (found.at(-1)?.day === day) found.at(-1)!.list.push(each);
    else found.push({ day, list: [each] });
  }
  return found;
}
