import { beforeEach, describe, expect, it } from "vitest";
import { type Entry, matching, recents, remember } from "./entries";

const entry = (kind: Entry["kind"], title: string, more: Partial<Entry> = {}): Entry => ({
  id: `${kind} ${title}`,
  kind,
  title,
  to: `/${title}`,
  ...more,
});
const titles = (entries: Entry[]) => entries.map(({ title }) => title);

describe("matching", () => {
  const all = [
    entry("person", "Home Grace"),
    entry("space", "Handbook"),
    entry("space", "At home"),
    entry("command", "Start", { words: "home, begin" }),
  ];

  it("keeps kinds together, the best of each first", () => {
    expect(titles(matching(all, "home"))).toEqual(["Start", "At home", "Home Grace"]);
    expect(titles(matching(all, "HÁND"))).toEqual(["Handbook"]);
    expect(matching(all, "zzz")).toEqual([]);
    // Letters that happen to be in several names of a command do not answer.
    expect(matching([entry("command", "Home", { words: "start, begin" })], "tab")).toEqual([]);
  });

  it("shows a few of each kind", () => {
    const many = Array.from({ length: 20 }, (_, i) => entry("space", `Space ${i}`));
    expect(matching(many, "space")).toHaveLength(5);
  });
});

describe("recents", () => {
  beforeEach(() => localStorage.clear());

  it("has what was chosen last first, each once, for each organization", () => {
    for (const title of ["a", "b", "a"]) remember("org_1", entry("page", title));
    remember("org_1", entry("command", "c", { to: undefined as unknown as string }));
    expect(titles(recents("org_1"))).toEqual(["a", "b"]);
    expect(recents("org_2")).toEqual([]);
    for (let i = 0; i < 20; i++) remember("org_1", entry("page", `p${i}`));
    expect(recents("org_1")).toHaveLength(8);
  });

  it("stands what is no list", () => {
    localStorage.setItem("recto.palette.recent.org_1", "{");
    expect(recents("org_1")).toEqual([]);
    localStorage.setItem("recto.palette.recent.org_1", '[{"title":1}]');
    expect(recents("org_1")).toEqual([]);
  });
});
