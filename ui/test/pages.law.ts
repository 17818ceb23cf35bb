// The law of the editor on pages that people wrote: document JSON that goes through it comes out as it went in.
import { EditorState } from "@tiptap/pm/state";
import { beforeAll, describe, expect, test } from "vitest";
import { readDocument, writeKeyed } from "../src/editor/convert";
import { same, type JsonDocument, type JsonNode } from "../src/editor/document";
import { blocks } from "../src/editor/nodes";
import { book, documents, manual, samples } from "./corpus";

// rawThoughNative returns the blocks and inlines that a document keeps raw although there are nodes for their kinds.
function rawThoughNative(document: JsonDocument): JsonNode[] {
  const native = new Set(blocks.map((block) => block.type));
  const kept: JsonNode[] = [];
  readDocument(document).descendants((node) => {
    if (node.type.name !== "rawBlock") return;
    const json = node.attrs["json"] as JsonNode;
    if (native.has(json.type ?? "")) kept.push(json);
  });
  return kept;
}

describe("pages of the manual, of the Rust book and of the tests of the dialect", () => {
  const pages = new Map<string, JsonDocument>();
  beforeAll(async () => {
    for (const texts of [manual(), book(), samples()])
      for (const [name, document] of await documents(texts)) pages.set(name, document);
  }, 240_000);

  test("come out as they went in", () => {
    expect(pages.size).toBeGreaterThan(150);
    for (const [name, document] of pages) {
      const back = writeKeyed(readDocument(document));
      if (!same(back, document)) expect(back, name).toEqual(document);
    }
  });

  test("fit the schema", () => {
    for (const document of pages.values()) EditorState.create({ doc: readDocument(document) }).doc.check();
  });

  test("keep raw only what has no node, and code with notes in it", () => {
    const noted = (json: JsonNode) =>
      json.type === "code" && json.nodes?.some((line) => line.nodes?.some((node) => node.type === "annotation"));
    for (const [name, document] of pages)
      expect(
        rawThoughNative(document).filter((json) => !noted(json)),
        name,
      ).toEqual([]);
  });
});
