import { expect, it } from "vitest";
import type { JsonDocument } from "../editor/document";
import { described } from "./describe";

const image = (type: string, ref: object, alt?: string) => ({
  object: "block",
  type,
  data: { ref, ...(alt === undefined ? {} : { alt }) },
});
const owl = { kind: "file", file: "file_owl" } as const;

it("describes a picture wherever it stands without a text, and nothing else", () => {
  const document = {
    object: "document",
    nodes: [
      {
        object: "block",
        type: "images",
        nodes: [
          image("image", owl),
          image("image", owl, "An owl at night"),
          image("image", { kind: "file", file: "file_cat" }),
        ],
      },
      { object: "block", type: "paragraph", nodes: [{ object: "text" }, image("inline-image", owl, "")] },
      {
        object: "block",
        type: "hint",
        fragments: [
          {
            object: "fragment",
            nodes: [
              image("image", { ...owl, space: "space_other" }),
              image("image", { kind: "url", url: "https://example.org/owl.png" }),
            ],
          },
        ],
      },
    ],
  } as unknown as JsonDocument;
  const before = structuredClone(document);
  const { document: after, count } = described(document, owl, "An owl");
  expect(count).toBe(2);
  expect(document).toEqual(before);
  const alts = JSON.stringify(after).match(/"alt":"[^"]*"/g);
  expect(alts).toEqual(['"alt":"An owl"', '"alt":"An owl at night"', '"alt":"An owl"']);
  expect(described(document, { kind: "url", url: "https://example.org/owl.png" }, "x").count).toBe(1);
});
