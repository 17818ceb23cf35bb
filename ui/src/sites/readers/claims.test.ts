import { expect, test } from "vitest";
import { claimsOf, schemaOf } from "./claims";

const schema = {
  type: "object",
  properties: {
    plan: { type: "string", enum: ["free", "pro"], description: "What they pay for" },
    isBeta: { type: "boolean", description: "Takes part in the beta" },
    teams: { type: "array", items: { type: "string", description: "Team" }, description: "Teams" },
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { seats: { type: "number", description: "Seats" } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

test("reads and writes a schema without a loss", () => {
  const claims = claimsOf(schema);
  expect(claims.map(({ name, kind, signed }) => [name, kind, signed])).toEqual([
    ["plan", "choice", true],
    ["isBeta", "boolean", true],
    ["teams", "kept", true],
    ["seats", "number", false],
  ]);
  expect(schemaOf(claims)).toEqual(schema);
});

test("begins with nothing, and describes what has no description", () => {
  expect(claimsOf(undefined)).toEqual([]);
  expect(schemaOf([{ name: "plan", kind: "string", values: [], description: " ", signed: true }])).toMatchObject({
    properties: { plan: { description: "plan" } },
  });
});
