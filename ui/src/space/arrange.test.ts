import { describe, expect, it } from "vitest";
import {
  dropped,
  dropsOf,
  family,
  made,
  moved,
  movesOf,
  type Move,
  placesOf,
  type Step,
  tops,
  type Where,
} from "./arrange";
import type { Page } from "./queries";

const page = (id: string, below: Page[] = [], type: Page["type"] = "document"): Page => ({
  id,
  title: id,
  type,
  path: id,
  pages: below,
});
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

// written is a tree as text; applied makes steps as the server does, without looking where they come from.
const written = (pages: Page[]): string =>
  pages.map((each) => (each.pages?.length ? `${each.id}(${written(each.pages)})` : each.id)).join(" ");
function applied(pages: Page[], steps: Step[]): Page[] {
  const root: Page = structuredClone(page("root", pages));
  const parentOf = (id: string, from: Page): Page | undefined =>
    from.pages?.some((each) => each.id === id) ? from : from.pages?.map((each) => parentOf(id, each)).find(Boolean);
  const find = (id: string, from: Page): Page | undefined =>
    from.id === id ? from : from.pages?.map((each) => find(id, each)).find(Boolean);
  for (const step of steps) {
    const parent = parentOf(step.page, root)!;
    const [taken] = parent.pages!.splice(parent.pages!.findIndex((each) => each.id === step.page), 1);
    const into = step.into === undefined ? parent : step.into === null ? root : find(step.into, root)!;
    into.pages!.splice(step.at, 0, taken!);
  }
  return root.pages!;
}

const letters = [
  page("A"),
  page("B"),
  page("C", [page("c1"), page("c2"), page("c3")]),
  page("D"),
  page("E"),
  page("F", [], "group"),
];

describe("several", () => {
  it("takes a page with all below it", () => {
    expect(tops(letters, new Set(["c2", "C", "A"])).map(({ id }) => id)).toEqual(["A", "C"]);
    expect(tops(letters, new Set(["c3", "c1", "D"])).map(({ id }) => id)).toEqual(["c1", "c3", "D"]);
  });
  const moves: [string[], Move, string][] = [
    [["B", "D"], "up", "B A D C(c1 c2 c3) E F"],
    [["A", "B", "D"], "up", "A B D C(c1 c2 c3) E F"],
    [["D", "E"], "down", "A B C(c1 c2 c3) F D E"],
    [["E", "F"], "down", "A B C(c1 c2 c3) D E F"],
    [["A", "B"], "down", "C(c1 c2 c3) A B D E F"],
    [["D", "E"], "nest", "A B C(c1 c2 c3 D E) F"],
    [["E", "F"], "nest", "A B C(c1 c2 c3) D(E) F"],
    [["c1", "c3"], "lift", "A B C(c2) c1 c3 D E F"],
    [["A"], "lift", "A B C(c1 c2 c3) D E F"],
  ];
  it.each(moves)("%s %s", (ids, move, wanted) =>
    expect(written(applied(letters, movesOf(letters, ids, move)))).toEqual(wanted),
  );

  const drops: [string[], string, Where, string][] = [
    [["A", "D"], "c2", "before", "B C(c1 A D c2 c3) E F"],
    [["A", "B"], "E", "after", "C(c1 c2 c3) D E A B F"],
    [["D", "E"], "A", "before", "D E A B C(c1 c2 c3) F"],
    [["B", "D"], "C", "before", "A B D C(c1 c2 c3) E F"],
    [["c1", "E"], "C", "inside", "A B C(c2 c3 c1 E) D F"],
    [["B", "c2"], "A", "inside", "A(B c2) C(c1 c3) D E F"],
  ];
  it.each(drops)("%s on %s, %s, and back", (ids, target, where, wanted) => {
    const after = applied(letters, dropsOf(letters, ids, target, where)!);
    expect(written(after)).toEqual(wanted);
    expect(written(applied(after, placesOf(after, letters, ids)))).toEqual(written(letters));
  });

  it("refuses what cannot be", () => {
    expect(dropsOf(letters, ["A", "C"], "c2", "after")).toBeUndefined();
    expect(dropsOf(letters, ["A", "F"], "B", "inside")).toBeUndefined();
  });

  it("moves no page but those that were taken", () => {
    for (const [ids, target, where] of drops) {
      const after = applied(letters, dropsOf(letters, ids, target, where)!);
      expect(placesOf(after, letters, ids).every((step) => ids.includes(step.page))).toBe(true);
    }
  });
});
