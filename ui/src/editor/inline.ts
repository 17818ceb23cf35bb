// Texts and inlines between the document JSON and the editor: links and annotations are marks here, leaves are texts
// with marks, and line breaks in them are nodes.
import { Mark, type Node, type Schema } from "@tiptap/pm/model";
import { same, type Data, type JsonLeaf, type JsonMark, type JsonNode } from "./document";
import { atoms } from "./nodes/inlines";

const atomTypes = new Map(Object.entries(atoms).map(([type, name]) => [name, type]));

// readInlines returns what a list of texts and inlines is in the editor. within are the marks around it.
export function readInlines(schema: Schema, nodes: readonly JsonNode[], within: readonly Mark[] = []): Node[] {
  const result: Node[] = [];
  nodes.forEach((json, i) => {
    if (json.object === "text") {
      for (const leaf of json.leaves ?? []) result.push(...readLeaf(schema, leaf, within));
      return;
    }
    const words = readWords(schema, json, nodes[i - 1], within);
    if (words) result.push(...words);
    else result.push(readAtom(schema, json, within));
  });
  return result;
}

function readLeaf(schema: Schema, leaf: JsonLeaf, within: readonly Mark[]): Node[] {
  let marks: readonly Mark[] = within;
  for (const mark of leaf.marks) {
    const type = schema.marks[mark.type];
    if (type) marks = type.create(mark.data ? { data: mark.data } : null).addToSet(marks);
  }
  return leaf.text.split("\n").flatMap((line, i) => [
    ...(i > 0 ? [schema.nodes["hardBreak"]!.create(null, null, marks)] : []),
    ...(line ? [schema.text(line, marks)] : []),
  ]);
}

// readWords returns the words of a link or an annotation, or null when they would not be written as they are.
function readWords(
  schema: Schema,
  json: JsonNode,
  before: JsonNode | undefined,
  within: readonly Mark[],
): Node[] | null {
  if (json.type !== "link" && json.type !== "annotation") return null;
  if (within.some((mark) => mark.type.name === json.type)) return null;
  // Equal neighbours would become one.
  let run = 0;
  if (before?.type === json.type && same(before.data, json.data) && same(before.fragments, json.fragments))
    run = 1 - (runs.get(before) ?? 0);
  runs.set(json, run);
  const attrs = json.type === "link" ? { data: json.data, run } : { fragments: json.fragments, run };
  const mark = schema.marks[json.type]!.create(attrs);
  const nodes = readInlines(schema, json.nodes ?? [], mark.addToSet(within));
  const back = writeInlines(
    nodes.map((node) => node.mark(node.marks.filter((each) => !within.some((outer) => outer.eq(each))))),
  );
  return back.length === 1 && same(back[0], json) ? nodes : null;
}

const runs = new WeakMap<JsonNode, number>();

function readAtom(schema: Schema, json: JsonNode, marks: readonly Mark[]): Node {
  const name = atoms[json.type ?? ""];
  const node = name && schema.nodes[name]!.create({ data: json.data }, null, marks);
  if (node && same(writeAtom(node), json)) return node;
  return schema.nodes["rawInline"]!.create({ json }, null, marks);
}

function writeAtom(node: Node): JsonNode {
  if (node.type.name === "rawInline") return node.attrs["json"] as JsonNode;
  return {
    object: "inline",
    type: atomTypes.get(node.type.name) ?? node.type.name,
    isVoid: true,
    data: node.attrs["data"] as Data,
  };
}

// writeInlines returns a list of texts and inlines as JSON.
export function writeInlines(nodes: readonly Node[]): JsonNode[] {
  return grouped(nodes, "link").flatMap(([link, inLink]) => {
    const inner = grouped(inLink, "annotation").flatMap(([annotation, inAnnotation]) => {
      const words = writeTexts(inAnnotation);
      if (!annotation) return words;
      const fragments = annotation.attrs["fragments"] as JsonNode[];
      return [{ object: "inline", type: "annotation", isVoid: false, data: {}, nodes: words, fragments } as JsonNode];
    });
    if (!link) return inner;
    return [
      { object: "inline", type: "link", isVoid: false, data: link.attrs["data"] as Data, nodes: inner } as JsonNode,
    ];
  });
}

// grouped cuts a list where a mark begins or ends.
function grouped(nodes: readonly Node[], type: string): [Mark | null, Node[]][] {
  const groups: [Mark | null, Node[]][] = [];
  for (const node of nodes) {
    const mark = node.marks.find((each) => each.type.name === type) ?? null;
    const last = groups[groups.length - 1];
    if (last && (last[0] === mark || (last[0] && mark && last[0].eq(mark)))) last[1].push(node);
    else groups.push([mark, [node]]);
  }
  return groups;
}

function writeTexts(nodes: readonly Node[]): JsonNode[] {
  const result: JsonNode[] = [];
  for (const node of nodes) {
    if (!node.isText && node.type.name !== "hardBreak") {
      result.push(writeAtom(node));
      continue;
    }
    const text = node.isText ? (node.text ?? "") : "\n";
    const marks = writeMarks(node.marks);
    const last = result[result.length - 1];
    if (last?.object !== "text") {
      result.push({ object: "text", leaves: [{ object: "leaf", text, marks }] });
      continue;
    }
    const leaves = last.leaves!;
    const leaf = leaves[leaves.length - 1]!;
    if (same(leaf.marks, marks)) leaf.text += text;
    else leaves.push({ object: "leaf", text, marks });
  }
  return result;
}

function writeMarks(marks: readonly Mark[]): JsonMark[] {
  return marks
    .filter((mark) => mark.type.name !== "link" && mark.type.name !== "annotation")
    .map((mark) => {
      const data = mark.attrs["data"] as Data | undefined;
      return data ? { object: "mark", type: mark.type.name, data } : { object: "mark", type: mark.type.name };
    });
}
