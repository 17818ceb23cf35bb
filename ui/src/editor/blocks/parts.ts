// The parts of tabs, steps and columns: another one, moved, deleted. The last one takes what it is part of along.
import { Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { remove } from "./selection";
import { nodeOf, type Tracked } from "./track";

// addPart puts an empty part after another one, and goes into it.
export function addPart(view: EditorView, at: Tracked): void {
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return;
  const { paragraph } = view.state.schema.nodes;
  const n = view.state.doc.resolve(at.pos).parent.childCount + 1;
  const data = node.type.name === "tab" ? { title: t("editor.tab", { n }) } : {};
  const made = node.type.create({ data }, paragraph!.create());
  const after = at.pos + node.nodeSize;
  const tr = view.state.tr.insert(after, made);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(after + 2))));
}

// movePart swaps a part with the one before or after it.
export function movePart(view: EditorView, at: Tracked, by: -1 | 1): void {
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return;
  const $at = view.state.doc.resolve(at.pos);
  const neighbour = $at.parent.maybeChild($at.index() + by);
  if (!neighbour) return;
  const from = by < 0 ? at.pos - neighbour.nodeSize : at.pos;
  const to = by < 0 ? at.pos + node.nodeSize : at.pos + node.nodeSize + neighbour.nodeSize;
  const tr = view.state.tr.replaceWith(from, to, by < 0 ? [node, neighbour] : [neighbour, node]);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve((by < 0 ? from : from + neighbour.nodeSize) + 1))));
}

// removePart deletes a part with what is in it.
export function removePart(view: EditorView, at: Tracked): void {
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return;
  const tr = view.state.tr;
  let from = at.pos;
  let to = at.pos + node.nodeSize;
  const $at = view.state.doc.resolve(at.pos);
  if ($at.parent.childCount === 1) [from, to] = [$at.before(), $at.after()];
  remove(tr, tr.doc.resolve(from).parent, from, to);
  view.dispatch(tr);
}
