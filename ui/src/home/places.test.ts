import { expect, it } from "vitest";
import type { Space } from "../space/queries";
import { dropped, siblingsOf, stepped, whereIn } from "./moves";
import { about, type Place, places } from "./places";
import type { Collection } from "./queries";

const space = (id: string, parent?: string) => ({ id, title: id, ...(parent ? { parent } : {}) }) as Space;
const collection = (id: string, parent?: string) => ({ id, title: id, ...(parent ? { parent } : {}) }) as Collection;
const shape = (list: Place[]): unknown =>
  list.map((each) =>
    each.kind === "space" ? each.space.id : [each.collection.id, ...(shape(each.places) as unknown[])],
  );

const spaces = [space("s10"), space("s2"), space("inner", "b"), space("lost", "hidden")];
const collections = [collection("b", "a"), collection("a"), collection("orphan", "hidden")];
const roots = places(spaces, collections);
const one = (id: string, list = roots): Place => {
  for (const each of list) {
    if (about(each).id === id) return each;
    if (each.kind === "collection" && each.places.length > 0) {
      const below = one(id, each.places);
      if (below) return below;
    }
  }
  return undefined as never;
};

it("nests by collection, keeps the order, and loses nothing", () => {
  expect(shape(roots)).toEqual([["a", ["b", "inner"]], ["orphan"], "s10", "s2", "lost"]);
});

it("begins at a collection", () => expect(shape(places(spaces, collections, "a"))).toEqual([["b", "inner"]]));

it("steps past neighbours of the same kind alone", () => {
  expect(siblingsOf(roots, "s2").map((each) => about(each).id)).toEqual(["s10", "s2", "lost"]);
  expect(stepped(roots, "s2", "up")).toEqual({ position: { before: { type: "space", space: "s10" } } });
  expect(stepped(roots, "a", "down")).toEqual({ position: { after: { type: "collection", collection: "orphan" } } });
  expect(stepped(roots, "s10", "up")).toBeUndefined();
  expect(stepped(roots, "inner", "down")).toBeUndefined();
  expect(stepped(roots, "nothing", "down")).toBeUndefined();
});

it("drops into collections and beside what is of a kind, and nothing into itself", () => {
  expect(dropped(one("s2"), one("b"), "before")).toEqual({ parent: "b" });
  expect(dropped(one("inner"), one("s10"), "after")).toEqual({
    parent: null,
    position: { after: { type: "space", space: "s10" } },
  });
  expect(dropped(one("s2"), one("inner"), "before")).toEqual({
    parent: "b",
    position: { before: { type: "space", space: "inner" } },
  });
  expect(dropped(one("b"), one("orphan"), "before")).toEqual({
    parent: "hidden",
    position: { before: { type: "collection", collection: "orphan" } },
  });
  expect(dropped(one("orphan"), one("s2"), "after")).toEqual({ parent: null });
  expect(dropped(one("a"), one("b"), "inside")).toBeUndefined();
  expect(dropped(one("a"), one("inner"), "after")).toBeUndefined();
});

it("takes the middle of a collection for its inside", () => {
  expect([0.1, 0.5, 0.9].map((height) => whereIn(one("a"), one("orphan"), height))).toEqual([
    "before",
    "inside",
    "after",
  ]);
  expect([0.1, 0.9].map((height) => whereIn(one("a"), one("s2"), height))).toEqual(["inside", "inside"]);
  expect([0.1, 0.5, 0.9].map((height) => whereIn(one("s10"), one("s2"), height))).toEqual(["before", "after", "after"]);
});
