import { beforeEach, expect, it } from "vitest";
import { mark, print, views } from "./viewed";

beforeEach(() => localStorage.clear());

it("keeps what was viewed for each person and change request", () => {
  const view = { print: "p", at: "1" };
  expect(mark("ada", "docs", 1, "page", view)).toEqual({ page: view });
  expect([views("ada", "docs", 1), views("grace", "docs", 1), views("ada", "docs", 2)]).toEqual([
    { page: view },
    {},
    {},
  ]);
  expect(mark("ada", "docs", 1, "page", null)).toEqual({});
  localStorage.setItem("recto-viewed ada docs 1", "[");
  expect(views("ada", "docs", 1)).toEqual({});
});

it("prints what is to be seen, not the revision that it was asked at", () => {
  expect(print({ head: "revision_a1", text: "x" })).toBe(print({ head: "revision_b22", text: "x" }));
  expect(print({ text: "ab" })).not.toBe(print({ text: "ba" }));
});
