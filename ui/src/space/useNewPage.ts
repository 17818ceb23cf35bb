import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import { startDraft } from "../change-request/draft";
import { t } from "../words/words";

// A page that was just made says so where it opens: its title is what is written first.
declare module "@tanstack/history" {
  interface HistoryState {
    made?: boolean;
  }
}

// useNewPage makes a page in the change request that is open, else in my draft, at the end or inside
// another page, and opens it to be written.
export function useNewPage(space: string, change: number | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (into: string | undefined) => {
      const number = change ?? (await startDraft(queries, space)).number;
      const path = { spaceId: space, changeRequestId: String(number) };
      const changes = [
        {
          operation: "insert_page" as const,
          title: t("tree.untitled"),
          ...(into === undefined ? {} : { into }),
          document: { markdown: "" },
        },
      ];
      const made = await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: { path, query: { compat: "false" } },
          body: { changes },
        }),
      );
      const [inserted] = made.changes as { page: { id: string } }[];
      return { number, page: inserted?.page.id ?? "" };
    },
    onSuccess: async ({ number, page }) => {
      await queries.invalidateQueries({ queryKey: spaces.changedPages(space, number) });
      void queries.invalidateQueries({ queryKey: changeRequests.changes(space, number) });
      await navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page },
        state: { made: true },
      });
    },
  });
}
