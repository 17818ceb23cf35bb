// What the history of a space asks of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";

export type Revision = Schemas["RevisionSummary"];

// revisions asks for the revisions of main, the newest first, piece by piece.
export const revisions = (space: string) =>
  infiniteQueryOptions({
    queryKey: [...spaces.revisions(space), "list"],
    queryFn: ({ pageParam }) =>
      taken(api.GET("/v1/spaces/{spaceId}/revisions", { params: { path: { spaceId: space }, query: { limit: 50, ...(pageParam ? { page: pageParam } : {}) } } })),
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// revision asks for one, without its content. It never changes.
export const revision = (space: string, id: string) =>
  queryOptions({
    queryKey: [...spaces.revisions(space), "one", id],
    staleTime: Infinity,
    queryFn: () => taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}", { params: { path: { spaceId: space, revisionId: id }, query: { metadata: false, computed: false } } })),
  });

// days puts revisions together that were made on one day, in their order.
export function days(list: Revision[], language: string): { day: string; list: Revision[] }[] {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "full" });
  const found: { day: string; list: Revision[] }[] = [];
  for (const each of list) {
    const day = format.format(new Date(each.createdAt));
    if (found.at(-1)?.day === day) found.at(-1)!.list.push(each);
    else found.push({ day, list: [each] });
  }
  return found;
}
