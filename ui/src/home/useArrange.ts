import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import type { Move } from "./moves";
import type { Place } from "./places";

// useArrange moves a space or a collection, with all that is in it.
export function useArrange(organization: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ place, move }: { place: Place; move: Move }): Promise<unknown> =>
      place.kind === "space"
        ? taken(api.POST("/v1/spaces/{spaceId}/move", { params: { path: { spaceId: place.space.id } }, body: move }))
        : taken(
            api.POST("/v1/collections/{collectionId}/move", {
              params: { path: { collectionId: place.collection.id } },
              body: move,
            }),
          ),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: organizations.spaces(organization) }),
        queries.invalidateQueries({ queryKey: organizations.collections(organization) }),
      ]),
  });
}
