// Blocks, or lines, that two have changed since they were the same: both changes where they are in different blocks.
import { diffArrays } from "diff";
import { same, type JsonNode } from "../editor/document";

// Hunk says that the blocks from start up to end became others.
interface Hunk<T> {
  start: number;
  end: number;
  blocks: T[];
}

function hunks<T>(from: T[], to: T[]): Hunk<T>[] {
  const result: Hunk<T>[] = [];
  let at = 0;
  let open: Hunk<T> | null = null;
  for (const part of diffArrays(from, to, { comparator: same })) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = null;
      continue;
    }
    if (!open) result.push((open = { start: at, end: at, blocks: [] }));
    if (part.removed) open.end = at += part.value.length;
    else open.blocks.push(...part.value);
  }
  return result;
}

// merged returns the blocks of mine with what theirs changed since base; null when both changed the same.
export function merged<T>(base: T[], mine: T[], theirs: T[]): T[] | null {
  const [apart, together] = compared(base, mine, theirs);
  return together.length > 0 ? null : joined(base, hunks(base, mine), apart);
}

// mineFirst is merged with the blocks of mine where both changed the same.
export function mineFirst<T>(base: T[], mine: T[], theirs: T[]): T[] {
  return joined(base, hunks(base, mine), compared(base, mine, theirs)[0]);
}

// compared returns what theirs changed where mine did not, and where mine did, too.
function compared<T>(base: T[], mine: T[], theirs: T[]): [Hunk<T>[], Hunk<T>[]] {
  const ours = hunks(base, mine);
  const other = hunks(base, theirs).filter((hunk) => !ours.some((each) => same(each, hunk)));
  const meets = (hunk: Hunk<T>) => ours.some((each) => each.start <= hunk.end && hunk.start <= each.end);
  return [other.filter((hunk) => !meets(hunk)), other.filter(meets)];
}

function joined<T>(base: T[], ours: Hunk<T>[], other: Hunk<T>[]): T[] {
  const result: T[] = [];
  let at = 0;
  for (const hunk of [...ours, ...other].sort((a, b) => a.start - b.start)) {
    result.push(...base.slice(at, hunk.start), ...hunk.blocks);
    at = hunk.end;
  }
  return [...result, ...base.slice(at)];
}

const empty = (node: JsonNode) =>
  node.type === "paragraph" && (node.nodes ?? []).every((each) => (each.leaves ?? []).every(({ text }) => text === ""));

// normal writes a block as the server does: it leaves out anchors, which it makes itself, and empty paragraphs, and
// counts tabs without a title.
function normal({ meta: _, ...node }: JsonNode, index = 0): JsonNode {
  if (node.type === "tabs-item" && !node.data?.["title"]) node.data = { ...node.data, title: `Tab ${index + 1}` };
  if (node.nodes) node.nodes = node.nodes.map(normal).filter((each) => !empty(each));
  if (node.fragments) node.fragments = node.fragments.map(normal);
  return node;
}

// asSent returns what the server has with each block that it has only written another way as it was sent, and with the
// empty paragraphs that it keeps for nobody.
export function asSent(sent: JsonNode[], theirs: JsonNode[]): JsonNode[] {
  const comparator = (a: JsonNode, b: JsonNode) => same(a, b) || same(normal(a), normal(b));
  let at = 0;
  return diffArrays(sent, theirs, { comparator }).flatMap((part) => {
    if (part.added) return part.value;
    const mine = sent.slice(at, (at += part.value.length));
    return part.removed ? mine.filter(empty) : mine;
  });
}
