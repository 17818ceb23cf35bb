// The cursor of the browser and that of the editor. A key or a click moves the browser's at once, and the editor hears
// of it a moment later: what the editor does in between must not put the cursor back.
import { TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

// browserSelection returns the selection that the browser has, null when the editor has heard of it, or where it is no
// text of the editor's own.
export function browserSelection(view: EditorView): TextSelection | null {
  const { state, dom } = view;
  const cursor = dom.ownerDocument.getSelection();
  if (!(state.selection instanceof TextSelection) || view.composing || !cursor?.anchorNode || !cursor.focusNode)
    return null;
  if (dom.ownerDocument.activeElement !== dom || !dom.contains(cursor.anchorNode) || !dom.contains(cursor.focusNode))
    return null;
  const [anchor, head] = [
    view.posAtDOM(cursor.anchorNode, cursor.anchorOffset),
    view.posAtDOM(cursor.focusNode, cursor.focusOffset),
  ];
  const shown = TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head));
  return shown instanceof TextSelection && !shown.eq(state.selection) ? shown : null;
}

// keepingCursor applies a transaction that is not of this person's doing, and goes on from where their cursor is.
export function keepingCursor(view: EditorView, tr: Transaction): EditorState {
  const own = tr.selectionSet || (tr.docChanged && !tr.getMeta("received"));
  const moved = own ? null : browserSelection(view);
  const next = view.state.apply(tr);
  return moved ? next.apply(next.tr.setSelection(moved.map(next.doc, tr.mapping))) : next;
}
