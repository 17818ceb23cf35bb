// Which rows of a tree are selected, for what is done with several pages at once. Only rows that are seen count: what
// is folded away is left alone.
import { useState } from "react";
import type { Row } from "./tree";

export type Selection = {
  ids: ReadonlySet<string>;
  // only selects one row, toggle adds it or takes it away, extend selects all from the one that was chosen last.
  only: (id: string) => void;
  toggle: (id: string) => void;
  extend: (from: string, to: string) => void;
  all: () => void;
  clear: () => void;
};

const none: ReadonlySet<string> = new Set();

// selected are the rows that may be, by what selectable says.
export function useSelection(list: Row[], selectable: (row: Row) => boolean): Selection {
  const [chosen, setChosen] = useState(none);
  // Where a stretch of rows begins, and what was selected beside it.
  const [anchor, setAnchor] = useState<{ id: string; kept: ReadonlySet<string> }>();
  const may = (id: string) => list.some((row) => row.page.id === id && selectable(row));
  const ids = chosen.size === 0 ? none : new Set(list.flatMap(({ page }) => (chosen.has(page.id) ? page.id : [])));
  const become = (next: ReadonlySet<string>, id: string) => {
    setChosen(next);
    setAnchor({ id, kept: next });
  };
  const toggle = (id: string) => {
    if (may(id)) become(ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id]), id);
  };
  const extend = (from: string, to: string) => {
    const start = anchor && list.some((row) => row.page.id === anchor.id) ? anchor : { id: from, kept: none };
    const [a, b] = [start.id, to].map((id) => list.findIndex((row) => row.page.id === id)) as [number, number];
    if (a < 0 || b < 0) return;
    const stretch = list.slice(Math.min(a, b), Math.max(a, b) + 1).filter(selectable);
    setChosen(new Set([...start.kept, ...stretch.map(({ page }) => page.id)]));
    setAnchor(start);
  };
  return {
    ids,
    only: (id) => may(id) && become(new Set([id]), id),
    toggle,
    extend,
    all: () => setChosen(new Set(list.filter(selectable).map(({ page }) => page.id))),
    clear: () => {
      setChosen(none);
      setAnchor(undefined);
    },
  };
}
