import { expect, test } from "vitest";
import { destinations, dropped, rowsOf, stepped } from "./rows";

const space = (id: string) => ({ object: "site-space", id, title: id, path: id, default: false, space: { title: id } });
const section = (id: string, ...siteSpaces: unknown[]) => ({
  object: "site-section",
  id,
  title: id,
  path: id,
  siteSpaces,
});
const group = (id: string, ...children: unknown[]) => ({
  object: "site-section-group",
  id,
  title: id,
  children,
  sections: [],
});

const rows = rowsOf([
  section("guide", space("v2"), space("v1")),
  group("tools", section("api", space("a")), group("more", section("cli", space("c")))),
]);
const row = (id: string) => rows.find((each) => each.id === id)!;

test("lists what is on a site with how deep it stands", () => {
  expect(rows.map(({ id, level }) => `${level} ${id}`)).toEqual([
    "1 guide",
    "2 v2",
    "2 v1",
    "1 tools",
    "2 api",
    "3 a",
    "2 more",
    "3 cli",
    "4 c",
  ]);
  expect(row("v1")).toMatchObject({ parent: "guide", index: 1, siblings: 2 });
});

test("steps among siblings alone", () => {
  expect(stepped(rows, row("v1"), "up")).toMatchObject({ way: "before", row: { id: "v2" } });
  expect(stepped(rows, row("v1"), "down")).toBeUndefined();
  expect(stepped(rows, row("guide"), "down")).toMatchObject({ way: "after", row: { id: "tools" } });
});

test("lets spaces go among spaces, sections and groups among sections and groups", () => {
  expect(dropped(rows, row("v1"), row("a"), "before")).toMatchObject({ kind: "beside", way: "before" });
  expect(dropped(rows, row("v1"), row("api"), "before")).toBeUndefined();
  expect(dropped(rows, row("v1"), row("api"), "inside")).toMatchObject({ way: "after", row: { id: "a" } });
  expect(dropped(rows, row("guide"), row("more"), "inside")).toEqual({ kind: "into", group: "more" });
  expect(dropped(rows, row("cli"), row("more"), "inside")).toBeUndefined();
  expect(destinations(rows, row("guide")).map(({ id }) => id)).toEqual(["tools", "more"]);
});

test("keeps groups out of themselves and two deep at most", () => {
  expect(dropped(rows, row("tools"), row("api"), "before")).toBeUndefined();
  expect(dropped(rows, row("more"), row("guide"), "after")).toMatchObject({ kind: "beside" });
  expect(dropped(rows, row("more"), row("cli"), "after")).toBeUndefined();
  const two = rowsOf([group("one", group("two")), group("three", group("four"))]);
  const [one, , , four] = two;
  expect(dropped(two, one!, four!, "after")).toBeUndefined();
});
