import { expect, it } from "vitest";
import type { Space } from "../space/queries";
import { places } from "./places";
import type { Collection } from "./queries";

const space = (id: string, parent?: string) => ({ id, title: id, ...(parent ? { parent } : {}) }) as Space;
const collection = (id: string, parent?: string) => ({ id, title: id, ...(parent ? { parent } : {}) }) as Collection;
const shape = (list: ReturnType<typeof places>): unknown[] =>
  list.map((each) => (each.kind === "space" ? each.space.id : [each.collection.id, ...shape(each.places)]));

const spaces = [space("s10"), space("s2"), space("inner", "b"), space("lost", "hidden")];
const collections = [collection("b", "a"), collection("a"), collection("orphan", "hidden")];

it("nests by collection, sorts as people count, and loses nothing", () => {
  expect(shape(places(spaces, collections))).toEqual([["a", ["b", "inner"]], ["orphan"], "lost", "s2", "s10"]);
});

it("begins at a collection", () => expect(shape(places(spaces, collections, "a"))).toEqual([["b", "inner"]]));
