import { expect, test } from "vitest";
import { replaced } from "./queries";

test("changes the variables that are others, and takes away those that are gone", () => {
  expect(replaced({ a: 1, b: 2, c: 3 }, { a: 1, b: "2", d: true })).toEqual({ b: "2", c: null, d: true });
  expect(replaced({ a: 1 }, { a: 1 })).toEqual({});
});
