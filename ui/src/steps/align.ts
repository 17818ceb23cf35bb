// Which nodes of two lists are the same.
import { diffArrays } from "diff";
import type { Node } from "@tiptap/pm/model";

// A Pair is a place in one list and one in another.
export type Pair = [number, number];

// most is how many comparisons are made where nodes that there are several of stand between those that there is one of.
const most = 250_000;

// aligned returns the pairs of equal nodes, in order, as many as can be: those that there is one of on each side first,
// so that the time follows the length of the lists, then others between them.
export function aligned(a: readonly Node[], b: readonly Node[]): Pair[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start]!.eq(b[start]!)) start++;
  let end = 0;
  while (start + end < a.length && start + end < b.length && a[a.length - 1 - end]!.eq(b[b.length - 1 - end]!)) end++;
  const pairs: Pair[] = Array.from({ length: start }, (_, i) => [i, i]);
  const names = new Map<string, number>();
  const named = (nodes: readonly Node[]) => nodes.slice(start, nodes.length - end).map((node) => nameOf(node, names));
  pairs.push(...middle(named(a), named(b)).map(([i, j]): Pair => [start + i, start + j]));
  for (let i = end; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

// nameOf returns a number that equal nodes have in common.
function nameOf(node: Node, names: Map<string, number>): number {
  const text = JSON.stringify(node);
  const known = names.get(text);
  if (known !== undefined) return known;
  names.set(text, names.size);
  return names.size - 1;
}

function middle(a: readonly number[], b: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...anchors(a, b), [a.length, b.length] as Pair]) {
    pairs.push(...common(a.slice(i, x), b.slice(j, y)).map(([p, q]): Pair => [i + p, j + q]));
    if (x < a.length) pairs.push([x, y]);
    [i, j] = [x + 1, y + 1];
  }
  return pairs;
}

// anchors returns the longest list of pairs, in order in both, of what there is one of on each side.
function anchors(a: readonly number[], b: readonly number[]): Pair[] {
  const once = (list: readonly number[]) => {
    const places = new Map<number, number>();
    list.forEach((name, i) => places.set(name, places.has(name) ? -1 : i));
    return places;
  };
  const [inA, inB] = [once(a), once(b)];
  // ends holds, for each length, which pair a list of that length ends with soonest.
  const found: { pair: Pair; before: number }[] = [];
  const ends: number[] = [];
  a.forEach((name, i) => {
    const j = inB.get(name) ?? -1;
    if (inA.get(name) !== i || j < 0) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (found[ends[half]!]!.pair[1] < j) low = half + 1;
      else high = half;
    }
    ends[low] = found.push({ pair: [i, j], before: ends[low - 1] ?? -1 }) - 1;
  });
  const chain: Pair[] = [];
  for (let at = ends[ends.length - 1] ?? -1; at >= 0; at = found[at]!.before) chain.push(found[at]!.pair);
  return chain.reverse();
}

// common returns pairs of two lists in which names may come several times.
function common(a: readonly number[], b: readonly number[]): Pair[] {
  if (a.length * b.length === 0 || a.length * b.length > most) return [];
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const part of diffArrays([...a], [...b])) {
    for (let n = 0; n < part.value.length; n++) {
      if (part.removed) i++;
      else if (part.added) j++;
      else pairs.push([i++, j++]);
    }
  }
  return pairs;
}
