// Who is on which page of a change request, for the tree.
import { queryOptions } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { changeRequests } from "../api/queries";
import type { User } from "./wire";

// So often it is asked while somebody looks.
const often = 20_000;

const nobody: ReadonlyMap<string, User[]> = new Map();

// presence asks who is on which page. Where that is not known nobody is.
export const presence = (space: string, change: number) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, change), "live"],
    queryFn: async (): Promise<ReadonlyMap<string, User[]>> => {
      const { pages } = await taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/live", {
          params: { path: { spaceId: space, changeRequestId: String(change) } },
        }),
      );
      return new Map((pages ?? []).map(({ page, people }) => [page, (people ?? []).map(({ user }) => user)]));
    },
    placeholderData: nobody,
    staleTime: 5_000,
    refetchInterval: often,
    refetchOnWindowFocus: true,
    retry: false,
  });
