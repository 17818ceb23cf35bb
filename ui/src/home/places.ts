// Spaces and collections as a tree, in the order that they were put in, collections first.
import type { Space } from "../space/queries";
import type { Collection } from "./queries";

export type Place = { kind: "collection"; collection: Collection; places: Place[] } | { kind: "space"; space: Space };

// about is what a place is, whatever its kind.
export const about = (place: Place): Space | Collection => (place.kind === "space" ? place.space : place.collection);

// places makes the tree below a collection, or all of it. What lies in something that the person may not see is at the
// top, so that nothing is lost.
export function places(spaces: Space[], collections: Collection[], below?: string): Place[] {
  const seen = new Set(collections.map((each) => each.id));
  const parentOf = (each: { parent?: string }) => (each.parent && seen.has(each.parent) ? each.parent : undefined);
  const make = (parent: string | undefined): Place[] => [
    ...collections
      .filter((each) => parentOf(each) === parent && each.id !== parent)
      .map((collection): Place => ({ kind: "collection", collection, places: make(collection.id) })),
    ...spaces.filter((each) => parentOf(each) === parent).map((space): Place => ({ kind: "space", space })),
  ];
  return make(below);
}
