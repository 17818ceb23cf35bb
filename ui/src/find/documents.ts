// The words of a document of the API, block by block, and what replacing some of them makes of it. What is no text,
// such as an image within a line, stands as one sign that nobody looks for.
import type { JsonDocument, JsonLeaf, JsonNode } from "../editor/document";
import type { Match } from "./search";

const opaque = "\uFFFC";

// hasText reports whether a node is a line of text, whose words belong together.
const hasText = (node: JsonNode): boolean =>
  node.object === "block" && (node.nodes ?? []).some((each) => each.object === "text");

const wordsOf = (node: JsonNode): string => {
  if (node.leaves) return node.leaves.map((leaf) => leaf.text).join("");
  return node.object === "inline" && (node.isVoid || !node.nodes?.length)
    ? opaque
    : (node.nodes ?? []).map(wordsOf).join("");
};

// linesOf lists the lines of text of a node, in reading order.
function linesOf(node: JsonNode | JsonDocument): JsonNode[] {
  const below = [...(node.nodes ?? []), ...(("fragments" in node && node.fragments) || [])].flatMap(linesOf);
  return node.object !== "document" && hasText(node) ? [node, ...below] : below;
}

// textsOf returns the words of a document, one text for each line.
export const textsOf = (document: JsonDocument): string[] =>
  linesOf(document).map((line) => (line.nodes ?? []).map(wordsOf).join(""));

// replaced returns a document with other words in the place of matches. What nobody touched stays as it is, keys
// included.
export function replaced(document: JsonDocument, matches: readonly Match[]): JsonDocument {
  const copy = structuredClone(document);
  const lines = linesOf(copy);
  // From the last to the first, so that none moves another.
  for (const { block, from, to, insert } of [...matches].sort((a, b) => b.block - a.block || b.from - a.from)) {
    const line = lines[block];
    if (line) put(line, from, to, insert);
  }
  return copy;
}

// put puts words in the place of others in a line. They look like the first that they stand for.
function put(line: JsonNode, from: number, to: number, insert: string): void {
  let at = 0;
  let rest = insert;
  const walk = (node: JsonNode) => {
    if (node.leaves) {
      const kept: JsonLeaf[] = [];
      for (const leaf of node.leaves) {
        const [start, end] = [Math.max(from - at, 0), Math.min(to - at, leaf.text.length)];
        at += leaf.text.length;
        if (start < end) {
          leaf.text = leaf.text.slice(0, start) + rest + leaf.text.slice(end);
          rest = "";
        }
        if (leaf.text !== "") kept.push(leaf);
      }
      node.leaves = kept.length > 0 ? kept : node.leaves.slice(0, 1);
    } else if (node.object === "inline" && (node.isVoid || !node.nodes?.length)) at += opaque.length;
    else node.nodes?.forEach(walk);
  };
  line.nodes?.forEach(walk);
}
