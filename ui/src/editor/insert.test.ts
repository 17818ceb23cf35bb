import { afterEach, beforeEach, expect, test } from "vitest";
import { found, grouped, insertions, remember } from "./insert";

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

const block = { integration: "boxes", block: "box", title: "Box", description: "" } as Parameters<
  typeof found
>[1] extends readonly (infer B)[] | undefined
  ? B
  : never;

test("what can be put in comes in groups, each thing once", () => {
  const all = found("", [block]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(insertions.length + 1);
  const groups = grouped(all);
  expect(groups.flatMap(({ items }) => items)).toEqual(all);
  expect(groups.map(({ group }) => group)).toEqual(["text", "blocks", "media", "line", "more", "api", "integrations"]);
  // What a group has forgotten would be called one of an integration.
  expect(groups.at(-1)!.items.map((item) => item.block)).toEqual([block]);
});

test("what was used last comes first, and once", () => {
  remember("hint");
  remember("table");
  const [first, second] = grouped(found(""));
  expect([first!.group, first!.items.map(({ id }) => id), second!.group]).toEqual([
    "recent",
    ["table", "hint"],
    "text",
  ]);
  expect(found("").filter(({ id }) => id === "hint")).toHaveLength(1);
  expect(found("").slice(0, 2).map(({ id }) => id)).toEqual(["table", "hint"]);
});
