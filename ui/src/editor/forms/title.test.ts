import { expect, test } from "vitest";
import { schema } from "../schema";
import { titleOf } from "./title";

const paragraph = (text: string) => schema.nodes["paragraph"]!.create(null, schema.text(text));

test("a proposed title is one line, since the server refuses others", () => {
  expect(titleOf(paragraph("  one\ntwo\t\u0007three "))).toBe("one two three");
  const quote = schema.nodes["blockquote"]!.create(null, [paragraph("one"), paragraph("two")]);
  expect(titleOf(quote)).toBe("one two");
});

test("a proposed title ends after 60 whole characters", () => {
  expect(titleOf(paragraph("🎉".repeat(70)))).toBe("🎉".repeat(60));
});
