// Where a block is in the document, for those outside of the editor.
import type { Node } from "@tiptap/pm/model";

// BlockPlace says which block of the document is meant: the place among its siblings of each block around it, the
// outermost first, as the document JSON has them, and its words.
export interface BlockPlace {
  path: number[];
  text: string;
}

const isFiller = (node: Node) => node.childCount === 0 && node.attrs["filler"] === true;

// pathOf returns the path of the node at a place. Lines that are not written do not count.
export function pathOf(doc: Node, pos: number): number[] {
  const $pos = doc.resolve(pos);
  const path: number[] = [];
  for (let depth = 0; depth <= $pos.depth; depth++) path.push($pos.node(depth).children.slice(0, $pos.index(depth)).filter((node) => !isFiller(node)).length);
  return path;
}
