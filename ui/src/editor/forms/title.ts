import type { Node } from "@tiptap/pm/model";

const longest = 60;

// titleOf proposes a title from how a block begins: one line of whole characters.
export function titleOf(block: Node): string {
  const text = block.textBetween(0, block.content.size, " ", " ").replace(/[\s\p{Cc}]+/gu, " ");
  return [...text.trim()].slice(0, longest).join("").trim();
}
