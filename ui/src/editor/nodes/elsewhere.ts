// Blocks whose content is elsewhere: reusable contents, blocks of integrations and what describes an API.
import type { JsonNode } from "../document";
import { container, datum, voidBlock, written, type Block } from "./kind";

export const reusable = voidBlock("reusable-content", "reusable", {
  toDOM: () => ["div", { class: "block-reusable" }],
});

export const integration = voidBlock("integration", "integration", {
  attrs: { data: { default: { integration: "mermaid", block: "diagram", props: { content: "" } } } },
  toDOM: (node) => ["div", { class: "block-integration" }, datum(node, "integration")],
});

const api = (type: string, name: string): Block =>
  voidBlock(type, name, {
    attrs: { data: { default: { ref: { kind: "openapi" } } } },
    toDOM: (node) => [
      "div",
      { class: "block-openapi" },
      `${datum(node, "method")} ${datum(node, "path") || datum(node, "name")}`.trim(),
    ],
  });

// An operation that the page describes itself names no specification: what is said of it are blocks in it.
const describes = ({ data, nodes }: JsonNode): boolean => {
  const { kind, url } = (data?.["ref"] ?? {}) as { kind?: string; url?: string };
  return (nodes?.length ?? 0) > 0 || (kind === "url" && !url);
};

const described = container("swagger", "apiDescribed", {
  content: "block+",
  group: "block",
  isolating: true,
  attrs: { data: { default: { ref: { kind: "url" }, method: "get" } } },
  toDOM: (node) => [
    "div",
    { class: "block-openapi is-described" },
    ["code", { class: "openapi-path" }, `${datum(node, "method")} ${datum(node, "path")}`.trim()],
    ["div", { class: "openapi-body" }, 0],
  ],
});

const apiDescribed: Block = {
  ...described,
  write: (node, writer) => {
    const nodes = writer.blocks(node);
    return written("swagger", node, { isVoid: true, ...(nodes.length > 0 && { nodes }) });
  },
};

// swagger is the older form, which names a file or an address.
const named = api("swagger", "swagger");
const swagger: Block = {
  ...named,
  read: (json, reader) => (describes(json) ? apiDescribed : named).read(json, reader),
};

export const apis = [
  api("openapi-operation", "apiOperation"),
  api("openapi-schemas", "apiSchemas"),
  api("openapi-webhook", "apiWebhook"),
  swagger,
  apiDescribed,
];
