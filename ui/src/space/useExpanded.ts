// Which pages of a tree are open: kept for each space in the browser, and always those above the page that is shown.
import { useState } from "react";
import type { Page } from "./queries";
import { openable } from "./tree";

const key = (space: string) => `recto.tree.${space}`;

// few is how many pages are simply all open when somebody sees a space for the first time.
const few = 40;

function kept(space: string, pages: Page[]): Set<string> {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key(space)) ?? "null");
    if (Array.isArray(saved)) return new Set(saved.filter((each) => typeof each === "string"));
  } catch {
    // Somebody else wrote there.
  }
  const count = (list: Page[]): number => list.reduce((sum, page) => sum + 1 + count(page.pages ?? []), 0);
  return new Set(
    count(pages) <= few ? openable(pages) : pages.filter((page) => page.type === "group").map((page) => page.id),
  );
}

export function useExpanded(space: string, pages: Page[], above: string[], current: string | undefined) {
  const [own, setOwn] = useState(() => ({ space, ids: kept(space, pages) }));
  // The page whose way has been opened: once for each page, so that one may close what is above it again.
  const [shown, setShown] = useState<string>();
  let expanded = own.ids;
  if (own.space !== space) {
    expanded = kept(space, pages);
    setOwn({ space, ids: expanded });
  } else if (shown !== current && (above.length > 0 || current === undefined)) {
    setShown(current);
    if (above.some((id) => !expanded.has(id))) {
      expanded = new Set([...expanded, ...above]);
      setOwn({ space, ids: expanded });
    }
  }
  const keep = (ids: Set<string>) => {
    setOwn({ space, ids });
    localStorage.setItem(key(space), JSON.stringify([...ids]));
  };
  return {
    expanded: expanded as ReadonlySet<string>,
    open: (ids: string[]) => keep(new Set([...expanded, ...ids])),
    close: (id: string) => keep(new Set([...expanded].filter((each) => each !== id))),
  };
}
