// Blocks whose content is elsewhere: reusable contents, blocks of integrations and what describes an API.
import { datum, voidBlock, type Block } from "./kind";

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
    toDOM: (node) => ["div", { class: "block-openapi" }, `${datum(node, "method")} ${datum(node, "path") || datum(node, "name")}`.trim()],
  });

// swagger is the older form, which names a file or an address.
export const apis = [api("openapi-operation", "apiOperation"), api("openapi-schemas", "apiSchemas"), api("openapi-webhook", "apiWebhook"), api("swagger", "swagger")];
