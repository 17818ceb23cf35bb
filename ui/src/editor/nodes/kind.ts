// What the editor has to know of a node of the document JSON. Nothing here needs a browser: a server can run it.
import type { Attrs, Node, NodeSpec, Schema } from "@tiptap/pm/model";
import type { Data, JsonNode } from "../document";

// Reader makes editor nodes of document JSON. What does not fit becomes a raw node, so reading never fails.
export interface Reader {
  schema: Schema;
  // blocks reads a list of blocks. An empty one becomes a filler to type into, which is not written back.
  blocks(nodes: JsonNode[] | undefined): Node[];
  // inlines reads texts and inlines.
  inlines(nodes: JsonNode[] | undefined): Node[];
}

// Writer makes document JSON of editor nodes.
export interface Writer {
  blocks(parent: Node): JsonNode[];
  inlines(parent: Node): JsonNode[];
}

// Block is a kind of block that can be edited. read may throw or lose things: its node is written at once, and what is
// not written as it was read stays raw.
export interface Block {
  type: string;
  // name is what the schema calls it: letters alone, since content expressions split at anything else.
  name: string;
  spec: NodeSpec;
  read(json: JsonNode, reader: Reader): Node;
  write(node: Node, writer: Writer): JsonNode;
}

// stored are the attributes of all blocks: data and meta of the JSON as they are, so that nothing of them is lost.
export const stored = { data: { default: {} }, meta: { default: null } };

// attributes returns the attributes that a block of the JSON has in the editor.
export function attributes(json: JsonNode): Attrs {
  return { data: json.data ?? {}, meta: json.meta ?? null };
}

// written returns a block of the JSON with what the attributes of its node hold.
export function written(type: string, node: Node, rest: Partial<JsonNode>): JsonNode {
  const json: JsonNode = { object: "block", type, isVoid: false, data: node.attrs["data"] as Data, ...rest };
  if (node.attrs["meta"]) json.meta = node.attrs["meta"] as Data;
  return json;
}

// container is a block that holds blocks.
export function container(type: string, name: string, spec: NodeSpec): Block {
  return {
    type,
    name,
    spec: { defining: true, ...spec, attrs: { ...stored, ...spec.attrs } },
    read: (json, reader) => reader.schema.nodes[name]!.createChecked(attributes(json), reader.blocks(json.nodes)),
    write: (node, writer) => written(type, node, { nodes: writer.blocks(node) }),
  };
}

// voidBlock is a block without content: what it is says its data.
export function voidBlock(type: string, name: string, spec: NodeSpec): Block {
  return {
    type,
    name,
    spec: { group: "block", atom: true, draggable: true, ...spec, attrs: { ...stored, ...spec.attrs } },
    read: (json, { schema }) => schema.nodes[name]!.createChecked(attributes(json)),
    write: (node) => written(type, node, { isVoid: true }),
  };
}

// textBlock is a block that holds texts and inlines.
export function textBlock(type: string, name: string, spec: NodeSpec): Block {
  return {
    type,
    name,
    spec: { content: "inline*", group: "block", ...spec, attrs: { ...stored, ...spec.attrs } },
    read: (json, reader) => reader.schema.nodes[name]!.createChecked(attributes(json), reader.inlines(json.nodes)),
    write: (node, writer) => written(type, node, { nodes: writer.inlines(node) }),
  };
}

// fragment returns a named part of a block that is not a plain list of children.
export function fragment(name: string, nodes: JsonNode[], typed = false): JsonNode {
  return { object: "fragment", fragment: name, ...(typed ? { type: name } : {}), nodes };
}

// datum returns a text in the data of a node, "" when it is absent.
export function datum(node: Node, name: string): string {
  const value = (node.attrs["data"] as Data | null)?.[name];
  return typeof value === "string" ? value : "";
}
