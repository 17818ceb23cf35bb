// "Edit" works in a draft: a change request of one's own whose review nobody has asked for yet. There is one that is
// gone on with, the newest; the first press of "Edit" makes it.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { changeRequests, users } from "../api/queries";

export type ChangeRequest = Schemas["ChangeRequest"];

// isLive says whether a change request is still written in.
export const isLive = ({ status }: Pick<ChangeRequest, "status">): boolean => status === "draft" || status === "open";

// me asks who is signed in.
export const me = queryOptions({ queryKey: users.me, queryFn: () => taken(api.GET("/v1/user")), staleTime: Infinity });

// myDraft asks for my newest draft of a space; null when there is none.
export const myDraft = (queries: QueryClient, space: string) =>
  queryOptions({
    queryKey: changeRequests.draft(space),
    queryFn: async (): Promise<ChangeRequest | null> => {
      const { id } = await queries.ensureQueryData(me);
      const query = { status: "draft", creator: id, limit: 1 } as const;
      const list = await taken(
        api.GET("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId: space }, query } }),
      );
      return list.items?.[0] ?? null;
    },
  });

// Two presses of "Edit" make one draft, also when the first is still under way.
const starting = new WeakMap<QueryClient, Map<string, Promise<ChangeRequest>>>();

// startDraft returns my draft of a space, and makes one when there is none. What the cache says is asked again, since a
// draft may have been merged elsewhere.
export function startDraft(queries: QueryClient, space: string): Promise<ChangeRequest> {
  const under = starting.get(queries) ?? new Map<string, Promise<ChangeRequest>>();
  starting.set(queries, under);
  const begun = under.get(space) ?? openDraft(queries, space).finally(() => under.delete(space));
  under.set(space, begun);
  return begun;
}

async function openDraft(queries: QueryClient, space: string): Promise<ChangeRequest> {
  const mine = await queries.fetchQuery({ ...myDraft(queries, space), staleTime: 0 });
  return mine ?? newDraft(queries, space);
}

// newDraft makes a draft, also beside one that there is.
export async function newDraft(queries: QueryClient, space: string): Promise<ChangeRequest> {
  const made = await taken(
    api.POST("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId: space } }, body: {} }),
  );
  queries.setQueryData(changeRequests.draft(space), made);
  await queries.invalidateQueries({ queryKey: [...changeRequests.of(space), "list"] });
  return made;
}
