import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, done, taken } from "../api/client";
import { collections, organizations, spaces } from "../api/queries";
import type { Place } from "../home/places";

// Fields are what a place is called.
export type Fields = { title: string; emoji?: string | null; description?: string | null };

// usePlaceChange has the changes of a space or a collection that everybody sees at home.
export function usePlaceChange(organization: string) {
  const queries = useQueryClient();
  const fresh = () =>
    Promise.all(
      [
        organizations.spaces(organization),
        organizations.collections(organization),
        organizations.trash(organization),
        spaces.all,
        collections.all,
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const rename = useMutation({
    mutationFn: async ({
      place,
      fields: { title, emoji, description },
    }: {
      place: Place;
      fields: Fields;
    }): Promise<unknown> =>
      place.kind === "space"
        ? taken(
            api.PATCH("/v1/spaces/{spaceId}", {
              params: { path: { spaceId: place.space.id } },
              body: { title, ...(emoji === undefined ? {} : { emoji }) },
            }),
          )
        : taken(
            api.PATCH("/v1/collections/{collectionId}", {
              params: { path: { collectionId: place.collection.id } },
              body: { title, ...(description === undefined ? {} : { description }) },
            }),
          ),
    onSuccess: fresh,
  });
  const remove = useMutation({
    mutationFn: (place: Place) =>
      done(
        place.kind === "space"
          ? api.DELETE("/v1/spaces/{spaceId}", { params: { path: { spaceId: place.space.id } } })
          : api.DELETE("/v1/collections/{collectionId}", { params: { path: { collectionId: place.collection.id } } }),
      ),
    onSuccess: fresh,
  });
  const duplicate = useMutation({
    mutationFn: (space: string) =>
      taken(api.POST("/v1/spaces/{spaceId}/duplicate", { params: { path: { spaceId: space }, query: {} as never } })),
    onSuccess: fresh,
  });
  const collect = useMutation({
    mutationFn: (body: { title: string; description?: string; parent?: string }) =>
      taken(
        api.POST("/v1/orgs/{organizationId}/collections", {
          params: { path: { organizationId: organization }, query: {} as never },
          body,
        }),
      ),
    onSuccess: fresh,
  });
  return { rename, remove, duplicate, collect };
}
