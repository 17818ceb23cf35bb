// The two places at each edge of inline code, within it and beyond it, which look alike: the arrow that leads out of
// the code goes from one to the other before it moves on, so that what is typed at the end of a line need not be code.
import type { MarkType } from "@tiptap/pm/model";
import { TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import { schema } from "./schema";

const code = schema.marks["code"] as MarkType;

// edge says which edges of code the cursor is at, and whether what is typed there becomes code.
function edge(state: EditorState): { starts: boolean; ends: boolean; within: boolean } | null {
  const { selection } = state;
  if (!(selection instanceof TextSelection) || !selection.$cursor) return null;
  const { nodeBefore, nodeAfter } = selection.$cursor;
  const [before, after] = [nodeBefore, nodeAfter].map((node) => !!node && !!code.isInSet(node.marks));
  if (before === after) return null;
  return {
    ends: before!,
    starts: after!,
    within: !!code.isInSet(state.storedMarks ?? selection.$cursor.marks()),
  };
}

const to = (within: boolean): Command => (state, dispatch) => {
  const marks = state.storedMarks ?? state.selection.$from.marks();
  dispatch?.(state.tr.setStoredMarks(within ? code.create().addToSet(marks) : code.removeFromSet(marks)));
  return true;
};

// step goes over the edge that the cursor is at, when that is what lies next forward or backward.
const step = (forward: boolean): Command => (state, dispatch) => {
  const at = edge(state);
  if (!at) return false;
  const [out, into] = forward ? [at.ends, at.starts] : [at.starts, at.ends];
  if (at.within ? out : into && state.storedMarks !== null) return to(!at.within)(state, dispatch);
  return false;
};

const rightToLeft = (element: Element) => getComputedStyle(element).direction === "rtl";

// overEdge is the command of an arrow.
export const overEdge = (right: boolean): Command => (state, dispatch, view) =>
  step(view && rightToLeft(view.dom) ? !right : right)(state, dispatch);
