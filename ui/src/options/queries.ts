// What the options of a page are, as it is kept: computed pages are not worked out.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";
import type { Change } from "../space/editing";

export type Page = Schemas["Page"];
// Options are the fields of a page that a change can set.
export type Options = Partial<Omit<Change, "operation" | "page">>;

// pageOptions asks for a page without its body, on main or in a change request.
export const pageOptions = (space: string, change: number | undefined, page: string) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "options", page],
    queryFn: () => {
      const query = { computed: false } as const;
      if (change === undefined)
        return taken(
          api.GET("/v1/spaces/{spaceId}/content/page/{pageId}", {
            params: { path: { spaceId: space, pageId: page }, query },
          }),
        );
      const path = { spaceId: space, changeRequestId: String(change), pageId: page };
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
          params: { path, query },
        }),
      );
    },
  });

// withChanges lays the changes of a page that are on their way over what is known of it.
export function withChanges(known: Page, changes: Change[]): Page {
  return changes.reduce((page, { operation, page: changed, ...options }) => {
    if (operation !== "update_page" || changed !== page.id) return page;
    const { layout, ...rest } = options;
    // null takes away what a page has.
    const set = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined]));
    return { ...page, ...set, ...(page.layout && layout && { layout: { ...page.layout, ...layout } }) } as Page;
  }, known);
}

// pageRedirects asks for the addresses that lead to a page.
export const pageRedirects = (space: string, change: number | undefined, page: string) =>
  queryOptions({
    queryKey: [...spaces.content(space, change), "redirects", page],
    queryFn: async () => {
      if (change === undefined)
        return (
          (
            await taken(
              api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/redirects", {
                params: { path: { spaceId: space, pageId: page } },
              }),
            )
          ).items ?? []
        );
      const path = { spaceId: space, changeRequestId: String(change), pageId: page };
      return (
        (
          await taken(
            api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/redirects", {
              params: { path },
            }),
          )
        ).items ?? []
      );
    },
  });

// pathIn is the path of an address that was typed or pasted, as it reads: without slashes around it and what follows
// it.
export function pathIn(text: string): string {
  const trimmed = text.trim();
  const path = (/^https?:\/\/[^/]*(\/.*)?$/i.test(trimmed) ? trimmed.replace(/^https?:\/\/[^/]*/i, "") : trimmed)
    .replace(/[?#].*$/, "")
    .replace(/^\/+|\/+$/g, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

// A name that expressions can use.
const nameOf = /^[A-Za-z_][A-Za-z0-9_]*$/;

// faultOf says what is wrong with the name of a variable beside others.
export const faultOf = (name: string, others: string[]): "name" | "taken" | null =>
  !nameOf.test(name) ? "name" : others.includes(name) ? "taken" : null;

// read makes a text that was typed the value that is meant: a number, true or false, or the text.
export function read(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return trimmed !== "" && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}
