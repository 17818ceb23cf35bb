// Steps between two documents, for what came from elsewhere than from the people of a session. Whoever writes in a
// block that both have notices nothing, and in one that has changed the cursor stays where the text around it does.
// Empty paragraphs stay: what comes from elsewhere has none, since Markdown does not, and somebody may be about to type
// there.
import { Slice, type Fragment, type Node } from "@tiptap/pm/model";
import { Transform } from "@tiptap/pm/transform";
import { same } from "../editor/document";
import { aligned, type Pair } from "./align";
import { pairedUp } from "./resemble";

// An edit puts something in the place of what is between two positions, or gives a node another attribute.
type Edit = { from: number; to: number; slice: Slice } | { pos: number; attr: string; value: unknown };

// stepsBetween returns the steps, as JSON, that make one document of another.
export function stepsBetween(present: Node, next: Node): unknown[] {
  for (const fine of [true, false]) {
    const edits: Edit[] = [];
    between(present.children, next.children, 0, fine, edits);
    const tr = attempt(present, edits);
    if (tr && equal(tr.doc, next)) return tr.steps.map((step) => step.toJSON() as unknown);
  }
  throw new Error("no steps lead to the document");
}

// attempt makes edits from the last to the first, so that none moves the place of another.
function attempt(present: Node, edits: Edit[]): Transform | null {
  const tr = new Transform(present);
  try {
    for (const edit of edits.reverse()) {
      if ("slice" in edit) tr.replace(edit.from, edit.to, edit.slice);
      else tr.setNodeAttribute(edit.pos, edit.attr, edit.value);
    }
    return tr;
  } catch {
    return null; // What is in between does not fit the schema; whole blocks always do.
  }
}

// between adds what makes one list of siblings another. at is where the first of them begins. fine says whether blocks
// that have changed are looked into.
function between(old: readonly Node[], next: readonly Node[], at: number, fine: boolean, edits: Edit[]): void {
  let [i, j, pos] = [0, 0, at];
  const upTo = (pair: Pair, pairs: boolean) => {
    const gone = old.slice(i, pair[0]);
    const come = next.slice(j, pair[1]);
    if (gone.length > 0 && come.length > 0 && fine && pairs) {
      const start = i;
      const [within, offset] = [pairedUp(gone, come), j];
      for (const [a, b] of within) {
        upTo([start + a, offset + b], false);
        inside(old[i]!, next[j]!, pos, edits);
        pos += old[i]!.nodeSize;
        [i, j] = [i + 1, j + 1];
      }
      upTo(pair, false);
      return;
    }
    exchange(gone, come, pos, edits);
    [i, j, pos] = [pair[0], pair[1], pos + sizeOf(gone)];
  };
  for (const pair of aligned(old, next)) {
    upTo(pair, true);
    pos += old[i]!.nodeSize;
    [i, j] = [i + 1, j + 1];
  }
  upTo([old.length, next.length], true);
}

// exchange adds what puts siblings in the place of others, but for empty paragraphs at both ends of those.
function exchange(gone: readonly Node[], come: readonly Node[], at: number, edits: Edit[]): void {
  const first = gone.findIndex((node) => !isEmpty(node));
  const last = gone.findLastIndex((node) => !isEmpty(node));
  const lines = first < 0 ? gone : gone.slice(0, first);
  const from = first < 0 ? at : at + sizeOf(lines);
  const away = first < 0 ? [] : gone.slice(first, last + 1);
  // A place that holds nothing but empty paragraphs needs no filler.
  const there = gone.length > 0 && away.length === 0 && come.every(isEmpty) ? [] : come;
  if (away.length + there.length > 0) edits.push({ from, to: from + sizeOf(away), slice: sliceOf(there) });
}

const sizeOf = (nodes: readonly Node[]) => nodes.reduce((sum, node) => sum + node.nodeSize, 0);

// isEmpty reports whether a node is a paragraph with nothing in it and nothing said of it.
function isEmpty(node: Node): boolean {
  return (
    node.type.name === "paragraph" &&
    node.childCount === 0 &&
    same(node.attrs["data"], {}) &&
    node.attrs["meta"] === null
  );
}

// equal reports whether two nodes are the same but for empty paragraphs.
function equal(a: Node, b: Node): boolean {
  if (a.isTextblock || a.isLeaf) return a.eq(b);
  const [left, right] = [a, b].map((node) => node.children.filter((child) => !isEmpty(child)));
  return (
    left!.length === right!.length &&
    left!.every(
      (child, i) => child.hasMarkup(right![i]!.type, right![i]!.attrs, right![i]!.marks) && equal(child, right![i]!),
    )
  );
}

// inside adds what makes one node another of its kind.
function inside(old: Node, next: Node, pos: number, edits: Edit[]): void {
  for (const name of Object.keys(old.attrs)) {
    if (!same(old.attrs[name], next.attrs[name])) edits.push({ pos, attr: name, value: next.attrs[name] as unknown });
  }
  if (!old.inlineContent) return between(old.children, next.children, pos + 1, true, edits);
  const start = old.content.findDiffStart(next.content);
  if (start === null) return;
  const { from, to, until } = differing(old.content, next.content, start);
  edits.push({ from: pos + 1 + from, to: pos + 1 + to, slice: new Slice(next.content.cut(from, until), 0, 0) });
}

// differing returns the part of a text that is other than in the next: from there to there, and until where in that.
function differing(old: Fragment, next: Fragment, from: number): { from: number; to: number; until: number } {
  const end = old.findDiffEnd(next);
  let [to, until] = end ? [end.a, end.b] : [from, from];
  // Where a text repeats itself, what is equal from the end reaches into what is equal from the start.
  const overlap = Math.max(0, from - Math.min(to, until));
  [to, until] = [to + overlap, until + overlap];
  // No character is cut in half.
  if (isWithin(old, from) || isWithin(next, from)) from--;
  if (isWithin(old, to) || isWithin(next, until)) [to, until] = [to + 1, until + 1];
  return { from, to, until };
}

// isWithin reports whether a position of a text is between the halves of a character.
function isWithin(text: Fragment, pos: number): boolean {
  if (pos <= 0 || pos >= text.size) return false;
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.textBetween(pos - 1, pos + 1, "", "\n"));
}

function sliceOf(nodes: readonly Node[]): Slice {
  const first = nodes[0];
  return first ? new Slice(first.type.schema.topNodeType.create(null, nodes as Node[]).content, 0, 0) : Slice.empty;
}
