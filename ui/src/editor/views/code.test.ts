import { Slice } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { readBlock, writeBlock } from "../convert";
import type { JsonNode } from "../document";
import { inserted } from "./code";

const line = (text: string, highlighted = false): JsonNode => ({
  object: "block",
  type: "code-line",
  isVoid: false,
  data: highlighted ? { highlighted } : {},
  nodes: text ? [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] : [],
});
const code = (...lines: JsonNode[]): JsonNode => ({
  object: "block",
  type: "code",
  isVoid: false,
  data: { syntax: "go" },
  nodes: lines,
});

test("what is typed into a line that stands out does so, and a line below does not", () => {
  const block = readBlock(code(line("one"), line("two", true), line("three")));
  const put = (from: number, to: number, text: string) =>
    writeBlock(block.replace(from, to, new Slice(inserted(block, from, to, text), 0, 0)));
  expect(put(7, 7, "!")).toEqual(code(line("one"), line("two!", true), line("three")));
  expect(put(4, 7, "2")).toEqual(code(line("one"), line("2", true), line("three")));
  expect(put(7, 7, "\nmore")).toEqual(code(line("one"), line("two", true), line("more"), line("three")));
  expect(put(3, 3, "!")).toEqual(code(line("one!"), line("two", true), line("three")));
  expect(put(8, 8, "4")).toEqual(code(line("one"), line("two", true), line("4three")));
});
