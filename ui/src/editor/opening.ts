// Blocks and inlines that are written in something that opens: a field of their view, or a panel beside them.
import type { Node, NodeType } from "@tiptap/pm/model";
import { NodeSelection, type Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { insert } from "./commands";

// insertOpen puts a block without text where the selection is, and opens what it is written in.
export const insertOpen = (make: () => Node): Command => (state, dispatch, view) => {
  const before = state.selection.$from.pos;
  if (!insert(make)(state, dispatch)) return false;
  if (dispatch && view) openNear(view, before, make().type);
  return true;
};

// openNear selects the first node of a type from a position on and asks its view to open, after the key that made it
// has been dealt with.
function openNear(view: EditorView, from: number, made: NodeType): void {
  let found = -1;
  const { doc } = view.state;
  doc.nodesBetween(Math.max(0, from - 1), doc.content.size, (node, pos) => {
    if (found < 0 && node.type === made) found = pos;
    return found < 0;
  });
  if (found < 0) return;
  if (doc.nodeAt(found)!.isAtom) view.dispatch(view.state.tr.setSelection(NodeSelection.create(doc, found)));
  queueMicrotask(() => open(view, found));
}

// open asks the view of a node to open what it is changed in, and reports whether it did.
export function open(view: EditorView, pos: number): boolean {
  const dom = view.nodeDOM(pos);
  return dom !== null && !dom.dispatchEvent(new CustomEvent("editor-open", { cancelable: true }));
}

// insertInline puts an inline that is written elsewhere where the cursor is, and opens that.
export const insertInline = (make: () => Node): Command => (state, dispatch, view) => {
  const { $from } = state.selection;
  const node = make();
  if (!$from.parent.inlineContent || !$from.parent.type.contentMatch.matchType(node.type)) return false;
  if (dispatch) {
    const from = state.selection.from;
    dispatch(state.tr.replaceSelectionWith(node).scrollIntoView());
    if (view) queueMicrotask(() => open(view, from));
  }
  return true;
};

// openSelected opens the selected node, where its view has something to open.
export const openSelected: Command = (state, dispatch, view) => {
  if (!(state.selection instanceof NodeSelection) || !view) return false;
  return dispatch ? open(view, state.selection.from) : true;
};
