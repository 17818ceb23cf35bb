// What of a document steps between two of them touch.
import { describe, expect, test } from "vitest";
import { Step } from "@tiptap/pm/transform";
import { randomDocument, seeded } from "../../test/random";
import { readDocument, writeDocument } from "../editor/convert";
import { bare, same, type JsonDocument, type JsonNode } from "../editor/document";
import { fingerprint } from "../editor/fingerprint";
import { schema } from "../editor/schema";
import { Schema, type NodeSpec } from "@tiptap/pm/model";
import { stepsBetween } from "./change";

const text = (words: string): JsonNode => ({ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] });
const block = (type: string, nodes: JsonNode[], data = {}): JsonNode => ({
  object: "block",
  type,
  isVoid: false,
  data,
  nodes,
});
const line = (words: string) => block("paragraph", words ? [text(words)] : []);
const list = (...items: string[]) => block("list-unordered", items.map((item) => block("list-item", [line(item)])));
const whole = (...nodes: JsonNode[]): JsonDocument => ({ object: "document", data: { schemaVersion: 2 }, nodes });

// touched returns the ranges that the steps between two documents change, in positions of the first. Attributes have
// none.
function touched(from: JsonDocument, to: JsonDocument): [number, number][] {
  const [present, next] = [readDocument(from), readDocument(to)];
  let doc = present;
  const ranges: [number, number][] = [];
  for (const json of stepsBetween(present, next)) {
    const step = Step.fromJSON(schema, json);
    step.getMap().forEach((start, end) => ranges.push([start, end]));
    doc = step.apply(doc).doc!;
  }
  expect(same(filled(writeDocument(doc)), filled(to))).toBe(true);
  return ranges.reverse();
}

// filled returns a document without empty paragraphs, which stay where they are.
function filled(document: JsonDocument): JsonDocument {
  const walk = (nodes: JsonNode[]): JsonNode[] =>
    nodes
      .map(bare)
      .filter((node) => !(node.type === "paragraph" && node.nodes?.length === 0 && same(node.data, {}) && !node.meta))
      .map((node) => ({
        ...node,
        ...(node.nodes ? { nodes: walk(node.nodes) } : {}),
        ...(node.fragments ? { fragments: walk(node.fragments) } : {}),
      }));
  return { ...document, nodes: walk(document.nodes) };
}

