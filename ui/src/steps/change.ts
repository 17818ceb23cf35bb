// Steps between two documents, for what came from elsewhere than from the people of a session.
import { diffArrays } from "diff";
import type { Node } from "@tiptap/pm/model";
import { Transform } from "@tiptap/pm/transform";

// stepsBetween returns the steps, as JSON, that make one document of another. Blocks that both have are not touched.
export function stepsBetween(present: Node, next: Node): unknown[] {
  const tr = new Transform(present);
  let at = 0;
  const parts = diffArrays([...present.children], [...next.children], { comparator: (a, b) => a.eq(b) });
  parts.forEach((part, i) => {
    const size = part.added ? 0 : part.value.reduce((sum, node) => sum + node.nodeSize, 0);
    const [before, after] = [parts[i - 1], parts[i + 1]];
    const [from, to] = [tr.mapping.map(at), tr.mapping.map(at + size)];
    if (part.removed) tr.replaceWith(from, to, after?.added ? after.value : []);
    else if (part.added && !before?.removed) tr.insert(from, part.value);
    at += size;
  });
  return tr.steps.map((step) => step.toJSON() as unknown);
}
