// What the screens of a space ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";

export type Space = Schemas["Space"];
export type Page = Schemas["Page"];

// space asks for a space.
export const space = (id: string) =>
  queryOptions({
    queryKey: spaces.one(id),
    queryFn: () => taken(api.GET("/v1/spaces/{spaceId}", { params: { path: { spaceId: id } } })),
  });

const query = { metadata: false } as const;

// pages asks for the tree of pages, on main or in a change request.
export const pages = (space: string, change?: number) =>
  queryOptions({
    queryKey: change === undefined ? spaces.pages(space) : spaces.changedPages(space, change),
    queryFn: async (): Promise<Page[]> => {
      if (change === undefined) {
        const path = { spaceId: space };
        return (await taken(api.GET("/v1/spaces/{spaceId}/content/pages", { params: { path, query } }))).pages ?? [];
      }
      const path = { spaceId: space, changeRequestId: String(change) };
      const asked = api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages", {
        params: { path, query },
      });
      return (await taken(asked)).pages ?? [];
    },
  });

// pageToRead asks for a page with its body as HTML.
export const pageToRead = (space: string, page: string, change?: number) =>
  queryOptions({
    queryKey: [
      ...(change === undefined ? spaces.page(space, page) : [...spaces.changedPages(space, change), page]),
      "html",
    ],
    queryFn: () => {
      const query = { metadata: false, format: "html" } as const;
      if (change === undefined) {
        const path = { spaceId: space, pageId: page };
        return taken(api.GET("/v1/spaces/{spaceId}/content/page/{pageId}", { params: { path, query } }));
      }
      const path = { spaceId: space, changeRequestId: String(change), pageId: page };
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
          params: { path, query },
        }),
      );
    },
  });
