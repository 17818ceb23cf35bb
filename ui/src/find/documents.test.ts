import { expect, test } from "vitest";
import type { JsonDocument, JsonNode } from "../editor/document";
import { replaced, textsOf } from "./documents";
import { search } from "./search";

const leaf = (text: string, mark?: string) => ({
  object: "leaf" as const,
  text,
  marks: mark ? [{ object: "mark" as const, type: mark }] : [],
});
const text = (...leaves: ReturnType<typeof leaf>[]): JsonNode => ({ object: "text", leaves });
const block = (type: string, ...nodes: JsonNode[]): JsonNode => ({ object: "block", type, nodes });
const link = (words: string): JsonNode => ({
  object: "inline",
  type: "link",
  data: { ref: { kind: "url", url: "https://fox.example" } },
  nodes: [text(leaf(words))],
});
const image: JsonNode = { object: "inline", type: "inline-image", isVoid: true };

const document: JsonDocument = {
  object: "document",
  nodes: [
    block("paragraph", text(leaf("The "), leaf("qui", "bold"), leaf("ck fox")), link("a fox"), text(leaf("."))),
    block("list-unordered", block("list-item", block("paragraph", text(leaf("fo")), image, text(leaf("x fox"))))),
    {
      ...block("code", block("code-line", text(leaf("fox()")))),
      fragments: [{ object: "fragment", fragment: "caption", nodes: [block("paragraph", text(leaf("Fox")))] }],
    },
    block("divider"),
  ],
};
const query = { text: "fox", matchCase: false, words: false, regex: false };
const replace = (of: typeof query, by: string) => textsOf(replaced(document, search(textsOf(document), of, by)));

test("reads the words of lines, and nothing through what is no text", () => {
  expect(textsOf(document)).toEqual(["The quick foxa fox.", "fo\uFFFCx fox", "fox()", "Fox"]);
});

test("replaces words wherever they stand, links and marks included", () => {
  expect(replace(query, "dog")).toEqual(["The quick doga dog.", "fo\uFFFCx dog", "dog()", "dog"]);
  expect(replace({ ...query, text: "quick", matchCase: true }, "slow")).toEqual([
    "The slow foxa fox.",
    "fo\uFFFCx fox",
    "fox()",
    "Fox",
  ]);
  const slow = replaced(document, search(textsOf(document), { ...query, text: "quick" }, "slow"));
  expect(slow.nodes[0]!.nodes![0]!.leaves).toEqual([leaf("The "), leaf("slow", "bold"), leaf(" fox")]);
  expect(slow.nodes.slice(1)).toEqual(document.nodes.slice(1));
});

test("takes words away, and leaves a line that has none", () => {
  expect(replace({ ...query, words: true }, "")).toEqual(["The quick foxa .", "fo\uFFFCx ", "()", ""]);
  expect(replaced(document, search(["", "", "", "Fox"], query, "")).nodes[2]!.fragments![0]!.nodes![0]).toEqual(
    block("paragraph", text(leaf(""))),
  );
});

test("knows what a regular expression found", () => {
  expect(replace({ ...query, text: "(qu)(ick)", regex: true }, "$2$1")[0]).toBe("The ickqu foxa fox.");
  expect(document.nodes[0]!.nodes![0]!.leaves![1]!.text).toBe("qui");
});
