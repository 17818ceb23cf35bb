// The law of the editor: document JSON that goes through it comes out as it went in. Pages that people wrote are tried
// in test/pages.law.ts.
import { expect, test } from "vitest";
import { randomDocument, seeded, specials } from "../../test/random";
import { readBlock, readDocument, writeKeyed } from "./convert";
import { bare, same } from "./document";

// As many as the other properties of the project are tried with.
const cases = Math.min(Number(process.env["RECTO_PROPERTY_CASES"] ?? 1_000), 10_000);

test("blocks that have a node are read as one", () => {
  const kinds = new Set<string>();
  for (const block of specials(seeded(7), 200)) {
    kinds.add(block.type ?? "");
    expect(readBlock(bare(block)).type.name, JSON.stringify(block)).not.toBe("rawBlock");
  }
  expect([...kinds].sort()).toEqual([
    "if",
    "integration",
    "math",
    "openapi-operation",
    "openapi-schemas",
    "openapi-webhook",
    "prompt",
    "reusable-content",
    "swagger",
    "updates",
  ]);
});

test(`${cases} random documents come out as they went in`, { timeout: 240_000 }, () => {
  const random = seeded(20261123);
  for (let i = 0; i < cases; i++) {
    const document = randomDocument(random);
    const read = readDocument(document);
    read.check();
    const back = writeKeyed(read);
    if (!same(back, document)) expect(back, `document ${i}`).toEqual(document);
  }
});

test("tables are native, whatever their columns hold", () => {
  const random = seeded(11);
  let [native, raw] = [0, 0];
  for (let i = 0; i < 900; i++) {
    for (const json of randomDocument(random).nodes) {
      if (json.type !== "table") continue;
      if (readDocument({ object: "document", nodes: [json] }).firstChild!.type.name === "table") native++;
      else raw++;
    }
  }
  // Those that stay raw hold something that no cell may, such as an item without a list.
  expect(native).toBeGreaterThan(80);
  expect(raw).toBeLessThan(native / 20);
});
