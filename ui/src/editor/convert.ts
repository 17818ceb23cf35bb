// Between the document JSON and the editor, without loss: reading writes every node back at once, and what is not what
// was read stays raw, byte for byte.
import type { Node } from "@tiptap/pm/model";
import { bare, keyed, same, type Data, type JsonDocument, type JsonNode } from "./document";
import { isFiller } from "./filler";
import { readInlines, writeInlines } from "./inline";
import { blocks } from "./nodes";
import type { Reader, Writer } from "./nodes/kind";
import { schema } from "./schema";

const byType = new Map(blocks.map((block) => [block.type, block] as const).reverse());
const byName = new Map(blocks.map((block) => [block.name, block]));

const reader: Reader = {
  schema,
  blocks: (nodes) => (nodes?.length ? nodes.map(readBlock) : [schema.nodes["paragraph"]!.create({ filler: true })]),
  inlines: (nodes) => readInlines(schema, nodes ?? []),
};

const writer: Writer = {
  blocks: (parent) => parent.children.filter((node) => !isFiller(node)).map(writeBlock),
  inlines: (parent) => writeInlines(parent.children),
};

// readBlock returns a block of the JSON, which has no keys, as it is in the editor.
export function readBlock(json: JsonNode): Node {
  const kind = byType.get(json.type ?? "");
  if (kind) {
    try {
      const node = kind.read(json, reader);
      if (same(writeBlock(node), json)) return node;
    } catch {
      // The schema does not allow it there, or it is not made as the kind expects.
    }
  }
  return raw(json);
}

function raw(json: JsonNode): Node {
  return schema.nodes["rawBlock"]!.create({ json });
}

// Nodes never change, so each is written once: of a long page only what was typed into is written again.
const known = new WeakMap<Node, JsonNode>();

// writeBlock returns a block as JSON without keys. The value is shared; do not change it.
export function writeBlock(node: Node): JsonNode {
  const before = known.get(node);
  if (before) return before;
  const json =
    node.type.name === "rawBlock" ? (node.attrs["json"] as JsonNode) : byName.get(node.type.name)!.write(node, writer);
  known.set(node, json);
  return json;
}

// readDocument returns a document of the API as the editor has it.
export function readDocument(document: JsonDocument): Node {
  // A block that lives only inside another has nothing around it here that could stay raw with it.
  const nodes = reader
    .blocks(document.nodes.map(bare))
    .map((node) => (node.type.isInGroup("block") ? node : raw(writeBlock(node))));
  return schema.nodes["doc"]!.createChecked({ data: document.data ?? null }, nodes);
}

// writeDocument returns what the editor has as the API takes it. Nodes have no keys: the server gives them.
export function writeDocument(doc: Node): JsonDocument {
  const data = doc.attrs["data"] as Data | null;
  return { object: "document", ...(data ? { data } : {}), nodes: writer.blocks(doc) };
}

// writeKeyed returns what the editor has as the API serves it, keys and all.
export function writeKeyed(doc: Node): JsonDocument {
  return keyed(writeDocument(doc));
}
