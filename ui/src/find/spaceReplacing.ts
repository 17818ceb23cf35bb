// Finding and replacing in all pages of a space. Pages are read as one revision has them; what is replaced is written
// into a draft in batches, merged with what has changed since.
import type { QueryClient } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { changeRequests } from "../api/queries";
import { myDraft } from "../change-request/draft";
import { changeRequest } from "../change-request/queries";
import type { JsonDocument } from "../editor/document";
import { changed, draftFor } from "../space/editing";
import type { Page } from "../space/queries";
import { label, readable } from "../space/tree";
import { replaced, textsOf } from "./documents";
import type { Match, Query } from "./search";
import { Seeker } from "./seeker";

// Hit is a page in which something was found, with the texts that it is in.
export type Hit = {
  page: string;
  title: string;
  trail: string;
  document: JsonDocument;
  texts: string[];
  matches: Match[];
};
export type Search = { revision: string; hits: Hit[]; matches: number };

// So many pages are read at once, and so many changed in one batch.
const readers = 4;
const batch = 25;

// revisionOf is what is looked through: the change request that is open, else the person's draft, else main.
async function revisionOf(queries: QueryClient, space: string, change: number | undefined): Promise<string> {
  if (change !== undefined)
    return (await queries.fetchQuery({ ...changeRequest(space, change), staleTime: 0 })).revision;
  const mine = await queries.fetchQuery({ ...myDraft(queries, space), staleTime: 0 });
  if (mine) return mine.revision;
  const list = await taken(
    api.GET("/v1/spaces/{spaceId}/revisions", { params: { path: { spaceId: space }, query: { limit: 1 } } }),
  );
  return list.items?.[0]?.id ?? "";
}

const flat = (pages: Page[], trail: string): { page: Page; trail: string }[] =>
  pages.flatMap((page) => [
    { page, trail },
    ...flat(page.pages ?? [], trail ? `${trail} / ${label(page)}` : label(page)),
  ]);

// findAll looks through all pages. It throws the signal's reason when it is stopped, and an error of its own when a
// regular expression takes too long.
export async function findAll(
  queries: QueryClient,
  place: { space: string; change: number | undefined },
  query: Query,
  replacement: string,
  signal: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<Search> {
  const { space, change } = place;
  const revision = await revisionOf(queries, space, change);
  if (revision === "") return { revision, hits: [], matches: 0 };
  const path = { spaceId: space, revisionId: revision };
  const params = { path, query: { metadata: false, computed: false } };
  const tree = await taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/pages", { params, signal }));
  const pages = flat(tree.pages ?? [], "").filter(({ page }) => readable(page));
  const found: (Hit | undefined)[] = [];
  const seeker = new Seeker(query, replacement);
  let [next, done] = [0, 0];
  // A regular expression is tried on one page after the other.
  let turn = Promise.resolve();
  const read = async () => {
    for (let at = next++; at < pages.length; at = next++) {
      const { page, trail } = pages[at]!;
      const of = { path: { ...path, pageId: page.id }, query: { ...params.query, format: "document" } } as const;
      const { document } = (await taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}", { params: of, signal }),
      )) as { document?: JsonDocument };
      if (document) {
        const texts = textsOf(document);
        const sought = turn.then(() => seeker.seek(texts));
        turn = sought.then(() => undefined);
        const matches = await sought;
        if (!matches) throw new SlowError();
        if (matches.length > 0) found[at] = { page: page.id, title: label(page), trail, document, texts, matches };
      }
      signal.throwIfAborted();
      progress(++done, pages.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: readers }, read));
  } finally {
    seeker.end();
  }
  const hits = found.filter((hit) => hit !== undefined);
  return { revision, hits, matches: hits.reduce((sum, { matches }) => sum + matches.length, 0) };
}

// SlowError says that a regular expression takes too long.
export class SlowError extends Error {}

// replaceAll writes what replacing makes of pages into a draft, and returns its number. What is written when it is
// stopped stays written.
export async function replaceAll(
  queries: QueryClient,
  place: { space: string; change: number | undefined },
  revision: string,
  hits: Hit[],
  signal: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<number> {
  const { space, change } = place;
  const number = await draftFor(queries, space, change);
  const params = { path: { spaceId: space, changeRequestId: String(number) }, query: { compat: "false" } } as const;
  let done = 0;
  try {
    while (done < hits.length && !signal.aborted) {
      const some = hits.slice(done, done + batch);
      const changes = some.map(({ page, document, matches }): Schemas["ContentChange"] => ({
        operation: "update_page",
        page,
        document: { document: replaced(document, matches) },
      }));
      await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params,
          body: { revision, changes },
        }),
      );
      done += some.length;
      progress(done, hits.length);
    }
  } finally {
    // A page that is open to be written is asked for anew.
    for (const { page } of hits.slice(0, done))
      void queries.resetQueries({ queryKey: [...changeRequests.one(space, number), "edit", page] });
    await changed(queries, space, number);
  }
  return number;
}
