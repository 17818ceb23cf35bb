import { expect, test } from "vitest";
import { meaning } from "./meaning";

test("conditions are said in words", () => {
  const said = {
    'visitor.claims.unsigned.plan === "team"': "the reader’s plan is “team”",
    "visitor.claims.isAdmin": "the reader’s isAdmin is set",
    "!visitor.claims.isAdmin;": "the reader’s isAdmin is not set",
    "space.vars.version >= 2 && page.vars.beta != true":
      "version of the space is at least 2 and beta of the page is not true",
    "visitor.claims.a || visitor.claims.b && visitor.claims.c":
      "the reader’s a is set or the reader’s b is set and the reader’s c is set",
    '"admin" in visitor.claims.roles': "the reader’s roles has “admin”",
    "visitor.claims.roles.includes('a && b')": "the reader’s roles has “a && b”",
  };
  for (const [expression, words] of Object.entries(said)) expect(meaning(expression), expression).toBe(words);
});

test("what cannot be said simply is not said wrongly", () => {
  for (const expression of [
    "",
    "1 +",
    "(visitor.claims.a",
    "visitor.claims.a)",
    "visitor.claims.a ? 1 : 2",
    "!(visitor.claims.a)",
    "visitor.claims.a === visitor.claims.b",
    '"a\\" && b',
    "a && visitor.claims.b",
    "visitor.claims.a && ",
  ]) {
    expect(meaning(expression), expression).toBeNull();
  }
});
