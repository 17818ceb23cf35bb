import { describe, expect, it } from "vitest";
import type { Page } from "./queries";
import { emojiText, find, firstReadable, matching, openable, pathTo, rows, step, typed } from "./tree";

const page = (id: string, below: Page[] = [], type: Page["type"] = "document"): Page => ({
  id,
  title: id,
  type,
  path: id,
  pages: below,
});
const roots = [
  page("Start", [], "group"),
  page("Guides", [page("Install", [page("Linux"), page("macOS")]), page("Upgrade")], "group"),
  page("Éclair"),
];
const all = new Set(["Guides", "Install"]);
const titles = (list: { page: Page }[]) => list.map((each) => each.page.id);

describe("rows", () => {
  it("lists what is open, with depth and place", () => {
    expect(titles(rows(roots, new Set()))).toEqual(["Start", "Guides", "Éclair"]);
    const list = rows(roots, all);
    expect(titles(list)).toEqual(["Start", "Guides", "Install", "Linux", "macOS", "Upgrade", "Éclair"]);
    expect(list[4]).toMatchObject({ level: 3, place: 2, siblings: 2, parent: "Install", expanded: undefined });
    expect(list[1]).toMatchObject({ level: 1, expanded: true });
  });

  it("makes 10,000 rows in far less than a frame", () => {
    const many = Array.from({ length: 100 }, (_, outer) =>
      page(
        `p${outer}`,
        Array.from({ length: 99 }, (_, inner) => page(`p${outer}-${inner}`)),
      ),
    );
    expect(rows(many, new Set(openable(many)))).toHaveLength(10_000);
  });
});

describe("keys", () => {
  const list = rows(roots, all);
  const at = (id: string) => titles(list).indexOf(id);
  const cases: [string, string, unknown][] = [
    ["Start", "ArrowDown", { focus: 1 }],
    ["Éclair", "ArrowDown", { focus: 6 }],
    ["Start", "ArrowUp", { focus: 0 }],
    ["Linux", "Home", { focus: 0 }],
    ["Linux", "End", { focus: 6 }],
    ["Install", "ArrowRight", { focus: 3 }],
    ["Linux", "ArrowRight", {}],
    ["Install", "ArrowLeft", { close: "Install" }],
    ["macOS", "ArrowLeft", { focus: 2 }],
    ["Start", "ArrowLeft", {}],
    ["Start", "x", undefined],
  ];
  it.each(cases)("from %s, %s", (from, key, want) => expect(step(list, at(from), key)).toEqual(want));

  it("opens what is closed, and with * all siblings", () => {
    const closed = rows(roots, new Set());
    expect(step(closed, 1, "ArrowRight")).toEqual({ open: ["Guides"] });
    expect(step(closed, 0, "*")).toEqual({ open: ["Guides"] });
  });

  it("goes to what is typed, from here on and around", () => {
    expect(typed(list, at("Start"), "lin")).toBe(at("Linux"));
    expect(typed(list, at("Start"), "ecl")).toBe(at("Éclair"));
    expect(typed(list, at("Éclair"), "s")).toBe(at("Start"));
    expect(typed(list, at("Start"), "gg")).toBe(at("Guides"));
    expect(typed(list, at("Start"), "zz")).toBeUndefined();
  });
});

describe("pages", () => {
  it("finds pages and ways to them", () => {
    expect(pathTo(roots, "macOS")).toEqual(["Guides", "Install", "macOS"]);
    expect(pathTo(roots, "none")).toEqual([]);
    expect(find(roots, "Upgrade")?.title).toBe("Upgrade");
    expect(firstReadable(roots)?.id).toBe("Install");
    expect(firstReadable([page("only", [], "group")])).toBeUndefined();
  });

  it("filters without regard to case and accents, and keeps what is above", () => {
    expect(titles(rows(matching(roots, "MAC"), new Set(openable(roots))))).toEqual(["Guides", "Install", "macOS"]);
    expect(titles(rows(matching(roots, "eclair"), new Set()))).toEqual(["Éclair"]);
    expect(matching(roots, "nowhere")).toEqual([]);
  });

  it("reads emoji as characters and as code points", () => {
    expect([emojiText("1f680"), emojiText("🚀"), emojiText("1f468-200d-1f4bb"), emojiText(undefined)]).toEqual([
      "🚀",
      "🚀",
      "👨‍💻",
      "",
    ]);
  });
});
