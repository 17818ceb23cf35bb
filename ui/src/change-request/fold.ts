// Which blocks of a diff show at once: those that were changed, and one beside each.
import type { ComparedBlock } from "./queries";

export type Part = { from: number; to: number } | { from: number; to: number; fold: number };

// shortest is the least number of blocks that is worth a fold.
const shortest = 3;

// folded cuts a list of blocks into parts that show and parts that are folded, in order.
export function folded(blocks: readonly Pick<ComparedBlock, "change">[]): Part[] {
  const parts: Part[] = [];
  const near = (at: number) => [at - 1, at, at + 1].some((each) => (blocks[each]?.change ?? "same") !== "same");
  for (let from = 0; from < blocks.length; ) {
    const shows = near(from);
    let to = from + 1;
    while (to < blocks.length && near(to) === shows) to++;
    parts.push(shows || to - from < shortest ? { from, to } : { from, to, fold: to - from });
    from = to;
  }
  return parts;
}
