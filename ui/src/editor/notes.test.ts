import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { readDocument, writeDocument } from "./convert";
import type { JsonDocument, JsonNode } from "./document";
import { annotate, documentOf, noteAt, setNote } from "./notes";

const leaf = (text: string): JsonNode => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] });
const paragraph = (...nodes: JsonNode[]): JsonNode => ({
  object: "block",
  type: "paragraph",
  isVoid: false,
  data: {},
  nodes,
});
const documentWith = (...nodes: JsonNode[]): JsonDocument => ({
  object: "document",
  data: { schemaVersion: 2 },
  nodes,
});

test("a note is put on words, written, and taken away", () => {
  const plain = documentWith(paragraph(leaf("One two three.")));
  let state = EditorState.create({ doc: readDocument(plain) });
  const run = (command: ReturnType<typeof setNote>) => command(state, (tr) => (state = state.apply(tr)));
  expect(annotate(state)).toBe(false);
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5, 8)));
  expect(run(annotate)).toBe(true);
  expect(annotate(state), "a note on a note").toBe(false);
  const note = noteAt(state, 6)!;
  expect([note.from, note.to, documentOf(note.mark).nodes]).toEqual([5, 8, []]);
  expect([noteAt(state, 3), noteAt(state, 11)]).toEqual([null, null]);
  const said = documentWith(paragraph(leaf("The second number.")));
  run(setNote(note, said));
  const annotation: JsonNode = {
    object: "inline", type: "annotation", isVoid: false, data: {}, nodes: [leaf("two")],
    fragments: [{ object: "fragment", fragment: "annotation-body", type: "annotation-body", nodes: said.nodes }],
  };
  const written = documentWith(paragraph(leaf("One "), annotation, leaf(" three.")));
  expect(writeDocument(state.doc)).toEqual(written);
  expect(documentOf(noteAt(EditorState.create({ doc: readDocument(written) }), 7)!.mark).nodes).toEqual(said.nodes);
  run(setNote(noteAt(state, 5)!, null));
  expect(writeDocument(state.doc)).toEqual(plain);
});
