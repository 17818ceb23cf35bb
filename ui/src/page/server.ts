// What the editing screen asks of the API: the page of a change request with the revision that it is of, and saving it.
// What the editor asks while one writes is in services.ts.
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { api, Failure, taken } from "../api/client";
import { changeRequests, users } from "../api/queries";
import { me } from "../change-request/draft";
import { bare, type JsonDocument } from "../editor/document";
import { pages } from "../space/queries";
import { draftsOf } from "./drafts";
import type { Loaded, Server } from "./saving";

export interface Place {
  space: string;
  change: number;
  page: string;
}

export const pathOf = ({ space, change }: Place) => ({ spaceId: space, changeRequestId: String(change) });

// The revision is read before the page: a page that is newer than it says is merged with itself, an older one would hide
// what was changed in between.
async function load(place: Place) {
  const path = pathOf(place);
  const request = await taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path } }));
  const page = await taken(
    api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
      params: { path: { ...path, pageId: place.page }, query: { format: "document", computed: false, metadata: false } },
    }),
  );
  const given = (page.document as JsonDocument | undefined) ?? { object: "document", nodes: [] };
  // Without keys, as the editor writes it: what nobody changed is the same.
  const document: JsonDocument = { ...given, nodes: given.nodes.map(bare) };
  return { revision: request.revision, title: page.title, document, status: request.status, type: page.type };
}

// begun asks for all that editing a page begins with: the page, and what this person typed here before and never saved.
// It is asked anew each time, since what is on the screen is no cache of it.
export const begun = (queries: QueryClient, place: Place) =>
  queryOptions({
    queryKey: [...changeRequests.one(place.space, place.change), "edit", place.page],
    queryFn: async () => {
      const [user, loaded] = await Promise.all([queries.ensureQueryData(me), load(place)]);
      const owner = { user: user.id, space: place.space, change: String(place.change), page: place.page };
      return { user: user.id, loaded, ...(await draftsOf(owner)) };
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

// While a tab is hidden, somebody else may sign in in another.
let hides = 0;
document.addEventListener("visibilitychange", () => hides++);

// serverOf is the API as Saving asks it. What one person typed is not saved as another's who has signed in since.
export function serverOf(queries: QueryClient, place: Place, user: string): Server {
  let doubtful = false;
  let seen = hides;
  const same = async () => {
    if (!doubtful && seen === hides) return;
    const until = hides;
    const now = await taken(api.GET("/v1/user"));
    if (now.id !== user) {
      void queries.invalidateQueries({ queryKey: users.me });
      throw new Failure(401, "");
    }
    doubtful = false;
    seen = until;
  };
  return {
    load: async (): Promise<Loaded> => load(place),
    save: async (base, { title, document: body }) => {
      try {
        await same();
        const changes = [
          {
            operation: "update_page" as const,
            page: place.page,
            ...(title === undefined ? {} : { title }),
            ...(body === undefined ? {} : { document: { document: body } }),
          },
        ];
        const answer = await taken(
          api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
            params: { path: pathOf(place), query: { compat: "false" } },
            body: { revision: base, changes },
          }),
        );
        const { revision, parents } = answer as { revision: string; parents: string[] };
        void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, place.change) });
        if (title !== undefined) void queries.invalidateQueries({ queryKey: pages(place.space, place.change).queryKey });
        return { revision, parents };
      } catch (failure) {
        if (failure instanceof Failure && failure.status === 401) doubtful = true;
        throw failure;
      }
    },
  };
}
