import { beforeEach, expect, it } from "vitest";
import type { Conflict } from "../queries";
import { body, type Choice, keep, kept, settled, steps, withPart } from "./choices";

beforeEach(() => localStorage.clear());

const conflict = (id: string, kind: Conflict["kind"], entry: string) => ({ id, kind, entries: [entry] }) as Conflict;

it("puts the fields of one page together", () => {
  const list = [
    conflict("a", "body", "p"),
    conflict("b", "field", "p"),
    conflict("c", "body", "q"),
    conflict("d", "field", "p"),
  ];
  expect(steps(list).map((step) => step.conflicts.map((each) => each.id).join(""))).toEqual(["a", "bd", "c"]);
});

it("is settled when every part is", () => {
  const first = withPart(undefined, 2, 1, { keep: "both" });
  expect([settled(undefined), settled(first), settled({ keep: "main" }), settled({ value: null })]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const all = withPart(first, 2, 0, { nodes: [] });
  expect(settled(all)).toBe(true);
  expect(body(all)).toEqual({ parts: [{ content: { object: "document", data: {}, nodes: [] } }, { keep: "both" }] });
  // A body that is cut otherwise now begins anew.
  expect(settled(withPart(all, 3, 0, { keep: "main" }))).toBe(false);
});

it("keeps choices for each person and change request", () => {
  const choice: Choice = { keep: "mine" };
  expect(keep("ada", "docs", 3, { x: choice })).toBe(true);
  expect(kept("ada", "docs", 3)).toEqual({ x: choice });
  expect([kept("grace", "docs", 3), kept("ada", "docs", 4)]).toEqual([{}, {}]);
  keep("ada", "docs", 3, {});
  expect(localStorage).toHaveLength(0);
  localStorage.setItem("recto-conflicts ada docs 3", "not JSON");
  expect(kept("ada", "docs", 3)).toEqual({});
});
