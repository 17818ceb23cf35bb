// Blocks that two have changed since they were the same: both changes where they are in different blocks.
import { diffArrays } from "diff";
import { same, type JsonNode } from "../editor/document";

// Hunk says that the blocks from start up to end became others.
interface Hunk {
  start: number;
  end: number;
  blocks: JsonNode[];
}

function hunks(from: JsonNode[], to: JsonNode[]): Hunk[] {
  const result: Hunk[] = [];
  let at = 0;
  let open: Hunk | null = null;
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
export function merged(base: JsonNode[], mine: JsonNode[], theirs: JsonNode[]): JsonNode[] | null {
  const ours = hunks(base, mine);
  const other = hunks(base, theirs).filter((hunk) => !ours.some((each) => same(each, hunk)));
  for (const hunk of other) if (ours.some((each) => each.start <= hunk.end && hunk.start <= each.end)) return null;
  const result: JsonNode[] = [];
  let at = 0;
  for (const hunk of [...ours, ...other].sort((a, b) => a.start - b.start)) {
    result.push(...base.slice(at, hunk.start), ...hunk.blocks);
    at = hunk.end;
  }
  return [...result, ...base.slice(at)];
}
