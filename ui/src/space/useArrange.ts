// What people do with pages in the tree. It is done in the change request that is open, else in the person's draft, and
// reckoned on the pages as they are there: the tree that is seen may be another one.
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, Failure, type Schemas, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import { startDraft } from "../change-request/draft";
import type { JsonDocument } from "../editor/document";
import { bare } from "../editor/document";
import { t } from "../words/words";
import { dropped, family, moved, type Move, placeOf, type Where } from "./arrange";
import { type Page, pages as pagesQuery } from "./queries";
import { firstReadable, label, pathTo, readable } from "./tree";

export type Act =
  | { kind: "move"; page: Page; move: Move }
  | { kind: "drop"; page: Page; on: Page; where: Where }
  // Puts a page where it was, and brings back one that was deleted.
  | { kind: "place"; page: Page; into: string | null; at: number }
  | { kind: "restore"; page: Page; revision: string }
  | { kind: "rename"; page: Page; title: string }
  | { kind: "hide"; page: Page; hidden: boolean }
  | { kind: "duplicate"; page: Page }
  | { kind: "delete"; page: Page };

type Change = Schemas["ContentChange"];
type Path = { spaceId: string; changeRequestId: string };

const root = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content";

// stored asks for the pages as they are kept, without those that the server makes for computed ones.
async function stored(path: Path): Promise<Page[]> {
  const query = { metadata: false, computed: false } as const;
  return (await taken(api.GET(`${root}/pages`, { params: { path, query } }))).pages ?? [];
}

// copied is a page to insert that is like another, with another name.
async function copied(path: Path, page: Page): Promise<Partial<Change>> {
  const query = { format: "document", computed: false, metadata: false } as const;
  const asked = await taken(api.GET(`${root}/page/{pageId}`, { params: { path: { ...path, pageId: page.id }, query } }));
  const { type, emoji, icon, description, condition, hidden, noIndex, noRobotsIndex, layout, cover, tags, variables, target } = asked;
  const fields = { emoji, icon, description, condition, hidden, noIndex, noRobotsIndex, layout, cover, tags, variables, target };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const document = asked.document as JsonDocument | undefined;
  // Keys of blocks are those of the page alone.
  const body = document && { document: { document: { ...document, nodes: document.nodes.map(bare) } } };
  return { ...given, type, title: t("tree.copyOf", { title: asked.title }), ...(type === "document" ? body : {}) };
}

// changeOf is what the API is asked for.
async function changeOf(path: Path, act: Act): Promise<Change> {
  const id = act.page.id;
  switch (act.kind) {
    case "rename":
      // What the tree shows is what gets another name.
      return { operation: "update_page", page: id, ...(act.page.linkTitle ? { linkTitle: act.title } : { title: act.title }) };
    case "hide":
      return { operation: "update_page", page: id, hidden: act.hidden };
    case "delete":
      return { operation: "delete_page", page: id };
    case "restore":
      return { operation: "revert_page", page: id, revision: act.revision };
  }
  const roots = await stored(path);
  const place = placeOf(roots, id);
  if (!place) throw new Failure(404, t("tree.gone"));
  if (act.kind === "duplicate") {
    return { operation: "insert_page", ...(await copied(path, act.page)), into: place.parent?.id ?? null, at: place.at + 1 };
  }
  const to = act.kind === "place" ? act : act.kind === "drop" ? dropped(roots, id, act.on.id, act.where) : moved(roots, id, act.move);
  if (!to) throw new Failure(400, t("tree.nowhere"));
  return { operation: "update_page", page: id, ...(to.into === (place.parent?.id ?? null) ? {} : { into: to.into }), at: to.at };
}

// Done is what has become of the tree, with what takes it back where there is such a thing.
export type Done = { number: number; roots: Page[]; page: string; back?: Act };

async function carryOut(queries: QueryClient, space: string, change: number | undefined, act: Act): Promise<Done> {
  const number = change ?? (await startDraft(queries, space)).number;
  const path = { spaceId: space, changeRequestId: String(number) };
  const before = act.kind === "drop" ? placeOf(await stored(path), act.page.id) : undefined;
  const changes = [await changeOf(path, act)];
  const answer = await taken(api.POST(root, { params: { path, query: { compat: "false" } }, body: { changes } }));
  const [first] = answer.changes as { page?: { id: string } | string }[];
  const page = typeof first?.page === "object" ? first.page.id : act.page.id;
  // A page that is read shows its title, and the pages around it.
  await queries.invalidateQueries({ queryKey: spaces.changedPages(space, number) });
  void queries.invalidateQueries({ queryKey: changeRequests.changes(space, number) });
  const roots = await queries.fetchQuery(pagesQuery(space, number));
  const revision = (answer as { parents?: string[] }).parents?.[0];
  const back: Act | undefined =
    act.kind === "delete" && revision
      ? { kind: "restore", page: act.page, revision }
      : before
        ? { kind: "place", page: act.page, into: before.parent?.id ?? null, at: before.at }
        : undefined;
  return { number, roots, page, ...(back ? { back } : {}) };
}

// useArrange does such things one after the other. current is the page that is shown: who saw main is led to it in the
// draft, and away from it when it is deleted.
export function useArrange(space: string, change: number | undefined, current: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    scope: { id: `arrange-${space}` },
    mutationFn: (act: Act) => carryOut(queries, space, change, act),
    onSuccess: async ({ number, roots }, act) => {
      const gone = act.kind === "delete" && current !== undefined && family(act.page).includes(current);
      if (change !== undefined && !gone) return;
      const params = { space, number: String(number) };
      const next = [...(gone ? [] : [current]), act.page.id].find((id) => id !== undefined && pathTo(roots, id).length > 0);
      const found = next === undefined ? undefined : placeOf(roots, next);
      const page = found?.siblings[found.at];
      const shown = page && readable(page) ? page : firstReadable(roots);
      if (shown) await navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { ...params, page: shown.id } });
      else await navigate({ to: "/spaces/$space/changes/$number", params });
    },
  });
}

// placed says where a page stands.
export function placed(roots: Page[], id: string): string {
  const place = placeOf(roots, id);
  const page = place?.siblings[place.at];
  if (!place || !page) return "";
  const words = { title: label(page), place: place.at + 1, count: place.siblings.length };
  return place.parent ? t("tree.placed", { ...words, parent: label(place.parent) }) : t("tree.placedTop", words);
}
