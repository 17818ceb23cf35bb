// What is done to whole blocks: duplicate, move, drop, delete. A change is a function of the units, so that keys, menu
// and drag do the same.
import type { Fragment as FragmentType } from "@tiptap/pm/model";
import { Fragment, type Node } from "@tiptap/pm/model";
import { closeHistory } from "@tiptap/pm/history";
import { TextSelection, type Command, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Data } from "../document";
import { type } from "../commands";
import { BlockSelection, remove } from "./selection";
import { nodeOf, type Tracked } from "./track";
import { isItem, isList, nodesOf, selectedRange, type Range } from "./units";

// onRange is a command on the selected units.
const onRange =
  (change: (tr: Transaction, range: Range, state: EditorState) => boolean): Command =>
  (state, dispatch) => {
    const range = selectedRange(state);
    if (!range) return false;
    const tr = state.tr;
    if (!change(tr, range, state)) return false;
    // Each is taken back alone.
    dispatch?.(closeHistory(tr).scrollIntoView());
    return true;
  };

export const removeBlocks: Command = onRange((tr, range) => {
  remove(tr, range.parent, range.from, range.to);
  return true;
});

// fresh is a copy of a node that takes nothing which only one may have: anchors and the like.
export function fresh(node: Node): Node {
  if (node.isText) return node;
  const { id: _, ...data } = (node.attrs["data"] ?? {}) as Data;
  const content: FragmentType = Fragment.from(node.children.map(fresh));
  const attrs = "meta" in node.attrs ? { ...node.attrs, data, meta: null } : node.attrs;
  return node.type.create(attrs, content, node.marks);
}

export const duplicate: Command = onRange((tr, range, state) => {
  tr.insert(range.to, nodesOf(range).map(fresh));
  const size = range.to - range.from;
  if (state.selection instanceof BlockSelection)
    tr.setSelection(BlockSelection.create(tr.doc, range.to, range.to + size));
  else tr.setSelection(TextSelection.near(tr.doc.resolve(state.selection.from + size)));
  return true;
});

// move swaps the selected units with the one before or after them.
export const move = (by: -1 | 1): Command =>
  onRange((tr, range, state) => {
    const neighbour = range.parent.maybeChild(by < 0 ? range.start - 1 : range.end);
    if (!neighbour) return false;
    const size = neighbour.nodeSize;
    const nodes = nodesOf(range);
    const content = by < 0 ? [...nodes, neighbour] : [neighbour, ...nodes];
    const [from, to] = by < 0 ? [range.from - size, range.to] : [range.from, range.to + size];
    if (
      !range.parent.canReplace(
        by < 0 ? range.start - 1 : range.start,
        by < 0 ? range.end : range.end + 1,
        Fragment.from(content),
      )
    )
      return false;
    tr.replaceWith(from, to, content);
    const { selection } = state;
    const shift = by * size;
    const [anchor, head] = [selection.anchor + shift, selection.head + shift];
    tr.setSelection(
      selection instanceof TextSelection
        ? TextSelection.create(tr.doc, anchor, head)
        : BlockSelection.create(tr.doc, range.from + shift, range.to + shift),
    );
    return true;
  });

// fitted returns blocks as they can stand in a parent: items in a list, what is no item as one, items elsewhere in a
// list like the one that they come from. It returns null for what cannot stand there.
export function fitted(nodes: readonly Node[], from: Node, parent: Node, index: number): Node[] | null {
  const made = isList(parent)
    ? nodes.flatMap((node) => itemsOf(node, parent))
    : isItem(nodes[0]!)
      ? [from.type.create({ data: {} }, [...nodes])]
      : [...nodes];
  if (made.length === 0 || !parent.canReplace(index, index, Fragment.from(made))) return null;
  return made;
}

function itemsOf(node: Node, list: Node): Node[] {
  if (isList(node)) return node.children.flatMap((item) => itemsOf(item, list));
  const tasks = list.type.name === "listTasks";
  if (isItem(node)) {
    if (tasks === (node.type.name === "taskItem")) return [node];
    return [type(tasks ? "taskItem" : "listItem").create(null, node.content)];
  }
  return node.type.isInGroup("block") ? [type(tasks ? "taskItem" : "listItem").create(null, node)] : [];
}

// dropped moves a range to another place, the index-th in the node whose content begins at inside. It returns null
// where it cannot stand or is already.
export function dropped(state: EditorState, range: Range, at: number): Transaction | null {
  const { doc } = state;
  if (at > range.from && at < range.to) return null;
  const $at = doc.resolve(at);
  if ($at.parent === range.parent && (at === range.from || at === range.to)) return null;
  const blank =
    $at.parent.childCount === 1 &&
    $at.parent.firstChild?.type.name === "paragraph" &&
    $at.parent.firstChild.content.size === 0;
  const nodes = fitted(nodesOf(range), range.parent, $at.parent, $at.index());
  if (!nodes) return null;
  const tr = state.tr;
  // An empty line that only waits for text makes room.
  if (blank) tr.replaceWith($at.start(), $at.end(), nodes);
  else tr.insert(at, nodes);
  const put = blank ? $at.start() : at;
  const size = nodes.reduce((sum, node) => sum + node.nodeSize, 0);
  const from = tr.mapping.map(range.from, 1);
  const to = tr.mapping.map(range.to, -1);
  const before = tr.steps.length;
  remove(tr, tr.doc.resolve(from).parent, from, to);
  const start = tr.mapping.slice(before).map(put, -1);
  return closeHistory(tr).setSelection(BlockSelection.create(tr.doc, start, start + size)).scrollIntoView();
}

// insertBelow begins a line below the selected blocks, with the menu of what can be put there.
export const insertBelow: Command = onRange((tr, range) => {
  const { parent, end, to } = range;
  const line = type("paragraph").create();
  const made = isList(parent) ? type(nodesOf(range)[0]!.type.name).create(null, line) : line;
  if (!parent.canReplaceWith(end, end, made.type)) return false;
  tr.insert(to, made);
  const at = to + (made === line ? 1 : 2);
  tr.setSelection(TextSelection.create(tr.doc, at)).insertText("/", at);
  return true;
});

// unwrap leaves what a hint or a quote holds, without it.
export function unwrap(view: EditorView, at: Tracked): void {
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return;
  const tr = view.state.tr.replaceWith(at.pos, at.pos + node.nodeSize, node.content);
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at.pos + 1))));
}
