// The document JSON of the API, as the program encodes it (internal/engine/doc). Members that a node may have are all
// here, so that a document can be compared with what the editor makes of it.

export type Data = Record<string, unknown>;

export interface JsonMark {
  object: "mark";
  type: string;
  data?: Data;
}

export interface JsonLeaf {
  object: "leaf";
  text: string;
  marks: JsonMark[];
}

export interface JsonNode {
  object: "block" | "inline" | "text" | "fragment";
  type?: string;
  key?: string;
  fragment?: string;
  isVoid?: boolean;
  data?: Data;
  meta?: Data;
  leaves?: JsonLeaf[];
  nodes?: JsonNode[];
  fragments?: JsonNode[];
}

export interface JsonDocument {
  object: "document";
  data?: Data;
  nodes: JsonNode[];
}

// bare returns a node without the keys of it and of what is below it. Keys count nodes, so they are made anew for every
// document.
export function bare(node: JsonNode): JsonNode {
  const { key: _, ...rest } = node;
  if (rest.nodes) rest.nodes = rest.nodes.map(bare);
  if (rest.fragments) rest.fragments = rest.fragments.map(bare);
  return rest;
}

// keyed returns a document whose nodes have the keys that the program gives: counted in reading order, fragments after
// nodes.
export function keyed(document: JsonDocument): JsonDocument {
  let next = 0;
  const name = (node: JsonNode): JsonNode => {
    next++;
    const named: JsonNode = { ...node, key: "n" + next.toString(36) };
    if (node.nodes) named.nodes = node.nodes.map(name);
    if (node.fragments) named.fragments = node.fragments.map(name);
    return named;
  };
  return { ...document, nodes: document.nodes.map(name) };
}

// same reports whether two JSON values are equal, whatever the order of their members.
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => same(each, b[i]));
  if (Array.isArray(b)) return false;
  const left = a as Data;
  const right = b as Data;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]))
  );
}

// plainText returns the words of a node, as a summary shows them.
export function plainText(node: JsonNode | JsonDocument): string {
  if ("leaves" in node && node.leaves) return node.leaves.map((leaf) => leaf.text).join("");
  const inner = [...(node.nodes ?? []), ...(("fragments" in node && node.fragments) || [])];
  const block = inner.some((child) => child.object === "block" || child.object === "fragment");
  return inner.map(plainText).join(block ? "\n" : "");
}
