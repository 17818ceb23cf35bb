// Units are what is handled as a whole: blocks, items of lists, steps. The first paragraph of an item belongs to the
// item, a list is its items, and a table is one unit however much is in it.
import type { Node, ResolvedPos } from "@tiptap/pm/model";
import { BlockSelection } from "./selection";
import type { EditorState } from "@tiptap/pm/state";

// Unit is a node with the place before it.
export interface Unit {
  node: Node;
  pos: number;
}

export const isList = (node: Node): boolean => node.type.isInGroup("list");
export const isItem = (node: Node): boolean => node.type.name === "listItem" || node.type.name === "taskItem";
const isPart = (node: Node): boolean => isItem(node) || node.type.name === "step";

// isUnit reports whether a node in a parent is handled as a whole.
function isUnit(node: Node, parent: Node, index: number): boolean {
  if (isPart(node)) return true;
  if (!node.type.isInGroup("block") || isList(node)) return false;
  return !(isItem(parent) && index === 0);
}

// unitAt returns the innermost unit around a place, null where there is none.
export function unitAt($pos: ResolvedPos): Unit | null {
  const after = $pos.nodeAfter;
  let found: Unit | null =
    after && !$pos.parent.inlineContent && after.isAtom && isUnit(after, $pos.parent, $pos.index())
      ? { node: after, pos: $pos.pos }
      : null;
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth);
    if (node.type.spec["tableRole"] === "table") found = { node, pos: $pos.before(depth) };
    else if (!found && isUnit(node, $pos.node(depth - 1), $pos.index(depth - 1)))
      found = { node, pos: $pos.before(depth) };
  }
  return found;
}

// unitsAround returns the units around a place, the innermost first.
export function unitsAround(doc: Node, pos: number): Unit[] {
  const $pos = doc.resolve(pos);
  const units: Unit[] = [];
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth);
    if (isUnit(node, $pos.node(depth - 1), $pos.index(depth - 1))) units.push({ node, pos: $pos.before(depth) });
  }
  return units;
}

// Range is a run of units beside each other: the children of parent from index start up to end.
export interface Range {
  parent: Node;
  // Where the parent's content begins.
  inside: number;
  start: number;
  end: number;
  from: number;
  to: number;
}

// rangeOf returns the range of one unit or of several in one parent.
export function rangeOf(doc: Node, from: number, to: number): Range {
  const $from = doc.resolve(from);
  const $to = doc.resolve(to);
  return {
    parent: $from.parent,
    inside: $from.start(),
    start: $from.index(),
    end: $to.depth === $from.depth ? $to.index() : $from.index() + 1,
    from,
    to,
  };
}

export const nodesOf = ({ parent, start, end }: Range): Node[] => parent.children.slice(start, end);

// selectedRange returns the units that the selection touches: those selected, or those that a selection of text begins
// and ends in.
export function selectedRange(state: EditorState): Range | null {
  const { selection, doc } = state;
  if (selection instanceof BlockSelection) return rangeOf(doc, selection.from, selection.to);
  const first = unitAt(selection.$from);
  if (!first) return null;
  if (selection.empty || selection.to <= first.pos + first.node.nodeSize)
    return rangeOf(doc, first.pos, first.pos + first.node.nodeSize);
  // Both ends are in children of the innermost node around both; where those are no units, one around them is.
  const { $from, $to } = selection;
  for (let depth = $from.sharedDepth($to.pos); depth >= 0; depth--) {
    const parent = $from.node(depth);
    if (parent.inlineContent || depth >= $from.depth || depth >= $to.depth) continue;
    const [start, end] = [$from.index(depth), $to.index(depth)];
    if (parent.children.slice(start, end + 1).every((node, i) => isUnit(node, parent, start + i) || isList(node)))
      return rangeOf(doc, $from.before(depth + 1), $to.after(depth + 1));
  }
  return null;
}
