import { expect, test } from "vitest";
import { faultOf, read } from "./queries";

test("reads what was typed as what is meant", () => {
  expect(["1.5", "-3", " 7 ", "007", "1e3", "true", " false", "True", "", " ", "1.2.3"].map(read)).toEqual([1.5, -3, 7, "007", "1e3", true, false, "True", "", " ", "1.2.3"]);
});

test("takes names that expressions can use, each once", () => {
  expect(["plan", "_a1", "1a", "a-b", "", "ä"].map((name) => faultOf(name, []))).toEqual([null, null, "name", "name", "name", "name"]);
  expect(faultOf("plan", ["plan"])).toBe("taken");
});
