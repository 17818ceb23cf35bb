// The script that the server applies steps with (internal/engine/steps): the schema of the editor with one document.
// It has no browser around it. Texts go in and come out, since nothing else crosses into Go at little cost.
import { Node } from "@tiptap/pm/model";
import { Step } from "@tiptap/pm/transform";
import { readDocument, writeBlock, writeDocument } from "../editor/convert";
import type { JsonDocument, JsonNode } from "../editor/document";
import { fingerprint } from "../editor/fingerprint";
import { isFiller } from "../editor/filler";
import { withLine } from "../editor/line";
import { schema } from "../editor/schema";
import { stepsBetween } from "./change";
import { check, checkAll, Unfit } from "./check";

// ProseMirror keeps places of a document in a WeakMap whose values hold its keys, which QuickJS never lets go: each
// version of a document would stay in memory. The other way to ask for a place keeps nothing.
Node.prototype.resolve = (
  Node.prototype as unknown as { resolveNoCache: typeof Node.prototype.resolve }
).resolveNoCache;

let present: Node = readDocument({ object: "document", nodes: [] });
// The document before the last batch, which is there again when the server finds something in it that it refuses.
let former: Node | null = null;

// version names the schema.
export const version = fingerprint();

// load begins with a document of the API.
export function load(document: string): void {
  begin(readLined(document));
}

// readLined reads a document of the API with the line below it that an editor would add: all have the same one.
const readLined = (document: string): Node => withLine(readDocument(JSON.parse(document) as JsonDocument));

// restore begins with what snapshot returned.
export function restore(snapshot: string): void {
  begin(Node.fromJSON(schema, JSON.parse(snapshot)));
}

function begin(doc: Node): void {
  checkAll(doc);
  [present, former] = [doc, null];
}

// apply takes the steps of a list, all or none of them. It answers {"changed": […]} with each block at the top that is
// other than before, or {"refused": index, "reason": "…"} with the step that does not fit, -1 when it is all of them.
export function apply(steps: string): string {
  let doc = present;
  let index = 0;
  former = null;
  try {
    for (const json of JSON.parse(steps) as unknown[]) {
      doc = applied(doc, json);
      index++;
    }
    index = -1;
    const changed = changedBlocks(present, doc).flatMap((block) => (isFiller(block) ? [] : [written(block)]));
    [present, former] = [doc, present];
    return `{"changed":[${changed.join(",")}]}`;
  } catch (error) {
    if (isFatal(error)) throw error;
    return JSON.stringify({ refused: index, reason: reasonOf(error) });
  }
}

// undo takes back the batch that was applied last. It answers "undone", or "" when there is none.
export function undo(): string {
  if (!former) return "";
  [present, former] = [former, null];
  return "undone";
}

// snapshot returns the document as ProseMirror has it, which nothing but restore reads.
export function snapshot(): string {
  checkAll(present);
  return JSON.stringify(present);
}

// document returns the document as the API takes it, without keys.
export function document(): string {
  return JSON.stringify(writeDocument(present));
}

// change returns a list of steps that make a document of the API of the present one.
export function change(document: string): string {
  return JSON.stringify(stepsBetween(present, readLined(document)));
}

// The steps that editors make. None changes the document itself.
const places: Record<string, string[]> = {
  replace: ["from", "to"],
  replaceAround: ["from", "to", "gapFrom", "gapTo"],
  addMark: ["from", "to"],
  removeMark: ["from", "to"],
  addNodeMark: ["pos"],
  removeNodeMark: ["pos"],
  attr: ["pos"],
};

interface StepJson {
  stepType?: unknown;
  slice?: unknown;
  [name: string]: unknown;
}

function applied(doc: Node, json: unknown): Node {
  if (typeof json !== "object" || json === null) throw new Unfit("a step is an object");
  const step = json as StepJson;
  const names =
    typeof step.stepType === "string" && Object.hasOwn(places, step.stepType) ? places[step.stepType]! : null;
  if (!names) throw new Unfit("there is no such kind of step");
  let before = 0;
  for (const name of orderOf(names)) {
    const place = step[name];
    if (!isCount(place) || place < before || place > doc.content.size)
      throw new Unfit(`${name} is no place in the document`);
    before = place;
  }
  if ("insert" in step && !isCount(step["insert"])) throw new Unfit("insert is no place in a slice");
  checkSlice(step.slice);
  const result = Step.fromJSON(schema, step).apply(doc);
  if (!result.doc) throw new Unfit(result.failed ?? "it does not fit the document");
  if (!result.doc.sameMarkup(doc)) throw new Unfit("the document itself has no other attributes");
  for (const block of changedBlocks(doc, result.doc)) check(block);
  if (result.doc.childCount === 0) throw new Unfit("a document has a block");
  return result.doc;
}

// orderOf returns the places of a step from the first to the last.
function orderOf(names: string[]): string[] {
  return names.length === 4 ? ["from", "gapFrom", "gapTo", "to"] : names;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function checkSlice(slice: unknown): void {
  if (slice === undefined || slice === null) return;
  if (typeof slice !== "object") throw new Unfit("a slice is an object");
  const { openStart = 0, openEnd = 0 } = slice as { openStart?: unknown; openEnd?: unknown };
  if (!isCount(openStart) || !isCount(openEnd)) throw new Unfit("a slice is open to a depth");
}

// changedBlocks returns the blocks at the top of a document that another one does not have.
function changedBlocks(before: Node, after: Node): Node[] {
  const [old, next] = [before.children, after.children];
  let start = 0;
  const shorter = Math.min(old.length, next.length);
  while (start < shorter && old[start] === next[start]) start++;
  let [oldEnd, nextEnd] = [old.length, next.length];
  while (oldEnd > start && nextEnd > start && old[oldEnd - 1] === next[nextEnd - 1]) {
    oldEnd--;
    nextEnd--;
  }
  const known = new Set(old.slice(start, oldEnd));
  return next.slice(start, nextEnd).filter((block) => !known.has(block));
}

function written(block: Node): string {
  const json: JsonNode = writeBlock(block);
  const text = JSON.stringify(json);
  // JSON writes half a character as an escape, and nothing else.
  if (/\\ud[89a-f]/.test(text) && !isWhole(json)) throw new Unfit("half of a character would be left");
  return text;
}

// isWhole reports whether no text of a value has half a character in it.
function isWhole(value: unknown): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, each]) => isWhole(name) && isWhole(each));
}

// isFatal reports whether an error is of the engine and not of the steps.
function isFatal(error: unknown): boolean {
  return error === null || (error instanceof Error && error.message === "out of memory");
}

function reasonOf(error: unknown): string {
  if (error instanceof Unfit) return error.message;
  if (error instanceof RangeError && error.message.length < 200) return error.message;
  return "it does not fit the document";
}
