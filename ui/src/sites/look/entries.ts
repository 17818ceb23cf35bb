// The links of a header and the columns of a footer: a list whose entries may hold a list of their own.
import type { To } from "./Destination";

export type Entry = {
  title: string;
  to?: To | null;
  links?: Entry[] | null;
  style?: string;
  condition?: string;
  localizedTitle?: Record<string, string>;
};

// Place is where an entry stands: in the list, or in that of another one.
export type Place = [number] | [number, number];

const within = (list: Entry[], place: Place, change: (list: Entry[], index: number) => Entry[]): Entry[] => {
  const [first, second] = place;
  if (second === undefined) return change(list, first);
  return list.map((each, index) => (index === first ? { ...each, links: change(each.links ?? [], second) } : each));
};

// put sets the entry at a place; one behind the last adds it, null takes it away.
export const put = (list: Entry[], place: Place, entry: Entry | null): Entry[] =>
  within(list, place, (all, index) =>
    entry === null ? all.toSpliced(index, 1) : all.toSpliced(index, index < all.length ? 1 : 0, entry),
  );

// step moves an entry one place further in its list.
export const step = (list: Entry[], place: Place, by: -1 | 1): Entry[] =>
  within(list, place, (all, index) => {
    const [moved] = all.slice(index, index + 1);
    return moved && index + by >= 0 && index + by < all.length
      ? all.toSpliced(index, 1).toSpliced(index + by, 0, moved)
      : all;
  });

// inList returns the list that a place is in.
export const inList = (list: Entry[], [first, second]: Place): Entry[] =>
  second === undefined ? list : (list[first]?.links ?? []);
