// Changing what a space holds beside its pages: in the change request that is open, else in the person's draft.
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { usePending } from "../api/pending";
import { changeRequests, spaces } from "../api/queries";
import { startDraft } from "../change-request/draft";

export type Change = Schemas["ContentChange"];

// draftFor returns the number of the change request that is written in.
export const draftFor = async (queries: QueryClient, space: string, change: number | undefined) =>
  change ?? (await startDraft(queries, space)).number;

// changed has everything asked again that shows the content of a change request.
export async function changed(queries: QueryClient, space: string, change: number): Promise<void> {
  void queries.invalidateQueries({ queryKey: changeRequests.changes(space, change) });
  void queries.invalidateQueries({ queryKey: spaces.changedPages(space, change) });
  await queries.invalidateQueries({ queryKey: spaces.content(space, change) });
}

const editingKey = (space: string, change: number | undefined) => ["editing", space, change ?? null];

// usePendingChanges returns the changes that were asked for and are not known to the queries yet, oldest first. Who
// sends a whole value that holds several settings adds them to what is known, else the second of two takes the first
// back.
export function usePendingChanges(space: string, change: number | undefined): Change[] {
  return usePending<Change[]>(editingKey(space, change)).flat();
}

// useEditing carries changes out together, all or none. onDone hears in which change request.
export function useEditing(space: string, change: number | undefined, onDone?: (number: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: editingKey(space, change),
    scope: { id: `editing-${space}` },
    mutationFn: async (changes: Change[]) => {
      const number = await draftFor(queries, space, change);
      const path = { spaceId: space, changeRequestId: String(number) };
      const answer = await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: { path, query: { compat: "false" } },
          body: { changes },
        }),
      );
      return { number, changes: answer.changes as Schemas["ContentUpdateChange"][] };
    },
    onSuccess: async ({ number }) => {
      await changed(queries, space, number);
      onDone?.(number);
    },
  });
}
