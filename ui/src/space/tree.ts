// The page tree as rows: which there are, and where a key leads. PageTree.tsx draws them.
import type { Page } from "./queries";

// Row is a page that can be seen in the tree.
export type Row = {
  page: Page;
  // Depth from 1, and the place among siblings from 1, as aria-level, aria-posinset and aria-setsize say them.
  level: number;
  place: number;
  siblings: number;
  parent: string | null;
  // Whether the pages below it are shown; undefined when there are none.
  expanded: boolean | undefined;
};

// rows lists the pages that are seen while those in expanded are open.
export function rows(roots: Page[], expanded: ReadonlySet<string>): Row[] {
  const list: Row[] = [];
  const walk = (pages: Page[], level: number, parent: string | null) => {
    pages.forEach((page, index) => {
      const below = page.pages ?? [];
      const open = below.length > 0 ? expanded.has(page.id) : undefined;
      list.push({ page, level, place: index + 1, siblings: pages.length, parent, expanded: open });
      if (open) walk(below, level + 1, page.id);
    });
  };
  walk(roots, 1, null);
  return list;
}

// matching keeps the pages whose title has all words of a filter, and those above them.
export function matching(roots: Page[], filter: string): Page[] {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  const keep = (page: Page): Page[] => {
    const below = (page.pages ?? []).flatMap(keep);
    const title = fold(label(page));
    return below.length > 0 || words.every((word) => title.includes(word)) ? [{ ...page, pages: below }] : [];
  };
  return roots.flatMap(keep);
}

// fold makes texts equal that a reader takes for equal: case and accents do not count.
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

// label is what the tree calls a page.
export const label = (page: Page): string => page.linkTitle || page.title;

// pathTo lists the ids from a root to a page, the page last; empty when it is not there.
export function pathTo(roots: Page[], id: string): string[] {
  for (const page of roots) {
    if (page.id === id) return [id];
    const rest = pathTo(page.pages ?? [], id);
    if (rest.length > 0) return [page.id, ...rest];
  }
  return [];
}

// find returns a page of a tree by its id.
export function find(roots: Page[], id: string): Page | undefined {
  for (const page of roots) {
    const found = page.id === id ? page : find(page.pages ?? [], id);
    if (found) return found;
  }
  return undefined;
}

// readable reports whether a page has content of its own to open. What a computed page stands for is below it.
export const readable = (page: Page): boolean => page.type === "document";

// firstReadable is the page that a space opens with.
export function firstReadable(roots: Page[]): Page | undefined {
  for (const page of roots) {
    const found = readable(page) ? page : firstReadable(page.pages ?? []);
    if (found) return found;
  }
  return undefined;
}

// openable lists the ids of all pages with pages below them.
export function openable(roots: Page[]): string[] {
  return roots.flatMap((page) => ((page.pages ?? []).length > 0 ? [page.id, ...openable(page.pages ?? [])] : []));
}

// Step is what a key does: the row that gets the focus, and pages that open or close.
export type Step = { focus?: number; open?: string[]; close?: string };

// step follows the tree view pattern of the ARIA Authoring Practices. Right and left change places where text runs from
// right to left, which is the caller's to say.
export function step(list: Row[], at: number, key: string): Step | undefined {
  const row = list[at];
  if (!row) return undefined;
  switch (key) {
    case "ArrowDown":
      return { focus: Math.min(at + 1, list.length - 1) };
    case "ArrowUp":
      return { focus: Math.max(at - 1, 0) };
    case "Home":
      return { focus: 0 };
    case "End":
      return { focus: list.length - 1 };
    case "ArrowRight":
      if (row.expanded === false) return { open: [row.page.id] };
      return row.expanded ? { focus: at + 1 } : {};
    case "ArrowLeft":
      if (row.expanded) return { close: row.page.id };
      return row.parent === null ? {} : { focus: list.findIndex((each) => each.page.id === row.parent) };
    case "*":
      return {
        open: list.filter((each) => each.parent === row.parent && each.expanded === false).map((each) => each.page.id),
      };
    default:
      return undefined;
  }
}

// typed is the next row, after at, whose label begins with what was typed; the same letter again goes on to the next.
export function typed(list: Row[], at: number, text: string): number | undefined {
  const same = [...text].every((letter) => letter === text[0]);
  const wanted = fold(same ? (text[0] ?? "") : text);
  for (let each = same ? 1 : 0; each <= list.length; each++) {
    const index = (at + each) % list.length;
    const row = list[index];
    if (row && fold(label(row.page)).startsWith(wanted)) return index;
  }
  return undefined;
}

// emojiText is the character of an emoji, which pages hold as such or as its code points in hexadecimal.
export function emojiText(emoji: string | undefined): string {
  if (!emoji || !/^[0-9a-f]{4,6}(-[0-9a-f]{2,6})*$/i.test(emoji)) return emoji ?? "";
  return String.fromCodePoint(...emoji.split("-").map((point) => Number.parseInt(point, 16)));
}
