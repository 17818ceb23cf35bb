// What the screen of files asks of the API.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";

export type File = Schemas["File"];

// files asks for all files, on main or in a change request.
export const files = (space: string, change: number | undefined) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "files", "all"],
    queryFn: () =>
      all((piece) => {
        const query = { ...piece, metadata: false };
        if (change === undefined)
          return api.GET("/v1/spaces/{spaceId}/content/files", { params: { path: { spaceId: space }, query } });
        const path = { spaceId: space, changeRequestId: String(change) };
        return api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files", {
          params: { path, query },
        });
      }),
  });

// addressOf asks where a file can be loaded from, on main or in a change request.
export const addressOf = (space: string, change: number | undefined, file: string) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "files", "address", file],
    queryFn: async () => {
      const query = { metadata: false };
      if (change === undefined)
        return (
          await taken(
            api.GET("/v1/spaces/{spaceId}/content/files/{fileId}", {
              params: { path: { spaceId: space, fileId: file }, query },
            }),
          )
        ).downloadURL;
      const path = { spaceId: space, changeRequestId: String(change), fileId: file };
      return (
        await taken(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}", {
            params: { path, query },
          }),
        )
      ).downloadURL;
    },
  });

// Use is a page or a reusable content that something stands in.
export type Use = { id: string; title: string; page: boolean };

// usesIn lists the places that something stands in, each once.
export function usesIn(places: Schemas["ContentLocation"][]): Use[] {
  const found = new Map<string, Use>();
  for (const { page, reusableContent } of places) {
    const from = page ?? reusableContent;
    if (from) found.set(from.id, { id: from.id, title: from.title, page: page !== undefined });
  }
  return [...found.values()];
}

// usesOf asks where a file stands, each place once.
export const usesOf = (space: string, change: number | undefined, file: string) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "files", "uses", file],
    queryFn: async (): Promise<Use[]> => {
      const found = await all((piece) => {
        if (change === undefined)
          return api.GET("/v1/spaces/{spaceId}/content/files/{fileId}/backlinks", {
            params: { path: { spaceId: space, fileId: file }, query: piece },
          });
        const path = { spaceId: space, changeRequestId: String(change), fileId: file };
        return api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks", {
          params: { path, query: piece },
        });
      });
      return usesIn(found);
    },
  });

// undescribed lists where pictures stand without an alternative text, on main or in a change request.
export const undescribed = (space: string, change: number | undefined) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "files", "undescribed"],
    queryFn: () =>
      all((piece) => {
        if (change === undefined)
          return api.GET("/v1/spaces/{spaceId}/content/pictures/undescribed", {
            params: { path: { spaceId: space }, query: piece },
          });
        const path = { spaceId: space, changeRequestId: String(change) };
        return api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/pictures/undescribed", {
          params: { path, query: piece },
        });
      }),
  });

export type Undescribed = Schemas["UndescribedPicture"];

export const sorts = ["name", "size", "kind"] as const;
export type Sort = (typeof sorts)[number];

const ending = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

// arranged keeps the files that have every word in their name, in an order.
export function arranged(list: File[], words: string, sort: Sort): File[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const byName = (a: File, b: File) => a.name.localeCompare(b.name, undefined, { numeric: true });
  const by = {
    name: byName,
    size: (a: File, b: File) => b.size - a.size || byName(a, b),
    kind: (a: File, b: File) => ending(a.name).localeCompare(ending(b.name)) || byName(a, b),
  };
  return list.filter(({ name }) => sought.every((word) => name.toLowerCase().includes(word))).sort(by[sort]);
}
