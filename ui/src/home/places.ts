// Spaces and collections as a tree, in the order of their titles, collections first.
import type { Space } from "../space/queries";
import type { Collection } from "./queries";

export type Place = { kind: "collection"; collection: Collection; places: Place[] } | { kind: "space"; space: Space };

// places makes the tree below a collection, or all of it. What lies in something that the person may not see is at the
// top, so that nothing is lost.
export function places(spaces: Space[], collections: Collection[], below?: string): Place[] {
  const seen = new Set(collections.map((each) => each.id));
  const parentOf = (each: { parent?: string }) => (each.parent && seen.has(each.parent) ? each.parent : undefined);
  const byTitle = (a: { title: string }, b: { title: string }) => a.title.localeCompare(b.title, undefined, { numeric: true });
  const make = (parent: string | undefined): Place[] => [
    ...collections
      .filter((each) => parentOf(each) === parent && each.id !== parent)
      .sort(byTitle)
      .map((collection): Place => ({ kind: "collection", collection, places: make(collection.id) })),
    ...spaces
      .filter((each) => parentOf(each) === parent)
      .sort(byTitle)
      .map((space): Place => ({ kind: "space", space })),
  ];
  return make(below);
}
