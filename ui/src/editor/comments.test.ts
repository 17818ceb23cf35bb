import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { find } from "../comments/quote";
import { comments, markOf, showMarks, targetOf } from "./comments";
import { readDocument, writeDocument } from "./convert";
import type { JsonDocument, JsonNode } from "./document";

const text = (...leaves: [string, ...string[]][]): JsonNode => ({
  object: "text",
  leaves: leaves.map(([words, ...marks]) => ({
    object: "leaf",
    text: words,
    marks: marks.map((type) => ({ object: "mark", type })),
  })),
});
const paragraph = (...nodes: JsonNode[]): JsonNode => ({
  object: "block",
  type: "paragraph",
  isVoid: false,
  data: {},
  nodes,
});
const given: JsonDocument = {
  object: "document",
  nodes: [paragraph(text(["The quick "], ["brown", "bold"], [" fox."])), paragraph(text(["A fox, too."]))],
};
const begin = () => EditorState.create({ doc: readDocument(given), plugins: comments() });
const quote = { quote: "brown fox", before: "The quick ", after: "." };
const anchor = (id: string, node = "n1", of: typeof quote | null = quote, preview = "") => ({
  id,
  quote: of,
  node,
  preview,
});

const marked = (state: EditorState, id: string) => {
  const mark = markOf(state, id);
  return mark && state.doc.textBetween(mark.from, mark.to);
};

it("marks words across marks, and follows what is typed", () => {
  let state = begin();
  const before = writeDocument(state.doc);
  state = state.apply(showMarks(state, [anchor("a")], null));
  expect(marked(state, "a")).toBe("brown fox");
  expect(writeDocument(state.doc)).toEqual(before);
  state = state.apply(state.tr.insertText("Now. ", 1));
  expect(marked(state, "a")).toBe("brown fox");
  // What has followed is not looked for again: the words may have changed under the cursor.
  state = state.apply(state.tr.insertText("red", markOf(state, "a")!.from + 1, markOf(state, "a")!.from + 5));
  state = state.apply(showMarks(state, [anchor("a")], "a"));
  expect(marked(state, "a")).toBe("bred fox");
});

it("marks nothing where the words are gone, and forgets comments that are gone", () => {
  let state = begin();
  state = state.apply(showMarks(state, [anchor("a"), anchor("b", "n1", { ...quote, quote: "green fox" })], null));
  expect(marked(state, "b")).toBeNull();
  const { from, to } = markOf(state, "a")!;
  state = state.apply(state.tr.delete(from, to));
  expect(markOf(state, "a")).toBeNull();
  state = state.apply(showMarks(state, [], null));
  expect(markOf(state, "a")).toBeNull();
});

it("finds its words in blocks that came from elsewhere", () => {
  let state = begin();
  state = state.apply(showMarks(state, [anchor("a")], null));
  const other = readDocument({ ...given, nodes: [paragraph(text(["New: the quick brown fox."]))] });
  const size = state.doc.firstChild!.nodeSize;
  state = state.apply(state.tr.replaceWith(0, size, other.children).setMeta("received", true));
  expect(marked(state, "a")).toBe("brown fox");
});

it("marks a block by its key, and by its words when the key is another's", () => {
  let state = begin();
  state = state.apply(
    showMarks(
      state,
      [
        anchor("a", "n3", null, "A fox, too."),
        anchor("b", "n1", null, "A fox, too."),
        anchor("c", "n1", null, "Gone."),
      ],
      null,
    ),
  );
  expect([marked(state, "a"), marked(state, "b"), marked(state, "c")]).toEqual(["A fox, too.", "A fox, too.", null]);
});

it("quotes what is selected so that it is found", () => {
  const state = begin();
  for (let from = 1; from < state.doc.content.size; from++) {
    for (let to = from + 1; to < state.doc.content.size; to++) {
      const target = targetOf(state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to))));
      if (!target?.quote) continue;
      expect(find([state.doc.child(0).textContent, state.doc.child(1).textContent], target.quote)).not.toBeNull();
      expect(state.doc.textBetween(from, to, "\n")).toContain(target.quote.quote);
    }
  }
});
