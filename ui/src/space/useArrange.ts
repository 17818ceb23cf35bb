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
import { dropsOf, family, type Move, movesOf, placeOf, placesOf, type Step, type Where } from "./arrange";
import { type Page, pages as pagesQuery } from "./queries";
import { firstReadable, label, pathTo, readable } from "./tree";

// Act is what is done with pages. Several are in the order of the tree, and none is below another one.
export type Act =
  | { kind: "move"; pages: Page[]; move: Move }
  | { kind: "drop"; pages: Page[]; on: Page; where: Where }
  // Puts pages where they were in a tree of before, and brings back those that were deleted.
  | { kind: "place"; pages: Page[]; before: Page[] }
  | { kind: "restore"; pages: Page[]; revision: string }
  | { kind: "rename"; pages: [Page]; title: string }
  | { kind: "hide"; pages: Page[]; hidden: boolean }
  | { kind: "duplicate"; pages: Page[] }
  | { kind: "delete"; pages: Page[] };

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
  const asked = await taken(
    api.GET(`${root}/page/{pageId}`, { params: { path: { ...path, pageId: page.id }, query } }),
  );
  const {
    type,
    emoji,
    icon,
    description,
    condition,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    cover,
    tags,
    variables,
    target,
  } = asked;
  const fields = {
    emoji,
    icon,
    description,
    condition,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    cover,
    tags,
    variables,
    target,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const document = asked.document as JsonDocument | undefined;
  // Keys of blocks are those of the page alone.
  const body = document && { document: { document: { ...document, nodes: document.nodes.map(bare) } } };
  return { ...given, type, title: t("tree.copyOf", { title: asked.title }), ...(type === "document" ? body : {}) };
}

const stepped = ({ page, into, at }: Step): Change => ({
  operation: "update_page",
  page,
  ...(into === undefined ? {} : { into }),
  at,
});

// changesOf is what the API is asked for; roots are the pages as they are kept.
async function changesOf(path: Path, act: Act, roots: Page[]): Promise<Change[]> {
  const ids = act.pages.map(({ id }) => id);
  switch (act.kind) {
    case "rename":
      // What the tree shows is what gets another name.
      return act.pages.map(({ id, linkTitle }) => ({
        operation: "update_page",
        page: id,
        ...(linkTitle ? { linkTitle: act.title } : { title: act.title }),
      }));
    case "hide":
      return ids.map((page) => ({ operation: "update_page", page, hidden: act.hidden }));
    case "delete":
      return ids.map((page) => ({ operation: "delete_page", page }));
    case "restore":
      return ids.map((page) => ({ operation: "revert_page", page, revision: act.revision }));
  }
  if (ids.some((id) => !placeOf(roots, id))) throw new Failure(404, t("tree.gone"));
  if (act.kind === "duplicate") {
    // From the last to the first, so that none changes the place of another.
    return await Promise.all(
      act.pages.toReversed().map(async (page): Promise<Change> => {
        const { parent, at } = placeOf(roots, page.id)!;
        return { operation: "insert_page", ...(await copied(path, page)), into: parent?.id ?? null, at: at + 1 };
      }),
    );
  }
  const steps =
    act.kind === "place"
      ? placesOf(roots, act.before, ids)
      : act.kind === "drop"
        ? dropsOf(roots, ids, act.on.id, act.where)
        : movesOf(roots, ids, act.move);
  if (!steps || steps.length === 0) throw new Failure(400, t("tree.nowhere"));
  return steps.map(stepped);
}

// Done is what has become of the tree, with what takes it back where there is such a thing. made are new pages.
export type Done = { number: number; roots: Page[]; made: string[]; back?: Act };

