// The two places at each edge of inline code, within it and beyond it, at which the cursor looks alike: the arrow that
// leads out of the code goes from one to the other before it moves on, so that what is typed at the end of a line need
// not be code. Code that what is typed goes into has an outline.
import type { MarkType, Node, ResolvedPos } from "@tiptap/pm/model";
import { Plugin, TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { schema } from "./schema";

const code = schema.marks["code"] as MarkType;

const isCode = (node: Node | null | undefined): boolean => !!node && !!code.isInSet(node.marks);

const cursorOf = ({ selection }: EditorState) => (selection instanceof TextSelection ? selection.$cursor : null);

// within reports whether what is typed at a cursor becomes code.
const within = (state: EditorState, $cursor: ResolvedPos): boolean =>
  !!code.isInSet(state.storedMarks ?? $cursor.marks());

// edge says which edges of code the cursor is at, and whether what is typed there becomes code.
function edge(state: EditorState): { starts: boolean; ends: boolean; within: boolean } | null {
  const $cursor = cursorOf(state);
  if (!$cursor) return null;
  const [before, after] = [isCode($cursor.nodeBefore), isCode($cursor.nodeAfter)];
  return before === after ? null : { ends: before, starts: after, within: within(state, $cursor) };
}

// entered is the code that what is typed goes into.
function entered(state: EditorState): { from: number; to: number } | null {
  const $cursor = cursorOf(state);
  if (!$cursor || !within(state, $cursor)) return null;
  const runs: { from: number; to: number }[] = [];
  let at = $cursor.start();
  let goesOn = false;
  for (const node of $cursor.parent.children) {
    const to = at + node.nodeSize;
    if (isCode(node) && goesOn) runs.at(-1)!.to = to;
    else if (isCode(node)) runs.push({ from: at, to });
    goesOn = isCode(node);
    at = to;
  }
  return runs.find(({ from, to }) => from <= $cursor.pos && $cursor.pos <= to) ?? null;
}

// inCode outlines the code that what is typed goes into.
export const inCode = (): Plugin =>
  new Plugin({
    props: {
      decorations(state) {
        const run = entered(state);
        return run && DecorationSet.create(state.doc, [Decoration.inline(run.from, run.to, { class: "is-entered" })]);
      },
    },
  });

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
