// Files, embeds, drawings and cards that lead to a page. The text of all but the last is their caption.
import type { NodeSpec } from "@tiptap/pm/model";
import type { JsonNode } from "../document";
import { attributes, datum, fragment, stored, written, type Block } from "./kind";

// captioned is a block whose text is a caption, one paragraph in the JSON and absent when it is empty.
function captioned(type: string, name: string, spec: NodeSpec): Block {
  return {
    type,
    name,
    spec: { content: "inline*", group: "block", isolating: true, attrs: stored, ...spec },
    read: (json, reader) =>
      reader.schema.nodes[name]!.createChecked(
        attributes(json),
        reader.inlines(json.fragments?.[0]?.nodes?.[0]?.nodes),
      ),
    write: (node, writer) => {
      if (node.childCount === 0) return written(type, node, { isVoid: true });
      const caption: JsonNode = {
        object: "block",
        type: "paragraph",
        isVoid: false,
        data: {},
        nodes: writer.inlines(node),
      };
      return written(type, node, { isVoid: true, fragments: [fragment("caption", [caption])] });
    },
  };
}

export const file = captioned("file", "file", {
  toDOM: () => ["div", { class: "block-file" }, ["div", { class: "file-caption" }, 0]],
});

export const embed = captioned("embed", "embed", {
  toDOM: (node) => [
    "figure",
    { class: "block-embed" },
    ["div", { class: "embed-url" }, datum(node, "url")],
    ["figcaption", 0],
  ],
});

export const drawing = captioned("drawing", "drawing", {
  toDOM: () => ["figure", { class: "image" }, ["figcaption", 0]],
});

export const contentRef: Block = {
  type: "content-ref",
  name: "contentRef",
  spec: { group: "block", atom: true, attrs: stored, toDOM: () => ["div", { class: "block-content-ref" }] },
  read: (json, { schema }) => schema.nodes["contentRef"]!.create(attributes(json)),
  write: (node) => written("content-ref", node, { isVoid: true }),
};
