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

// dropped returns where a page lands that is let go on another one, or undefined when it stands there already or cannot.
export function dropped(roots: Page[], id: string, target: string, where: Where): { into: string | null; at: number } | undefined {
  const [from, on] = [placeOf(roots, id), placeOf(roots, target)];
  const [page, above] = [from?.siblings[from.at], on?.siblings[on.at]];
  if (!from || !on || !page || !above || family(page).includes(target)) return undefined;
  const parent = where === "inside" ? above : on.parent;
  if (parent && (!holds(parent) || made(roots, parent.id) || page.type === "group")) return undefined;
  const into = parent?.id ?? null;
  if (where === "inside") return from.parent?.id === target && from.at === from.siblings.length - 1 ? undefined : { into, at: (above.pages ?? []).filter((each) => each.id !== id).length };
  const same = (from.parent?.id ?? null) === into;
  const at = on.at + (where === "after" ? 1 : 0) - (same && from.at < on.at ? 1 : 0);
  return same && at === from.at ? undefined : { into, at };
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
