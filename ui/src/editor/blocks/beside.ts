// Blocks dropped at the side of another one: both become columns, or another column comes to those that are there.
import { closeHistory } from "@tiptap/pm/history";
import { Fragment, type Node } from "@tiptap/pm/model";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { type } from "../commands";
import type { Data } from "../document";
import { fitted } from "./change";
import { BlockSelection, remove } from "./selection";
import { isItem, nodesOf, type Range } from "./units";

// mostColumns is how many columns stand beside each other; more are too narrow to be read.
export const mostColumns = 6;

export type Side = "before" | "after";

// besideDropped moves a range to a side of the block at a place. It returns null where no columns can stand, or where
// the range is already.
export function besideDropped(state: EditorState, range: Range, pos: number, side: Side): Transaction | null {
  const { doc } = state;
  const target = doc.nodeAt(pos);
  const $pos = doc.resolve(pos);
  if (!target || isItem(target) || range.from < pos + target.nodeSize && pos < range.to) return null;
  const nodes = fitted(nodesOf(range), range.parent, type("column").create(null, type("paragraph").create()), 0);
  if (!nodes) return null;
  const made = type("column").create({ data: {} }, nodes);
  const tr = state.tr;
  let put: number;
  if ($pos.parent.type.name === "column") {
    const columns = $pos.node(-1);
    const emptied = leavesColumn(range) && doc.resolve(range.inside).node(-1) === columns;
    if (columns.childCount - (emptied ? 1 : 0) >= mostColumns) return null;
    put = side === "after" ? $pos.after() : $pos.before();
    tr.insert(put, made);
    // Those that were there make room: the widths that they had filled the line.
    const start = $pos.before(-1);
    tr.doc.nodeAt(start)!.forEach((column, offset) => {
      const { width, ...data } = column.attrs["data"] as Data;
      if (width !== undefined) tr.setNodeMarkup(start + 1 + offset, undefined, { ...column.attrs, data });
    });
  } else {
    const kept = type("column").create({ data: {} }, target);
    const pair = side === "after" ? [kept, made] : [made, kept];
    const columns = type("columns").create({ data: {} }, pair);
    const index = $pos.index();
    if (!$pos.parent.canReplace(index, index + 1, Fragment.from(columns))) return null;
    tr.replaceWith(pos, pos + target.nodeSize, columns);
    put = pos + 1 + (side === "after" ? kept.nodeSize : 0);
  }
  const before = tr.steps.length;
  take(tr, range, tr.mapping.map(range.from, 1), tr.mapping.map(range.to, -1));
  const start = tr.mapping.slice(before).map(put, -1) + 1;
  return closeHistory(tr)
    .setSelection(BlockSelection.create(tr.doc, start, start + made.content.size))
    .scrollIntoView();
}

// leavesColumn reports whether a range is all that a column holds.
const leavesColumn = ({ parent, start, end }: Range): boolean =>
  parent.type.name === "column" && start === 0 && end === parent.childCount;

// take removes what was moved, and the column that it leaves behind, unless that is the last one.
function take(tr: Transaction, range: Range, from: number, to: number): void {
  const $from = tr.doc.resolve(from);
  if (leavesColumn(range) && columnsOf($from.node(-1)) > 1) tr.delete($from.before(), $from.after());
  else remove(tr, $from.parent, from, to);
}

const columnsOf = (node: Node): number => (node.type.name === "columns" ? node.childCount : 0);