describe("steps between two documents", () => {
  const [first, second, third] = ["The first one.", "The second one.", "The third one."];
  test("touch nothing where nothing has changed", () => {
    expect(touched(whole(line(first), line(second)), whole(line(first), line(second)))).toEqual([]);
  });
  test("change the words of a block alone", () => {
    expect(
      touched(whole(line(first), line(second), line(third)), whole(line(first), line("The 2nd one."), line(third))),
    ).toEqual([[21, 25]]);
  });
  test("keep the letters that repeat", () => {
    expect(touched(whole(line("aaaa")), whole(line("aaaaaa")))).toEqual([[5, 5]]);
    expect(touched(whole(line("aaaaaa")), whole(line("aaaa")))).toEqual([[5, 7]]);
  });
  test("never cut a character", () => {
    expect(touched(whole(line("a🙂b")), whole(line("a🙃b")))).toEqual([[2, 4]]);
    // The first halves of these differ, and the second ones are the same.
    expect(touched(whole(line("a\u{10000}b")), whole(line("a\u{10400}b")))).toEqual([[2, 4]]);
  });
  test("put a block between others, and take one away", () => {
    expect(touched(whole(line(first), line(third)), whole(line(first), line(second), line(third)))).toEqual([[16, 16]]);
    expect(touched(whole(line(first), line(second), line(third)), whole(line(first), line(third)))).toEqual([[16, 33]]);
  });
  test("find the block that changed among those that went and came", () => {
    const before = whole(line("It goes away."), line("What is long enough to be found again."), line(third));
    const after = whole(line("What is still long enough to be found again."), line("It came."), line(third));
    expect(touched(before, after)).toEqual([
      [0, 15],
      [24, 24],
      [55, 55],
    ]);
  });
  test("leave empty paragraphs where somebody may be about to type", () => {
    const typing = whole(line(first), line(""), line(second), line(""));
    expect(touched(typing, whole(line(first), line(second)))).toEqual([]);
    expect(touched(typing, whole(line(first), line("The 2nd one.")))).toEqual([[23, 27]]);
    expect(touched(typing, whole(line(first)))).toEqual([[18, 35]]);
    expect(
      touched(whole(block("hint", [line("")], { style: "info" })), whole(block("hint", [], { style: "info" }))),
    ).toEqual([]);
  });
  test("look into lists", () => {
    expect(touched(whole(list("a", "b", "c")), whole(list("a", "bb", "c")))).toEqual([[9, 9]]);
    expect(touched(whole(list("a", "b")), whole(list("a", "b", "c")))).toEqual([[11, 11]]);
  });
  test("change attributes and leave what is inside", () => {
    const box = (style: string) => block("hint", [line(first)], { style });
    expect(touched(whole(box("info")), whole(box("danger")))).toEqual([]);
  });
  test("exchange what becomes of another kind", () => {
    expect(touched(whole(line(first), line(second)), whole(block("heading-1", [text(first)]), line(second)))).toEqual([
      [0, 16],
    ]);
  });
  test("turn any document into any other", { timeout: 60_000 }, () => {
    const random = seeded(54);
    for (let i = 0; i < 100; i++) touched(randomDocument(random), randomDocument(random));
  });
  test("take time that follows the length of a document", () => {
    const before = whole(...Array.from({ length: 2000 }, (_, i) => line(i % 3 ? "" : `Line ${i} before.`)));
    const after = whole(...Array.from({ length: 2000 }, (_, i) => line(i % 3 ? "" : `Other ${2000 - i} after.`)));
    const start = performance.now();
    touched(before, after);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe("the fingerprint of a schema", () => {
  const node = (name: string, spec: Partial<NodeSpec>) =>
    fingerprint(
      new Schema({
        nodes: schema.spec.nodes.update(name, { ...schema.spec.nodes.get(name), ...spec }),
        marks: schema.spec.marks,
      }),
    );
  test("is that of an equal one", () => {
    expect(fingerprint()).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprint(new Schema({ nodes: schema.spec.nodes, marks: schema.spec.marks }))).toBe(fingerprint());
    expect(node("hint", { toDOM: () => ["section", 0] })).toBe(fingerprint());
  });
  test("is another one when content, attributes, groups, marks or nodes are", () => {
    const { nodes, marks } = schema.spec;
    const others = [
      node("hint", { content: "paragraph+" }),
      node("hint", { attrs: { data: { default: { style: "info" } } } }),
      node("hint", { attrs: { data: { default: { style: "danger" } }, meta: { default: null } } }),
      node("hint", { attrs: { data: {}, meta: { default: null } } }),
      node("hint", { isolating: true }),
      node("divider", { group: "other block" }),
      node("paragraph", { marks: "bold" }),
      fingerprint(new Schema({ nodes: nodes.addToEnd("extra", {}), marks })),
      fingerprint(new Schema({ nodes: nodes.remove("divider"), marks })),
      fingerprint(new Schema({ nodes: nodes.remove("divider").addToEnd("divider", nodes.get("divider")!), marks })),
      fingerprint(new Schema({ nodes, marks: marks.addToEnd("extra", {}) })),
      fingerprint(new Schema({ nodes, marks: marks.update("bold", { excludes: "bold italic" }) })),
      fingerprint(new Schema({ nodes, marks: marks.update("link", { ...marks.get("link"), inclusive: true }) })),
    ];
    expect(new Set([fingerprint(), ...others]).size).toBe(others.length + 1);
  });
});
