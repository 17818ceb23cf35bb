// Blocks, or lines, that two have changed since they were the same: both changes where they are in different blocks.
import { diffArrays } from "diff";
import { same } from "../editor/document";

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
