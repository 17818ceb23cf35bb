// Which nodes that are not the same are likely to be the same one before and after a change.
import type { Node } from "@tiptap/pm/model";
import type { Pair } from "./align";

// most is how many pairs are looked at; where there are more, so much has changed that none is worth it.
const most = 2_500;

// enough is how alike two nodes have to be, of 1.
const enough = 0.4;

// pairedUp returns pairs of nodes that are alike, in order.
export function pairedUp(old: readonly Node[], next: readonly Node[]): Pair[] {
  const [rows, columns] = [old.length, next.length];
  if (rows === 1 && columns === 1) return mayBecome(old[0]!, next[0]!) ? [[0, 0]] : [];
  if (rows * columns > most) return [];
  const words = (nodes: readonly Node[]) => nodes.map((node) => new Set(node.textContent.split(/\s+/)));
  const [left, right] = [words(old), words(next)];
  // best[i][j] is how alike those from i and j on are at most.
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  const likeness = (i: number, j: number) => (mayBecome(old[i]!, next[j]!) ? alike(left[i]!, right[j]!) : 0);
  const matches = old.map((_, i) => next.map((_, j) => likeness(i, j)));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const both = matches[i]![j]! >= enough ? matches[i]![j]! + best[i + 1]![j + 1]! : 0;
      best[i]![j] = Math.max(both, best[i + 1]![j]!, best[i]![j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (best[i]![j] === best[i + 1]![j]) i++;
    else if (best[i]![j] === best[i]![j + 1]) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

// mayBecome reports whether a node becomes another one by what is in it and its attributes.
function mayBecome(old: Node, next: Node): boolean {
  return old.type === next.type && old.marks.length === 0 && next.marks.length === 0;
}

// alike returns which part of their words two texts have in common.
function alike(a: Set<string>, b: Set<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return (2 * both) / (a.size + b.size);
}
