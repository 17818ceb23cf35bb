// What the schema asks of nodes, and what those who read them expect of their attributes, which came from elsewhere.
import { Mark, type Attrs, type Node } from "@tiptap/pm/model";

// Unfit is an error of the steps: it says why a document is not taken.
export class Unfit extends Error {}

// deepest is how many nodes may stand in each other. The program's documents have fewer levels; a table is three here.
const deepest = 300;

// Nodes never change, so each is looked at once: of a long list only what was typed into is looked at again.
const heights = new WeakMap<Node, number>();

// check throws an Unfit when a node or one below it is not as the schema has it.
export function check(node: Node): void {
  height(node);
}

// checkAll looks at a document anew.
export function checkAll(doc: Node): void {
  if (!doc.type.validContent(doc.content)) throw new Unfit("a document does not hold this");
  doc.children.forEach(check);
}

function height(node: Node): number {
  const before = heights.get(node);
  if (before) return before;
  let below = 0;
  for (const child of node.children) below = Math.max(below, height(child));
  if (below >= deepest) throw new Unfit("blocks are nested too deep");
  if (!node.type.validContent(node.content)) throw new Unfit(`there is content that a ${node.type.name} does not hold`);
  if (!takesMarks(node)) throw new Unfit(`a ${node.type.name} cannot have these marks`);
  if (!attributesFit(node)) throw new Unfit(`a ${node.type.name} has no such attributes`);
  // Texts are many, and cheap to look at.
  if (!node.isText) heights.set(node, below + 1);
  return below + 1;
}

function takesMarks(node: Node): boolean {
  if (node.marks.length === 0) return true;
  const sorted = node.marks.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), Mark.none);
  return node.isInline && Mark.sameSet(sorted, node.marks) && node.marks.every((mark) => formsFit(mark.attrs));
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

// Attributes that have one form wherever they are. Those of the parts of tables are looked at by their own function.
const forms: Record<string, (value: unknown) => boolean> = {
  data: isPlain,
  meta: (value) => value === null || isPlain(value),
  json: isPlain,
  filler: (value) => typeof value === "boolean",
  lines: (value) => value === 0 || value === 1,
  run: isCount,
  fragments: (value) => Array.isArray(value) && value.every(isPlain),
  view: isPlain,
};

function attributesFit(node: Node): boolean {
  const takes = node.type.spec["takes"] as ((attrs: Attrs) => boolean) | undefined;
  if (takes && !takes(node.attrs)) return false;
  return formsFit(node.attrs);
}

function formsFit(attrs: Attrs): boolean {
  return Object.entries(attrs).every(([name, value]) => forms[name]?.(value) ?? true);
}
