import { expect, test } from "vitest";
import type { Change } from "../space/editing";
import { faultOf, type Page, pathIn, read, withChanges } from "./queries";

test("reads what was typed as what is meant", () => {
  expect(["1.5", "-3", " 7 ", "007", "1e3", "true", " false", "True", "", " ", "1.2.3"].map(read)).toEqual([
    1.5,
    -3,
    7,
    "007",
    "1e3",
    true,
    false,
    "True",
    "",
    " ",
    "1.2.3",
  ]);
});

test("takes names that expressions can use, each once", () => {
  expect(["plan", "_a1", "1a", "a-b", "", "ä"].map((name) => faultOf(name, []))).toEqual([
    null,
    null,
    "name",
    "name",
    "name",
    "name",
  ]);
  expect(faultOf("plan", ["plan"])).toBe("taken");
});

test("takes the path of an address that was typed or pasted", () => {
  const typed = [
    "old/place",
    " /old/place/ ",
    "https://docs.example.org/alte/h%C3%A4fen?from=mail#top",
    "http://docs.example.org",
    "100%",
    "/",
    "a/b#c",
  ];
  expect(typed.map(pathIn)).toEqual(["old/place", "old/place", "alte/häfen", "", "100%", "", "a/b"]);
});

test("lays the changes that are on their way over what is known of a page", () => {
  const known = {
    id: "page_1",
    icon: "rocket",
    cover: { ref: { kind: "url", url: "https://example.org/sea.png" }, yPos: 0 },
    layout: { width: "default", outline: true, cover: true },
  } as unknown as Page;
  const cover = { ref: { kind: "url", url: "https://example.org/sea.png" }, yPos: 0, height: 416 };
  const changes = [
    { operation: "update_page", page: "page_1", cover },
    { operation: "update_page", page: "page_2", cover: null },
    { operation: "update_page", page: "page_1", icon: null, layout: { outline: false } },
    { operation: "create_redirect", page: "page_1", path: "old" },
    { operation: "update_page", page: "page_1", layout: { width: "wide" } },
  ] as unknown as Change[];
  expect(withChanges(known, changes)).toEqual({
    id: "page_1",
    icon: undefined,
    cover,
    layout: { width: "wide", outline: false, cover: true },
  });
  expect(withChanges(known, [])).toBe(known);
});
