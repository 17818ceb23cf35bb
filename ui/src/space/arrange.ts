// Where pages go when they are moved in the tree: within their siblings, below the page before, out of the page above.
import type { Page } from "./queries";

export type Move = "up" | "down" | "nest" | "lift";

// Place is where a page stands: its parent, null for the root, and the number of siblings before it.
export type Place = { parent: Page | null; at: number; siblings: Page[] };

// placeOf finds a page in a tree.
export function placeOf(roots: Page[], id: string, parent: Page | null = null): Place | undefined {
  const at = roots.findIndex((page) => page.id === id);
  if (at >= 0) return { parent, at, siblings: roots };
  for (const page of roots) {
    const found = placeOf(page.pages ?? [], id, page);
    if (found) return found;
  }
  return undefined;
}

// holds reports whether pages can be put below a page. What is below a computed page is made by the server.
export const holds = (page: Page): boolean => page.type === "document" || page.type === "group";

// moved returns where a move takes a page, or undefined when there is no such place. A group stands at the root alone.
export function moved(roots: Page[], id: string, move: Move): { into: string | null; at: number } | undefined {
  const place = placeOf(roots, id);
  if (!place) return undefined;
  const { parent, at, siblings } = place;
  switch (move) {
    case "up":
      return at > 0 ? { into: parent?.id ?? null, at: at - 1 } : undefined;
    case "down":
      return at < siblings.length - 1 ? { into: parent?.id ?? null, at: at + 1 } : undefined;
    case "nest": {
      const before = siblings[at - 1];
      if (!before || !holds(before) || siblings[at]?.type === "group") return undefined;
      return { into: before.id, at: before.pages?.length ?? 0 };
    }
    case "lift": {
      const above = parent && placeOf(roots, parent.id);
      return above ? { into: above.parent?.id ?? null, at: above.at + 1 } : undefined;
    }
  }
}

// Where something is let go on a page.
export type Where = "before" | "inside" | "after";

// dropped returns where a page goes that is let go on another one, or undefined when it stands there already or cannot.
export function dropped(
  roots: Page[],
  id: string,
  target: string,
  where: Where,
): { into: string | null; at: number } | undefined {
  if (!mayStand(roots, id, target, where)) return undefined;
  const [from, on] = [placeOf(roots, id)!, placeOf(roots, target)!];
  const above = on.siblings[on.at]!;
  const into = (where === "inside" ? above : on.parent)?.id ?? null;
  if (where === "inside")
    return from.parent?.id === target && from.at === from.siblings.length - 1
      ? undefined
      : { into, at: (above.pages ?? []).filter((each) => each.id !== id).length };
  const same = (from.parent?.id ?? null) === into;
  const at = on.at + (where === "after" ? 1 : 0) - (same && from.at < on.at ? 1 : 0);
  return same && at === from.at ? undefined : { into, at };
}

// mayStand reports whether a page may stand before, inside or after another one.
export function mayStand(roots: Page[], id: string, target: string, where: Where): boolean {
  const [from, on] = [placeOf(roots, id), placeOf(roots, target)];
  const [page, above] = [from?.siblings[from.at], on?.siblings[on.at]];
  if (!page || !on || !above || family(page).includes(target)) return false;
  const parent = where === "inside" ? above : on.parent;
  return !parent || (holds(parent) && !made(roots, parent.id) && page.type !== "group");
}

// made reports whether the server makes a page for a computed one above it, so that nobody can change it.
export function made(roots: Page[], id: string): boolean {
  for (let place = placeOf(roots, id); place?.parent; place = placeOf(roots, place.parent.id)) {
    if (place.parent.type === "computed") return true;
  }
  return false;
}

// family lists the ids of a page and of all below it.
export const family = (page: Page): string[] => [page.id, ...(page.pages ?? []).flatMap(family)];

// A step moves one page; several of them are done one after the other. into is undefined where the parent stays.
export type Step = { page: string; into?: string | null; at: number };

