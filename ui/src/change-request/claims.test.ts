import { expect, it } from "vitest";
import { type Claim, claimsOf, listed } from "./claims";

const claim = (path: string[], kind: Claim["kind"], more: Partial<Claim> = {}): Claim => ({
  path,
  kind,
  used: true,
  ...more,
});

it("puts claims together as a token has them", () => {
  const claims = [
    claim(["plan"], "enum"),
    claim(["seats"], "number"),
    claim(["unsigned", "beta"], "boolean"),
    claim(["groups"], "array"),
    claim(["team", "name"], "string"),
  ];
  expect(
    claimsOf(claims, { plan: "pro", seats: "3", "unsigned.beta": "false", groups: ["a", "b"], "team.name": "Blue" }),
  ).toEqual({
    plan: "pro",
    seats: 3,
    unsigned: { beta: false },
    groups: ["a", "b"],
    team: { name: "Blue" },
  });
});

it("leaves out what was not said, or is no number", () => {
  const claims = [claim(["plan"], "enum"), claim(["seats"], "number"), claim(["groups"], "array")];
  expect(claimsOf(claims, { plan: "", seats: "many", groups: [] })).toEqual({});
  expect(claimsOf(claims, { seats: " ", groups: " , " })).toEqual({});
  expect(claimsOf(claims, { groups: "a, b" })).toEqual({ groups: ["a", "b"] });
});

it("offers what may be, or else what conditions ask for", () => {
  expect(listed(claim(["plan"], "enum", { choices: ["a"], values: ["b"] }))).toEqual(["a"]);
  expect(listed(claim(["team"], "string", { values: ["blue"] }))).toEqual(["blue"]);
});
