import { expect, test } from "vitest";
import { percentOf, yPosOf } from "./cover";

test("what is seen of a cover is kept as pixels that it is moved down", () => {
  expect([undefined, 0, 150, 200, -150, -900, 100, -75, 4].map(percentOf)).toEqual([
    50, 50, 0, 0, 100, 100, 15, 75, 50,
  ]);
  for (let percent = 0; percent <= 100; percent += 5) expect(percentOf(yPosOf(percent))).toBe(percent);
  expect([yPosOf(-3), yPosOf(120)]).toEqual([150, -150]);
});
