// A filler stands where there is no block, so that one can be typed there.
import type { Node } from "@tiptap/pm/model";

// isFiller reports whether a node is one that nothing was typed into, which is not written.
export function isFiller(node: Node): boolean {
  return node.childCount === 0 && node.attrs["filler"] === true;
}
