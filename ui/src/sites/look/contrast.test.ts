import { expect, test } from "vitest";
import { contrast } from "./contrast";

test("reckons contrast as the guidelines do", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#ffffff", "#ffffff")).toBe(1);
  // The lightest grey that passes on white for text.
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  expect(contrast("#ffffff", "#777777")).toBeCloseTo(4.48, 2);
});