// A tree that steps are tried on, before the server is asked.
class Trial {
  readonly steps: Step[] = [];
  roots: Page[];

  constructor(roots: Page[]) {
    this.roots = roots;
  }

  // take makes a step.
  take(id: string, to: { into: string | null; at: number }): void {
    const from = placeOf(this.roots, id);
    const page = from?.siblings[from.at];
    if (!from || !page) return;
    const same = (from.parent?.id ?? null) === to.into;
    if (same && from.at === to.at) return;
    this.roots = put(without(this.roots, id), page, to.into, to.at);
    this.steps.push({ page: id, ...(same ? {} : { into: to.into }), at: to.at });
  }
}

const without = (pages: Page[], id: string): Page[] =>
  pages
    .filter((page) => page.id !== id)
    .map((page) => (page.pages?.length ? { ...page, pages: without(page.pages, id) } : page));

function put(pages: Page[], page: Page, into: string | null, at: number): Page[] {
  if (into === null) return pages.toSpliced(at, 0, page);
  return pages.map((each) =>
    each.id === into
      ? { ...each, pages: (each.pages ?? []).toSpliced(at, 0, page) }
      : each.pages?.length
        ? { ...each, pages: put(each.pages, page, into, at) }
        : each,
  );
}

// tops keeps the pages of a list that are not below another one of it, in the order of the tree: what is done with a
// page is done with all below it.
export function tops(roots: Page[], ids: ReadonlySet<string>): Page[] {
  return roots.flatMap((page) => (ids.has(page.id) ? [page] : tops(page.pages ?? [], ids)));
}

// movesOf lists the steps of a move of several pages, in the order of the tree. Pages that stand beside each other stay
// so; one that cannot go there stays.
export function movesOf(roots: Page[], ids: string[], move: Move): Step[] {
  const trial = new Trial(roots);
  // Whoever goes down or out makes room for the one before.
  const order = move === "down" || move === "lift" ? ids.toReversed() : ids;
  const stopped = new Set<string>();
  for (const id of order) {
    const place = placeOf(trial.roots, id);
    const beside = place?.siblings[move === "up" ? place.at - 1 : place.at + 1];
    const to =
      (move === "up" || move === "down") && beside && stopped.has(beside.id) ? undefined : moved(trial.roots, id, move);
    if (to) trial.take(id, to);
    else stopped.add(id);
  }
  return trial.steps;
}

// dropsOf lists the steps when several pages, in the order of the tree, are let go on another one; undefined when they
// cannot be there.
export function dropsOf(roots: Page[], ids: string[], target: string, where: Where): Step[] | undefined {
  const trial = new Trial(roots);
  let [on, side] = [target, where];
  for (const id of ids) {
    if (!mayStand(trial.roots, id, on, side)) return undefined;
    const to = dropped(trial.roots, id, on, side);
    if (to) trial.take(id, to);
    [on, side] = [id, "after"];
  }
  return trial.steps;
}

// placesOf lists the steps that put pages where they stand in a tree of before.
export function placesOf(roots: Page[], before: Page[], ids: string[]): Step[] {
  const trial = new Trial(roots);
  const waiting = new Set(ids);
  for (const id of ids) {
    const was = placeOf(before, id);
    if (!was) continue;
    const into = was.parent?.id ?? null;
    const isThere = (each: Page) =>
      !waiting.has(each.id) && (placeOf(trial.roots, each.id)?.parent?.id ?? null) === into;
    const after = was.siblings.slice(0, was.at).findLast(isThere);
    const now = placeOf(trial.roots, id);
    const at = after ? placeOf(trial.roots, after.id)!.at + 1 : 0;
    // Who stood before it in the same list makes room.
    const same = now && (now.parent?.id ?? null) === into;
    trial.take(id, { into, at: same && now.at < at ? at - 1 : at });
    waiting.delete(id);
  }
  return trial.steps;
}