async function perform(queries: QueryClient, space: string, change: number | undefined, act: Act): Promise<Done> {
  const number = change ?? (await startDraft(queries, space)).number;
  const path = { spaceId: space, changeRequestId: String(number) };
  const before = ["move", "drop", "place", "duplicate"].includes(act.kind) ? await stored(path) : [];
  const changes = await changesOf(path, act, before);
  const { done, revision } = await send(path, changes);
  const made = done.flatMap(({ page }) => (act.kind === "duplicate" && typeof page === "object" ? page.id : []));
  // A page that is read shows its title, and the pages around it.
  await queries.invalidateQueries({ queryKey: spaces.changedPages(space, number) });
  void queries.invalidateQueries({ queryKey: changeRequests.changes(space, number) });
  const roots = await queries.fetchQuery(pagesQuery(space, number));
  return { number, roots, made: made.toReversed(), ...backOf(act, before, revision) };
}

// The most changes that the API takes at once, which are made all or none.
const atOnce = 50;

// send has changes made, and returns what became of them, with the revision that was there before.
async function send(
  path: Path,
  changes: Change[],
): Promise<{ done: { page?: { id: string } | string }[]; revision: string | undefined }> {
  const done: { page?: { id: string } | string }[] = [];
  let revision: string | undefined;
  for (let from = 0; from < changes.length; from += atOnce) {
    const body = { changes: changes.slice(from, from + atOnce) };
    const answer = await taken(api.POST(root, { params: { path, query: { compat: "false" } }, body }));
    done.push(...(answer.changes as { page?: { id: string } | string }[]));
    revision ??= (answer as { parents?: string[] }).parents?.[0];
  }
  return { done, revision };
}

// backOf is what takes an act back: of moves by key only those of several pages, since one goes back as it came.
function backOf(act: Act, before: Page[], revision: string | undefined): { back?: Act } {
  const { pages } = act;
  if (act.kind === "delete" && revision) return { back: { kind: "restore", pages, revision } };
  if (act.kind === "drop" || (act.kind === "move" && pages.length > 1))
    return { back: { kind: "place", pages, before } };
  if (act.kind === "hide" && pages.length > 1) {
    const changed = pages.filter((page) => (page.hidden === true) !== act.hidden);
    return changed.length > 0 ? { back: { kind: "hide", pages: changed, hidden: !act.hidden } } : {};
  }
  return {};
}

// useArrange does such things one after the other. current is the page that is shown: who saw main is led to it in the
// draft, and away from it when it is deleted.
export function useArrange(space: string, change: number | undefined, current: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    scope: { id: `arrange-${space}` },
    mutationFn: (act: Act) => perform(queries, space, change, act),
    onSuccess: async ({ number, roots }, act) => {
      const gone = act.kind === "delete" && current !== undefined && act.pages.flatMap(family).includes(current);
      if (change !== undefined && !gone) return;
      const params = { space, number: String(number) };
      const next = [...(gone ? [] : [current]), act.pages[0]?.id].find(
        (id) => id !== undefined && pathTo(roots, id).length > 0,
      );
      const found = next === undefined ? undefined : placeOf(roots, next);
      const page = found?.siblings[found.at];
      const shown = page && readable(page) ? page : firstReadable(roots);
      if (shown)
        await navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { ...params, page: shown.id } });
      else await navigate({ to: "/spaces/$space/changes/$number", params });
    },
  });
}

// placedAll says where pages stand: one with its place, several with the page that they are below.
export function placedAll(roots: Page[], pages: Page[]): string {
  const [first] = pages;
  if (!first || pages.length === 1) return first ? placed(roots, first.id) : "";
  const parent = placeOf(roots, first.id)?.parent;
  return parent
    ? t("tree.placedAll", { count: pages.length, parent: label(parent) })
    : t("tree.placedAllTop", { count: pages.length });
}

// placed says where a page stands.
export function placed(roots: Page[], id: string): string {
  const place = placeOf(roots, id);
  const page = place?.siblings[place.at];
  if (!place || !page) return "";
  const words = { title: label(page), place: place.at + 1, count: place.siblings.length };
  return place.parent ? t("tree.placed", { ...words, parent: label(place.parent) }) : t("tree.placedTop", words);
}
