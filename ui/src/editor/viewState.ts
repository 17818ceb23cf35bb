// Where one is in rich text, in terms that it shares with Markdown.
import { Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { headerBottom, scrollSo, type ViewState } from "../code/viewState";

function startOf(view: EditorView, index: number): number {
  let at = 0;
  for (let i = 0; i < Math.min(index, view.state.doc.childCount - 1); i++) at += view.state.doc.child(i).nodeSize;
  return at;
}

const boxOf = (view: EditorView, index: number): DOMRect | null => {
  const dom = view.nodeDOM(startOf(view, index));
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : null;
};

// viewStateOf returns where the cursor is, and what is on top of the screen.
export function viewStateOf(view: EditorView): ViewState {
  const edge = headerBottom(view.dom);
  let top = 0;
  while (top < view.state.doc.childCount - 1 && (boxOf(view, top)?.bottom ?? 0) <= edge) top++;
  return { cursor: view.state.selection.$from.index(0), top, y: boxOf(view, top)?.top ?? 0 };
}

// goTo puts the cursor into the block of a view state, and what was on top there where it was.
export function goTo(view: EditorView, { cursor, top, y }: ViewState): void {
  const { doc, tr } = view.state;
  view.focus();
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(startOf(view, Math.max(cursor, 0)) + 1))));
  const box = boxOf(view, top);
  if (box) scrollSo(box.top, y);
}
