import { describe, expect, it } from "vitest";
import { dropped, family, made, moved, type Move, type Where } from "./arrange";
import type { Page } from "./queries";

const page = (id: string, below: Page[] = [], type: Page["type"] = "document"): Page => ({ id, title: id, type, path: id, pages: below });
const roots = [
  page("Start"),
  page("Guides", [page("Install", [page("Linux")]), page("Link", [], "link"), page("Upgrade")], "group"),
  page("API", [page("Pets")], "computed"),
  page("More", [], "group"),
];

describe("moved", () => {
  const cases: [string, Move, unknown][] = [
    ["Start", "up", undefined],
    ["Start", "down", { into: null, at: 1 }],
    ["More", "down", undefined],
    ["Upgrade", "up", { into: "Guides", at: 1 }],
    ["Install", "down", { into: "Guides", at: 1 }],
    ["Link", "nest", { into: "Install", at: 1 }],
    ["Upgrade", "nest", undefined],
    ["Install", "nest", undefined],
    ["Guides", "nest", undefined],
    ["API", "nest", { into: "Guides", at: 3 }],
    ["More", "nest", undefined],
    ["Start", "lift", undefined],
    ["Linux", "lift", { into: "Guides", at: 1 }],
    ["Upgrade", "lift", { into: null, at: 2 }],
    ["nobody", "up", undefined],
  ];
  it.each(cases)("%s %s", (id, move, wanted) => expect(moved(roots, id, move)).toEqual(wanted));
});

describe("dropped", () => {
  const cases: [string, string, Where, unknown][] = [
    ["Start", "Upgrade", "before", { into: "Guides", at: 2 }],
    ["Upgrade", "Install", "before", { into: "Guides", at: 0 }],
    ["Install", "Upgrade", "after", { into: "Guides", at: 2 }],
    ["Install", "Link", "before", undefined],
    ["Link", "Install", "after", undefined],
    ["Linux", "Install", "inside", undefined],
    ["Linux", "Start", "inside", { into: "Start", at: 0 }],
    ["Start", "Guides", "inside", { into: "Guides", at: 3 }],
    ["Install", "Guides", "inside", { into: "Guides", at: 2 }],
    ["Guides", "Linux", "after", undefined],
    ["Guides", "Start", "inside", undefined],
    ["More", "Start", "before", { into: null, at: 0 }],
    ["Start", "Link", "inside", undefined],
    ["Start", "API", "inside", undefined],
    ["Start", "Pets", "after", undefined],
    ["nobody", "Start", "after", undefined],
  ];
  it.each(cases)("%s %s %s", (id, target, where, wanted) => expect(dropped(roots, id, target, where)).toEqual(wanted));
});

it("knows what the server makes, and what is below a page", () => {
  expect(made(roots, "Pets")).toBe(true);
  expect(made(roots, "API")).toBe(false);
  expect(made(roots, "Linux")).toBe(false);
  expect(roots.slice(1, 2).flatMap(family)).toEqual(["Guides", "Install", "Linux", "Link", "Upgrade"]);
});
