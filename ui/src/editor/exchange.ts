// Making one document of another, so that what is the same in both stays as it is.
import { diffArrays } from "diff";
import type { Node } from "@tiptap/pm/model";
import type { Transform } from "@tiptap/pm/transform";

// exchange puts the blocks of a document in the place of those that differ. Whole blocks are exchanged, so that no
// block is half of one and half of another.
export function exchange<T extends Transform>(tr: T, next: Node): T {
  const { doc } = tr;
  const begun = tr.steps.length;
  const mapped = (pos: number) => tr.mapping.slice(begun).map(pos);
  let at = 0;
  const parts = diffArrays([...doc.children], [...next.children], { comparator: (a, b) => a.eq(b) });
  parts.forEach((part, i) => {
    const size = part.added ? 0 : part.value.reduce((sum, node) => sum + node.nodeSize, 0);
    const [before, after] = [parts[i - 1], parts[i + 1]];
    const [from, to] = [mapped(at), mapped(at + size)];
    if (part.removed) tr.replaceWith(from, to, after?.added ? after.value : []);
    else if (part.added && !before?.removed) tr.insert(from, part.value);
    at += size;
  });
  return tr;
}
