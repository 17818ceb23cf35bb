import { EditorState, TextSelection } from "@tiptap/pm/state";
import { EditorView } from "@tiptap/pm/view";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepingCursor } from "./browserSelection";
import { schema } from "./schema";

const paragraph = (text: string) => schema.nodes["paragraph"]!.create(null, schema.text(text));
let place: HTMLElement;
let view: EditorView;

beforeEach(() => {
  place = document.body.appendChild(document.createElement("div"));
  const doc = schema.nodes["doc"]!.create(null, [paragraph("first"), paragraph("second")]);
  view = new EditorView(place, { state: EditorState.create({ doc }) });
  view.focus();
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3)));
});

afterEach(() => {
  view.destroy();
  place.remove();
});

// moveTo moves the cursor as the browser does it, which tells of it later.
const moveTo = (offset: number) => document.getSelection()!.collapse(view.dom.lastChild!.firstChild, offset);

test("what others write does not put the cursor back", () => {
  moveTo(2);
  expect(view.state.selection.from).toBe(3);
  const next = keepingCursor(view, view.state.tr.insertText("new ", 1).setMeta("received", true));
  expect(next.doc.textContent).toBe("new firstsecond");
  expect(next.selection.from).toBe(8 + 2 + 4);
});

test("what is drawn anew does not, either", () => {
  moveTo(0);
  expect(keepingCursor(view, view.state.tr.setMeta("drawn", true)).selection.from).toBe(8);
});

test("what this person does goes where it goes", () => {
  moveTo(2);
  expect(keepingCursor(view, view.state.tr.insertText("x", 3)).selection.from).toBe(4);
  expect(keepingCursor(view, view.state.tr.setSelection(TextSelection.create(view.state.doc, 1))).selection.from).toBe(
    1,
  );
});
