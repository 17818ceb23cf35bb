// Pages that integrations make, and why one could not be made.
import { hashKey, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { spaces } from "../api/queries";
import type { Data } from "../kit/elements";
import { type Page, pages } from "./queries";
import { find, pathTo } from "./tree";

export type Source = Schemas["SpaceContentSource"];
export type Computed = { type: Source["type"]; props: Data; dependencies?: Data };

// Fault is why the last attempt to make a page failed. kept says that what was made before is shown.
export type Fault = { title: string; problem: string; kept: boolean };

// contentSources asks for the sources of content of a space. Who writes there hears what has come of its pages.
export const contentSources = (space: string) =>
  queryOptions({
    queryKey: [...spaces.one(space), "content-sources"],
    queryFn: async () =>
      (await taken(api.GET("/v1/spaces/{spaceId}/content-sources", { params: { path: { spaceId: space } } }))) ?? [],
    staleTime: 0,
  });

// isMade reports whether an integration makes a page.
export const isMade = (page: Page): boolean => page.computed?.type.startsWith("integration:") ?? false;

// stored asks for the pages as they are kept: a computed page is what it is made from, without what it stands for.
export const stored = (space: string, change: number | undefined) =>
  queryOptions({
    queryKey: [...pages(space, change).queryKey, "stored"],
    queryFn: async (): Promise<Page[]> => {
      const query = { metadata: false, computed: false } as const;
      const asked =
        change === undefined
          ? api.GET("/v1/spaces/{spaceId}/content/pages", { params: { path: { spaceId: space }, query } })
          : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages", {
              params: { path: { spaceId: space, changeRequestId: String(change) }, query },
            });
      return (await taken(asked)).pages ?? [];
    },
  });

// made lists what integrations make from a page upwards, itself first, as it is kept where it is; empty for a page that
// is written by people.
export function made(roots: Page[], kept: Page[], page: string): Page[] {
  const [shown, ...above] = pathTo(roots, page).reverse();
  const own = shown && find(roots, shown);
  if (!own || !isMade(own)) return [];
  return [find(kept, own.id) ?? own, ...above.flatMap((id) => find(kept, id) ?? [])].filter(isMade);
}

// faultOf finds why one of these pages could not be made anew.
export function faultOf(from: Page[], sources: Source[]): Fault | undefined {
  for (const { computed } of from) {
    const source = sources.find(({ type }) => type === computed?.type);
    const result = source?.results?.find(
      ({ props, problem }) => problem && hashKey([props]) === hashKey([computed?.props ?? {}]),
    );
    if (source && result?.problem) return { title: source.title, problem: result.problem, kept: result.pages };
  }
  return undefined;
}

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

// computedOf makes what a page is made from of what the settings of its source have given back: {props, dependencies?},
// or else the properties themselves.
export function computedOf({ type }: Pick<Source, "type">, returned: Data | null): Computed {
  const { props, dependencies } = returned ?? {};
  if (!isData(props)) return { type, props: returned ?? {} };
  return { type, props, ...(isData(dependencies) ? { dependencies } : {}) };
}
