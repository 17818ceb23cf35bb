// Where a place goes when it is moved by keys or dragged, as the API is asked for it.
import type { Schemas } from "../api/client";
import { about, type Place } from "./places";

export type Move = Schemas["MoveBody"];
export type Where = "before" | "inside" | "after";

const pointer = (place: Place): Schemas["ContentPointer"] =>
  place.kind === "space"
    ? { type: "space", space: place.space.id }
    : { type: "collection", collection: place.collection.id };

// siblingsOf returns the places beside one that are of its kind, itself included: they have an order of their own.
export function siblingsOf(roots: Place[], id: string): Place[] {
  const at = roots.find((each) => about(each).id === id);
  if (at) return roots.filter((each) => each.kind === at.kind);
  for (const each of roots) {
    const below = each.kind === "collection" ? siblingsOf(each.places, id) : [];
    if (below.length > 0) return below;
  }
  return [];
}

// stepped moves a place past its neighbour; undefined where there is none.
export function stepped(roots: Place[], id: string, way: "up" | "down"): Move | undefined {
  const siblings = siblingsOf(roots, id);
  const index = siblings.findIndex((each) => about(each).id === id);
  const neighbour = siblings[index + (way === "up" ? -1 : 1)];
  if (index < 0 || !neighbour) return undefined;
  return { position: way === "up" ? { before: pointer(neighbour) } : { after: pointer(neighbour) } };
}

// holds reports whether a place is, or has in it, what an id names.
export const holds = (place: Place, id: string): boolean =>
  about(place).id === id || (place.kind === "collection" && place.places.some((each) => holds(each, id)));

// dropped says where something lands that is let go on a place: within a collection, or beside what is of its kind.
// Nothing goes into itself.
export function dropped(moved: Place, target: Place, where: Where): Move | undefined {
  if (holds(moved, about(target).id)) return undefined;
  if (target.kind === "collection" && (where === "inside" || moved.kind === "space"))
    return { parent: target.collection.id };
  const parent = about(target).parent ?? null;
  if (moved.kind !== target.kind) return { parent };
  return { parent, position: where === "before" ? { before: pointer(target) } : { after: pointer(target) } };
}

// whereIn says what a height between 0 and 1 within a row means. Only collections have an inside.
export const whereIn = (target: Place, moved: Place, height: number): Where => {
  if (target.kind === "collection" && (moved.kind === "space" || (height > 0.25 && height < 0.75))) return "inside";
  return height < 0.5 ? "before" : "after";
};
