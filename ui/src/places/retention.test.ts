import { expect, it } from "vitest";
import { leftIn } from "./retention";

it("counts the days that are left, the one that has begun included", () => {
  const at = "2026-11-01T12:00:00Z";
  const after = (hours: number) => leftIn(at, new Date(at).getTime() + hours * 3_600_000);
  expect([0, 1, 23, 25, 24 * 6 + 1, 24 * 7, 24 * 9].map(after)).toEqual([7, 7, 7, 6, 1, 0, 0]);
});
