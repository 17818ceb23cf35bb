import { expect, test } from "vitest";
import { fits } from "./fuzzy";

test("the beginning of a text fits best, letters in order least", () => {
  expect(fits("", "Hint")).toBe(1);
  expect(fits("cod", "Code block")).toBeGreaterThan(fits("blo", "Code block"));
  expect(fits("blo", "Code block")).toBeGreaterThan(fits("ode", "Code block"));
  expect(fits("ode", "Code block")).toBeGreaterThan(fits("cdb", "Code block"));
  expect(fits("uber", "Überschrift")).toBe(5);
  expect(fits("zz", "Code block")).toBe(0);
  expect(fits("odb", "Code block")).toBe(0);
  expect(fits("tab", "start, begin")).toBe(0);
});
