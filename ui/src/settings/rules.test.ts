import { expect, test } from "vitest";
import { forPeople, has, toggled } from "./rules";

test("rules are set and taken away, and others stay as they are", () => {
  const custom = { rule: "custom" as const, expression: "true", message: "No." };
  const on = toggled([custom], "require_at_least_one_review", true);
  expect(on).toEqual([custom, { rule: "require_at_least_one_review" }]);
  expect(toggled(on, "require_at_least_one_review", true)).toEqual(on);
  expect(toggled(on, "require_at_least_one_review", false)).toEqual([custom]);
  expect(has(on, "custom")).toBe(true);
  const people = forPeople(on, "allow_bypass", ["u1"]);
  expect(forPeople(people, "allow_bypass", ["u1", "u2"])).toEqual([
    ...on,
    { rule: "allow_bypass", users: ["u1", "u2"] },
  ]);
  expect(forPeople(people, "allow_bypass", [])).toEqual(on);
});
