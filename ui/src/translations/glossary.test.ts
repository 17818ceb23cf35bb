import { expect, test } from "vitest";
import { termsOf, textOf } from "./glossary.terms";

test("reads and writes a glossary", () => {
  const terms = [
    { term: "space", translations: { de: "Bereich", fr: "espace de travail" } },
    { term: "Recto" },
    { term: "ratio: 1" },
  ];
  expect(termsOf(textOf(terms))).toEqual(terms);
  expect(termsOf("\n  \nspace : de = Bereich ,\n")).toEqual([{ term: "space", translations: { de: "Bereich" } }]);
});
