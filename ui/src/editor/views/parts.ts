// Parts that views of blocks are made of.
import type { Node } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type } from "../commands";
import { drawing, element } from "./dom";

export type GetPos = () => number | undefined;

// The lines of Lucide's icons.
export const lines = {
  plus: ["M5 12h14", "M12 5v14"],
  up: ["m5 12 7-7 7 7", "M12 19V5"],
  down: ["M12 5v14", "m19 12-7 7-7-7"],
  trash: ["M3 6h18", "M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6", "M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2"],
  copy: [
    "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2Z",
    "M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
  ],
  check: ["M20 6 9 17l-5-5"],
  split: ["M16 3h5v5", "M8 3H3v5", "M12 22v-8.3a4 4 0 0 0-1.172-2.872L3 3", "m15 9 6-6"],
  sparkles: [
    "M11.017 2.814a1 1 0 0 1 1.966 0l1.051 5.558a2 2 0 0 0 1.594 1.594l5.558 1.051a1 1 0 0 1 0 1.966l-5.558 1.051a2 2 0 0 0-1.594 1.594l-1.051 5.558a1 1 0 0 1-1.966 0l-1.051-5.558a2 2 0 0 0-1.594-1.594l-5.558-1.051a1 1 0 0 1 0-1.966l5.558-1.051a2 2 0 0 0 1.594-1.594z",
  ],
  pencil: [
    "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z",
  ],
  repeat: ["m2 9 3-3 3 3", "M13 18H7a2 2 0 0 1-2-2V6", "m22 15-3 3-3-3", "M11 6h6a2 2 0 0 1 2 2v10"],
  blocks: [
    "M10 22V7a1 1 0 0 0-1-1H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5a1 1 0 0 0-1-1H2",
    "M15 2h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Z",
  ],
};

// tool is a lone icon that does something, with its name.
export function tool(label: string, icon: string[], run: () => void): HTMLButtonElement {
  const made = element(
    "button",
    { type: "button", class: "tool", "aria-label": label, title: label },
    drawing(...icon),
  );
  made.addEventListener("click", run);
  return made;
}

// removeBlock takes the block of a view away. What is left has to fit: the last part of a block takes the block along.
export function removeBlock(view: EditorView, getPos: GetPos): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const $pos = view.state.doc.resolve(pos);
  const whole = $pos.parent.childCount === 1 && $pos.depth > 0;
  const [from, to] = whole ? [$pos.before(), $pos.after()] : [pos, pos + node.nodeSize];
  const tr = view.state.tr;
  // A place that has to hold something gets a line to type into.
  const $from = tr.doc.resolve(from);
  if ($from.parent.canReplace($from.index(), $from.index() + 1)) tr.delete(from, to);
  else tr.replaceWith(from, to, type("paragraph").create());
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)))).scrollIntoView());
  view.focus();
}

// moveBlock swaps the block of a view with its neighbour.
export function moveBlock(view: EditorView, getPos: GetPos, by: -1 | 1): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const $pos = view.state.doc.resolve(pos);
  const neighbour = $pos.parent.maybeChild($pos.index() + by);
  if (!neighbour) return;
  const start = by < 0 ? pos - neighbour.nodeSize : pos;
  const pair = by < 0 ? [node, neighbour] : [neighbour, node];
  view.dispatch(view.state.tr.replaceWith(start, start + node.nodeSize + neighbour.nodeSize, pair).scrollIntoView());
}

// enter puts the cursor into a node that has just been made at a position.
export function enter(view: EditorView, pos: number, make: Node): void {
  const tr = view.state.tr.insert(pos, make);
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(pos + 1))).scrollIntoView());
  view.focus();
}
