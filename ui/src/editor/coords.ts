// Where places of the text are on the screen, also in code that is written in a text area of its own.
import type { EditorView } from "@tiptap/pm/view";
import { codeTools } from "./code";

export function coordsAt(
  view: EditorView,
  pos: number,
  side?: number,
): { left: number; right: number; top: number; bottom: number } {
  const $pos = view.state.doc.resolve(pos);
  const dom = $pos.parent.type.spec.code && $pos.depth > 0 ? view.nodeDOM($pos.before()) : null;
  return (dom instanceof Element ? codeTools()?.placeIn(dom, $pos.parentOffset) : null) ?? view.coordsAtPos(pos, side);
}
